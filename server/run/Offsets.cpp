//===- Offsets.cpp - Buffers that say where segments begin ----------------===//

#include "server/run/Offsets.h"

#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "server/run/IndexTerms.h"
#include "server/run/Summands.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kernelscope::run {
namespace {

/// Whether `made` is computed from the result of `load`.
bool isMadeFrom(Value made, Operation *load) {
  llvm::SetVector<Value> behind;
  behind.insert(made);
  for (size_t i = 0; i < behind.size(); ++i) {
    Value value = behind[i];
    Operation *op = value.getDefiningOp();
    if (op == load)
      return true;
    if (!op) {
      if (Value outside = outsideOf(cast<BlockArgument>(value)))
        behind.insert(outside);
      else if (auto loop =
                   dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
               loop && value == loop.getInductionVar())
        behind.insert(loop.getLowerBound());
    } else if (isMemoryEffectFree(op) && op->getNumRegions() == 0) {
      behind.insert(op->operand_begin(), op->operand_end());
    }
  }
  return false;
}

/// Whether `op` goes from `begin` to `end`, or compares or subtracts them.
bool relates(Operation *op, Operation *begin, Operation *end) {
  Value from, to;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    from = loop.getLowerBound();
    to = loop.getUpperBound();
  } else if (isa<arith::SubIOp, arith::CmpIOp>(op)) {
    from = op->getOperand(0);
    to = op->getOperand(1);
  } else {
    return false;
  }
  return (isMadeFrom(from, begin) && isMadeFrom(to, end)) ||
         (isMadeFrom(to, begin) && isMadeFrom(from, end));
}

} // namespace

void markOffsets(FunctionOpInterface kernel,
                 std::vector<ArgumentInfo> &arguments) {
  // Of each buffer, by constants beyond the same sum of values.
  struct Place {
    Address address;
    Operation *load;
  };
  std::vector<Place> loads;
  kernel->walk([&](tt::LoadOp load) {
    if (!load.getType().isSignlessInteger() || load.getIsVolatile())
      return;
    auto access = cast<tt::GlobalAccessOpInterface>(load.getOperation());
    if (auto address = addressOf(access.getGlobalAccess(), kernel))
      loads.push_back({std::move(*address), load});
  });
  for (const Place &begin : loads)
    for (const Place &end : loads) {
      if (begin.address.buffer != end.address.buffer ||
          begin.address.index.constant + 1 != end.address.index.constant ||
          !begin.address.index.hasSameSummands(end.address.index))
        continue;
      const WalkResult related = kernel->walk([&](Operation *op) {
        return relates(op, begin.load, end.load) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
      });
      if (related.wasInterrupted())
        arguments[begin.address.buffer.getArgNumber()].isOffset = true;
    }
}

} // namespace kernelscope::run
