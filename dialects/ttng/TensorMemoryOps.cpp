//===- TensorMemoryOps.cpp - Accesses to tensor memory --------------------===//

#include "dialects/target/TensorMemoryShapes.h"
#include "dialects/ttng/MMARules.h"

#include "dialects/layout/Counted.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::MemDescType;

//===----------------------------------------------------------------------===//
// Which registers a load or store may use
//===----------------------------------------------------------------------===//

static std::optional<LinearLayout> layoutOf(Operation *op, MemDescType memory) {
  std::string error;
  auto layout = ttg::toLinearLayout(
      ttg::dropPipeliningDim(memory.getShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  if (!layout)
    op->emitOpError() << error;
  return layout;
}

/// Where the lanes of a warp are, as row and 32-bit column: those of a shape of
/// tcgen05.ld. `step` is 2 where each 16-bit element has a column to itself.
static bool isShapeOfLanes(ArrayRef<std::pair<int32_t, int32_t>> lanes,
                           int32_t step) {
  using Lanes = std::array<std::pair<int32_t, int32_t>, 5>;
  const Lanes shapes[] = {
      {{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}}},              // 32x32b
      {{{8, 0}, {0, step}, {1, 0}, {2, 0}, {4, 0}}},            // 16x64b
      {{{0, step}, {0, 2 * step}, {1, 0}, {2, 0}, {4, 0}}},     // 16x128b
      {{{0, 2 * step}, {0, 4 * step}, {1, 0}, {2, 0}, {4, 0}}}, // 16x256b
  };
  if (llvm::any_of(
          shapes, [&](const Lanes &shape) { return lanes == ArrayRef(shape); }))
    return true;
  // 16x32bx2: the upper half of the warp reads anywhere else.
  return lanes.take_front(4) == ArrayRef(shapes[0]).take_front(4);
}

/// A register tensor that tcgen05.ld or .st moves to or from `memory`.
static LogicalResult verifyRegisters(Operation *op, RankedTensorType tensor,
                                     MemDescType memory) {
  if (tensor.getRank() != 2)
    return op->emitOpError()
           << "moves a tensor of " << counted(tensor.getRank(), "dimension")
           << "; it must have 2";
  if (!tensor.getEncoding())
    return success();
  std::string error;
  auto registers =
      ttg::toLinearLayout(tensor.getShape(), tensor.getEncoding(), error);
  if (!registers)
    return op->emitOpError() << error;
  auto places = layoutOf(op, memory);
  if (!places)
    return failure();

  ttg::LayoutDims dims(op->getContext());
  auto row = StringAttr::get(op->getContext(), "row");
  auto col = StringAttr::get(op->getContext(), "col");
  if (registers->getInDimSizeLog2(dims.warp) < 2 ||
      registers->getInDimSizeLog2(dims.lane) != 5 ||
      places->getInDimSizeLog2(row) != 7)
    return op->emitOpError()
           << "moves registers of layout " << tensor.getEncoding()
           << "; tensor memory needs 4 or more warps of 32 "
              "lanes";
  for (unsigned warp : {0, 1})
    if (registers->getBasis(dims.warp, warp) != places->getBasis(row, 5 + warp))
      return op->emitOpError()
             << "moves registers of layout " << tensor.getEncoding()
             << "; warp " << (1 << warp)
             << " must hold the rows of tensor memory from " << (32 << warp)
             << " on";
  auto moved = registers->invertAndCompose(*places);
  if (!moved)
    return op->emitOpError()
           << "moves registers of layout " << tensor.getEncoding()
           << " that tensor memory cannot hold";
  if (!moved->isIdentityOver({dims.block}))
    return op->emitOpError()
           << "moves data between CTAs: " << tensor.getEncoding();
  int32_t perColumn =
      std::max<int32_t>(1, 32 / int32_t(memory.getElementTypeBitWidth()));
  SmallVector<std::pair<int32_t, int32_t>> lanes;
  for (unsigned lane = 0; lane < 5; ++lane)
    lanes.emplace_back(moved->getBasis(dims.lane, lane, row),
                       moved->getBasis(dims.lane, lane, col) / perColumn);
  if (!isShapeOfLanes(lanes, 1) && !isShapeOfLanes(lanes, 2))
    return op->emitOpError()
           << "moves registers of layout " << tensor.getEncoding()
           << "; its lanes match no shape of tcgen05.ld";
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult TMEMAllocOp::verify() {
  if (failed(rules::verifyInTensorMemory(*this, getType())))
    return failure();
  if (getSrc() && failed(verifyRegisters(*this, getSrc().getType(), getType())))
    return failure();
  if (failed(rules::verifyChip(*this)))
    return failure();
  // PTX ISA, "Tensor Memory".
  if (auto columns = getAllocSize(); columns && *columns > tensorMemoryColumns)
    return emitOpError() << "takes " << *columns
                         << " columns of tensor memory; a CTA has "
                         << tensorMemoryColumns;
  return ttg::verifyAllocation(*this, getSrc(), getType());
}

/// A reduction along rows combines what one thread holds, one row per thread.
static LogicalResult verifyRowsInThreads(Operation *op,
                                         RankedTensorType tensor) {
  std::string error;
  auto layout =
      ttg::toLinearLayout(tensor.getShape(), tensor.getEncoding(), error);
  if (!layout)
    return success(); // There is no layout yet.
  int64_t columns = 1, rows = 1;
  for (const auto &basis :
       layout->getBases(ttg::LayoutDims(op->getContext()).reg)) {
    columns *= basis[1] != 0 ? 2 : 1;
    rows *= basis[0] != 0 ? 2 : 1;
  }
  if (columns == tensor.getDimSize(1) && rows == 1)
    return success();
  return op->emitOpError() << "reduces rows of " << tensor.getDimSize(1)
                           << " columns, but a thread holds " << columns
                           << " columns and parts of " << rows
                           << " rows; each thread must hold one whole row: "
                           << tensor.getEncoding();
}

LogicalResult TMEMLoadOp::verify() {
  MemDescType memory = getSrc().getType();
  if (failed(rules::verifyInTensorMemory(*this, memory)) ||
      failed(ttg::verifyTransfer(*this, getType(), memory)) ||
      failed(verifyRegisters(*this, getType(), memory)))
    return failure();
  if (getRedOp().has_value() != bool(getRed()))
    return emitOpError() << (getRed() ? "has a 'red' result without redOp"
                                      : "has redOp without a 'red' result");
  bool modified = getAbs().value_or(false) || getNaN().value_or(false);
  if (modified && !getRedOp())
    return emitOpError() << "has abs or NaN without redOp";
  if (!getRedOp())
    return success();
  if (!getType().getElementType().isF32())
    return emitOpError() << "reduces " << getType().getElementType()
                         << "; it must be f32";
  auto red = cast<RankedTensorType>(getRed().getType());
  if (red.getRank() != 1 || red.getDimSize(0) != getType().getDimSize(0) ||
      red.getElementType() != getType().getElementType())
    return emitOpError() << "returns " << red
                         << "; it must be one f32 per row of " << getType();
  return verifyRowsInThreads(*this, getType());
}

LogicalResult TMEMStoreOp::verify() {
  MemDescType memory = getDst().getType();
  if (failed(rules::verifyInTensorMemory(*this, memory)))
    return failure();
  if (!memory.getMutableMemory())
    return emitOpError() << "needs mutable memory, but it is " << memory;
  if (failed(ttg::verifyTransfer(*this, getSrc().getType(), memory)))
    return failure();
  return verifyRegisters(*this, getSrc().getType(), memory);
}

ParseResult TMEMSubSliceOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand src;
  Type srcType, dstType;
  if (parser.parseOperand(src) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(srcType) || parser.parseArrow() ||
      parser.parseType(dstType) ||
      parser.resolveOperand(src, srcType, result.operands))
    return failure();
  // Triton 3.6 and older cut the last dimension only.
  if (Attribute offset = result.attributes.erase("N")) {
    result.addAttribute(getOffsetAttrName(result.name), offset);
    auto memory = dyn_cast<MemDescType>(srcType);
    if (memory && memory.getRank() == 3)
      result.addAttribute(getDimAttrName(result.name),
                          parser.getBuilder().getI32IntegerAttr(2));
  }
  result.addTypes(dstType);
  return success();
}

void TMEMSubSliceOp::print(OpAsmPrinter &printer) {
  SmallVector<StringRef> left;
  if (getDim() == 1)
    left.push_back(getDimAttrName());
  printer << ' ' << getSrc();
  printer.printOptionalAttrDict((*this)->getAttrs(), left);
  printer << " : " << getSrc().getType() << " -> " << getType();
}

/// Both are the layout of one allocation; Triton 3.6 and older made the blocks
/// of a window as wide as the window.
static bool isLayoutOfWindow(MemDescType src, MemDescType dst) {
  if (src.getEncoding() == dst.getEncoding())
    return true;
  auto from = dyn_cast<TensorMemoryEncodingAttr>(src.getEncoding());
  auto to = dyn_cast<TensorMemoryEncodingAttr>(dst.getEncoding());
  return from && to && from.getBlockM() == to.getBlockM() &&
         from.getColStride() == to.getColStride() &&
         from.getCGALayout() == to.getCGALayout() &&
         from.getTwoCTAs() == to.getTwoCTAs() &&
         from.getFp4Padded() == to.getFp4Padded() &&
         to.getBlockN() <= from.getBlockN();
}

/// A window has to be in every CTA, and one step in rows or columns: where it
/// starts at no multiple of its `size`, the bits of the index that carry must
/// be neighbours in tensor memory too.
static LogicalResult verifyCut(TMEMSubSliceOp op, const LinearLayout &layout,
                               unsigned dim, int64_t size) {
  for (const auto &basis :
       layout.getBases(ttg::LayoutDims(op.getContext()).block))
    if (basis[dim] >= size)
      return op.emitOpError()
             << "slices " << counted(size, "element") << " of dimension " << dim
             << ", but other CTAs hold those from " << basis[dim] << " on";
  int64_t offset = op.getOffset();
  if (offset % size == 0)
    return success();
  unsigned first = llvm::countr_zero(uint64_t(offset)),
           last = llvm::Log2_64(offset ^ (offset + size - 1));
  auto areNeighbours = [&](StringRef place) {
    auto bases = layout.getBases(StringAttr::get(op.getContext(), place));
    std::vector<int32_t> lowest(2, 0);
    lowest[dim] = int32_t(1) << first;
    size_t at = llvm::find(bases, lowest) - bases.begin();
    for (unsigned bit = first; bit <= last; ++bit, ++at) {
      std::vector<int32_t> basis(2, 0);
      basis[dim] = int32_t(1) << bit;
      if (at >= bases.size() || bases[at] != basis)
        return false;
    }
    return true;
  };
  if (areNeighbours("row") || areNeighbours("col"))
    return success();
  return op.emitOpError() << "slices " << counted(size, "element")
                          << " at offset " << offset << " of dimension " << dim
                          << ", which is not contiguous there: elements "
                          << (int64_t(1) << first) << " to "
                          << (int64_t(2) << last)
                          << " apart are not evenly spaced in "
                          << op.getSrc().getType().getEncoding();
}

LogicalResult TMEMSubSliceOp::verify() {
  MemDescType src = getSrc().getType(), dst = getType();
  if (failed(rules::verifyInTensorMemory(*this, src)) ||
      failed(rules::verifyInTensorMemory(*this, dst)))
    return failure();
  if (src.getElementType() != dst.getElementType() ||
      !isLayoutOfWindow(src, dst) || src.getRank() != dst.getRank())
    return emitOpError() << "slices " << src << " but returns " << dst
                         << "; element type, layout and rank must be equal";
  if (src.getAllocShape() != dst.getAllocShape())
    return emitOpError() << "slices an allocation [" << src.getAllocShape()
                         << "] but returns one of [" << dst.getAllocShape()
                         << "]; the two must be equal";
  int32_t dim = getDim(), offset = getOffset();
  if (dim < 0 || dim >= src.getRank())
    return emitOpError() << "slices dimension " << dim
                         << "; the source's dimensions are 0 to "
                         << src.getRank() - 1;
  for (int64_t other = 0; other < src.getRank(); ++other)
    if (other != dim && src.getDimSize(other) != dst.getDimSize(other))
      return emitOpError() << "slices dimension " << dim
                           << ", but the result has another size in dimension "
                           << other;
  if (offset < 0 || dst.getDimSize(dim) > src.getDimSize(dim) ||
      offset > src.getDimSize(dim) - dst.getDimSize(dim))
    return emitOpError() << "slices " << counted(dst.getDimSize(dim), "element")
                         << " at offset " << offset << " of dimension " << dim
                         << ", whose size is " << src.getDimSize(dim);
  size_t ring = src.getRank() - 2;
  if (dim < int64_t(ring))
    return success();
  auto layout = layoutOf(*this, src);
  if (!layout ||
      failed(verifyCut(*this, *layout, dim - ring, dst.getDimSize(dim))))
    return failure();
  auto names = ttg::tensorDims(getContext(), 2);
  SmallVector<LinearLayout::NamedValue> at;
  for (auto [i, name] : llvm::enumerate(names))
    at.emplace_back(name, i + ring == size_t(dim) ? offset : 0);
  int64_t bits = src.getElementTypeBitWidth();
  for (auto [name, value] : layout->pseudoinvert().apply(at))
    if (name.getValue() == "col" && value * bits % 32 != 0)
      return emitOpError() << "slices at offset " << offset
                           << ", inside a column of 32 bits";
  return success();
}
