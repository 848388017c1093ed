//===- AMDGDialect.td - the amdg dialect -------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_AMDG_DIALECT_TD
#define KERNELSCOPE_AMDG_DIALECT_TD

include "mlir/IR/DialectBase.td"

def AMDG_Dialect : Dialect {
  let name = "amdg";
  let cppNamespace = "::kernelscope::amdg";
  let summary = "what only AMD GPUs do, beside ttg";
  let description = [{
    Buffer accesses, copies between global memory and LDS (by lanes, or by the tensor data mover of gfx1250), barriers
    in LDS, waits on memory counters, and register shuffles that AMD's pipelines use.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif
