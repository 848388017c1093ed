//===- HoistConversions.cpp - Conversions where values are small ----------===//
//
// A value that is broadcast, widened or put together from constants is moved
// between threads before that, not after: scales of a product, say, which are
// 32 times smaller than what they are spread over.
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

/// True if it has hoisted some: then others may be worth it.
bool LayoutAssignment::hoistConversions() {
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
