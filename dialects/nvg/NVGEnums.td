//===- NVGEnums.td - keywords of nvg ops -------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_NVG_ENUMS_TD
#define KERNELSCOPE_NVG_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class NVG_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::kernelscope::nvg";
}

def NVG_WGMMALayoutAttr : NVG_Enum<"WGMMALayout", "order of a wgmma operand in shared memory", [
  I32EnumAttrCase<"row", 0>, I32EnumAttrCase<"col", 1>]>;

def NVG_WGMMAEltTypeAttr : NVG_Enum<"WGMMAEltType", "element type of a wgmma operand", [
  I32EnumAttrCase<"s8", 0>, I32EnumAttrCase<"s32", 1>, I32EnumAttrCase<"e4m3", 2>, I32EnumAttrCase<"e5m2", 3>,
  I32EnumAttrCase<"f16", 4>, I32EnumAttrCase<"bf16", 5>, I32EnumAttrCase<"tf32", 6>, I32EnumAttrCase<"f32", 7>]>;

#endif
