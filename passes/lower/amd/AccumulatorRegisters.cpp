//===- AccumulatorRegisters.cpp - VGPRs or AGPRs for sums of MFMA ---------===//

#include "passes/lower/amd/AccumulatorRegisters.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

static constexpr StringLiteral className = "amdg.cd_regclass";

SmallVector<Value> lower::constrainSums(lower::Builder &b, Operation *op,
                                        ArrayRef<Value> sum) {
  auto name = op->getAttrOfType<StringAttr>(className);
  if (!name)
    return SmallVector<Value>(sum);
  // No instruction: the result is the operand, in a register of the class.
  Value joined = b.makeVector(sum);
  return b.splitVector(b.inlineAsm("", ("=" + name.getValue() + ",0").str(),
                                   joined.getType(), joined,
                                   /*hasSideEffects=*/false));
}

LogicalResult lower::checkSumRegisters(Operation *op) {
  Attribute given = op->getAttr(className);
  auto name = dyn_cast_if_present<StringAttr>(given);
  if (!given || (name && (name == "a" || name == "v")))
    return success();
  return op->emitOpError("has '")
         << className << "' = " << given
         << ", but it must be \"a\" for AGPRs or \"v\" for VGPRs";
}
