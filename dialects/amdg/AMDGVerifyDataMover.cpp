//===- AMDGVerifyDataMover.cpp - rules of the tensor data mover ----------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/layout/Counted.h"
#include "dialects/tt/BlockIndices.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::amdg;

/// What the mover requires of a padded layout: gaps of whole dwords.
static LogicalResult verifyPadding(Operation *op,
                                   ttg::PaddedSharedEncodingAttr padded,
                                   unsigned width) {
  for (auto [interval, padding] :
       llvm::zip(padded.getIntervals(), padded.getPaddings())) {
    if (uint64_t{interval} * width < 64)
      return op->emitOpError()
             << "needs a padding interval of at least 64 bits, but it has "
             << uint64_t{interval} * width;
    if (uint64_t{padding} * width < 32)
      return op->emitOpError()
             << "needs padding of at least 32 bits, but it has "
             << uint64_t{padding} * width;
  }
  return success();
}

/// What every copy between a described block and LDS must keep. `partitioned`
/// says whether the memory may be dealt out over several buffers.
static LogicalResult verifyTDM(Operation *op, tt::TensorDescType desc,
                               ttg::MemDescType memory, bool partitioned) {
  for (auto [dim, size] : llvm::enumerate(desc.getShape()))
    if (size > UINT16_MAX)
      return op->emitOpError() << "needs a block of at most 65535 elements in "
                                  "each dimension, but dimension "
                               << dim << " has " << size;
  if (memory.getElementType() != desc.getSignlessBlockType().getElementType())
    return op->emitOpError()
           << "needs memory with the block's element type, "
           << desc.getElementType() << ", but it is " << memory;

  Attribute layout = memory.getEncoding();
  if (auto pieces = dyn_cast<ttg::PartitionedSharedEncodingAttr>(layout);
      pieces && partitioned)
    layout = pieces.getPartitionLayout();
  auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(layout);
  auto swizzled = dyn_cast<ttg::SwizzledSharedEncodingAttr>(layout);
  if (!padded && !swizzled)
    return op->emitOpError() << "needs memory with a swizzled or padded shared "
                                "layout, but it has "
                             << memory.getEncoding();
  if (swizzled && swizzled.getMaxPhase() != 1)
    return op->emitOpError() << "needs memory that is not swizzled (maxPhase = "
                                "1), but it has maxPhase = "
                             << swizzled.getMaxPhase();
  if (padded &&
      failed(verifyPadding(op, padded,
                           memory.getElementType().getIntOrFloatBitWidth())))
    return failure();

  // The mover places data as the descriptor says. Padded layouts spell the
  // tile, so only their gaps count; a copy may drop leading dimensions of size
  // 1, and then its layout has another rank.
  Attribute described = desc.getSharedLayout();
  auto describedPadding =
      dyn_cast_if_present<ttg::PaddedSharedEncodingAttr>(described);
  size_t dropped = desc.getShape().size() -
                   std::min<size_t>(desc.getShape().size(), memory.getRank());
  bool same =
      !described || described == memory.getEncoding() ||
      (dropped != 0 && llvm::all_of(desc.getShape().take_front(dropped),
                                    [](int64_t size) { return size == 1; }));
  if (describedPadding && padded)
    same = describedPadding.getIntervals() == padded.getIntervals() &&
           describedPadding.getPaddings() == padded.getPaddings();
  if (!same)
    return op->emitOpError()
           << "needs memory with the descriptor's shared layout, " << described
           << ", but it has " << memory.getEncoding();
  return success();
}

/// The warps of a hint must be all that agree on some bits of their number, so
/// that one mask picks them.
static LogicalResult verifyWarpHint(Operation *op, uint32_t hint,
                                    ttg::MemDescType memory) {
  int64_t numWarps = ttg::lookupNumWarps(op).value_or(0);
  if (numWarps < 1 || numWarps >= 32 || !llvm::isPowerOf2_64(numWarps))
    return op->emitOpError()
           << "needs 1, 2, 4, 8 or 16 warps for a hint on warps, but has "
           << numWarps;
  if (hint == 0 || hint >> numWarps)
    return op->emitOpError() << "needs a hint with bits for warps 0 to "
                             << numWarps - 1 << " only, but it is " << hint;
  uint32_t first = llvm::countr_zero(hint), varying = 0;
  for (uint32_t warp = 0; warp < numWarps; ++warp)
    if (hint >> warp & 1)
      varying |= warp ^ first;
  unsigned count = llvm::popcount(hint);
  if (count != 1u << llvm::popcount(varying))
    return op->emitOpError()
           << "needs a hint whose warp ids agree on some bits and take all "
              "values of the others, but it is "
           << hint;
  auto pieces =
      dyn_cast<ttg::PartitionedSharedEncodingAttr>(memory.getEncoding());
  if (pieces && count % pieces.getNumLogicalPieces() != 0)
    return op->emitOpError()
           << "needs a hint that selects a multiple of "
           << counted(pieces.getNumLogicalPieces(), "warp")
           << ", one for each piece of the memory, but it selects " << count;
  return success();
}

/// Stores skip no gaps except one at the end of each row.
static LogicalResult verifyStorePadding(Operation *op,
                                        ttg::MemDescType memory) {
  auto padded = dyn_cast<ttg::PaddedSharedEncodingAttr>(memory.getEncoding());
  if (!padded || memory.getRank() == 0)
    return success();
  int64_t row =
      memory.getShape().back() / padded.getCGALayout().getCTASplitNum().back();
  if (padded.getIntervals().size() == 1 && padded.getIntervals()[0] == row)
    return success();
  return op->emitOpError() << "needs padding once per row, after "
                           << counted(row, "element")
                           << ", but its padding intervals are ["
                           << padded.getIntervals() << "]";
}

LogicalResult AsyncTDMCopyGlobalToLocalOp::verify() {
  if (failed(verifyTDM(*this, getDesc().getType(), getResult().getType(),
                       /*partitioned=*/true)))
    return failure();
  if (IntegerAttr hint = getWarpUsedHintAttr())
    return verifyWarpHint(*this, hint.getInt(), getResult().getType());
  return success();
}

LogicalResult AsyncTDMFusedCopyGlobalToLocalOp::verify() {
  size_t count = getDescs().size();
  if (count < 2 || count > 4)
    return emitOpError() << "needs 2 to 4 members, but has " << count;
  if (getWarpUsedHints().size() != count)
    return emitOpError() << "needs a hint for each of its " << count
                         << " members, but has " << getWarpUsedHints().size();
  uint32_t taken = 0;
  size_t rank =
      cast<tt::TensorDescType>(getDescs().front().getType()).getShape().size();
  for (auto [descValue, dest, signedHint] :
       llvm::zip(getDescs(), getDests(), getWarpUsedHints())) {
    auto desc = cast<tt::TensorDescType>(descValue.getType());
    auto memory = cast<ttg::MemDescType>(dest.getType());
    auto hint = static_cast<uint32_t>(signedHint);
    if (failed(verifyTDM(*this, desc, memory, /*partitioned=*/true)) ||
        failed(verifyWarpHint(*this, hint, memory)))
      return failure();
    if (desc.getShape().size() != rank)
      return emitOpError()
             << "needs members of the same rank, but their ranks are " << rank
             << " and " << desc.getShape().size();
    if (taken & hint)
      return emitOpError() << "needs hints that select disjoint warps, but "
                              "several select the warps of mask "
                           << (taken & hint);
    taken |= hint;
  }
  return success();
}

LogicalResult AsyncTDMCopyLocalToGlobalOp::verify() {
  if (failed(verifyTDM(*this, getDesc().getType(), getSrc().getType(),
                       /*partitioned=*/false)))
    return failure();
  return verifyStorePadding(*this, getSrc().getType());
}

/// What gather and scatter of rows must keep.
static LogicalResult verifyRows(Operation *op, tt::TensorDescType desc,
                                ttg::MemDescType memory,
                                RankedTensorType indices) {
  if (desc.getShape().size() != 2)
    return op->emitOpError()
           << "needs a descriptor of rank 2, but it is " << desc;
  if (failed(verifyTDM(op, desc, memory, /*partitioned=*/false)))
    return failure();
  if (memory.getElementType().getIntOrFloatBitWidth() < 8)
    return op->emitOpError()
           << "needs elements of at least 8 bits, but they are "
           << memory.getElementType();
  if (indices.getRank() != 1)
    return op->emitOpError()
           << "needs row indices of rank 1, but they are " << indices;
  return success();
}

LogicalResult AsyncTDMScatterOp::verify() {
  if (failed(verifyRows(*this, getDesc().getType(), getSrc().getType(),
                        getDstRowIndices().getType())))
    return failure();
  return verifyStorePadding(*this, getSrc().getType());
}

/// CTAs share out the row indices as they do the rows of the memory.
static LogicalResult verifySameRows(Operation *op, const LinearLayout &indices,
                                    ttg::MemDescType memory) {
  std::string error;
  auto layout = ttg::toLinearLayout(memory.getAllocShape().take_back(2),
                                    memory.getEncoding(), error);
  if (!layout)
    return op->emitOpError()
           << "needs memory with a layout that fits: " << error;
  ttg::LayoutDims dims(op->getContext());
  StringAttr row = ttg::tensorDims(op->getContext(), 1)[0];
  auto rowsOf = [&](const LinearLayout &of) {
    SmallVector<int32_t> rows;
    for (unsigned bit = 0, e = of.getInDimSizeLog2(dims.block); bit < e; ++bit)
      rows.push_back(of.getBasis(dims.block, bit, row));
    return rows;
  };
  SmallVector<int32_t> found = rowsOf(indices), needed = rowsOf(*layout);
  if (found == needed)
    return success();
  return op->emitOpError() << "needs row indices distributed over CTAs like "
                              "the memory's rows, in steps of ["
                           << ArrayRef(needed) << "], but theirs are ["
                           << ArrayRef(found) << "]";
}

LogicalResult AsyncTDMGatherOp::verify() {
  tt::TensorDescType desc = getDesc().getType();
  ttg::MemDescType memory = getDst().getType();
  RankedTensorType indices = getSrcRowIndices().getType();
  if (failed(verifyRows(*this, desc, memory, indices)))
    return failure();
  if (auto padded =
          dyn_cast<ttg::PaddedSharedEncodingAttr>(memory.getEncoding())) {
    if (padded.getIntervals().size() != 1 ||
        desc.getShape().back() % padded.getIntervals()[0] != 0)
      return emitOpError() << "needs one padding interval that divides the "
                           << counted(desc.getShape().back(), "element")
                           << " of a row, but has [" << padded.getIntervals()
                           << "]";
  }
  if (!indices.getEncoding())
    return success();
  // A warp's instruction has one descriptor, in scalar registers.
  std::string error;
  std::optional<LinearLayout> layout =
      ttg::toLinearLayout(indices.getShape(), indices.getEncoding(), error);
  if (!layout)
    return emitOpError() << "needs indices with a layout that fits: " << error;
  StringAttr lane = ttg::LayoutDims(getContext()).lane;
  if (layout->getZeroMask(lane) != layout->getInDimSize(lane) - 1)
    return emitOpError() << "needs the same indices on all lanes of a warp, "
                            "but their layout is "
                         << layout->toString();
  return verifySameRows(*this, *layout, memory);
}

int64_t TDMPrefetchOp::getElementsPerLine() {
  return lineBytes / tt::bytesInMemory(getDesc().getType().getElementType());
}

SmallVector<int64_t> TDMPrefetchOp::getLines() {
  SmallVector<int64_t> lines(getDesc().getType().getShape());
  lines.back() = llvm::divideCeil(lines.back(), getElementsPerLine());
  return lines;
}

LogicalResult TDMPrefetchOp::verify() {
  if (failed(tt::verifyBlockIndices(*this, getDesc().getType(), getIndices())))
    return failure();
  if (getReturnOffsets() != !!getMaybeOffsets())
    return emitOpError()
           << "needs returnOffsets if and only if it has a result";
  if (!getMaybeOffsets())
    return success();
  auto found = cast<RankedTensorType>(getMaybeOffsets().getType());
  auto needed = RankedTensorType::get(
      getLines(), IntegerType::get(getContext(), 64), found.getEncoding());
  if (found != needed)
    return emitOpError() << "returns " << found << "; it must return " << needed
                         << ", an offset for each " << lineBytes
                         << " bytes of the block";
  return success();
}

LogicalResult UpdateTensorDescriptorOp::verify() {
  size_t rank = getDesc().getType().getShape().size();
  for (auto [name, values] : {std::pair("add_offsets", getAddOffsets()),
                              std::pair("set_bounds", getSetBounds())})
    if (!values.empty() && values.size() != rank)
      return emitOpError() << "needs " << counted(rank, "value") << " in "
                           << name << ", one per dimension, but has "
                           << values.size();
  if (getAddOffsets().empty() && getSetBounds().empty() && !getPred())
    return emitOpError(
        "needs something to change: add_offsets, set_bounds or pred");
  if (getClampBounds() && (getAddOffsets().empty() || !getSetBounds().empty()))
    return emitOpError(
        "has clamp_bounds, which needs add_offsets and no set_bounds");
  return success();
}

ParseResult kernelscope::amdg::parsePredAndBarrier(
    OpAsmParser &parser, std::optional<OpAsmParser::UnresolvedOperand> &pred,
    std::optional<OpAsmParser::UnresolvedOperand> &barrier) {
  while (succeeded(parser.parseOptionalComma())) {
    bool isBarrier = succeeded(parser.parseOptionalKeyword("barrier"));
    if ((isBarrier && parser.parseEqual()) ||
        parser.parseOperand((isBarrier ? barrier : pred).emplace()))
      return failure();
  }
  return success();
}

void kernelscope::amdg::printPredAndBarrier(OpAsmPrinter &printer, Operation *,
                                            Value pred, Value barrier) {
  if (pred)
    printer << ", " << pred;
  if (barrier)
    printer << ", barrier = " << barrier;
}

ParseResult kernelscope::amdg::parsePointerAndValue(OpAsmParser &parser,
                                                    Type &pointer,
                                                    Type &value) {
  if (parser.parseType(value))
    return failure();
  if (succeeded(parser.parseOptionalArrow())) {
    pointer = value;
    return parser.parseType(value);
  }
  pointer = getPointerTypeToElement(value);
  return success();
}

void kernelscope::amdg::printPointerAndValue(OpAsmPrinter &printer, Operation *,
                                             Type, Type value) {
  printer << value;
}
