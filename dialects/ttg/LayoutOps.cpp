//===- LayoutOps.cpp - Ops that change layouts and packed elements -------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/InferLayout.h"
#include "dialects/ttg/TTG.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  return getSrc().getType() == getType() ? getSrc() : Value();
}

LogicalResult ConvertLayoutOp::verify() {
  if (!getForceWarpShuffle())
    return success();
  RankedTensorType from = getSrc().getType(), to = getType();
  if (!from.getEncoding() || !to.getEncoding())
    return success();
  std::string error;
  auto source = toLinearLayout(from.getShape(), from.getEncoding(), error);
  auto target = toLinearLayout(to.getShape(), to.getEncoding(), error);
  if (!source || !target)
    return emitOpError() << error;
  LayoutDims dims(getContext());
  auto moved = source->invertAndCompose(*target);
  if (!moved || !moved->isIdentityOver({dims.warp, dims.block}))
    return emitOpError()
           << "has force_warp_shuffle, but elements move between warps";
  return success();
}

LogicalResult ttg::verifyFp4ToFp(Operation *op, RankedTensorType from,
                                 RankedTensorType to, int64_t axis) {
  int64_t rank = from.getRank();
  if (to.getRank() != rank)
    return op->emitOpError() << "has a source of " << counted(rank, "dimension")
                             << " and a result of " << to.getRank();
  if (axis < 0 || axis >= rank)
    return op->emitOpError()
           << "has axis = " << axis << "; the source's dimensions are 0 to "
           << rank - 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t needed = from.getDimSize(dim) * (dim == axis ? 2 : 1);
    if (to.getDimSize(dim) != needed)
      return op->emitOpError()
             << "has a result of size " << to.getDimSize(dim)
             << " in dimension " << dim << "; it must be " << needed;
  }
  return verifyFp4Layouts(op, from, to, axis);
}

/// The dimensions in the order in which registers move them, then the others
/// from the last to the first.
static SmallVector<unsigned> registerOrder(const LinearLayout &layout,
                                           StringAttr reg) {
  llvm::SmallSetVector<unsigned, 4> order;
  for (const auto &basis : layout.getBases(reg))
    for (auto [dim, step] : llvm::enumerate(basis))
      if (step != 0)
        order.insert(dim);
  for (unsigned dim = layout.getOutDims().size(); dim-- > 0;)
    order.insert(dim);
  return order.takeVector();
}

/// The layout of the bytes that unpack to `values` along `axis`, each in its
/// thread. The register bit that goes is the first one. As in Triton, of a
/// blocked layout in whose order the axis has the place 0, it is the first of
/// the axis.
static std::optional<LinearLayout> layoutOfBytes(RankedTensorType values,
                                                 ArrayRef<int64_t> shape,
                                                 int64_t axis,
                                                 std::string &error) {
  LayoutDims names(values.getContext());
  auto layout = toLinearLayout(values.getShape(), values.getEncoding(), error);
  if (!layout)
    return std::nullopt;
  auto blocked = dyn_cast<BlockedEncodingAttr>(values.getEncoding());
  if (!blocked || registerOrder(*layout, names.reg)[axis] != 0)
    return layout->divideLeft(
        LinearLayout::identity1D(2, names.reg, layout->getOutDimNames()[axis]));
  SmallVector<unsigned> perThread(blocked.getSizePerThread());
  if (perThread[axis] < 2)
    return std::nullopt;
  perThread[axis] /= 2;
  auto bytes = BlockedEncodingAttr::get(
      values.getContext(), perThread, blocked.getThreadsPerWarp(),
      blocked.getWarpsPerCTA(), blocked.getOrder(), blocked.getCGALayout());
  return toLinearLayout(shape, bytes, error);
}

LogicalResult ttg::verifyFp4Layouts(Operation *op, RankedTensorType from,
                                    RankedTensorType to, int64_t axis) {
  if (!from.getEncoding() != !to.getEncoding())
    return op->emitOpError() << "has a layout on only one of source and result";
  if (!from.getEncoding())
    return success();
  std::string error;
  auto source = toLinearLayout(from.getShape(), from.getEncoding(), error);
  auto target = toLinearLayout(to.getShape(), to.getEncoding(), error);
  if (!source || !target)
    return op->emitOpError() << error;
  auto bytes = layoutOfBytes(to, from.getShape(), axis, error);
  SmallVector<StringAttr> dims = tensorDims(op->getContext(), from.getRank());
  if (!bytes || bytes->transposeOuts(dims) != source->transposeOuts(dims))
    return op->emitOpError()
           << "has the layouts " << from.getEncoding() << " and "
           << to.getEncoding()
           << "; the two values of a byte must be in adjacent registers, and "
              "the layouts must otherwise be equal";
  return success();
}

/// The two values of a byte are the first two registers of the result.
Attribute Fp4ToFpOp::getResultLayout(Attribute working) {
  std::string error;
  auto bytes = toLinearLayout(getSrc().getType().getShape(), working, error);
  if (!bytes)
    return {};
  auto dims = llvm::to_vector(bytes->getOutDimNames());
  StringAttr axis = dims[getAxis()];
  LinearLayout values =
      LinearLayout::identity1D(2, LayoutDims(getContext()).reg, axis) * *bytes;
  return toDistributedEncoding(getContext(), values.transposeOuts(dims));
}

LogicalResult Fp4ToFpOp::verify() {
  Type element = getElementTypeOrSelf(getType());
  if (!element.isF16() && !element.isBF16())
    return emitOpError() << "returns " << element
                         << "; it must return f16 or bf16";
  return verifyFp4ToFp(*this, getSrc().getType(),
                       cast<RankedTensorType>(getType()),
                       getAxisAttr().getInt());
}
