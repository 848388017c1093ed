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

/// The bases of an in-dim of `layout` as one number each, without the lowest
/// bit of dimension `axis`, by which the two values of a byte differ; `shift`
/// is what the indices along `axis` are shifted by first.
static SmallVector<uint64_t> placesOfBytes(const LinearLayout &layout,
                                           StringAttr in, int64_t axis,
                                           unsigned shift) {
  SmallVector<uint64_t> places;
  for (const std::vector<int32_t> &basis : layout.getBases(in)) {
    uint64_t place = 0;
    unsigned first = 0;
    for (auto [dim, step] : llvm::enumerate(basis)) {
      const bool isAxis = static_cast<int64_t>(dim) == axis;
      auto index = static_cast<uint64_t>(step) << (isAxis ? shift : 0);
      place |= (isAxis ? index & ~uint64_t(1) : index) << first;
      first += layout.getOutDims()[dim].log2 + (isAxis ? shift : 0);
    }
    places.push_back(place);
  }
  return places;
}

/// Whether each thread that has a value in `values` has its byte in `bytes`.
static bool areInThreadsOfBytes(const LinearLayout &bytes,
                                const LinearLayout &values, int64_t axis,
                                const LayoutDims &names) {
  for (StringAttr in : {names.lane, names.warp, names.block}) {
    if (placesOfBytes(bytes, in, axis, 1) != placesOfBytes(values, in, axis, 0))
      return false;
    for (const std::vector<int32_t> &basis : values.getBases(in))
      if (basis[axis] & 1)
        return false;
  }
  const F2Matrix held{bytes.getTotalOutDimSizeLog2() + 1,
                      placesOfBytes(bytes, names.reg, axis, 1)};
  return llvm::all_of(placesOfBytes(values, names.reg, axis, 0),
                      [&](uint64_t place) { return held.solve(place); });
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
  SmallVector<StringAttr> dims = tensorDims(op->getContext(), from.getRank());
  if (!areInThreadsOfBytes(source->transposeOuts(dims),
                           target->transposeOuts(dims), axis,
                           LayoutDims(op->getContext())))
    return op->emitOpError()
           << "has the layouts " << from.getEncoding() << " and "
           << to.getEncoding()
           << "; each thread must have the two values of each of its bytes";
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
