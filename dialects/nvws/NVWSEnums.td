//===- NVWSEnums.td - Enumerations of nvws -----------------*- tablegen -*-===//
#ifndef KERNELSCOPE_NVWS_ENUMS_TD
#define KERNELSCOPE_NVWS_ENUMS_TD

include "mlir/IR/EnumAttr.td"

def NVWS_TokenLoadTypeAttr : I32EnumAttr<"TokenLoadType", "what fills the buffers of a token", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"AsyncLoadOp", 1, "asyncLoadOp">,
  I32EnumAttrCase<"TMALoadOp", 2, "tmaLoadOp">, I32EnumAttrCase<"LocalStoreOp", 3, "localStoreOp">,
  I32EnumAttrCase<"TmemLoadOp", 4, "TmemLoadOp">]> {
  let cppNamespace = "::kernelscope::nvws";
}

def NVWS_AsyncOp : I32EnumAttr<"AsyncOp", "what still works on a buffer when its region is left", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"TMALoad", 1, "tma_load">,
  I32EnumAttrCase<"TC5MMA", 2, "tc5mma">, I32EnumAttrCase<"TMEMCopy", 3, "tmem_copy">,
  I32EnumAttrCase<"CpAsync", 4, "cp_async">, I32EnumAttrCase<"WGMMA", 5, "wgmma">,
  I32EnumAttrCase<"CLC", 6, "clc">]> {
  let cppNamespace = "::kernelscope::nvws";
  let genSpecializedAttr = 0;
}

#endif // KERNELSCOPE_NVWS_ENUMS_TD
