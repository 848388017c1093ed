//===- ProtonGPUEnums.td - keywords of proton_gpu ----------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_GPU_ENUMS_TD
#define KERNELSCOPE_PROTON_GPU_ENUMS_TD

include "mlir/IR/EnumAttr.td"

class ProtonGPU_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::kernelscope::proton_gpu";
}

def ProtonGPU_GranularityAttr : ProtonGPU_Enum<"Granularity", "the threads that share a segment", [
  I32EnumAttrCase<"THREAD", 0, "thread">, I32EnumAttrCase<"WARP", 1, "warp">, I32EnumAttrCase<"WARP_2", 2, "warp_2">,
  I32EnumAttrCase<"WARP_4", 3, "warp_4">, I32EnumAttrCase<"WARP_8", 4, "warp_8">, I32EnumAttrCase<"CTA", 5, "cta">,
  I32EnumAttrCase<"WARP_GROUP", 6, "warp_group">, I32EnumAttrCase<"WARP_GROUP_2", 7, "warp_group_2">,
  I32EnumAttrCase<"WARP_GROUP_4", 8, "warp_group_4">, I32EnumAttrCase<"WARP_GROUP_8", 9, "warp_group_8">]>;

def ProtonGPU_BufferStrategyAttr : ProtonGPU_Enum<"BufferStrategy", "what happens when a segment is full", [
  I32EnumAttrCase<"CIRCULAR", 0, "circular">, I32EnumAttrCase<"FLUSH", 1, "flush">]>;

def ProtonGPU_BufferTypeAttr : ProtonGPU_Enum<"BufferType", "where the buffer is", [
  I32EnumAttrCase<"SHARED", 1, "shared">, I32EnumAttrCase<"GLOBAL", 2, "global">]>;

#endif
