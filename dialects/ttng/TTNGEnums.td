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

def TTNG_CachePriority : TTNG_WrappedEnum<"CachePriority", "how long a cache keeps what is accessed", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"EVICT_NORMAL", 1, "evict_normal">,
  I32EnumAttrCase<"EVICT_UNCHANGED", 2, "evict_unchanged">, I32EnumAttrCase<"EVICT_FIRST", 3, "evict_first">,
  I32EnumAttrCase<"EVICT_LAST", 4, "evict_last">, I32EnumAttrCase<"NO_ALLOCATE", 5, "no_allocate">]>;

#endif // KERNELSCOPE_TTNG_ENUMS_TD
