//===- GluonDialect.td - the gluon dialect -----------------*- tablegen -*-===//

#ifndef KERNELSCOPE_GLUON_DIALECT_TD
#define KERNELSCOPE_GLUON_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Gluon_Dialect : Dialect {
  let name = "gluon";
  let cppNamespace = "::kernelscope::gluon";
  let summary = "layouts that Gluon leaves open";
  let description = [{
    A Gluon kernel names its layouts, or leaves some to the compiler. The open ones are encodings of this dialect until a
    pass chooses; then only `ttg` remains.
  }];
  let dependentDialects = ["::kernelscope::tt::TTDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif
