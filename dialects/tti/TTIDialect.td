//===- TTIDialect.td - the tti dialect ---------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TTI_DIALECT_TD
#define KERNELSCOPE_TTI_DIALECT_TD

include "mlir/IR/DialectBase.td"

def TTI_Dialect : Dialect {
  let name = "tti";
  let cppNamespace = "::kernelscope::tti";
  let summary = "instrumentation by Triton's sanitizers";
  let description = [{
    Three sanitizers use it: ConSan for concurrency (shadow state of the buffers and barriers of one block), GSan for
    global memory (vector clocks across blocks), and FPSan for floating point (exact ring arithmetic instead of
    floats).
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
}

#endif
