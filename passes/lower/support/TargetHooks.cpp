//===- TargetHooks.cpp - What one vendor does its own way -----------------===//
//
// What both vendors share of it: shuffles of any width from shuffles of 32
// bits.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/TargetHooks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope::lower {

TargetHooks::~TargetHooks() = default;

ClusterHooks::~ClusterHooks() = default;

Value TargetHooks::threadId(Builder &b) const {
  Value thread = blockThreadId(b);
  const ExecutionScope &scope = b.getScope();
  if (scope.isWholeBlock)
    return thread;
  unsigned threads = scope.warps * target.warpSize;
  thread = b.sub(
      thread, b.i32(static_cast<int32_t>(scope.firstWarp * target.warpSize)));
  // Gives LLVM the range, as the launch does for a whole block.
  return llvm::isPowerOf2_32(threads)
             ? b.bitAnd(thread, b.i32(static_cast<int32_t>(threads) - 1))
             : thread;
}

Value TargetHooks::laneId(Builder &b) const {
  return b.bitAnd(blockThreadId(b),
                  b.i32(static_cast<int32_t>(target.warpSize) - 1));
}

Value TargetHooks::warpId(Builder &b) const {
  return b.lshr(threadId(b),
                b.i32(static_cast<int32_t>(llvm::Log2_32(target.warpSize))));
}

Value TargetHooks::uniformWarpId(Builder &b) const {
  return uniform(b, warpId(b));
}

SmallVector<Value> TargetHooks::executingThread(Builder &b) const {
  SmallVector<Value> who;
  for (unsigned axis : {0, 1, 2})
    who.push_back(programId(b, axis));
  Value thread = blockThreadId(b);
  const unsigned lanes = llvm::Log2_32(target.warpSize);
  who.push_back(b.lshr(thread, b.i32(static_cast<int32_t>(lanes))));
  who.push_back(thread);
  return who;
}

Value TargetHooks::shuffleXor(Builder &b, Value value, unsigned mask) const {
  return shuffle(b, Shuffle::Xor, value, b.i32(static_cast<int32_t>(mask)));
}

Value TargetHooks::shuffleIdx(Builder &b, Value value, Value lane) const {
  return shuffle(b, Shuffle::Idx, value, lane);
}

Value TargetHooks::shuffle(Builder &b, Shuffle kind, Value value,
                           Value operand) const {
  Type type = value.getType();
  Value bits = b.toBits(value);
  unsigned width = bitWidth(bits.getType());
  if (width <= 32) {
    Value moved =
        shuffle32(b, kind, b.zextOrTrunc(b.intType(32), bits), operand);
    return b.fromBits(type, b.zextOrTrunc(b.intType(width), moved));
  }
  SmallVector<Value> halves =
      b.splitVector(b.bitcast(b.vectorType(b.intType(32), width / 32), bits));
  for (Value &half : halves)
    half = shuffle32(b, kind, half, operand);
  return b.fromBits(type, b.bitcast(bits.getType(), b.makeVector(halves)));
}

std::unique_ptr<TargetHooks> createHooks(const Target &target, unsigned ctas) {
  return target.isNvidia() ? createNvidiaHooks(target, ctas)
                           : createAmdHooks(target, ctas);
}

} // namespace kernelscope::lower
