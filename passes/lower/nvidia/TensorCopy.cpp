//===- TensorCopy.cpp - Copies from shared to tensor memory ---------------===//
//
// ttng.tmem_copy as tcgen05.cp, which one thread issues for its CTA, or for a
// pair. PTX ISA, "tcgen05.cp".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/nvidia/TensorMemoryAccess.h"
#include "passes/lower/nvidia/WgmmaOperand.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// From the scales of `matrix`'s out-dims, of which the copied ones are
/// `shape`, to where they are in a buffer of shape `blocks` that has them as
/// tcgen05.cp reads them: blocks of 128 x 4 follow each other, each of 32 rows
/// of 16 bytes, which are 4 scales for each of 4 rows, 32 apart. Nothing if
/// there are no whole blocks.
std::optional<LinearLayout> blocksOfScales(const LinearLayout &matrix,
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
struct CopyShape {
  StringLiteral name;
  unsigned rows, bytes;
};
constexpr CopyShape copyShapes[] = {{".128x256b", 128, 32},
                                    {".128x128b", 128, 16},
                                    {".warpx4.32x128b", 32, 16}};

class CopyPattern : public lower::Pattern<ttng::TMEMCopyOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TMEMCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    if (failed(checkInOwnCTA(op, op.getSrc().getType())))
      return failure();
    for (const CopyShape &shape : copyShapes)
      if (copy(b, op, adaptor, shape)) {
        rewriter.eraseOp(op);
        return success();
      }
    return op.emitOpError("copies ")
           << op.getSrc().getType() << " to " << op.getDst().getType()
           << "; tcgen05.cp copies 128 rows of 32 or 16 bytes, or 32 rows of "
              "16 bytes for scales, with eight rows in 128 bytes or in a "
              "swizzle";
  }

private:
  /// False if no copies of this shape do it.
  bool copy(lower::Builder &b, ttng::TMEMCopyOp op, OpAdaptor adaptor,
            const CopyShape &shape) const {
    ttg::MemDescType from = op.getSrc().getType(), to = op.getDst().getType();
    if (to.getRank() != 2)
      return false;
    MLIRContext *context = b.getContext();
    auto row = StringAttr::get(context, "row"),
         col = StringAttr::get(context, "col");
    std::string error;
    LinearLayout memory =
        *ttg::toLinearLayout(to.getAllocShape(), to.getEncoding(), error);
    // Lanes that nothing says are written by all warps alike.
    const int32_t warps = 0x60;
    if (memory.getInDimSize(row) != 128 ||
        ((memory.getZeroMask(row) & warps) == warps) != (shape.rows == 32))
      return false;
    auto bytes = static_cast<unsigned>(tt::bytesInMemory(to.getElementType()));
    LinearLayout elements =
        memory.sublayout({row, col}, memory.getOutDimNames());
    if (from.getShape() != to.getShape()) {
      auto blocks = blocksOfScales(elements, to.getShape(), from.getShape());
      if (!blocks)
        return false;
      elements = elements.compose(*blocks);
    }
    auto source = describeThrough(b, adaptor.getSrc(), from, elements, row, col,
                                  shape.rows, shape.bytes / bytes);
    if (!source || !source->mode.isKMajor)
      return false;
    Value predicate = issuesForAll(b, hooks, op, {});
    const int32_t step = static_cast<int32_t>(shape.bytes / bytes),
                  perColumn = static_cast<int32_t>(4 / bytes);
    const int32_t outside = windowMask(memory, to, col);
    for (int32_t at = 0; at < memory.getInDimSize(col); at += step) {
      if (at & outside)
        continue;
      Ptx ptx(b);
      std::string target = llvm::formatv(
          "[{0} + {1}]", ptx.input(adaptor.getDst(), "r"), at / perColumn);
      std::string matrix = ptx.input(source->at(b, 0, at), "l");
      std::string guard = ptx.predicate(predicate);
      ptx.emit(llvm::formatv("{0}tcgen05.cp{1}{2} {3}, {4};", guard,
                             ctaGroupOf(op), shape.name, target, matrix)
                   .str());
    }
    return true;
  }

  /// The bits of a column's number that a window of the allocation has not.
  static int32_t windowMask(const LinearLayout &memory, ttg::MemDescType type,
                            StringAttr col) {
    int32_t outside = 0;
    for (unsigned bit = 0; bit < memory.getInDimSizeLog2(col); ++bit)
      for (auto [value, size] :
           llvm::zip_equal(memory.getBasis(col, bit), type.getShape()))
        if (value >= size)
          outside |= int32_t(1) << bit;
    return outside;
  }
};

} // namespace

void lower::populateTensorCopyPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns,
                                       const TargetHooks &hooks) {
  patterns.add<CopyPattern>(converter, hooks);
}
