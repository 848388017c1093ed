//===- HoistConversions.cpp - Conversions where values are small ----------===//
//
// A value that is broadcast, widened or put together from constants is moved
// between threads before that, not after: scales of a product, say, which are
// 32 times smaller than what they are spread over. One that several operands of
// products are computed from is moved instead of these.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/LayoutInterface.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "passes/ttgir/LayoutAssignment.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// How many ops a conversion may pass on its way up.
static constexpr unsigned mostOps = 32;

static RankedTensorType typeOf(Value value, Attribute layout) {
  return cast<RankedTensorType>(value.getType()).cloneWithEncoding(layout);
}

static uint64_t bytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * tt::bytesInMemory(type.getElementType());
}

/// Whether a thread has more elements of `value` in `layout` than in `now`, so
/// that several compute the same.
static bool hasMoreCopies(Value value, Attribute layout, Attribute now) {
  auto perThread = [&](Attribute encoding) {
    const tt::LayoutInterface *layouts = tt::getLayoutInterface(encoding);
    return layouts ? layouts->elementsPerThread(typeOf(value, encoding))
                   : std::nullopt;
  };
  return perThread(layout) > perThread(now);
}

/// The bytes that move between threads so that `value`, which only `user`
/// takes, has `layout`. Adds to `above` the ops that work in another layout
/// then, because conversions of their operands move less.
uint64_t LayoutAssignment::bytesMoved(Value value, Attribute layout,
                                      const Operation *user, unsigned depth,
                                      SmallVectorImpl<Hoisted> &above) const {
  Attribute now = pinned(value);
  if (!now || now == layout)
    return 0;
  const uint64_t here = bytesOf(value);
  Operation *op = value.getDefiningOp();
  auto isUser = [&](Operation *other) { return other == user; };
  if (depth == 0 || !op || op->getNumResults() != 1 || !isRecomputable(op) ||
      (user && !llvm::all_of(value.getUsers(), isUser)) ||
      groups.findLeader(value.getAsOpaquePointer()) != groups.member_end() ||
      hasMoreCopies(value, layout, now))
    return here;
  Attribute working = workingLayoutForResult(op, layout);
  if (!working)
    return here;
  const size_t before = above.size();
  above.push_back({op, working, layout});
  uint64_t moved = 0;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    // One conversion serves all operands that are the same value.
    if (!isa<RankedTensorType>(operand.getType()) ||
        llvm::is_contained(op->getOperands().take_front(index), operand))
      continue;
    if (Attribute wish =
            operandLayout(op, static_cast<unsigned>(index), working))
      moved += bytesMoved(operand, wish, op, depth - 1, above);
  }
  if (moved < here)
    return moved;
  above.truncate(before);
  return here;
}

/// The ops that compute operands of products in `layout` from `value`, element
/// by element, and nothing else. Nothing if there are other uses, or if the
/// operands are fewer than two or smaller than `value`: then moving those is
/// better.
std::optional<llvm::SetVector<Operation *>>
LayoutAssignment::findParts(Value value, Attribute layout) const {
  llvm::SetVector<Operation *> between;
  llvm::SetVector<Value> values, operands;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i)
    for (OpOperand &use : values[i].getUses()) {
      Operation *user = use.getOwner();
      if (user->hasTrait<OpTrait::Elementwise>() && isRecomputable(user) &&
          user->getNumResults() == 1 && between.size() < mostOps) {
        between.insert(user);
        values.insert(user->getResult(0));
        continue;
      }
      if (flows.contains(&use) || wantedBy(use, working.lookup(user)) != layout)
        return std::nullopt;
      operands.insert(values[i]);
    }
  auto isKnown = [&](Value operand) {
    return values.contains(operand) || !pinned(operand);
  };
  uint64_t moved = 0;
  for (Value operand : operands)
    moved += bytesOf(operand);
  if (operands.size() < 2 || moved < bytesOf(value) ||
      !llvm::all_of(
          between,
          [&](Operation *op) {
            return llvm::all_of(op->getOperands(), isKnown);
          }))
    return std::nullopt;
  return between;
}

/// Moves what several operands of products are made from, such as the parts of
/// f32 numbers, rather than each of them. True if there was such a value.
bool LayoutAssignment::hoistAboveParts() {
  bool hasHoisted = false;
  for (Operation *op : ops)
    for (Value value : op->getResults()) {
      if (!isa<RankedTensorType>(value.getType()) || !pinned(value))
        continue;
      for (const auto &[product, layout] : productLayouts)
        for (Attribute operand : {layout.a, layout.b}) {
          if (!operand || pinned(value) == operand)
            continue;
          auto between = findParts(value, operand);
          if (!between || between->empty() ||
              pinned(between->front()->getResult(0)) == operand)
            continue;
          for (Operation *part : *between) {
            working[part] = operand;
            layouts[part->getResult(0)] = operand;
          }
          hasHoisted = true;
        }
    }
  return hasHoisted;
}

/// True if it has hoisted some: then others may be worth it.
bool LayoutAssignment::hoistConversions() {
  if (hoistAboveParts())
    return true;
  // What is wanted of these has changed since it was collected.
  llvm::DenseSet<Value> touched;
  for (const auto &[value, wishes] : collectWanted()) {
    // Operands of matrix instructions are read from shared memory as they are
    // needed, in wide accesses; before they are widened those are narrow.
    if (wishes.size() != 1 || touched.contains(value) ||
        isa<ttg::DotOperandEncodingAttr>(wishes.front()))
      continue;
    SmallVector<Hoisted> above;
    bytesMoved(value, wishes.front(), /*user=*/nullptr, mostOps, above);
    for (const Hoisted &hoisted : above) {
      working[hoisted.op] = hoisted.working;
      layouts[hoisted.op->getResult(0)] = hoisted.result;
      touched.insert(hoisted.op->getResult(0));
      touched.insert(hoisted.op->operand_begin(), hoisted.op->operand_end());
    }
  }
  return !touched.empty();
}
