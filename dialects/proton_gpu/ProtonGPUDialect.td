//===- ProtonGPUDialect.td - the proton_gpu dialect --------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_GPU_DIALECT_TD
#define KERNELSCOPE_PROTON_GPU_DIALECT_TD

include "mlir/IR/DialectBase.td"

def ProtonGPU_Dialect : Dialect {
  let name = "proton_gpu";
  let cppNamespace = "::kernelscope::proton_gpu";
  let summary = "how the profiler records its measurements";
  let description = [{
    What `proton.record` is lowered to: counters that are read into a buffer in shared or global memory, where each warp or
    group of warps has a segment, and written out at the end of the kernel.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect", "::kernelscope::proton::ProtonDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
  }];
}

#endif
