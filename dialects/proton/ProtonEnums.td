//===- ProtonEnums.td - keywords of proton ops -------------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_ENUMS_TD
#define KERNELSCOPE_PROTON_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class Proton_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::kernelscope::proton";
}

def Proton_MetricTypeAttr : Proton_Enum<"MetricType", "what is measured", [I32EnumAttrCase<"CYCLE", 0, "cycle">]>;

def Proton_SamplingStrategyAttr : Proton_Enum<"SamplingStrategy", "which warps measure", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"SELECTIVE", 1, "selective">]>;

def Proton_ModeAttr : Proton_Enum<"Mode", "what is marked by itself", [
  I32EnumAttrCase<"DEFAULT", 0, "default">, I32EnumAttrCase<"MMA", 1, "mma">]>;

#endif
