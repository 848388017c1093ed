//===- NVGDialect.cpp - the nvg dialect -----------------------------------===//
//
// Registration.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvg/NVG.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace kernelscope::nvg;

#include "dialects/nvg/NVGDialect.cpp.inc"
#include "dialects/nvg/NVGEnums.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/nvg/NVGOps.cpp.inc"

void NVGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/nvg/NVGOps.cpp.inc"
      >();
}
