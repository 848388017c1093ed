//===- BlockMessages.cpp - What warps send to the data mover --------------===//

#include "passes/lower/amd/BlockMessages.h"
#include "dialects/layout/Counted.h"
#include "dialects/target/TensorWords.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/amd/CopyToLds.h"
#include "passes/lower/amd/LdsBarriers.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

TensorDescriptor lower::descriptorOf(lower::Builder &b, tt::TensorDescType type,
                                     Value words) {
  return TensorDescriptor::unpack(
      b, words, static_cast<unsigned>(type.getShape().size()),
      static_cast<unsigned>(tt::bytesInMemory(type.getElementType())));
}

LogicalResult lower::setGaps(Operation *op, lower::Builder &b,
                             const BlockInLds &block, bool isStore,
                             TensorMessage &message) {
  if (!block.gapInterval)
    return success();
  if (!isStore) {
    message.gapInterval = block.gapInterval * block.elementBytes;
    message.gapBytes = block.gap * block.elementBytes;
    if (message.gapInterval < 8 || message.gapInterval > 1024 ||
        message.gapBytes % 4 != 0 || message.gapBytes > 512)
      return op->emitOpError("leaves ")
             << message.gapBytes << " bytes after every " << message.gapInterval
             << "; the tensor data mover can leave a multiple of 4, up to 512, "
                "after every 8 to 1024";
    return success();
  }
  const int64_t row = message.tile.back();
  if (block.gapInterval != row)
    return op->emitOpError("stores memory with padding after every ")
           << counted(block.gapInterval, "element")
           << "; the tensor data mover can skip padding only after "
              "each row of "
           << row;
  message.tile.back() += block.gap;
  message.tensor.sizes.back() =
      b.umin(message.tensor.sizes.back(), b.i32(static_cast<int32_t>(row)));
  return success();
}

Value lower::barrierOf(lower::Builder &b, TypedValue<ttg::MemDescType> barrier,
                       Value lowered) {
  return barrier ? ldsBarrierAddress(b, lowered, barrier.getType()) : Value();
}

int64_t lower::roundsOf(lower::Builder &b, const BlockInLds &block,
                        std::optional<uint32_t> hint) {
  return llvm::divideCeil(block.pieces, hint ? llvm::popcount(*hint)
                                             : int64_t{b.getScope().warps});
}

FailureOr<TensorMessage>
lower::messageOf(Operation *op, lower::Builder &b, const TargetHooks &hooks,
                 TensorDescriptor tensor, ArrayRef<Value> offsets,
                 Value predicate, const BlockInLds &block,
                 std::optional<uint32_t> hint, bool isStore, Value barrier,
                 int64_t round) {
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
  SmallVector<Value> start = block.ctaOffsets(b, hooks);
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

void lower::send(lower::Builder &b, ArrayRef<Value> words, unsigned rank,
                 bool isStore, int32_t policy) {
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
