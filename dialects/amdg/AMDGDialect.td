//===- AMDGDialect.td - the amdg dialect -------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_AMDG_DIALECT_TD
#define KERNELSCOPE_AMDG_DIALECT_TD

include "mlir/IR/DialectBase.td"

def AMDG_Dialect : Dialect {
  let name = "amdg";
  let cppNamespace = "::kernelscope::amdg";
  let summary = "operations that only AMD GPUs have, in addition to ttg";
  let description = [{
    Buffer accesses, copies between global memory and LDS (by the lanes, or by gfx1250's tensor data mover), barriers
    in LDS, waits on memory counters, and register shuffles that AMD's pipelines use.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
}

#endif
