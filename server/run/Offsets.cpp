//===- Offsets.cpp - Buffers that say where segments begin ----------------===//

#include "server/run/Offsets.h"

#include "dialects/tt/TT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "server/run/IndexTerms.h"
#include "llvm/ADT/SetVector.h"
#include <map>

using namespace mlir;

namespace kernelscope::run {
namespace {

/// An address as an argument, the values that are added to it, and a constant.
struct Address {
  BlockArgument buffer;
  std::vector<const void *> terms; ///< sorted
  int64_t constant = 0;
};

std::optional<Address> addressOf(Value pointer, FunctionOpInterface kernel) {
  Address address;
  SmallVector<Value> summands;
  while (auto add = pointer.getDefiningOp<tt::AddPtrOp>()) {
    summands.push_back(add.getOffset());
    pointer = add.getPtr();
  }
  address.buffer = argumentBehind(pointer, kernel);
  if (!address.buffer)
    return std::nullopt;
  while (!summands.empty()) {
    Value value = summands.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (std::optional<int64_t> constant = tt::constantOf(value))
      address.constant += *constant;
    else if (isa_and_present<arith::AddIOp>(op))
      summands.append(op->operand_begin(), op->operand_end());
    else if (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(op))
      summands.push_back(op->getOperand(0));
    else
      address.terms.push_back(value.getAsOpaquePointer());
  }
  llvm::sort(address.terms);
  return address;
}

/// Whether `made` is made from what `load` gives.
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
  // Of each buffer and sum of values: the loads at constants beyond it.
  std::map<std::pair<unsigned, std::vector<const void *>>,
           std::map<int64_t, Operation *>>
      loads;
  kernel->walk([&](tt::LoadOp load) {
    if (!load.getType().isSignlessInteger() || load.getIsVolatile())
      return;
    if (std::optional<Address> address = addressOf(load.getPtr(), kernel))
      loads[{address->buffer.getArgNumber(), address->terms}].insert(
          {address->constant, load});
  });
  for (auto &[place, at] : loads)
    for (auto [constant, begin] : at) {
      auto end = at.find(constant + 1);
      if (end == at.end())
        continue;
      const WalkResult related = kernel->walk([&](Operation *op) {
        return relates(op, begin, end->second) ? WalkResult::interrupt()
                                               : WalkResult::advance();
      });
      if (related.wasInterrupted())
        arguments[place.first].isOffset = true;
    }
}

} // namespace kernelscope::run
