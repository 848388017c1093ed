//===- ProtonGPUAttrs.td - memory of segments --------------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_GPU_ATTRS_TD
#define KERNELSCOPE_PROTON_GPU_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "dialects/proton_gpu/ProtonGPUDialect.td"

def ProtonGPU_GlobalMemorySpaceAttr : AttrDef<ProtonGPU_Dialect, "GlobalMemorySpace"> {
  let mnemonic = "global_memory";
  let summary = "global memory";
  let description = [{
    The memory space of a segment whose buffer is in global memory. For shared memory it is `#ttg.shared_memory`.
  }];
}

#endif
