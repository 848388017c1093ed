//===- AmdHooks.cpp - What AMD's GPUs do their own way --------------------===//
//
// Work-item registers, cross-lane moves, barriers with their fences, and
// predicated memory accesses as masked vectors, which LLVM turns into a branch
// around one wide access.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/PackedAtomics.h"
#include "dialects/tt/TT.h"
#include "passes/lower/amd/Fp4Casts.h"
#include "passes/lower/amd/LaneMoves.h"
#include "passes/lower/amd/NamedBarriers.h"
#include "passes/lower/amd/PackedCasts.h"
#include "passes/lower/support/RelaxedLoads.h"
#include "passes/lower/support/TargetHooks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

class AmdHooks : public TargetHooks {
public:
  using TargetHooks::TargetHooks;

  // What all lanes have is in scalar registers, and arithmetic on it is free.
  // LLVM moves readfirstlane, and what needs it, out of no loop.
  Value warpId(Builder &b) const override {
    if (getTarget().hasWaveId)
      return waveIdInScope(b);
    OpBuilder::InsertionGuard guard(b.getBuilder());
    auto function = b.getBuilder()
                        .getInsertionBlock()
                        ->getParent()
                        ->getParentOfType<FunctionOpInterface>();
    if (b.getScope().isWholeBlock && function)
      b.getBuilder().setInsertionPointToStart(
          &function.getFunctionBody().front());
    return uniform(b, TargetHooks::warpId(b));
  }

  Value uniformWarpId(Builder &b) const override { return warpId(b); }

  Value ctaId(Builder &b) const override {
    if (getCtas() == 1)
      return b.i32(0);
    return b.intrinsic("llvm.amdgcn.cluster.workgroup.flat.id", b.intType(32),
                       {});
  }

  Value programId(Builder &b, unsigned axis) const override {
    StringRef name = getCtas() == 1 ? "llvm.amdgcn.workgroup.id."
                                    : "llvm.amdgcn.cluster.id.";
    return b.intrinsic((name + StringRef("xyz").substr(axis, 1)).str(),
                       b.intType(32), {});
  }

  Value numPrograms(Builder &b, unsigned axis) const override {
    // The implicit arguments start with the grid's size in blocks (code object
    // version 5).
    Value arguments = b.intrinsic("llvm.amdgcn.implicitarg.ptr",
                                  b.pointerType(/*addressSpace=*/4), {});
    Value blocks = b.load(
        b.intType(32),
        b.gep(b.intType(32), arguments, b.i32(static_cast<int32_t>(axis))), 4);
    if (getCtas() == 1)
      return blocks;
    return axis ? blocks
                : b.udiv(blocks, b.i32(static_cast<int32_t>(getCtas())));
  }

  void barrier(Builder &b) const override {
    // LLVM lets a fence of the block wait for all copies to LDS that vmcnt
    // counts. A wave's own accesses to LDS are counted in lgkmcnt; those to
    // global memory reach the L1 cache, which waves share, in order.
    Operation *at = b.getBuilder().getInsertionBlock()->getParentOp();
    const bool waitsForOwn =
        !getTarget().hasScatteredAsyncCopies &&
        at->getParentOfType<ModuleOp>()->hasAttr(ownWaitsName);
    constexpr int32_t noAccessToLds = 0xc07f; // lgkmcnt(0), others at most
    if (waitsForOwn)
      b.intrinsic("llvm.amdgcn.s.waitcnt", {}, {b.i32(noAccessToLds)});
    const StringRef scope = waitsForOwn ? "wavefront" : "workgroup";
    b.fence(Builder::Ordering::Release, scope);
    if (b.getScope().isWholeBlock)
      b.intrinsic("llvm.amdgcn.s.barrier", {}, {});
    else if (b.getScope().warps == 1)
      b.intrinsic("llvm.amdgcn.wave.barrier", {}, {});
    else
      namedBarrier(b);
    b.fence(Builder::Ordering::Acquire, scope);
  }

  void warpBarrier(Builder &b) const override {
    // A wave's accesses to LDS happen in order, if LLVM leaves them so.
    b.fence(Builder::Ordering::Release, "wavefront");
    b.intrinsic("llvm.amdgcn.wave.barrier", {}, {});
    b.fence(Builder::Ordering::Acquire, "wavefront");
  }

  Value ballot(Builder &b, Value predicate) const override {
    Type type = b.intType(getTarget().warpSize);
    return b.intrinsic(isWave64() ? "llvm.amdgcn.ballot.i64"
                                  : "llvm.amdgcn.ballot.i32",
                       type, {predicate});
  }

  std::pair<Value, Value> swapLanes(Builder &b, Value first, Value second,
                                    unsigned bit) const override {
    return lower::swapLanes(b, first, second, bit);
  }

  SmallVector<Value> loadGlobal(Builder &b, Value pointer, Type element,
                                unsigned count, Value predicate,
                                ValueRange other,
                                const MemoryOptions &options) const override {
    return load(b, pointer, element, count, predicate, other, options);
  }

  void storeGlobal(Builder &b, Value pointer, ValueRange values,
                   Value predicate,
                   const MemoryOptions &options) const override {
    store(b, pointer, values, predicate, options);
  }

  SmallVector<Value> loadShared(Builder &b, Value pointer, Type element,
                                unsigned count,
                                Value predicate) const override {
    return load(b, pointer, element, count, predicate, {}, {});
  }

  void storeShared(Builder &b, Value pointer, ValueRange values,
                   Value predicate) const override {
    store(b, pointer, values, predicate, {});
  }

  Value math(Builder &b, MathFunction function, Value x) const override {
    if (!x.getType().isF32())
      return {};
    auto unary = [&](StringRef name, Value operand) {
      return b.intrinsic(name, operand.getType(), {operand});
    };
    constexpr double log2e = 1.4426950408889634;
    switch (function) {
    // Triton's keep denormal results of `exp` only.
    case MathFunction::Exp2:
      return unary("llvm.amdgcn.exp2.f32", x);
    case MathFunction::Exp:
      return unary("llvm.exp2.f32",
                   b.fmul(x, b.floatConstant(x.getType(), log2e)));
    case MathFunction::Log:
      return unary("llvm.log.f32", x);
    case MathFunction::Log2:
      return unary("llvm.log2.f32", x);
    case MathFunction::Sqrt:
      return unary("llvm.amdgcn.sqrt.f32", x);
    case MathFunction::PreciseSqrt:
      return unary("llvm.sqrt.f32", x);
    case MathFunction::Rsqrt:
      return unary("llvm.amdgcn.rsq.f32", x);
    }
    return {};
  }

  SmallVector<Value> convertFloats(Builder &b, ArrayRef<Value> x, Type from,
                                   Type to, bool toZero) const override {
    return pairwiseCast(b, getTarget(), x, from, to, toZero);
  }

  SmallVector<Value> unpackFp4(Builder &b, ArrayRef<Value> bytes,
                               Type to) const override {
    return widenFp4(b, getTarget(), bytes, to);
  }

  Value divide(Builder &b, Value x, Value y, bool /*precise*/) const override {
    return b.fdiv(x, y);
  }

  unsigned maxAtomicElements(tt::RMWOp operation, Type element) const override {
    return operation == tt::RMWOp::FADD &&
                   (element.isF16() || element.isBF16()) &&
                   hasPackedAtomicAdd(getTarget())
               ? 2
               : 1;
  }

  // Each would write back and invalidate caches.
  bool fencesAtomics() const override { return true; }

  StringRef syncScope(tt::MemSyncScope scope) const override {
    return scope == tt::MemSyncScope::CTA   ? "workgroup"
           : scope == tt::MemSyncScope::GPU ? "agent"
                                            : "";
  }

  // ROCm's device library sends what is printed to the host, piece by piece.
  void print(Builder &b, StringRef format,
             ValueRange arguments) const override {
    Type i64 = b.intType(64);
    printPieces(b, b.callFunction("__ockl_printf_begin", i64, {b.i64(0)}),
                format, arguments);
  }

  void failAssertion(Builder &b, StringRef message,
                     const SourcePlace &place) const override {
    std::string before =
        llvm::formatv("{0}:{1}: {2}: ", place.file, place.line, place.function)
            .str();
    SmallVector<Value> who = executingThread(b);
    printPieces(
        b, b.callFunction("__ockl_fprintf_stderr_begin", b.intType(64), {}),
        escaped(before) + executingThreadFormat.str() +
            escaped((": assertion failed: " + message + "\n").str()),
        who);
    b.intrinsic("llvm.trap", {}, {});
  }

  Value nanoseconds(Builder &b) const override {
    // 100 MHz on all chips.
    return b.mul(b.intrinsic("llvm.readsteadycounter", b.intType(64), {}),
                 b.i64(10));
  }

  std::string libraryFunction(StringRef name, bool isDouble) const override {
    StringRef theirs = name == "powi" ? "pown" : name;
    return ("__ocml_" + theirs + (isDouble ? "_f64" : "_f32")).str();
  }

protected:
  Value blockThreadId(Builder &b) const override {
    return b.intrinsic("llvm.amdgcn.workitem.id.x", b.intType(32), {});
  }

  /// The warp's number in its scope, from the one that the hardware keeps.
  static Value waveIdInScope(Builder &b) {
    const ExecutionScope &scope = b.getScope();
    Value wave = b.sub(b.intrinsic("llvm.amdgcn.wave.id", b.intType(32), {}),
                       b.i32(static_cast<int32_t>(scope.firstWarp)));
    // Gives LLVM the range.
    return llvm::isPowerOf2_32(scope.warps)
               ? b.bitAnd(wave, b.i32(static_cast<int32_t>(scope.warps) - 1))
               : wave;
  }

  Value uniform(Builder &b, Value value) const override {
    return b.intrinsic("llvm.amdgcn.readfirstlane.i32", b.intType(32), {value});
  }

  Value shuffle32(Builder &b, Shuffle kind, Value value,
                  Value operand) const override {
    if (kind == Shuffle::Idx)
      return permuteLanes(b, value, operand);
    return xorLanes(b, getTarget(), value, laneId(b),
                    static_cast<unsigned>(tt::constantOf(operand).value_or(0)));
  }

private:
  bool isWave64() const { return getTarget().warpSize == 64; }

  /// Text in which printf finds no conversions.
  static std::string escaped(StringRef text) {
    std::string result;
    for (char c : text)
      result += c == '%' ? "%%" : std::string(1, c);
    return result;
  }

  static void printPieces(Builder &b, Value message, StringRef format,
                          ValueRange arguments) {
    Type i64 = b.intType(64);
    message = b.callFunction("__ockl_printf_append_string_n", i64,
                             {message, b.text(format),
                              b.i64(static_cast<int64_t>(format.size()) + 1),
                              b.i32(arguments.empty())});
    constexpr size_t most = 7;
    for (size_t i = 0; i < arguments.size(); i += most) {
      size_t count = std::min(most, arguments.size() - i);
      SmallVector<Value> piece{message, b.i32(static_cast<int32_t>(count))};
      for (Value value : arguments.slice(i, count))
        piece.push_back(b.zextOrTrunc(i64, b.toBits(value)));
      piece.resize(2 + most, b.i64(0));
      piece.push_back(b.i32(i + count == arguments.size()));
      message = b.callFunction("__ockl_printf_append_args", i64, piece);
    }
  }

  static bool isVolatile(const MemoryOptions &options) {
    return options.isVolatile || options.cache == tt::CacheModifier::CV;
  }

  static unsigned alignmentOf(const MemoryOptions &options, Type vector) {
    return options.alignment ? options.alignment : bitWidth(vector) / 8;
  }

  static SmallVector<Value> load(Builder &b, Value pointer, Type element,
                                 unsigned count, Value predicate,
                                 ValueRange other,
                                 const MemoryOptions &options) {
    // Masked vectors of pointers or i1 are not worth having: integers are.
    Type word = b.intType(bitWidth(element));
    Type vector = b.vectorType(word, count);
    unsigned alignment = alignmentOf(options, vector);
    Value loaded;
    if (predicate) {
      SmallVector<Value> bits;
      for (Value value : other)
        bits.push_back(b.toBits(value));
      loaded = b.maskedLoad(pointer, predicate,
                            bits.empty() ? b.zero(vector) : b.makeVector(bits),
                            alignment);
    } else {
      loaded = b.load(vector, pointer, alignment, isVolatile(options));
    }
    SmallVector<Value> values = b.splitVector(loaded);
    for (Value &value : values)
      value = b.fromBits(element, value);
    return values;
  }

  static void store(Builder &b, Value pointer, ValueRange values,
                    Value predicate, const MemoryOptions &options) {
    SmallVector<Value> bits;
    for (Value value : values)
      bits.push_back(b.toBits(value));
    Value vector = b.makeVector(bits);
    unsigned alignment = alignmentOf(options, vector.getType());
    if (predicate)
      b.maskedStore(vector, pointer, predicate, alignment);
    else
      b.store(vector, pointer, alignment, isVolatile(options));
  }
};

} // namespace

std::unique_ptr<TargetHooks> createAmdHooks(const Target &target,
                                            unsigned ctas) {
  return std::make_unique<AmdHooks>(target, ctas);
}

} // namespace kernelscope::lower
