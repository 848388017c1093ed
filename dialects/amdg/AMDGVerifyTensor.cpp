//===- AMDGVerifyTensor.cpp - rules of ops on registers -------------------===//
//
// These ops move no data between threads, so their layouts must agree on lanes
// and warps, and differ in registers only as each op says.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/amdg/ScaleAxis.h"
#include "dialects/layout/Counted.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::amdg;

/// The layout of an operand or result; nothing after an error on `op`.
static std::optional<LinearLayout> getLayout(Operation *op,
                                             RankedTensorType type) {
  if (!isa_and_present<ttg::DistributedEncodingTrait>(type.getEncoding())) {
    op->emitOpError() << "needs tensors with a distributed layout, but one is "
                      << type;
    return std::nullopt;
  }
  std::string error;
  std::optional<LinearLayout> layout =
      ttg::toLinearLayout(type.getShape(), type.getEncoding(), error);
  if (!layout)
    op->emitOpError() << "needs a layout that fits its tensor: " << error;
  return layout;
}

using Coordinates = SmallVector<int64_t>;

/// Where each register of the first lane is.
static std::vector<Coordinates>
getRegisterCoordinates(const LinearLayout &layout, MLIRContext *context) {
  StringAttr reg = ttg::LayoutDims(context).reg;
  std::vector<Coordinates> places;
  for (int32_t index = 0; index < layout.getInDimSize(reg); ++index) {
    Coordinates &place = places.emplace_back();
    for (auto [dim, value] : layout.apply({{reg, index}}))
      place.push_back(value);
  }
  return places;
}

static LogicalResult verifySameThreads(Operation *op, const LinearLayout &a,
                                       const LinearLayout &b) {
  ttg::LayoutDims dims(op->getContext());
  for (StringAttr dim : {dims.lane, dims.warp})
    if (a.getBases(dim) != b.getBases(dim))
      return op->emitOpError()
             << "needs layouts that agree on each " << dim.getValue()
             << ", but they are " << a.toString() << " and " << b.toString();
  return success();
}

/// Verifies that a register of `held` is at each of `wanted`.
static LogicalResult verifyRegistersAt(Operation *op, const LinearLayout &held,
                                       ArrayRef<Coordinates> wanted) {
  std::vector<Coordinates> places =
      getRegisterCoordinates(held, op->getContext());
  llvm::sort(places);
  for (const Coordinates &place : wanted)
    if (!std::binary_search(places.begin(), places.end(), place))
      return op->emitOpError()
             << "needs every result element in a source register of the same "
                "thread, but no source register holds ["
             << ArrayRef(place) << "]";
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()),
       result = cast<RankedTensorType>(getType());
  ArrayRef<int64_t> offsets = getStaticOffsets();
  int64_t rank = source.getRank();
  if (result.getElementType() != source.getElementType() ||
      result.getRank() != rank)
    return emitOpError() << "needs a result with the source's rank and element "
                            "type, but takes "
                         << result << " from " << source;
  if (static_cast<int64_t>(offsets.size()) != rank)
    return emitOpError() << "needs an offset for each of the "
                         << counted(rank, "dimension") << ", but has "
                         << offsets.size();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (offsets[dim] < 0 ||
        offsets[dim] > source.getDimSize(dim) - result.getDimSize(dim))
      return emitOpError()
             << "needs a slice inside the source, but in dimension " << dim
             << " it starts at " << offsets[dim] << " and takes "
             << result.getDimSize(dim) << " of " << source.getDimSize(dim)
             << " elements";
  std::optional<LinearLayout> from = getLayout(*this, source);
  std::optional<LinearLayout> to = getLayout(*this, result);
  if (!from || !to || failed(verifySameThreads(*this, *from, *to)))
    return failure();
  std::vector<Coordinates> wanted = getRegisterCoordinates(*to, getContext());
  for (Coordinates &place : wanted)
    for (auto [value, offset] : llvm::zip(place, offsets))
      value += offset;
  return verifyRegistersAt(*this, *from, wanted);
}

LogicalResult ConcatOp::verify() {
  if (getSources().empty())
    return emitOpError("needs at least one source");
  auto part = cast<RankedTensorType>(getSources().front().getType()),
       whole = cast<RankedTensorType>(getType());
  for (Type type : getSources().getTypes())
    if (type != part)
      return emitOpError() << "needs sources of the same type, but they are "
                           << part << " and " << type;
  if (whole.getElementType() != part.getElementType() ||
      whole.getRank() != part.getRank())
    return emitOpError() << "needs a result with the rank and element type of "
                            "the sources, but joins into "
                         << whole << " sources of " << part;
  int64_t count = 1;
  for (auto [size, partSize] : llvm::zip(whole.getShape(), part.getShape())) {
    if (size % partSize != 0)
      return emitOpError()
             << "needs a result that the sources tile, but joins into " << whole
             << " sources of " << part;
    count *= size / partSize;
  }
  if (count != static_cast<int64_t>(getSources().size()))
    return emitOpError() << "needs " << count
                         << " sources to fill the result, but has "
                         << getSources().size();
  std::optional<LinearLayout> from = getLayout(*this, part),
                              to =
                                  from ? getLayout(*this, whole) : std::nullopt;
  if (!to || failed(verifySameThreads(*this, *from, *to)))
    return failure();
  std::vector<Coordinates> wanted = getRegisterCoordinates(*to, getContext());
  for (Coordinates &place : wanted)
    for (auto [value, size] : llvm::zip(place, part.getShape()))
      value %= size;
  return verifyRegistersAt(*this, *from, wanted);
}

/// The layout after a thread turned its box of registers: the box's bases in
/// the other order, all else as it was.
static std::optional<LinearLayout>
turnRegisters(const LinearLayout &source, ttg::BlockedEncodingAttr blocked,
              ArrayRef<int64_t> shape) {
  StringAttr reg = ttg::LayoutDims(blocked.getContext()).reg;
  std::vector<std::vector<int32_t>> turned;
  for (unsigned dim : llvm::reverse(blocked.getOrder()))
    for (int64_t step = 1;
         step < std::min<int64_t>(blocked.getSizePerThread()[dim], shape[dim]);
         step *= 2) {
      turned.emplace_back(shape.size(), 0);
      turned.back()[dim] = static_cast<int32_t>(step);
    }
  size_t boxBits = 0;
  for (unsigned size : blocked.getSizePerThread())
    boxBits += llvm::Log2_32(size);

  SmallVector<LinearLayout::Bases> bases;
  for (StringAttr dim : source.getInDimNames()) {
    auto vectors = source.getBases(dim);
    if (dim == reg) {
      // A box larger than the tensor holds copies in its last bits.
      turned.resize(std::min(boxBits, vectors.size()),
                    std::vector<int32_t>(shape.size(), 0));
      llvm::copy(turned, vectors.begin());
    }
    bases.emplace_back(dim, vectors);
  }
  SmallVector<LinearLayout::NamedValue> outs;
  for (LinearLayout::Dim dim : source.getOutDims())
    outs.emplace_back(dim.name, dim.size());
  std::string error;
  return LinearLayout::create(bases, outs, error);
}

LogicalResult InThreadTransposeOp::verify() {
  RankedTensorType source = getSrc().getType(), result = getType();
  if (source.getRank() != 2 || result.getShape() != source.getShape() ||
      result.getElementType() != source.getElementType())
    return emitOpError() << "needs source and result of rank 2 with the same "
                            "shape and element type, but they are "
                         << source << " and " << result;
  auto blocked =
      dyn_cast_if_present<ttg::BlockedEncodingAttr>(source.getEncoding());
  if (!blocked)
    return emitOpError() << "needs a source with a blocked layout, but it is "
                         << source;
  std::optional<LinearLayout> from = getLayout(*this, source);
  std::optional<LinearLayout> to = getLayout(*this, result);
  if (!from || !to)
    return failure();
  std::optional<LinearLayout> needed =
      turnRegisters(*from, blocked, source.getShape());
  if (!needed || *needed != *to)
    return emitOpError() << "needs a result layout with transposed registers, "
                         << (needed ? needed->toString() : "") << ", but it is "
                         << to->toString();
  return success();
}

LogicalResult UpcastMXFPOp::verify() {
  RankedTensorType src = getSrc().getType(), scale = getScale().getType(),
                   result = getResult().getType();
  int64_t pack = 1;
  switch (getFpType()) {
  case tt::ScaleDotElemType::E2M1:
    pack = 2;
    break;
  case tt::ScaleDotElemType::E4M3:
  case tt::ScaleDotElemType::E5M2:
    break;
  default:
    return emitOpError() << "needs fp_type e2m1, e4m3 or e5m2, but it is "
                         << tt::stringifyScaleDotElemType(getFpType());
  }
  if (src.getRank() != result.getRank() ||
      scale.getRank() != result.getRank() || result.getRank() < 2)
    return emitOpError()
           << "needs source, scales and result of the same rank, at least 2, "
              "but they are "
           << src << ", " << scale << " and " << result;
  if (!src.getEncoding() != !result.getEncoding() ||
      !src.getEncoding() != !scale.getEncoding())
    return emitOpError() << "needs a layout on all of source, scales and "
                            "result or on none, but they are "
                         << src << ", " << scale << " and " << result;
  const auto rank = static_cast<unsigned>(result.getRank());
  const unsigned k = depthAxis(result);
  SmallVector<int64_t> packed(result.getShape()), scales(result.getShape());
  packed[k] /= pack;
  if (src.getShape() != ArrayRef(packed) ||
      result.getDimSize(k) % elementsPerMXFPScale != 0)
    return emitOpError() << "needs a result with "
                         << (pack == 2 ? "twice " : "")
                         << "the source's size along K (dimension " << k
                         << "), a multiple of " << elementsPerMXFPScale
                         << ", but source and result are " << src << " and "
                         << result;
  std::swap(scales[k], scales[rank - 1]);
  scales[rank - 1] /= elementsPerMXFPScale;
  if (scale.getShape() != ArrayRef(scales))
    return emitOpError() << "needs one scale for every " << elementsPerMXFPScale
                         << " elements along K (dimension " << k
                         << " of the result), so a "
                         << RankedTensorType::get(scales,
                                                  scale.getElementType())
                         << ", but it is " << scale;
  return success();
}

unsigned amdg::depthAxis(RankedTensorType operand) {
  auto layout =
      dyn_cast_or_null<ttg::DotOperandEncodingAttr>(operand.getEncoding());
  const bool isRight = layout && layout.getOpIdx() == 1;
  return static_cast<unsigned>(operand.getRank()) - (isRight ? 2 : 1);
}

/// Verifies that the scales of `wide` have its sizes, or along `axis` fewer.
static LogicalResult verifyScaleSizes(Operation *op, RankedTensorType wide,
                                      RankedTensorType scale, int64_t axis) {
  int64_t rank = wide.getRank();
  if (axis < 0 || axis >= rank || scale.getRank() != rank)
    return op->emitOpError()
           << "needs an axis of the unpacked tensor and scales of its rank, "
              "but has axis "
           << axis << ", tensor " << wide << " and scales " << scale;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim == axis ? wide.getDimSize(dim) % scale.getDimSize(dim) != 0
                    : wide.getDimSize(dim) != scale.getDimSize(dim))
      return op->emitOpError()
             << "needs scales with the unpacked tensor's shape, except along "
                "the axis, where their number must divide its size, but has "
             << scale << " for " << wide;
  if (!scale.getEncoding() != !wide.getEncoding())
    return op->emitOpError()
           << "needs a layout on scales and tensor or on neither, but they are "
           << scale << " and " << wide;
  return success();
}

/// Verifies that each thread holds the scales of its elements of `wide`, and
/// that each eight neighbouring registers share one if there are fewer scales
/// than elements: so many are converted at once on gfx1250.
static LogicalResult verifyScaleLayout(Operation *op, RankedTensorType wide,
                                       RankedTensorType scale, int64_t axis) {
  std::optional<LinearLayout> scales = getLayout(op, scale),
                              elements = getLayout(op, wide);
  if (!scales || !elements)
    return failure();
  // An element at k needs scale k / run, on the same thread.
  auto dims = elements->getOutDimNames();
  StringAttr reg = ttg::LayoutDims(op->getContext()).reg;
  LinearLayout divide;
  for (auto [dim, name] : llvm::enumerate(dims)) {
    auto size = static_cast<int32_t>(scale.getDimSize(dim));
    int32_t run = elements->getOutDimSize(name) / size;
    divide *= LinearLayout::zeros1D(run, name, name) *
              LinearLayout::identity1D(size, name, name);
  }
  LinearLayout needed = elements->compose(divide);
  if (wide.getDimSize(axis) > scale.getDimSize(axis)) {
    bool shared = needed.getInDimSizeLog2(reg) >= 3 &&
                  needed.resizeIn(reg, 8).sublayoutIsZero({reg}, dims);
    if (!shared)
      return op->emitOpError()
             << "needs every eight adjacent registers of the unpacked tensor "
                "to share one scale, but the layout is "
             << elements->toString();
  }
  if (needed.removeZeroBases(reg) != scales->removeZeroBases(reg))
    return op->emitOpError()
           << "needs scales laid out as the elements use them, "
           << needed.removeZeroBases(reg).toString() << ", but they are "
           << scales->toString();
  return success();
}

LogicalResult ScaledUpcastFp4Op::verify() {
  RankedTensorType output = getOutput().getType(), scale = getScale().getType();
  int64_t axis = getAxisAttr().getInt();
  if (failed(verifyScaleSizes(*this, output, scale, axis)) ||
      failed(ttg::verifyFp4ToFp(*this, getInput().getType(), output, axis)))
    return failure();
  return output.getEncoding() ? verifyScaleLayout(*this, output, scale, axis)
                              : success();
}

/// The rules of both downcasts: a scale for a run of at least eight elements,
/// a power of two of them.
static LogicalResult verifyDowncastScales(Operation *op, RankedTensorType input,
                                          RankedTensorType scale,
                                          int64_t axis) {
  if (failed(verifyScaleSizes(op, input, scale, axis)))
    return failure();
  int64_t run = input.getDimSize(axis) / scale.getDimSize(axis);
  if (run < 8 || !llvm::isPowerOf2_64(run))
    return op->emitOpError()
           << "needs one scale for every 8 elements along the axis, or for a "
              "larger power of two, but has one for every "
           << run;
  return input.getEncoding() ? verifyScaleLayout(op, input, scale, axis)
                             : success();
}

LogicalResult ScaledDowncastFp8Op::verify() {
  RankedTensorType input = getInput().getType(), output = getOutput().getType();
  if (input.getShape() != output.getShape() ||
      input.getEncoding() != output.getEncoding())
    return emitOpError()
           << "needs a result with the shape and layout of its input, " << input
           << ", but it is " << output;
  return verifyDowncastScales(*this, input, getScale().getType(),
                              getAxisAttr().getInt());
}

LogicalResult ScaledDowncastFp4Op::verify() {
  RankedTensorType input = getInput().getType();
  int64_t axis = getAxisAttr().getInt();
  if (failed(verifyDowncastScales(*this, input, getScale().getType(), axis)))
    return failure();
  return ttg::verifyFp4ToFp(*this, getOutput().getType(), input, axis);
}
