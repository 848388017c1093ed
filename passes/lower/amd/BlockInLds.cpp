//===- BlockInLds.cpp - Blocks that the data mover fills ------------------===//

#include "passes/lower/amd/BlockInLds.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

FailureOr<BlockInLds> BlockInLds::of(Operation *op, ttg::MemDescType type,
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
    return op->emitOpError("accesses a part of a buffer whose rows are not "
                           "consecutive, which is not lowered yet");
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
      return op->emitOpError("accesses memory whose rows are not consecutive "
                             "along the last dimension");
    block.shape[dim] *= 2;
  }
  auto gaps = ttg::gapsOf(type.getEncoding());
  if (gaps.size() > 1)
    return op->emitOpError("accesses memory with ")
           << gaps.size()
           << " padding intervals; the tensor data mover supports one";
  if (!gaps.empty())
    std::tie(block.gapInterval, block.gap) = gaps.front();
  return block;
}

Value BlockInLds::addressOf(lower::Builder &b, Value elements,
                            Value piece) const {
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

SmallVector<Value> BlockInLds::ctaOffsets(lower::Builder &b,
                                          const TargetHooks &hooks) const {
  ttg::LayoutDims names(b.getContext());
  return applyLayout(b, ctas, {{names.block, hooks.ctaId(b)}});
}

int64_t BlockInLds::elementsOfPiece() const {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements;
}

LogicalResult BlockInLds::cutIntoPieces(Operation *op) {
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

Shares Shares::of(const BlockInLds &block, int64_t warps, bool splitsRows) {
  Shares shares{block.shape, SmallVector<int64_t>(block.shape.size(), 1)};
  int64_t elements = 1;
  for (int64_t size : block.shape)
    elements *= size;
  // Outer dimensions first, so that each share is in one piece. Gaps count from
  // its start, so it is not smaller than what lies between them.
  const size_t last = block.shape.size() - 1;
  for (size_t dim = 0; dim < last + splitsRows; ++dim)
    while (shares.warps * 2 <= warps && shares.tile[dim] > 1 &&
           elements / 2 >= int64_t{block.gapInterval}) {
      shares.tile[dim] /= 2;
      shares.split[dim] *= 2;
      shares.warps *= 2;
      elements /= 2;
    }
  return shares;
}

Turn Turn::of(lower::Builder &b, const TargetHooks &hooks,
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
