//===- AsyncCopy.cpp - cp.async -------------------------------------------===//
//
// Copies from global to shared memory that proceed by themselves, in groups:
// ttg.async_copy_global_to_local, async_commit_group, async_wait.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/Widths.h"
#include "passes/lower/nvidia/CpAsync.h"
#include "passes/lower/nvidia/L2Policy.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/MemDesc.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

static unsigned neighboursOf(ArrayRef<unsigned> access,
                             const SharedPlaces &places) {
  return neighboursInBoth(access, vectorBits(places, access.size()));
}

unsigned lower::elementsOfCpAsync(ArrayRef<unsigned> access,
                                  const SharedPlaces &places, Type element,
                                  const Target &target) {
  const unsigned bits = 8 * tt::bytesInMemory(element);
  const unsigned neighbours = neighboursOf(access, places);
  unsigned elements = 0;
  for (unsigned width : target.asyncCopyBits)
    if (width % bits == 0 && width / bits <= neighbours)
      elements = width / bits;
  return elements;
}

namespace {

/// One copy of `bits` from `source` to `destination`. PTX ISA, "cp.async".
struct Copy {
  Value destination, source;
  unsigned bits;
  /// Where it is false there is no copy; may be null.
  Value predicate = {};
  /// How L2 keeps what is read; null for the usual way.
  Value policy = {};
  /// The qualifier for what L2 fetches beyond it.
  StringRef prefetch = {};
  /// Where it is false there are zeros instead; may be null.
  Value orZeros = {};

  void emit(lower::Builder &b, tt::CacheModifier cache) const {
    // `.cg` goes past L1 and exists for 16 bytes only.
    const bool pastL1 = bits == 128 && cache != tt::CacheModifier::CA;
    std::string bytes = std::to_string(bits / 8);
    Ptx ptx(b);
    std::string to = ptx.input(destination, "r");
    std::string from = ptx.input(source, "l");
    std::string size = bytes, guard;
    // A size of 0 reads nothing and fills with zeros.
    if (orZeros)
      size = ptx.input(
          b.select(orZeros, b.i32(static_cast<int32_t>(bits / 8)), b.i32(0)),
          "r");
    if (predicate)
      guard = ptx.predicate(predicate);
    std::string hint = policy ? ", " + ptx.input(policy, "l") : "";
    ptx.emit(llvm::formatv("{0}cp.async.{1}.shared.global{2}{8} [{3}], "
                           "[{4}], {5}, {6}{7};",
                           guard, pastL1 ? "cg" : "ca",
                           policy ? ".L2::cache_hint" : "", to, from, bytes,
                           size, hint, prefetch)
                 .str());
  }
};

class AsyncCopyPattern : public lower::Pattern<ttg::AsyncCopyGlobalToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncCopyGlobalToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    RankedTensorType type = op.getSrc().getType();
    Type element =
        converter.convertElement(op.getResult().getType().getElementType());
    const unsigned bits = 8 * tt::bytesInMemory(element);
    SmallVector<Value> pointers = unpackElements(b, adaptor.getSrc());
    SmallVector<Value> masks = unpackOptional(b, adaptor.getMask());
    SmallVector<Value> others;
    if (!masks.empty() && !isAbsentOrZero(op.getOther()))
      others = unpackElements(b, adaptor.getOther());
    auto places = placesIn(b, op, type, MemDesc::unpack(b, adaptor.getResult()),
                           op.getResult().getType());
    if (failed(places))
      return failure();

    SmallVector<unsigned> access = planAccesses(op, type).accesses.front();
    const unsigned elements =
        elementsOfCpAsync(access, *places, element, hooks.getTarget());
    if (!elements)
      return reportTooNarrow(op, neighboursOf(access, *places) * bits);

    Attribute cachePolicy = op.getCachePolicyAttr();
    Value policy = createL2Policy(b, cachePolicy, op.getEvict());
    const tt::CacheModifier cache =
        tt::cacheModifierOf(cachePolicy, op.getCache());
    const std::string prefetch = prefetchQualifier(cachePolicy);
    // Threads that hold copies would write the same bytes once more.
    Value copies = holdsFirst(b, threadCopyBits(type, hooks));
    visitShared(b, hooks, *places, element, elements,
                [&](Value destination, const SharedVector &registers) {
                  unsigned first = registers.front();
                  Value mask = masks.empty() ? Value() : masks[first];
                  Copy copy{destination,
                            pointers[first],
                            static_cast<unsigned>(registers.size()) * bits,
                            copies,
                            policy,
                            prefetch};
                  if (others.empty()) {
                    copy.orZeros = mask;
                    copy.emit(b, cache);
                    return;
                  }
                  copy.predicate = bothHold(b, copies, mask);
                  copy.emit(b, cache);
                  hooks.storeShared(
                      b, destination, pick(others, registers),
                      bothHold(b, copies, b.bitXor(mask, b.i1(true))));
                });
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }

private:
  /// An i1 that is true in the thread whose index has none of these bits; null
  /// if there are none. In assembly, since `tid < n`, which LLVM makes of it,
  /// lets ptxas put a branch around each copy.
  Value holdsFirst(lower::Builder &b, int32_t bits) const {
    if (!bits)
      return {};
    Ptx ptx(b);
    std::string result = ptx.output(32);
    std::string thread = ptx.input(hooks.threadId(b), "r");
    Value found = ptx.emitPure(
        llvm::formatv("and.b32 {0}, {1}, {2};", result, thread, bits).str())[0];
    return b.icmp(ICmp::eq, found, b.i32(0));
  }

  LogicalResult reportTooNarrow(Operation *op, unsigned found) const {
    return op->emitOpError()
           << "has only " << found << " contiguous bits in the pointers and "
           << "the shared layout; " << hooks.getTarget().arch << " copies "
           << alternatives(hooks.getTarget().asyncCopyBits) << " bits at once";
  }
};

class AsyncCommitGroupPattern : public lower::Pattern<ttg::AsyncCommitGroupOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncCommitGroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    b.intrinsic("llvm.nvvm.cp.async.commit.group", {}, {});
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

class AsyncWaitPattern : public lower::Pattern<ttg::AsyncWaitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttg::AsyncWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    b.intrinsic("llvm.nvvm.cp.async.wait.group", {},
                {b.i32(static_cast<int32_t>(op.getNum()))});
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

} // namespace

void lower::populateAsyncCopyPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<AsyncCopyPattern, AsyncCommitGroupPattern, AsyncWaitPattern>(
      converter, hooks);
}
