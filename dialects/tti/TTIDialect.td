//===- TTIDialect.td - the tti dialect ---------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TTI_DIALECT_TD
#define KERNELSCOPE_TTI_DIALECT_TD

include "mlir/IR/DialectBase.td"

def TTI_Dialect : Dialect {
  let name = "tti";
  let cppNamespace = "::kernelscope::tti";
  let summary = "what Triton's sanitizers put into a kernel";
  let description = [{
    Three sanitizers share it: for concurrency (ConSan: shadow state of buffers and barriers of one block), for global
    memory (GSan: vector clocks across blocks), and for floating point (FPSan: an exact ring in place of floats).
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
}

#endif
