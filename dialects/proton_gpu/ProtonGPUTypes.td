//===- ProtonGPUTypes.td - segments of the buffer ----------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_GPU_TYPES_TD
#define KERNELSCOPE_PROTON_GPU_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/proton_gpu/ProtonGPUDialect.td"
include "dialects/proton_gpu/ProtonGPUEnums.td"

def ProtonGPU_SegmentType : TypeDef<ProtonGPU_Dialect, "Segment"> {
  let mnemonic = "segment";
  let summary = "part of the profiler's buffer";
  let description = [{
    `!proton_gpu.segment<2048, #smem, warp, [0, 1]>`: the buffer of `nBytes` bytes in `memorySpace`, divided into one
    part per `granularity` of
    threads, or only for those in `selectIds`. In LLVM it is the base of the buffer, the offset
    of the part and its write index.
  }];
  let parameters = (ins "int32_t":$nBytes, "::mlir::Attribute":$memorySpace,
    EnumParameter<ProtonGPU_GranularityAttr>:$granularity, OptionalArrayRefParameter<"int32_t">:$selectIds);
  let assemblyFormat = "`<` $nBytes `,` $memorySpace `,` $granularity (`,` `[` $selectIds^ `]`)? `>`";
}

#endif
