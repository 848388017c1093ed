//===- AMDGDialect.cpp - the amdg dialect ---------------------------------===//
//
// Registration.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace kernelscope::amdg;

#include "dialects/amdg/AMDGDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/amdg/AMDGOps.cpp.inc"

void AMDGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/amdg/AMDGOps.cpp.inc"
      >();
}
