//===- TensorDataMover.cpp - Copies of blocks on gfx1250 ------------------===//
//
// amdg.async_tdm_*, amdg.tdm_prefetch. The warps that take part share out a
// block along its outer dimensions, each by one message of its own; rows to
// gather or to scatter to take as many messages as their indices need.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/target/TensorWords.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/lower/amd/CachePolicy.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/lower/amd/LdsBarriers.h"
#include "passes/lower/amd/TensorDescriptor.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MemDesc.h"
#include <map>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A block in LDS, row by row, or as many pieces of one in partitions of LDS.
struct BlockInLds {
  ttg::MemDescType type;
  /// The lowered buffer.
  Value memory;
  /// What this CTA has of it, or of each piece; and how far that is from the
  /// first CTA's.
  SmallVector<int64_t> shape;
  LinearLayout ctas;
  unsigned elementBytes;
  /// In elements; 0 for none.
  unsigned gapInterval = 0, gap = 0;
  /// Pieces follow each other along `cut`. Of the number of one the lower bits
  /// are its partition; partitions begin as many bytes from each other.
  int64_t pieces = 1, partitions = 1, partitionBytes = 0;
  size_t cut = 0;

  /// An error on `op` if the mover cannot lay it out so.
  static FailureOr<BlockInLds> of(Operation *op, ttg::MemDescType type,
                                  Value memory) {
    BlockInLds block{
        type,
        memory,
        {},
        {},
        static_cast<unsigned>(tt::bytesInMemory(type.getElementType()))};
    if (failed(block.cutIntoPieces(op)))
      return failure();
    const auto rank = static_cast<size_t>(type.getRank());
    if (type.getShape() != type.getAllocShape().take_back(rank))
      return op->emitOpError("accesses a part of a buffer, whose rows do not "
                             "follow each other, which is not lowered yet");
    ttg::LayoutDims names(op->getContext());
    LinearLayout layout = ttg::toLinearLayout(type);
    SmallVector<StringAttr> dims = layout.getOutDimNames();
    block.ctas = layout.sublayout({names.block}, dims);
    block.shape.assign(rank, 1);
    // From the last dimension to the first. Pieces of one partition follow each
    // other by the last bits.
    const unsigned end =
        layout.getInDimSizeLog2(names.offset) -
        llvm::Log2_64(static_cast<uint64_t>(block.pieces / block.partitions));
    for (unsigned bit = 0; bit < end; ++bit) {
      SmallVector<int32_t> basis = layout.getBasis(names.offset, bit);
      auto *moved = llvm::find_if(basis, [](int32_t step) { return step; });
      const size_t dim = moved - basis.begin();
      if (moved == basis.end() || *moved != block.shape[dim] ||
          llvm::any_of(ArrayRef(block.shape).take_front(dim),
                       [](int64_t size) { return size != 1; }))
        return op->emitOpError("accesses memory whose rows do not follow each "
                               "other along the last dimension");
      block.shape[dim] *= 2;
    }
    auto gaps = ttg::gapsOf(type.getEncoding());
    if (gaps.size() > 1)
      return op->emitOpError("accesses memory with ")
             << gaps.size() << " intervals of padding; the mover knows one";
    if (!gaps.empty())
      std::tie(block.gapInterval, block.gap) = gaps.front();
    return block;
  }

  /// The address, an i32, of the element that is `elements` from the first of
  /// `piece`; a multiple of the interval of gaps.
  Value addressOf(lower::Builder &b, Value elements, Value piece) const {
    MemDesc window = MemDesc::unpack(b, memory);
    const auto count = static_cast<int32_t>(partitions);
    Value before = b.mul(b.udiv(piece, b.i32(count)),
                         b.i32(static_cast<int32_t>(elementsOfPiece())));
    Value start = b.add(
        windowStart(b, window, type),
        withGaps(b, b.add(elements, before), ttg::gapsOf(type.getEncoding())));
    Value partition = b.mul(b.urem(piece, b.i32(count)),
                            b.i32(static_cast<int32_t>(partitionBytes)));
    return b.add(b.add(b.ptrtoint(b.intType(32), window.base), partition),
                 b.mul(start, b.i32(static_cast<int32_t>(elementBytes))));
  }

private:
  int64_t elementsOfPiece() const {
    int64_t elements = 1;
    for (int64_t size : shape)
      elements *= size;
    return elements;
  }

  LogicalResult cutIntoPieces(Operation *op) {
    auto layout =
        dyn_cast<ttg::PartitionedSharedEncodingAttr>(type.getEncoding());
    if (!layout)
      return success();
    auto bytes = ttg::partitionBytes(type);
    if (!bytes || isa<amdg::AsyncTDMGatherOp, amdg::AsyncTDMScatterOp>(op))
      return op->emitOpError("accesses a partitioned_shared buffer, which is "
                             "not lowered yet");
    partitions = layout.getNumPartitions();
    pieces = layout.getNumLogicalPieces();
    cut = layout.getPartitionDim();
    partitionBytes = bytes->stride;
    return success();
  }
};

/// How warps share out a block.
struct Shares {
  /// Of each warp.
  SmallVector<int64_t> tile;
  /// Warps along each dimension, of which there are `warps` in all.
  SmallVector<int64_t> split;
  int64_t warps = 1;

  /// With `splitsRows` of single rows, too, for as many warps as can be.
  static Shares of(const BlockInLds &block, int64_t warps, bool splitsRows) {
    Shares shares{block.shape, SmallVector<int64_t>(block.shape.size(), 1)};
    int64_t elements = 1;
    for (int64_t size : block.shape)
      elements *= size;
    // Outer dimensions first, so that each share is in one piece; gaps count
    // from its start.
    const size_t last = block.shape.size() - 1;
    for (size_t dim = 0; dim < last + (splitsRows && !block.gapInterval); ++dim)
      while (shares.warps * 2 <= warps && shares.tile[dim] > 1 &&
             elements / 2 >= int64_t{block.gapInterval}) {
        shares.tile[dim] /= 2;
        shares.split[dim] *= 2;
        shares.warps *= 2;
        elements /= 2;
      }
    return shares;
  }
};

/// The place of a warp among those whose bits are set in `hint`, or among all;
/// and whether it is among the first `limit` of them.
struct Turn {
  Value number, takesPart;

  static Turn of(lower::Builder &b, const TargetHooks &hooks,
                 std::optional<uint32_t> hint, int64_t limit) {
    Value warp = hooks.uniformWarpId(b);
    Turn turn{warp, b.i1(true)};
    if (hint) {
      Value bit = b.shl(b.i32(1), warp),
            mask = b.i32(static_cast<int32_t>(*hint));
      turn.takesPart = b.icmp(ICmp::ne, b.bitAnd(mask, bit), b.i32(0));
      turn.number = b.intrinsic("llvm.ctpop.i32", b.intType(32),
                                {b.bitAnd(mask, b.sub(bit, b.i32(1)))});
    }
    turn.takesPart =
        b.bitAnd(turn.takesPart, b.icmp(ICmp::ult, turn.number,
                                        b.i32(static_cast<int32_t>(limit))));
    return turn;
  }
};

TensorDescriptor descriptorOf(lower::Builder &b, tt::TensorDescType type,
                              Value words) {
  return TensorDescriptor::unpack(
      b, words, static_cast<unsigned>(type.getShape().size()),
      static_cast<unsigned>(tt::bytesInMemory(type.getElementType())));
}

SmallVector<Value> ctaOffsets(lower::Builder &b, const TargetHooks &hooks,
                              const BlockInLds &block) {
  ttg::LayoutDims names(b.getContext());
  return applyLayout(b, block.ctas, {{names.block, hooks.ctaId(b)}});
}

/// Sets what the mover must know of gaps. It makes them in loads; a store reads
/// rows that reach over theirs, of which nothing is stored.
LogicalResult setGaps(Operation *op, lower::Builder &b, const BlockInLds &block,
                      bool isStore, TensorMessage &message) {
  if (!block.gapInterval)
    return success();
  if (!isStore) {
    message.gapInterval = block.gapInterval * block.elementBytes;
    message.gapBytes = block.gap * block.elementBytes;
    if (message.gapInterval < 8 || message.gapInterval > 1024 ||
        message.gapBytes % 4 != 0 || message.gapBytes > 512)
      return op->emitOpError("leaves ")
             << message.gapBytes << " bytes after every " << message.gapInterval
             << "; the mover can leave a multiple of 4 up to 512 after 8 to "
                "1024";
    return success();
  }
  const int64_t row = message.tile.back();
  if (block.gapInterval != row)
    return op->emitOpError("stores memory with padding after every ")
           << block.gapInterval
           << " elements; the mover can step over it after each row of " << row;
  message.tile.back() += block.gap;
  message.tensor.sizes.back() =
      b.umin(message.tensor.sizes.back(), b.i32(static_cast<int32_t>(row)));
  return success();
}

/// The pointer to the barrier of `type` that an op names; null for none.
Value barrierOf(lower::Builder &b, TypedValue<ttg::MemDescType> barrier,
                Value lowered) {
  return barrier ? ldsBarrierAddress(b, lowered, barrier.getType()) : Value();
}

/// How often the warps that take part send a message, each for a piece.
int64_t roundsOf(lower::Builder &b, const BlockInLds &block,
                 std::optional<uint32_t> hint) {
  return llvm::divideCeil(block.pieces, hint ? llvm::popcount(*hint)
                                             : int64_t{b.getScope().warps});
}

/// What a warp moves in its `round` of a block that begins at `offsets`. Of
/// several warps with the same share, those behind the first move it again if
/// each has to arrive at a `barrier`.
FailureOr<TensorMessage>
messageOf(Operation *op, lower::Builder &b, const TargetHooks &hooks,
          TensorDescriptor tensor, ArrayRef<Value> offsets, Value predicate,
          const BlockInLds &block, std::optional<uint32_t> hint, bool isStore,
          Value barrier = {}, int64_t round = 0) {
  const int64_t warps = hint ? llvm::popcount(*hint) : b.getScope().warps;
  const bool isWindow =
      llvm::any_of(MemDesc::unpack(b, block.memory).offsets,
                   [](Value offset) { return tt::constantOf(offset) != 0; });
  if (block.pieces > 1 && isWindow)
    return op->emitOpError("accesses a window of a partitioned_shared buffer, "
                           "which is not lowered yet");
  Shares shares = Shares::of(block, std::max<int64_t>(1, warps / block.pieces),
                             /*splitsRows=*/barrier != nullptr);
  const int64_t sharesLeft = shares.warps * block.pieces - round * warps;
  Turn turn =
      Turn::of(b, hooks, hint, barrier ? warps : std::min(warps, sharesLeft));
  turn.number = b.add(turn.number, b.i32(static_cast<int32_t>(round * warps)));
  SmallVector<Value> start = ctaOffsets(b, hooks, block);
  const Value ofPiece = b.i32(static_cast<int32_t>(shares.warps)),
              pieces = b.i32(static_cast<int32_t>(block.pieces));
  Value piece = b.urem(b.udiv(turn.number, ofPiece), pieces);
  start[block.cut] =
      b.add(start[block.cut],
            b.mul(piece, b.i32(static_cast<int32_t>(block.shape[block.cut]))));
  Value elements = b.i32(0), rest = b.urem(turn.number, ofPiece);
  // The last dimension that is split has the lowest bits of the number.
  int64_t elementsBehind = 1;
  for (size_t dim = block.shape.size(); dim-- > 0;) {
    const auto split = static_cast<int32_t>(shares.split[dim]);
    Value at = b.mul(b.urem(rest, b.i32(split)),
                     b.i32(static_cast<int32_t>(shares.tile[dim])));
    rest = b.udiv(rest, b.i32(split));
    elements =
        b.add(elements, b.mul(at, b.i32(static_cast<int32_t>(elementsBehind))));
    elementsBehind *= block.shape[dim];
    start[dim] = b.add(start[dim], at);
  }
  if (!offsets.empty())
    tensor.advance(b, offsets, /*clamps=*/true);
  tensor.advance(b, start, /*clamps=*/true);
  Value takesPart = turn.takesPart;
  if (predicate)
    takesPart = b.bitAnd(takesPart, predicate);
  tensor.enabled = b.select(takesPart, tensor.enabled, b.i32(0));
  TensorMessage message{std::move(tensor), block.addressOf(b, elements, piece),
                        shares.tile};
  message.barrier = barrier;
  if (!isStore)
    message.multicast = multicastMask(b, hooks, block.type);
  if (failed(setGaps(op, b, block, isStore, message)))
    return failure();
  return message;
}

/// Sends the words of a message; the mover takes them once for a warp.
void send(lower::Builder &b, ArrayRef<Value> words, unsigned rank, bool isStore,
          int32_t policy) {
  SmallVector<Value> groups;
  const unsigned count = rank > 2 ? 4 : 2;
  for (unsigned group = 0; group < count; ++group)
    groups.push_back(b.makeVector(
        words.slice(tensorGroupBegins[group], group == 1 ? 8 : 4)));
  groups.push_back(b.i32(policy));
  std::string name = isStore ? "llvm.amdgcn.tensor.store.from.lds"
                             : "llvm.amdgcn.tensor.load.to.lds";
  b.intrinsic(rank > 2 ? name : name + ".d2", {}, groups);
}

int32_t policyOf(tt::CacheModifier cache, bool isLoad,
                 const TargetHooks &hooks) {
  return cachePolicyOf(cache, isLoad, hooks.getTarget().bufferCachePolicy);
}

template <typename Op> class BlockCopyPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;
  static constexpr bool isStore =
      std::is_same_v<Op, amdg::AsyncTDMCopyLocalToGlobalOp>;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    ttg::MemDescType type;
    Value memory, predicate;
    std::optional<uint32_t> hint;
    if constexpr (isStore) {
      type = op.getSrc().getType();
      memory = adaptor.getSrc();
    } else {
      type = op.getResult().getType();
      memory = adaptor.getResult();
      predicate = adaptor.getPred();
      hint = op.getWarpUsedHint();
    }
    auto block = BlockInLds::of(op, type, memory);
    if (failed(block))
      return failure();
    tt::TensorDescType described = op.getDesc().getType();
    Value barrier = barrierOf(b, op.getBarrier(), adaptor.getBarrier());
    const int64_t rounds = roundsOf(b, *block, hint);
    for (int64_t round = 0; round < rounds; ++round) {
      // What the mover did before is done when the last message arrives.
      auto message = messageOf(
          op, b, this->hooks, descriptorOf(b, described, adaptor.getDesc()),
          SmallVector<Value>(adaptor.getIndices()), predicate, *block, hint,
          isStore, round + 1 == rounds ? barrier : Value(), round);
      if (failed(message))
        return failure();
      send(b, message->words(b),
           static_cast<unsigned>(described.getShape().size()), isStore,
           policyOf(op.getCache(), !isStore, this->hooks));
    }
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

class FusedCopyPattern
    : public lower::Pattern<amdg::AsyncTDMFusedCopyGlobalToLocalOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::AsyncTDMFusedCopyGlobalToLocalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    SmallVector<Value> words;
    unsigned rank = 0;
    Value bit = b.shl(b.i32(1), hooks.uniformWarpId(b));
    for (auto [desc, described, dest, memory, hint] :
         llvm::zip_equal(op.getDescs(), adaptor.getDescs(), op.getDests(),
                         adaptor.getDests(), op.getWarpUsedHints())) {
      auto type = cast<tt::TensorDescType>(desc.getType());
      auto block =
          BlockInLds::of(op, cast<ttg::MemDescType>(dest.getType()), memory);
      if (failed(block))
        return failure();
      if (roundsOf(b, *block, static_cast<uint32_t>(hint)) > 1)
        return op.emitOpError("moves ")
               << block->pieces << " pieces of a partitioned_shared buffer by "
               << llvm::popcount(static_cast<uint32_t>(hint))
               << " warps, of which each can move one";
      auto message =
          messageOf(op, b, hooks, descriptorOf(b, type, described), {}, {},
                    *block, static_cast<uint32_t>(hint), /*isStore=*/false);
      if (failed(message))
        return failure();
      rank = std::max(rank, static_cast<unsigned>(type.getShape().size()));
      // Each warp sends the message of the member that it copies.
      SmallVector<Value> own = message->words(b);
      Value isOwn = b.icmp(ICmp::ne, b.bitAnd(bit, b.i32(hint)), b.i32(0));
      if (words.empty())
        words = own;
      else
        for (auto [word, other] : llvm::zip_equal(words, own))
          word = b.select(isOwn, other, word);
    }
    send(b, words, rank, /*isStore=*/false,
         policyOf(op.getCache(), /*isLoad=*/true, hooks));
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

template <typename Op> class RowsCopyPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;
  static constexpr bool isStore = std::is_same_v<Op, amdg::AsyncTDMScatterOp>;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    ttg::MemDescType type;
    Value memory, packed;
    RankedTensorType indices;
    if constexpr (isStore) {
      type = op.getSrc().getType();
      memory = adaptor.getSrc();
      indices = op.getDstRowIndices().getType();
      packed = adaptor.getDstRowIndices();
    } else {
      type = op.getDst().getType();
      memory = adaptor.getDst();
      indices = op.getSrcRowIndices().getType();
      packed = adaptor.getSrcRowIndices();
    }
    auto block = BlockInLds::of(op, type, memory);
    if (failed(block))
      return failure();
    ttg::LayoutDims names(op.getContext());
    LinearLayout layout = ttg::toLinearLayout(indices);
    // In the order of rows; of copies the first.
    std::map<int32_t, unsigned> registers;
    for (auto [r, at] : llvm::enumerate(registerCoordinates(indices)))
      registers.try_emplace(at[0], r);
    SmallVector<Value> values = unpackElements(b, packed);
    Value warp = hooks.uniformWarpId(b);
    Value firstRow =
        applyLayout(b, layout.sublayout({names.warp}, layout.getOutDimNames()),
                    {{names.warp, warp}})
            .front();
    Value isFirst =
        b.icmp(ICmp::eq, b.bitAnd(warp, b.i32(layout.getZeroMask(names.warp))),
               b.i32(0));

    tt::TensorDescType described = op.getDesc().getType();
    TensorDescriptor whole = descriptorOf(b, described, adaptor.getDesc());
    whole.enabled = b.select(isFirst, whole.enabled, b.i32(0));
    // Rows are counted in the tensor; columns begin at the CTA's.
    whole.advance(b, {b.i32(0), ctaOffsets(b, hooks, *block)[1]},
                  /*clamps=*/true);
    Value barrier = barrierOf(b, op.getBarrier(), adaptor.getBarrier());
    Value multicast = isStore ? Value() : multicastMask(b, hooks, type);
    const size_t limit =
        indices.getElementType().getIntOrFloatBitWidth() == 32 ? 8 : 16;
    for (auto next = registers.begin(); next != registers.end();) {
      const int32_t row = next->first;
      TensorMessage message{
          whole,
          block->addressOf(b,
                           b.mul(b.add(firstRow, b.i32(row)),
                                 b.i32(static_cast<int32_t>(block->shape[1]))),
                           /*piece=*/b.i32(0)),
          {0, block->shape[1]}};
      message.barrier = barrier;
      message.multicast = multicast;
      while (next != registers.end() && message.rows.size() < limit &&
             next->first == row + static_cast<int32_t>(message.rows.size())) {
        Value index = values[next->second];
        Value word = b.intrinsic("llvm.amdgcn.readfirstlane.i32", b.intType(32),
                                 {b.zextOrTrunc(b.intType(32), index)});
        message.rows.push_back(b.zextOrTrunc(index.getType(), word));
        ++next;
      }
      message.tile[0] = static_cast<int64_t>(message.rows.size());
      if (failed(setGaps(op, b, *block, isStore, message)))
        return failure();
      send(b, message.words(b), /*rank=*/5, isStore, 0);
    }
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }

private:
  using lower::Pattern<Op>::hooks;
};

/// An op is one message of each warp at least, so that what leaves as many
/// messages as ops in flight waits for enough.
template <typename Op> class MoverWaitPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    uint32_t left;
    if constexpr (std::is_same_v<Op, amdg::AsyncTDMWaitOp>)
      left = op.getNum();
    else
      left = op.getCount();
    // The counter has six bits.
    b.intrinsic("llvm.amdgcn.s.wait.tensorcnt", {},
                {b.intConstant(b.intType(16), std::min(left, 63u))});
    rewriter.replaceOp(op, b.i32(0));
    return success();
  }
};

/// Each thread asks for a line of every row that is its turn.
class PrefetchPattern : public lower::Pattern<amdg::TDMPrefetchOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::TDMPrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getReturnOffsets())
      return op.emitOpError("returns what it prefetches, which is not lowered "
                            "yet");
    lower::Builder b(op, rewriter);
    tt::TensorDescType described = op.getDesc().getType();
    TensorDescriptor tensor = descriptorOf(b, described, adaptor.getDesc());
    tensor.advance(b, SmallVector<Value>(adaptor.getIndices()), true);
    constexpr int64_t lineBytes = 256;
    const int64_t perLine =
        std::max<int64_t>(lineBytes / tensor.elementBytes, 1);
    SmallVector<int64_t> lines(described.getShape());
    lines.back() = llvm::divideCeil(lines.back(), perLine);
    int64_t count = 1;
    for (int64_t size : lines)
      count *= size;
    const int64_t threads =
        int64_t{b.getScope().warps} * hooks.getTarget().warpSize;
    // Speculative ones have temporal hint 0, others want a translation first.
    Value hint = b.i32(op.getSpeculative() ? 0 : 8);
    for (int64_t first = 0; first < count; first += threads) {
      Value number =
          b.add(hooks.threadId(b), b.i32(static_cast<int32_t>(first)));
      Value isInside = b.bitAnd(
          adaptor.getPred(),
          b.icmp(ICmp::ult, number, b.i32(static_cast<int32_t>(count))));
      TensorDescriptor line = tensor;
      SmallVector<Value> at(lines.size());
      for (size_t dim = lines.size(); dim-- > 0;) {
        at[dim] = b.urem(number, b.i32(static_cast<int32_t>(lines[dim])));
        number = b.udiv(number, b.i32(static_cast<int32_t>(lines[dim])));
      }
      at.back() = b.mul(at.back(), b.i32(static_cast<int32_t>(perLine)));
      for (auto [offset, size] : llvm::zip_equal(at, tensor.sizes))
        isInside = b.bitAnd(isInside, b.icmp(ICmp::slt, offset, size));
      line.advance(b, at, /*clamps=*/false);
      actWhere(b, rewriter, isInside, [&] {
        b.intrinsic("llvm.amdgcn.global.prefetch", {},
                    {b.inttoptr(b.pointerType(Global), line.address), hint});
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateTensorDataMoverPatterns(const TypeConverter &converter,
                                            Patterns &patterns,
                                            const TargetHooks &hooks) {
  patterns
      .add<BlockCopyPattern<amdg::AsyncTDMCopyGlobalToLocalOp>,
           BlockCopyPattern<amdg::AsyncTDMCopyLocalToGlobalOp>,
           FusedCopyPattern, RowsCopyPattern<amdg::AsyncTDMGatherOp>,
           RowsCopyPattern<amdg::AsyncTDMScatterOp>,
           MoverWaitPattern<amdg::AsyncTDMWaitOp>,
           MoverWaitPattern<amdg::AsyncTDMIntrinsicWaitOp>, PrefetchPattern>(
          converter, hooks);
}
