//===- NVWSOps.cpp - The operations of nvws -------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/nvws/NVWS.h"
#include "dialects/nvws/Owners.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttng/TTNG.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::nvws;
using ttg::MemDescType;

#define GET_OP_CLASSES
#include "dialects/nvws/NVWSOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Asynchronous references
//===----------------------------------------------------------------------===//

LogicalResult ArefCreateOp::verify() {
  if (getBuffers().empty())
    return emitOpError()
           << "creates a reference without buffers; it needs at least one";
  auto depthOf = [](Value buffer) {
    return cast<MemDescType>(buffer.getType()).getDimSize(0);
  };
  for (Value buffer : getBuffers()) {
    auto type = cast<MemDescType>(buffer.getType());
    if (!isa<ttg::SharedMemorySpaceAttr, ttng::TensorMemorySpaceAttr>(
            type.getMemorySpace()))
      return emitOpError() << "creates a reference from " << type
                           << "; it must be in shared or tensor memory";
    if (depthOf(buffer) != depthOf(getBuffers().front()))
      return emitOpError() << "creates a reference from buffers of depth "
                           << depthOf(getBuffers().front()) << " and "
                           << depthOf(buffer) << "; all depths must be equal";
    for (Operation *user : buffer.getUsers())
      if (!isa<ArefCreateOp, ttg::LocalDeallocOp>(user)) {
        InFlightDiagnostic diagnostic = emitOpError();
        diagnostic << "creates a reference from a buffer that is used "
                      "elsewhere; only its puts and gets may use it";
        diagnostic.attachNote(user->getLoc()) << "used here";
        return diagnostic;
      }
  }
  return success();
}

/// How many stages the buffers of `aref` have; nothing where none says it.
static std::optional<int64_t> numStages(ArefType aref) {
  for (Type base : aref.getBaseType())
    if (auto ring = dyn_cast<MemDescType>(base);
        ring && ring.getRank() > 0 &&
        !isa<ttng::TensorMemoryScalesEncodingAttr>(ring.getEncoding()))
      return ring.getDimSize(0);
  return std::nullopt;
}

/// A constant stage is one of the reference.
static LogicalResult verifyStageNumber(Operation *op, ArefType aref,
                                       Value stage) {
  auto depth = numStages(aref);
  auto number = stage ? tt::constantOf(stage) : std::nullopt;
  if (!depth || !number || (*number >= 0 && *number < *depth))
    return success();
  return op->emitOpError() << "is at stage " << *number << " of " << *depth
                           << "; it must be from 0 to " << *depth - 1;
}

/// `given` are the buffers of `aref`, one stage of each.
static LogicalResult verifyStage(Operation *op, ArefType aref, Value number,
                                 TypeRange given) {
  if (failed(verifyStageNumber(op, aref, number)))
    return failure();
  ArrayRef<Type> rings = aref.getBaseType();
  if (rings.size() != given.size())
    return op->emitOpError() << "returns " << given.size()
                             << " buffers; the reference has " << rings.size();
  for (auto [i, whole, part] : llvm::enumerate(rings, given)) {
    auto ring = dyn_cast<MemDescType>(whole);
    auto stage = dyn_cast<MemDescType>(part);
    if (!ring || !stage)
      return op->emitOpError() << "returns " << part << " for the buffer "
                               << whole << "; both must be memory descriptors";
    // Scales in tensor memory have one buffer, and so no dimension for it.
    bool scales = isa<ttng::TensorMemoryScalesEncodingAttr>(ring.getEncoding());
    ArrayRef<int64_t> needed = ring.getShape().drop_front(scales ? 0 : 1);
    if (stage.getElementType() != ring.getElementType())
      return op->emitOpError() << "returns buffer " << i << " as " << stage
                               << "; the element type of " << ring << " is "
                               << ring.getElementType();
    if (stage.getShape() != needed)
      return op->emitOpError()
             << "returns buffer " << i << " as " << stage << "; one stage of "
             << ring << " has the shape [" << needed << "]";
  }
  return success();
}

LogicalResult ArefPutEnterOp::verify() {
  return verifyStage(*this, getAref().getType(), getStage(),
                     getBuffers().getTypes());
}

LogicalResult ArefGetEnterOp::verify() {
  return verifyStage(*this, getAref().getType(), getStage(),
                     getBuffers().getTypes());
}

/// A token that is seen where it comes from comes from one of `Enters`, on the
/// same reference. Its stage is one of that.
template <typename... Enters, typename Op>
static LogicalResult verifyToken(Op op) {
  if (failed(verifyStageNumber(op, op.getAref().getType(), op.getStage())))
    return failure();
  Operation *given = op.getToken().getDefiningOp();
  // Loops and branches may carry a token; before its first enter it is nothing.
  if (!given || given->getNumRegions() != 0 || isa<ub::PoisonOp>(given) ||
      given->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (!isa<Enters...>(given)) {
    InFlightDiagnostic error = op.emitOpError();
    error << "takes the token of a '" << given->getName()
          << "'; it must be that of "
          << (sizeof...(Enters) > 1 ? "an enter of the reference"
                                    : "its enter");
    error.attachNote(given->getLoc()) << "the token comes from here";
    return error;
  }
  // The reference is the first operand of both; an enter without has its error.
  if (given->getNumOperands() == 0 || given->getOperand(0) == op.getAref())
    return success();
  InFlightDiagnostic error = op.emitOpError();
  error << "takes the token of another reference";
  error.attachNote(given->getLoc()) << "entered here";
  ttg::suggestOperand(error, 0, 0);
  return error;
}

LogicalResult ArefBufferOp::verify() {
  if (failed(verifyStage(*this, getAref().getType(), getStage(),
                         getBuffers().getTypes())))
    return failure();
  return verifyToken<ArefPutEnterOp, ArefGetEnterOp>(*this);
}
LogicalResult ArefPutExitOp::verify() {
  return verifyToken<ArefPutEnterOp>(*this);
}
LogicalResult ArefGetExitOp::verify() {
  return verifyToken<ArefGetEnterOp>(*this);
}

//===----------------------------------------------------------------------===//
// Ownership by partitions
//===----------------------------------------------------------------------===//

/// The partitions that own a value: of its op, or, where the op owns its
/// results one by one, of that result. A loop's arguments go with its results.
static ArrayRef<int32_t> ownersOf(Value value) {
  Operation *op = value.getDefiningOp();
  unsigned number = 0;
  bool ofLoop = false;
  if (op) {
    number = cast<OpResult>(value).getResultNumber();
  } else {
    auto argument = cast<BlockArgument>(value);
    op = argument.getOwner()->getParentOp();
    ofLoop = true;
    if (!isa_and_nonnull<scf::ForOp, scf::WhileOp>(op))
      return {};
    number = argument.getArgNumber();
    if (isa<scf::ForOp>(op) && number-- == 0)
      return {};
  }
  auto outputs = op->getAttrOfType<ArrayAttr>(partitionOutputsName);
  if (!outputs)
    return ofLoop ? ArrayRef<int32_t>() : partitionsOf(op);
  auto owners = number < outputs.size()
                    ? dyn_cast<DenseI32ArrayAttr>(outputs[number])
                    : DenseI32ArrayAttr();
  return owners ? owners.asArrayRef() : ArrayRef<int32_t>();
}

LogicalResult ArefPhiOp::verify() {
  ArrayRef<int32_t> own = partitionsOf(*this);
  if (own.empty())
    return emitOpError()
           << "needs ttg.partition, which lists the partitions that take part";
  ArrayRef<int32_t> local = ownersOf(getLocal()),
                    remote = ownersOf(getRemote());
  if (local.empty() || remote.empty())
    return emitOpError() << "has a " << (local.empty() ? "local" : "remote")
                         << " operand that no partition owns (ttg.partition)";
  for (int32_t partition : local)
    if (llvm::is_contained(remote, partition))
      return emitOpError() << "has two operands that partition " << partition
                           << " owns; a partition may own only one";
  SmallVector<int32_t> both(local), needed(own);
  both.append(remote.begin(), remote.end());
  llvm::sort(both);
  llvm::sort(needed);
  if (both != needed)
    return emitOpError() << "has operands owned by partitions [" << both
                         << "]; its ttg.partition is [" << needed << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// Groups of warps
//===----------------------------------------------------------------------===//

ParseResult WarpGroupOp::parse(OpAsmParser &parser, OperationState &result) {
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  SmallVector<int32_t> numWarps;
  while (succeeded(parser.parseOptionalKeyword(
      ("partition" + Twine(numWarps.size())).str())))
    if (parser.parseKeyword("num_warps") || parser.parseLParen() ||
        parser.parseInteger(numWarps.emplace_back()) || parser.parseRParen() ||
        parser.parseRegion(*result.addRegion()))
      return failure();
  // Triton 3.9 writes the types of the results; earlier releases leave them to
  // the types that the first group yields.
  if (parser.parseOptionalArrowTypeList(result.types))
    return failure();
  if (result.types.empty() && !result.regions.empty() &&
      !result.regions.front()->empty() &&
      !result.regions.front()->front().empty())
    if (auto yield =
            dyn_cast<WarpGroupYieldOp>(result.regions.front()->front().back()))
      result.addTypes(yield.getValues().getTypes());
  result.addAttribute(getNumWarpsAttrName(result.name),
                      parser.getBuilder().getDenseI32ArrayAttr(numWarps));
  return success();
}

void WarpGroupOp::print(OpAsmPrinter &printer) {
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {getNumWarpsAttrName()});
  for (auto [i, region, numWarps] :
       llvm::enumerate(getPartitionRegions(), getNumWarps())) {
    printer.printNewline();
    printer << "partition" << i << " num_warps(" << numWarps << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
}

LogicalResult WarpGroupOp::verify() {
  size_t regions = getPartitionRegions().size();
  if (getNumWarps().size() != regions)
    return emitOpError() << "must have one value in 'numWarps' per region ("
                         << regions << "), but it has " << getNumWarps().size();
  for (auto [i, numWarps] : llvm::enumerate(getNumWarps()))
    if (numWarps <= 0 || !llvm::isPowerOf2_32(numWarps))
      return emitOpError() << "has group " << i << " with num_warps("
                           << numWarps << "); it must be a power of two";
  if (getNumResults() == 0)
    return success();
  if (regions == 0)
    return emitOpError() << "has results, but no region that yields them";
  Block &first = getPartitionRegions().front().front();
  auto yield = first.empty() ? WarpGroupYieldOp()
                             : dyn_cast<WarpGroupYieldOp>(first.back());
  if (!yield || yield.getValues().getTypes() != getResultTypes())
    return emitOpError() << "has results of types (" << getResultTypes()
                         << "); its first region must end with an "
                            "nvws.warp_group.yield of these types";
  return success();
}

//===----------------------------------------------------------------------===//
// Tokens, loads
//===----------------------------------------------------------------------===//

LogicalResult CreateTokenOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getResult().getType());
  int32_t count = getNumBuffers();
  if (type && type.getRank() == 1 && count > 0 && type.getDimSize(0) == count)
    return success();
  InFlightDiagnostic error =
      emitOpError() << "returns " << getResult().getType() << " for " << count
                    << " buffers; it must return one token for each";
  if (type && type.getRank() == 1 && type.getDimSize(0) > 0)
    ttg::suggestNumber(error, {count, type.getDimSize(0), "numBuffers"});
  return error;
}

/// A constant index is that of a token.
template <typename Op> static LogicalResult verifyIndex(Op op) {
  auto tokens = dyn_cast<RankedTensorType>(op.getToken().getType());
  std::optional<int64_t> index = tt::constantOf(op.getIdx());
  if (!tokens || tokens.getRank() != 1 || !index ||
      (*index >= 0 && *index < tokens.getDimSize(0)))
    return success();
  return op.emitOpError() << "uses token " << *index << " of "
                          << tokens.getDimSize(0) << "; it must be from 0 to "
                          << tokens.getDimSize(0) - 1;
}

LogicalResult ProducerAcquireOp::verify() { return verifyIndex(*this); }
LogicalResult ProducerCommitOp::verify() { return verifyIndex(*this); }
LogicalResult ConsumerWaitOp::verify() { return verifyIndex(*this); }
LogicalResult ConsumerReleaseOp::verify() { return verifyIndex(*this); }

/// Shared memory for the block, and a number of bytes to come.
static LogicalResult verifyLoad(Operation *op, MemDescType memory,
                                int32_t bytes) {
  if (!memory.getMutableMemory())
    return op->emitOpError() << "needs mutable memory, but it is " << memory;
  if (bytes < 0)
    return op->emitOpError()
           << "expects " << bytes << " bytes; it must be 0 or more";
  return success();
}

// What they become completes on a barrier, which is not chosen yet.
static constexpr ttg::AccessMode byTMA{ttg::Proxy::Async,
                                       ttg::Completion::MBarrier};
ttg::AccessMode DescriptorLoadOp::getAccessMode() { return byTMA; }
ttg::AccessMode DescriptorGatherOp::getAccessMode() { return byTMA; }
ttg::AccessMode CLCTryCancelOp::getAccessMode() { return byTMA; }

LogicalResult DescriptorLoadOp::verify() {
  if (failed(verifyLoad(*this, getResult().getType(), getTxCount())))
    return failure();
  size_t needed = getDesc().getType().getShape().size();
  if (getIndices().size() != needed)
    return emitOpError() << "has " << getIndices().size()
                         << " indices; the block has "
                         << counted(needed, "dimension");
  return tt::verifyBlockAccess(
      *this, cast<tt::TensorDescInterface>(Type(getDesc().getType())),
      getResult().getType());
}

LogicalResult DescriptorGatherOp::verify() {
  MemDescType memory = getResult().getType();
  if (failed(verifyLoad(*this, memory, getTxCount())))
    return failure();
  return tt::verifyGatherScatter(
      *this, getDesc().getType().getSignlessBlockType(),
      RankedTensorType::get(memory.getShape(), memory.getElementType()),
      getXOffsets().getType());
}
