//===- Tma.cpp - Blocks of tensors by the tensor memory accelerator -------===//
//
// ttng.async_tma_*: the messages of a block, distributed to the warps, each
// started by one lane. PTX ISA, "Data Movement and Conversion Instructions:
// cp.async.bulk.tensor".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "dialects/ttng/TmaPlan.h"
#include "passes/lower/nvidia/L2Policy.h"
#include "passes/lower/nvidia/MBarrier.h"
#include "passes/lower/nvidia/TmaInstruction.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A block in shared memory and its messages.
class Messages {
public:
  /// Failure, with an error on `op`, if TMA cannot move the block.
  static FailureOr<Messages> of(Operation *op, const TargetHooks &hooks,
                                tt::TensorDescInterface desc,
                                ttg::MemDescType type) {
    std::optional<ttng::TmaPlan> plan = ttng::planBlock(desc, type);
    assert(plan && "the verifier has planned it, too");
    if (failed(checkReachesCTA(op, hooks, plan->inOneCTA)))
      return failure();
    auto layout = cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding());
    int64_t packing = layout.getFp4Padded() ? 2 : 1;
    return Messages(*plan, type, packing, ttg::isOlderDump(op) ? 1 : packing);
  }

  /// Calls `emit(predicate, coordinates, address)` for each message that this
  /// warp starts; the predicate is true in one lane. `coordinates` are those of
  /// the block, an i32 per dimension of the tensor.
  void
  forEach(lower::Builder &b, const TargetHooks &hooks, Value packed,
          ValueRange coordinates, Value predicate,
          llvm::function_ref<void(Value, ArrayRef<Value>, Value)> emit) const {
    ttg::LayoutDims names(b.getContext());
    auto message = StringAttr::get(b.getContext(), ttng::messageDimName);
    Type element = b.intType(8 * tt::bytesInMemory(type.getElementType()));
    MemDesc buffer = MemDesc::unpack(b, packed);
    Value window = windowStart(b, buffer, type);
    unsigned count = plan.messages(), warps = b.getScope().warps;
    Value warp = hooks.warpId(b), cta = hooks.ctaId(b);
    predicate = bothHold(b, predicate, isElected(b));
    if (count < warps)
      predicate =
          bothHold(b, predicate,
                   b.icmp(ICmp::ult, warp, b.i32(static_cast<int32_t>(count))));
    for (unsigned first = 0; first < count; first += warps) {
      Value number = count == 1
                         ? b.i32(0)
                         : b.bitOr(warp, b.i32(static_cast<int32_t>(first)));
      SmallVector<Value> place =
          applyLayout(b, plan.places, {{message, number}, {names.block, cta}});
      Value offset = place.pop_back_val();
      if (packing != 1)
        place.back() =
            b.mul(place.back(), b.i32(static_cast<int32_t>(packing)));
      // The tensor of an im2col copy has more dimensions than the block.
      SmallVector<Value> at(coordinates);
      if (packedIndices != 1)
        at.back() =
            b.mul(at.back(), b.i32(static_cast<int32_t>(packedIndices)));
      for (size_t i = 1; i <= std::min(at.size(), place.size()); ++i)
        at[at.size() - i] = b.add(at[at.size() - i], place[place.size() - i]);
      Value address = b.gep(element, buffer.base, b.bitXor(window, offset));
      emit(predicate, at,
           isInPair() ? mapToCTA(b, address, target(b, hooks, packed))
                      : address);
    }
  }

  /// The id of the CTA whose memory has the block.
  Value target(lower::Builder &b, const TargetHooks &hooks,
               Value packed) const {
    return ctaOfWindow(b, hooks, MemDesc::unpack(b, packed), type,
                       plan.inOneCTA);
  }

  int32_t sharedCTABits() const { return plan.sharedCTABits; }
  /// Whether the window may be in the other CTA of a pair.
  bool isInPair() const { return plan.inOneCTA; }

private:
  Messages(ttng::TmaPlan plan, ttg::MemDescType type, int64_t packing,
           int64_t packedIndices)
      : plan(std::move(plan)), type(type), packing(packing),
        packedIndices(packedIndices) {}

  ttng::TmaPlan plan;
  ttg::MemDescType type;
  /// Coordinates of the last dimension count so many to an element of memory.
  int64_t packing;
  /// How many to one of an index: Triton 3.6 wrote coordinates.
  int64_t packedIndices;
};

class LoadPattern : public lower::Pattern<ttng::AsyncTMACopyGlobalToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::AsyncTMACopyGlobalToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto desc = cast<tt::TensorDescInterface>(op.getDesc().getType());
    auto messages = Messages::of(op, hooks, desc, op.getResult().getType());
    if (failed(messages))
      return failure();
    MBarrier barrier(b, hooks, op, adaptor.getBarrier(),
                     op.getBarrier().getType());
    Value predicate = adaptor.getPred(), mask;
    if (op.getMulticast()) {
      Multicast cast =
          multicast(b, hooks, messages->sharedCTABits(),
                    messages->target(b, hooks, adaptor.getResult()));
      predicate = bothHold(b, predicate, cast.isFirst);
      mask = cast.mask;
    }
    Value policy = createL2Policy(b, op.getCachePolicyAttr(), op.getEvict());
    bool isIm2Col = !op.getOffsets().empty();
    Value signal = barrier.signalled(b, hooks);
    messages->forEach(
        b, hooks, adaptor.getResult(), adaptor.getCoord(), predicate,
        [&](Value predicate, ArrayRef<Value> coordinates, Value address) {
          Ptx ptx(b);
          std::string to = ptx.input(address, "r");
          std::string from =
              addTensor(ptx, adaptor.getDesc(),
                        llvm::to_vector(llvm::reverse(coordinates)));
          std::string operands = ptx.input(signal, "r") + "]";
          if (isIm2Col) {
            SmallVector<std::string> offsets;
            for (Value offset : llvm::reverse(adaptor.getOffsets()))
              offsets.push_back(ptx.input(offset, "h"));
            operands += ", {" + llvm::join(offsets, ", ") + "}";
          }
          if (mask)
            operands += ", " + ptx.input(mask, "h");
          if (policy)
            operands += ", " + ptx.input(policy, "l");
          std::string guard = ptx.predicate(predicate);
          ptx.emit(llvm::formatv(
                       "{0}cp.async.bulk.tensor.{1}d{8}.shared::cluster.global"
                       "{2}.mbarrier::complete_tx::bytes{3}{4} [{5}], {6}, "
                       "[{7};",
                       guard, coordinates.size(), isIm2Col ? ".im2col" : "",
                       mask ? ".multicast::cluster" : "",
                       policy ? ".L2::cache_hint" : "", to, from, operands,
                       barrier.groupOfCopies(op, messages->isInPair()))
                       .str());
        });
    rewriter.eraseOp(op);
    return success();
  }
};

/// Starts `instruction` for each message of a block that goes to global memory,
/// as one group. L2 keeps it by `policy`, null for the usual way.
template <typename Op>
LogicalResult store(lower::Builder &b, const TargetHooks &hooks, Op op,
                    typename Op::Adaptor adaptor, StringRef instruction,
                    StringRef suffix, Value policy = {}) {
  auto desc = cast<tt::TensorDescInterface>(Type(op.getDesc().getType()));
  auto messages = Messages::of(op, hooks, desc, op.getSrc().getType());
  if (failed(messages))
    return failure();
  messages->forEach(
      b, hooks, adaptor.getSrc(), adaptor.getCoord(), {},
      [&](Value predicate, ArrayRef<Value> coordinates, Value address) {
        Ptx ptx(b);
        std::string to = addTensor(ptx, adaptor.getDesc(),
                                   llvm::to_vector(llvm::reverse(coordinates)));
        std::string from = "[" + ptx.input(address, "r") + "]";
        if (policy)
          from += ", " + ptx.input(policy, "l");
        std::string guard = ptx.predicate(predicate);
        ptx.emit(llvm::formatv(
                     "{0}{1}.tensor.{2}d.global.shared::cta{3}.bulk_group{6} "
                     "{4}, {5};",
                     guard, instruction, coordinates.size(), suffix, to, from,
                     policy ? ".L2::cache_hint" : "")
                     .str());
      });
  Ptx(b).emit("cp.async.bulk.commit_group;");
  return success();
}

class StorePattern : public lower::Pattern<ttng::AsyncTMACopyLocalToGlobalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::AsyncTMACopyLocalToGlobalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Value policy =
        createL2Policy(b, op.getCachePolicyAttr(), tt::EvictionPolicy::NORMAL);
    if (failed(store(b, hooks, op, adaptor, "cp.async.bulk", "", policy)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

class ReducePattern : public lower::Pattern<ttng::AsyncTMAReduceOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::AsyncTMAReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    std::string kind =
        "." + tt::stringifyDescriptorReduceKind(op.getKind()).lower();
    if (failed(store(b, hooks, op, adaptor, "cp.reduce.async.bulk", kind)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

class StoreWaitPattern : public lower::Pattern<ttng::TMAStoreWaitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TMAStoreWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    Ptx(b).emit(llvm::formatv("cp.async.bulk.wait_group{0} {1};",
                              op.getReadOnly() ? ".read" : "", op.getPendings())
                    .str());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateTmaPatterns(const TypeConverter &converter,
                                Patterns &patterns, const TargetHooks &hooks) {
  patterns.add<LoadPattern, StorePattern, ReducePattern, StoreWaitPattern>(
      converter, hooks);
}
