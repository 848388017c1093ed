//===- ProtonDialect.cpp - the proton dialect -----------------------------===//
//
// Registration.
//
//===----------------------------------------------------------------------===//

#include "dialects/proton/Proton.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace kernelscope::proton;

#include "dialects/proton/ProtonDialect.cpp.inc"
#include "dialects/proton/ProtonEnums.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/proton/ProtonOps.cpp.inc"

void ProtonDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/proton/ProtonOps.cpp.inc"
      >();
}
