//===- TTGOps.cpp - The operations of ttg ---------------------------------===//
//
// Syntax, verifiers and folds. LayoutOps.cpp has the changes of layouts,
// MemDescViews.cpp the views of memory, WarpSpecialize.cpp the partitions.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/tt/ForeignCode.h"
#include "dialects/ttg/InferLayout.h"
#include "dialects/ttg/TTG.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

/// `%src[0, 32]`: the offsets of `ttg.memdesc_subslice`.
static ParseResult parseOffsets(OpAsmParser &parser,
                                DenseI32ArrayAttr &offsets) {
  SmallVector<int32_t> values;
  if (parser.parseCommaSeparatedList(
          [&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  offsets = parser.getBuilder().getDenseI32ArrayAttr(values);
  return success();
}

static void printOffsets(OpAsmPrinter &printer, Operation *,
                         DenseI32ArrayAttr offsets) {
  llvm::interleaveComma(offsets.asArrayRef(), printer);
}

#define GET_OP_CLASSES
#include "dialects/ttg/TTGOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

void InlineAsmOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  tt::addForeignEffects(getPure(), effects);
}

Speculation::Speculatability InlineAsmOp::getSpeculatability() {
  return tt::getForeignSpeculatability(getPure());
}

//===----------------------------------------------------------------------===//
// Rules that ops share
//===----------------------------------------------------------------------===//

LogicalResult ttg::verifyPending(Operation *op) {
  int64_t pending = cast<AsyncWaitOpInterface>(op).getPending();
  if (pending >= 0)
    return success();
  return op->emitOpError()
         << "waits until at most " << pending
         << " accesses are in flight; the number must be at least 0";
}

LogicalResult ttg::verifyTransfer(Operation *op, RankedTensorType tensor,
                                  MemDescType memory) {
  if (tensor.getElementType() != memory.getElementType())
    return op->emitOpError()
           << "needs a tensor and memory of the same element type, but they "
              "have "
           << tensor.getElementType() << " and " << memory.getElementType();
  if (tensor.getShape() != memory.getShape())
    return op->emitOpError()
           << "needs a tensor of the memory's shape, [" << memory.getShape()
           << "], but its shape is [" << tensor.getShape() << "]";
  auto layout = dyn_cast<LayoutEncodingTrait>(memory.getEncoding());
  if (layout && layout.getRank() != unsigned(tensor.getRank()))
    return op->emitOpError()
           << "moves a tensor of " << counted(tensor.getRank(), "dimension")
           << "; the memory's layout has " << layout.getRank()
           << " (select one buffer of the ring first)";
  return success();
}

LogicalResult ttg::verifyAllocation(Operation *op, Value source,
                                    MemDescType memory) {
  if (memory.getShape() != memory.getAllocShape())
    return op->emitOpError()
           << "allocates a window [" << memory.getShape() << "] of ["
           << memory.getAllocShape() << "]; the two shapes must be equal";
  if (!source) {
    if (!memory.getMutableMemory())
      return op->emitOpError()
             << "needs a tensor to initialise the memory, or a result "
                "that is mutable, but the result is "
             << memory;
    return success();
  }
  return verifyTransfer(op, cast<RankedTensorType>(source.getType()), memory);
}

static LogicalResult verifyMutable(Operation *op, MemDescType memory) {
  if (memory.getMutableMemory())
    return success();
  return op->emitOpError() << "needs mutable memory, but it is " << memory;
}

static LogicalResult verifyShared(Operation *op, MemDescType memory) {
  if (isa<SharedEncodingTrait>(memory.getEncoding()))
    return success();
  return op->emitOpError() << "takes shared memory, not " << memory;
}

/// What gathers and scatters ask: an axis of the memory, indices and data of
/// one shape and layout, the memory's rank and element type.
static LogicalResult verifyIndexed(Operation *op, MemDescType memory,
                                   RankedTensorType indices,
                                   RankedTensorType data, int32_t axis) {
  if (failed(verifyShared(op, memory)))
    return failure();
  if (axis < 0 || axis >= memory.getRank())
    return op->emitOpError()
           << "has axis = " << axis << "; the memory's dimensions are 0 to "
           << memory.getRank() - 1;
  if (indices.getRank() != memory.getRank())
    return op->emitOpError()
           << "has indices of " << counted(indices.getRank(), "dimension")
           << "; the memory has " << memory.getRank();
  if (indices.getShape() != data.getShape() ||
      indices.getEncoding() != data.getEncoding())
    return op->emitOpError()
           << "has indices " << indices << " and data " << data
           << "; both must have the same shape and layout";
  if (data.getElementType() != memory.getElementType())
    return op->emitOpError()
           << "needs a tensor and memory of the same element type, but they "
              "have "
           << data.getElementType() << " and " << memory.getElementType();
  for (int64_t dim = 0; dim < memory.getRank(); ++dim)
    if (dim != axis && data.getDimSize(dim) > memory.getDimSize(dim))
      return op->emitOpError()
             << "has data of size " << data.getDimSize(dim) << " in dimension "
             << dim << "; the memory has " << memory.getDimSize(dim);
  return success();
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  MemDescType memory = getResult().getType();
  if (failed(verifyMutable(*this, memory)) ||
      failed(verifyShared(*this, memory)))
    return failure();
  if (getContiguity() < 1)
    return emitOpError() << "has contiguity = " << getContiguity()
                         << "; it must be 1 or more";
  // On AMD only some load to LDS without a stop in registers.
  std::optional<Target> target = lookupTarget(*this);
  if (target && target->isAmd() && target->asyncCopyBits.empty())
    return emitOpError() << "needs loads to LDS, which "
                         << archsThat(Vendor::Amd,
                                      [](const Target &chip) {
                                        return !chip.asyncCopyBits.empty();
                                      })
                         << " have; the module's target is "
                         << target->moduleTarget();
  auto data = cast<RankedTensorType>(tt::getPointeeType(getSrc().getType()));
  return verifyTransfer(*this, data, memory);
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

OpFoldResult LocalAllocOp::fold(FoldAdaptor) {
  // A copy of a buffer that nothing writes is the buffer.
  if (getType().getMutableMemory() || !getSrc())
    return {};
  auto load = getSrc().getDefiningOp<LocalLoadOp>();
  if (load && load.getSrc().getType() == getType())
    return load.getSrc();
  return {};
}

LogicalResult LocalAllocOp::verify() {
  MemDescType memory = getType();
  if (failed(verifyShared(*this, memory)))
    return failure();
  Type element = memory.getElementType();
  if (element.isIntOrFloat() && element.getIntOrFloatBitWidth() % 8 != 0)
    return emitOpError() << "allocates elements of "
                         << element.getIntOrFloatBitWidth()
                         << " bits; they must be whole bytes";
  if (std::optional<uint32_t> alignment = getAlignment();
      alignment && !llvm::isPowerOf2_32(*alignment))
    return emitOpError() << "has alignment = " << int32_t(*alignment)
                         << "; it must be a power of two";
  return verifyAllocation(*this, getSrc(), memory);
}

LogicalResult LocalLoadOp::verify() {
  if (failed(verifyShared(*this, getSrc().getType())))
    return failure();
  return verifyTransfer(*this, getType(), getSrc().getType());
}

LogicalResult LocalStoreOp::verify() {
  MemDescType memory = getDst().getType();
  if (failed(verifyMutable(*this, memory)) ||
      failed(verifyShared(*this, memory)))
    return failure();
  return verifyTransfer(*this, getSrc().getType(), memory);
}

LogicalResult LocalGatherOp::verify() {
  return verifyIndexed(*this, getSrc().getType(), getIndices().getType(),
                       getType(), getAxis());
}

LogicalResult LocalScatterOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  return verifyIndexed(*this, getDst().getType(), getIndices().getType(),
                       getValues().getType(), getAxis());
}

LogicalResult LocalAtomicScatterRMWOp::verify() {
  if (failed(verifyMutable(*this, getDst().getType())))
    return failure();
  if (!getValues().getType().getElementType().isIntOrFloat())
    return emitOpError() << "updates elements of type "
                         << getValues().getType().getElementType()
                         << "; they must be integers or floats";
  return verifyIndexed(*this, getDst().getType(), getIndices().getType(),
                       getValues().getType(), getAxis());
}

//===----------------------------------------------------------------------===//
// Pipelining, scratch memory
//===----------------------------------------------------------------------===//

LogicalResult PredicateStageOp::verify() {
  int32_t stage = getStage(), maxStage = getMaxStage();
  if (stage < 0 || stage > maxStage)
    return emitOpError() << "has stage = " << stage
                         << " and maxStage = " << maxStage
                         << "; the stage must be from 0 to maxStage";
  return success();
}

LogicalResult MaskOp::verify() {
  Block &body = getRegion().front();
  auto end =
      body.empty() ? MaskReturnOp() : dyn_cast<MaskReturnOp>(body.back());
  if (!end)
    return emitOpError() << "has a body that does not end with ttg.mask.return";
  if (end.getResult().getTypes() != getResultTypes())
    return emitOpError() << "returns (" << getResultTypes()
                         << "); its ttg.mask.return has ("
                         << end.getResult().getTypes() << ")";
  return success();
}

LogicalResult GlobalScratchAllocOp::verify() {
  if (int32_t(getNbytes()) < 0)
    return emitOpError() << "has nbytes = " << int32_t(getNbytes())
                         << "; it must be 0 or more";
  if (!llvm::isPowerOf2_32(getAlignment()))
    return emitOpError() << "has alignment = " << int32_t(getAlignment())
                         << "; it must be a power of two";
  return success();
}

//===----------------------------------------------------------------------===//
// Barrier
//===----------------------------------------------------------------------===//

ParseResult BarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  auto spaces = AddrSpace::None;
  do {
    SMLoc loc = parser.getCurrentLocation();
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    auto space = symbolizeAddrSpace(name);
    if (!space)
      return parser.emitError(loc)
             << "'" << name
             << "' is not an address space; it must be none, local, "
                "global_read, global_write, tensor_read, tensor_write or all";
    spaces = spaces | *space;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  result.addAttribute(getAddrSpaceAttrName(result.name),
                      AddrSpaceAttr::get(parser.getContext(), spaces));
  return parser.parseOptionalAttrDict(result.attributes);
}

void BarrierOp::print(OpAsmPrinter &printer) {
  // The name of a set that includes all would list every member again.
  printer << ' '
          << (getAddrSpace() == AddrSpace::All
                  ? "all"
                  : stringifyAddrSpace(getAddrSpace()));
  printer.printOptionalAttrDict((*this)->getAttrs(), {getAddrSpaceAttrName()});
}
