//===- TTNGEnums.td - Enumerations of ttng -----------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTNG_ENUMS_TD
#define KERNELSCOPE_TTNG_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class TTNG_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::kernelscope::ttng";
}

// Enumerations that an attribute of their own wraps.
class TTNG_WrappedEnum<string name, string summary, list<I32EnumAttrCase> cases>
    : TTNG_Enum<name, summary, cases> {
  let genSpecializedAttr = 0;
}

def TTNG_TMEMLoadReduceModifier
    : TTNG_WrappedEnum<"TMEMLoadReduceModifier", "reduction of a tensor memory load", [
  I32EnumAttrCase<"MIN", 1, "min">, I32EnumAttrCase<"MAX", 2, "max">]>;

def TTNG_PackedArithOpKindAttr
    : TTNG_Enum<"PackedArithOpKind", "operation of packed arithmetic", [
  I32EnumAttrCase<"ADD", 0, "add">, I32EnumAttrCase<"SUB", 1, "sub">,
  I32EnumAttrCase<"MUL", 2, "mul">, I32EnumAttrCase<"FMA", 3, "fma">,
  I32EnumAttrCase<"MIN", 4, "min">, I32EnumAttrCase<"MAX", 5, "max">]>;

def TTNG_TensorMemoryScalesBlockRepOrder
    : TTNG_WrappedEnum<"TensorMemoryScalesBlockRepOrder", "order of the blocks of scales", [
  I32EnumAttrCase<"MN_THEN_K", 0, "mnThenK">, I32EnumAttrCase<"K_THEN_MN", 1, "kThenMn">]>;

#endif // KERNELSCOPE_TTNG_ENUMS_TD
