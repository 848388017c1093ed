//===- ProtonDialect.td - the proton dialect ---------------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_DIALECT_TD
#define KERNELSCOPE_PROTON_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Proton_Dialect : Dialect {
  let name = "proton";
  let cppNamespace = "::kernelscope::proton";
  let summary = "marks for Triton's profiler";
  let description = [{
    Marks the regions of a kernel that Proton measures from inside the kernel. `proton_gpu` implements how the
    measurements are recorded.
  }];
}

#endif
