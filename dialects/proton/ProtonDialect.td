//===- ProtonDialect.td - the proton dialect ---------------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_DIALECT_TD
#define KERNELSCOPE_PROTON_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Proton_Dialect : Dialect {
  let name = "proton";
  let cppNamespace = "::kernelscope::proton";
  let summary = "marks for Triton's profiler";
  let description = [{
    Says which stretches of a kernel Proton measures from within. `proton_gpu` says how the measurements are kept.
  }];
}

#endif
