//===- TTIEnums.td - keywords of tti ops -------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TTI_ENUMS_TD
#define KERNELSCOPE_TTI_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def TTI_MemTypeAttr : I32EnumAttr<"MemType", "the memory that a buffer is in", [
    I32EnumAttrCase<"SHARED_MEM", 0, "shared_mem">, I32EnumAttrCase<"TENSOR_MEM", 1, "tensor_mem">]> {
  let cppNamespace = "::kernelscope::tti";
}

#endif
