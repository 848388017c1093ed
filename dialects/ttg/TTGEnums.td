//===- TTGEnums.td - Enumerations of ttg -------------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_ENUMS_TD
#define KERNELSCOPE_TTG_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTG_AddrSpace : I32BitEnumAttr<"AddrSpace", "address spaces that a barrier orders", [
    I32BitEnumAttrCase<"None", 0, "none">,
    I32BitEnumAttrCase<"Local", 1, "local">,
    I32BitEnumAttrCase<"GlobalRead", 2, "global_read">,
    I32BitEnumAttrCase<"GlobalWrite", 4, "global_write">,
    I32BitEnumAttrCase<"TensorRead", 8, "tensor_read">,
    I32BitEnumAttrCase<"TensorWrite", 16, "tensor_write">,
    I32BitEnumAttrCase<"All", 31, "all">]> {
  let cppNamespace = "::kernelscope::ttg";
}

#endif // KERNELSCOPE_TTG_ENUMS_TD
