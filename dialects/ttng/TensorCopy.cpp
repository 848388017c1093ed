//===- TensorCopy.cpp - Copies from shared to tensor memory ---------------===//

#include "dialects/ttng/TensorCopy.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/MMARules.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::MemDescType;

/// From the scales of `matrix`'s out-dims, of which the copied ones are
/// `shape`, to where they are in a buffer of shape `blocks` that has them as
/// tcgen05.cp reads them: blocks of 128 x 4 follow each other, each of 32 rows
/// of 16 bytes, which are 4 scales for each of 4 rows, 32 apart. Nothing if
/// there are no whole blocks.
static std::optional<LinearLayout> blocksOfScales(const LinearLayout &matrix,
                                                  ArrayRef<int64_t> shape,
                                                  ArrayRef<int64_t> blocks) {
  if (shape[0] % 128 || shape[1] % 4)
    return std::nullopt;
  SmallVector<LinearLayout::NamedValue> dims = matrix.getOutDimSizes();
  MLIRContext *context = dims.front().first.getContext();
  SmallVector<StringAttr> names = ttg::tensorDims(context, blocks.size());
  // Bit `bit` of where a scale is in all blocks, by its dimension.
  auto stepAt = [&](unsigned bit) {
    std::vector<int32_t> basis(blocks.size());
    for (size_t dim = blocks.size(); dim-- > 0;) {
      unsigned inside = llvm::Log2_64(blocks[dim]);
      if (bit < inside) {
        basis[dim] = int32_t(1) << bit;
        break;
      }
      bit -= inside;
    }
    return basis;
  };
  constexpr unsigned rowBits[] = {4, 5, 6, 7, 8, 2, 3};
  constexpr unsigned columnBits = 2, blockBits = 9;
  const unsigned blocksPerRow = llvm::Log2_64(shape[1]) - columnBits;
  SmallVector<LinearLayout::Bases> bases;
  for (auto [dim, named] : llvm::enumerate(dims)) {
    std::vector<std::vector<int32_t>> &of =
        bases.emplace_back(named.first, std::vector<std::vector<int32_t>>())
            .second;
    for (unsigned bit = 0; int32_t(1) << bit < named.second; ++bit) {
      if (int64_t(1) << bit >= shape[dim])
        of.emplace_back(blocks.size(), 0);
      else if (dim == 0)
        of.push_back(
            stepAt(bit < std::size(rowBits)
                       ? rowBits[bit]
                       : blockBits + blocksPerRow + bit - std::size(rowBits)));
      else
        of.push_back(
            stepAt(bit < columnBits ? bit : blockBits + bit - columnBits));
    }
  }
  SmallVector<LinearLayout::NamedValue> outs;
  for (auto [name, size] : llvm::zip_equal(names, blocks))
    outs.push_back({name, static_cast<int32_t>(size)});
  std::string error;
  return LinearLayout::create(bases, outs, error);
}

/// What one tcgen05.cp writes: rows of tensor memory, and bytes of each.
namespace {
struct CopyShape {
  StringLiteral name;
  unsigned rows, bytes;
};
} // namespace

constexpr CopyShape copyShapes[] = {{".128x256b", 128, 32},
                                    {".128x128b", 128, 16},
                                    {".warpx4.32x128b", 32, 16}};

std::optional<TensorCopy> ttng::planTensorCopy(ttg::MemDescType from,
                                               ttg::MemDescType to) {
  if (to.getRank() != 2)
    return std::nullopt;
  auto row = StringAttr::get(to.getContext(), "row"),
       col = StringAttr::get(to.getContext(), "col");
  std::string error;
  auto memory = ttg::toLinearLayout(to.getAllocShape().take_back(2),
                                    to.getEncoding(), error);
  if (!memory || memory->getInDimSize(row) != 128)
    return std::nullopt;
  // Lanes that nothing says are written by all warps alike.
  const int32_t warps = 0x60;
  const bool isForAllWarps = (memory->getZeroMask(row) & warps) == warps;
  LinearLayout elements =
      memory->sublayout({row, col}, memory->getOutDimNames());
  if (from.getShape() != to.getShape()) {
    auto blocks = blocksOfScales(elements, to.getShape(), from.getShape());
    if (!blocks)
      return std::nullopt;
    elements = elements.compose(*blocks);
  }
  LinearLayout offsets = elements.compose(ttg::offsetsOf(from));
  const unsigned bytes = tt::bytesInMemory(to.getElementType());
  for (const CopyShape &shape : copyShapes) {
    if (isForAllWarps != (shape.rows == 32))
      continue;
    auto mode = describeOperand(offsets, row, col, bytes, shape.rows,
                                shape.bytes / bytes, MatrixUnit::Tcgen05);
    if (mode && mode->isKMajor)
      return TensorCopy{shape.name, shape.rows, shape.bytes,
                        *memory,    offsets,    *mode};
  }
  return std::nullopt;
}

/// The layout of the whole allocation, with nothing at places out of the
/// window.
static std::optional<LinearLayout> layoutOfWindow(Operation *op,
                                                  MemDescType memory) {
  std::string error;
  auto layout = ttg::toLinearLayout(
      ttg::dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  if (!layout) {
    op->emitOpError() << error;
    return std::nullopt;
  }
  return ttg::cropToWindow(*layout, memory);
}

static LogicalResult reportShapes(TMEMCopyOp op) {
  return op.emitOpError() << "copies shape ["
                          << op.getSrc().getType().getShape() << "] to ["
                          << op.getDst().getType().getShape()
                          << "]; both must be equal";
}

/// An instruction does it.
static LogicalResult verifyCopy(TMEMCopyOp op) {
  if (planTensorCopy(op.getSrc().getType(), op.getDst().getType()))
    return success();
  return op.emitOpError("copies ")
         << op.getSrc().getType() << " to " << op.getDst().getType()
         << "; tcgen05.cp copies 128 rows of 32 or 16 bytes, or 32 rows of "
            "16 bytes for scales, with eight rows in 128 bytes or in a swizzle";
}

LogicalResult TMEMCopyOp::verify() {
  MemDescType src = getSrc().getType(), dst = getDst().getType();
  if (!isa<ttg::SharedEncodingTrait>(src.getEncoding()))
    return emitOpError() << "copies shared memory, not " << src;
  if (failed(rules::verifyInTensorMemory(*this, dst)))
    return failure();
  if (!dst.getMutableMemory())
    return emitOpError() << "needs mutable memory, but it is " << dst;
  if (cast<ttg::SharedEncodingTrait>(src.getEncoding()).getAlignment() < 16)
    return emitOpError() << "copies memory that is not aligned to 16 bytes: "
                         << src;
  auto nvmma = dyn_cast<ttg::NVMMASharedEncodingAttr>(src.getEncoding());
  if (nvmma && (nvmma.getTransposed() || nvmma.getFp4Padded()))
    return emitOpError() << "copies memory that is transposed or fp4Padded: "
                         << src;
  if (isa<TensorMemoryScalesEncodingAttr>(dst.getEncoding())) {
    if (nvmma && nvmma.getSwizzlingByteWidth() != 0)
      return emitOpError() << "copies swizzled memory to scales: " << src;
    if (src.getNumElements() != dst.getNumElements())
      return emitOpError() << "copies " << src.getNumElements() << " scales to "
                           << dst.getNumElements();
    // Triton 3.5 and older write blocks of scales with dimensions of their own.
    if (src.getShape() != dst.getShape() && !isOlderDump(*this))
      return reportShapes(*this);
    return verifyCopy(*this);
  }
  if (src.getShape() != dst.getShape())
    return reportShapes(*this);
  auto layout = cast<TensorMemoryEncodingAttr>(dst.getEncoding());
  if (layout.getBlockM() != 128)
    return emitOpError() << "copies to blocks of " << layout.getBlockM()
                         << " rows; it must be 128";
  if (nvmma && nvmma.getSwizzlingByteWidth() == 0)
    return emitOpError() << "copies memory that is not swizzled: " << src;
  if (src.getElementTypeBitWidth() != 32)
    return emitOpError() << "copies elements of "
                         << src.getElementTypeBitWidth()
                         << " bits; they must have 32";
  auto places = layoutOfWindow(*this, dst);
  if (!places)
    return failure();
  // A copy writes 128 bits of a row at a time, four columns.
  auto columns = places->getBases(StringAttr::get(getContext(), "col"));
  int64_t together = 1;
  for (const auto &basis : columns) {
    if (basis[0] == 0 && basis[1] == 0)
      break;
    together *= 2;
  }
  if (together < 4)
    return emitOpError() << "copies to " << together * 32
                         << " contiguous bits per row; it needs 128";
  return verifyCopy(*this);
}
