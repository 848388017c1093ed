//===- GluonDialect.td - the gluon dialect -----------------*- tablegen -*-===//

#ifndef KERNELSCOPE_GLUON_DIALECT_TD
#define KERNELSCOPE_GLUON_DIALECT_TD

include "mlir/IR/DialectBase.td"

def Gluon_Dialect : Dialect {
  let name = "gluon";
  let cppNamespace = "::kernelscope::gluon";
  let summary = "layouts that Gluon leaves open";
  let description = [{
    A Gluon kernel chooses its layouts, or leaves some of them to the compiler. The open ones are encodings of this
    dialect until a pass chooses them; after that only `ttg` remains.
  }];
  let dependentDialects = ["::kernelscope::tt::TTDialect"];
  let useDefaultAttributePrinterParser = 1;
}

#endif
