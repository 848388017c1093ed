//===- Summands.cpp - Indices and addresses as sums of values -------------===//

#include "server/run/Summands.h"

#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "server/run/IndexTerms.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kernelscope::run {
namespace {

Value withoutMoves(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Value outside = outsideOf(argument);
      if (!outside)
        return value;
      value = outside;
    } else if (isa<tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
                   ttg::ConvertLayoutOp, arith::ExtSIOp, arith::ExtUIOp>(
                   value.getDefiningOp())) {
      value = value.getDefiningOp()->getOperand(0);
    } else {
      return value;
    }
  }
}

/// Whether both values are the same number: nothing merges what is computed
/// once for rows and once for a tile of them.
bool isSame(Value left, Value right, unsigned depth = 0) {
  left = withoutMoves(left);
  right = withoutMoves(right);
  if (left == right)
    return true;
  std::optional<int64_t> constant = tt::constantOf(left);
  if (constant)
    return constant == tt::constantOf(right);
  Operation *a = left.getDefiningOp(), *b = right.getDefiningOp();
  if (depth > 8 || !a || !b || a->getName() != b->getName() ||
      a->getNumOperands() != b->getNumOperands() || a->getNumRegions() ||
      !isMemoryEffectFree(a) ||
      a->getPropertiesAsAttribute() != b->getPropertiesAsAttribute())
    return false;
  return llvm::all_of(
      llvm::zip(a->getOperands(), b->getOperands()), [&](const auto &pair) {
        return isSame(std::get<0>(pair), std::get<1>(pair), depth + 1);
      });
}

/// Adds the summands of `values`.
void addSummands(SmallVector<Value> values, Sum &sum) {
  while (!values.empty()) {
    Value value = withoutMoves(values.pop_back_val());
    if (std::optional<int64_t> constant = tt::constantOf(value))
      sum.constant += *constant;
    else if (auto add = value.getDefiningOp<arith::AddIOp>())
      values.append({add.getLhs(), add.getRhs()});
    else
      sum.summands.push_back(value);
  }
}

} // namespace

std::optional<Sum> Sum::without(const Sum &part) const {
  Sum rest{summands, constant - part.constant};
  for (Value taken : part.summands) {
    auto found = llvm::find_if(
        rest.summands, [&](Value value) { return isSame(value, taken); });
    if (found == rest.summands.end())
      return std::nullopt;
    rest.summands.erase(found);
  }
  return rest;
}

bool Sum::hasSameSummands(const Sum &other) const {
  const std::optional<Sum> rest = without(other);
  return rest && rest->summands.empty();
}

Sum sumOf(Value index) {
  Sum sum;
  addSummands({index}, sum);
  return sum;
}

std::optional<Address> addressOf(const tt::GlobalAccess &access,
                                 FunctionOpInterface kernel) {
  SmallVector<Value> offsets;
  if (access.base)
    offsets.push_back(access.addresses);
  Value pointer = withoutMoves(access.base ? access.base : access.addresses);
  while (auto add = pointer.getDefiningOp<tt::AddPtrOp>()) {
    offsets.push_back(add.getOffset());
    pointer = withoutMoves(add.getPtr());
  }
  Address address{scalarArgumentOf(pointer, kernel), {}};
  if (!address.buffer)
    return std::nullopt;
  addSummands(std::move(offsets), address.index);
  return address;
}

SmallVector<tt::GlobalAccessOpInterface> sourceLoads(ArrayRef<Value> values) {
  SmallVector<tt::GlobalAccessOpInterface> loads;
  llvm::SetVector<Value> behind;
  behind.insert(values.begin(), values.end());
  for (size_t i = 0; i < behind.size(); ++i) {
    Operation *op = behind[i] ? behind[i].getDefiningOp() : nullptr;
    if (!op)
      continue;
    if (auto load = dyn_cast<tt::GlobalAccessOpInterface>(op))
      loads.push_back(load);
    else if (isMemoryEffectFree(op) && op->getNumRegions() == 0)
      behind.insert(op->operand_begin(), op->operand_end());
  }
  return loads;
}

} // namespace kernelscope::run
