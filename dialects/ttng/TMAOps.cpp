//===- TMAOps.cpp - Bulk copies by descriptor -----------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttng/TTNG.h"
#include "dialects/ttng/TmaPlan.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::MemDescType;
using ttg::NVMMASharedEncodingAttr;

//===----------------------------------------------------------------------===//
// Rules that copies share
//===----------------------------------------------------------------------===//

/// The bits of the CTA id along which all CTAs hold the same.
static int32_t sharedCTABits(MemDescType memory) {
  auto layout = cast<ttg::LayoutEncodingTrait>(memory.getEncoding());
  return layout.getCGALayout().getLinearLayout().getZeroMask(
      ttg::LayoutDims(memory.getContext()).block);
}

/// A window that lies past a CTA's part is in another CTA; only within a pair,
/// on a barrier that the pair shares, can its barrier follow.
static LogicalResult verifySameCTA(Operation *op, MemDescType memory,
                                   std::optional<Value> barrier) {
  std::string error;
  auto layout = ttg::toLinearLayout(
      ttg::dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  if (!layout)
    return op->emitOpError() << error;
  ArrayRef<int64_t> shape =
      ttg::dropPipeliningDim(memory.getShape(), memory.getEncoding());
  int32_t shared =
      barrier ? sharedCTABits(cast<MemDescType>(barrier->getType())) : 0;
  StringAttr block = ttg::LayoutDims(op->getContext()).block;
  for (auto [bit, basis] : llvm::enumerate(layout->getBases(block)))
    for (auto [value, size] : llvm::zip_equal(basis, shape))
      if (value >= size && (!barrier || bit > 0 || shared > 1))
        return op->emitOpError() << "uses a window that may be in another CTA"
                                 << (barrier ? " than its barrier; both must "
                                               "be in the same CTA or pair"
                                             : "");
  return success();
}

/// Memory and descriptor agree in how TMA lays out the block.
static LogicalResult verifyCopyLayout(Operation *op,
                                      tt::TensorDescInterface desc,
                                      MemDescType memory) {
  auto layout = dyn_cast<NVMMASharedEncodingAttr>(memory.getEncoding());
  if (!layout)
    return op->emitOpError()
           << "copies memory of layout " << memory.getEncoding()
           << "; TMA needs #ttg.nvmma_shared";
  if (int64_t(layout.getRank()) != memory.getRank())
    return op->emitOpError()
           << "copies memory of " << counted(memory.getRank(), "dimension")
           << " with a layout of " << layout.getRank()
           << "; select one buffer of the ring first";
  // One dimension is contiguous either way.
  if (layout.getTransposed() && memory.getRank() > 1)
    return op->emitOpError() << "copies transposed memory; TMA needs the last "
                                "dimension to be contiguous";
  auto written =
      dyn_cast_or_null<NVMMASharedEncodingAttr>(desc.getSharedLayout());
  if (!written || written.getTransposed() != layout.getTransposed() ||
      written.getSwizzlingByteWidth() != layout.getSwizzlingByteWidth() ||
      written.getElementBitWidth() != layout.getElementBitWidth() ||
      written.getFp4Padded() != layout.getFp4Padded()) {
    InFlightDiagnostic error = op->emitOpError()
                               << "copies memory of layout " << layout;
    if (Attribute own = desc.getSharedLayout())
      error << " with a descriptor of layout " << own << "; both must agree";
    else
      error << " with a descriptor without a layout; its type must have that "
               "of the memory";
    return ttg::withOrigin(std::move(error), op->getOperand(0),
                           "the descriptor");
  }
  return success();
}

/// TMA can move the block in messages.
static LogicalResult verifyMessages(Operation *op, tt::TensorDescInterface desc,
                                    MemDescType memory) {
  std::optional<TmaPlan> plan = planBlock(desc, memory);
  if (!plan)
    return op->emitOpError()
           << "copies " << memory << ", which TMA cannot lay out as a block of "
           << Type(desc);
  // PTX ISA, "Tensors": rows of 16 bytes and multiples of them.
  constexpr int64_t pieceBytes = 16;
  auto layout = cast<NVMMASharedEncodingAttr>(memory.getEncoding());
  const int64_t rowBytes = plan->box.back() *
                           tt::bytesInMemory(memory.getElementType()) *
                           (layout.getFp4Padded() ? 2 : 1);
  if (rowBytes % pieceBytes)
    return op->emitOpError()
           << "copies rows of " << rowBytes
           << " bytes; TMA copies multiples of " << pieceBytes;
  // Where the pixels of another message begin depends on the image.
  const bool isIm2Col = isa<TensorDescIm2ColType>(Type(desc));
  SmallVector<StringAttr> dims = plan->places.getOutDimNames();
  if (isIm2Col && !plan->places.sublayoutIsZero(plan->places.getInDimNames(),
                                                {dims.front()}))
    return op->emitOpError()
           << "splits the pixels of an im2col block over several copies; one "
              "copy takes at most "
           << TmaMode::of(layout, memory.getElementType(), isIm2Col).maxBox
           << ", for one CTA";
  return success();
}

static LogicalResult verifyCoordinates(Operation *op,
                                       tt::TensorDescInterface desc,
                                       size_t found, size_t offsets) {
  if (isa<TensorDescIm2ColType>(Type(desc))) {
    if (found < 3 || found > 5)
      return op->emitOpError() << "has " << counted(found, "coordinate")
                               << "; an im2col copy needs 3 to 5";
    if (offsets != found - 2)
      return op->emitOpError()
             << "has " << counted(offsets, "offset") << "; an im2col copy at "
             << counted(found, "coordinate") << " needs " << found - 2;
    return success();
  }
  size_t needed = desc.getShape().size();
  if (found != needed || found < 1 || found > 5)
    return op->emitOpError()
           << "has " << counted(found, "coordinate") << "; the block has "
           << counted(needed, "dimension") << ", and TMA takes 1 to 5";
  if (offsets != 0)
    return op->emitOpError() << "has " << counted(offsets, "offset")
                             << "; only an im2col copy takes them";
  return success();
}

static LogicalResult verifyLoad(Operation *op, tt::TensorDescInterface desc,
                                Value barrier, MemDescType memory,
                                bool multicast) {
  if (failed(verifyCopyBarrier(op, barrier)))
    return failure();
  if (!memory.getMutableMemory())
    return op->emitOpError() << "needs mutable memory, but it is " << memory;
  if (failed(verifyCopyLayout(op, desc, memory)) ||
      failed(verifySameCTA(op, memory, barrier)))
    return failure();
  if (multicast && sharedCTABits(memory) == 0)
    return op->emitOpError()
           << "has multicast, but no CTAs share the data of "
           << memory.getEncoding()
           << "; it must be without multicast, or the CGALayout "
              "of the memory needs a basis of zeros";
  return success();
}

static LogicalResult verifyStore(Operation *op, tt::TensorDescInterface desc,
                                 MemDescType memory) {
  if (failed(verifyCopyLayout(op, desc, memory)))
    return failure();
  if (cast<NVMMASharedEncodingAttr>(memory.getEncoding()).getFp4Padded())
    return op->emitOpError()
           << "copies fp4Padded memory to global memory, which TMA cannot do";
  return verifySameCTA(op, memory, std::nullopt);
}

/// Rows chosen one by one: a row's offsets are in every lane of a warp, four
/// neighbours in a thread.
static LogicalResult verifyRows(Operation *op, tt::TensorDescInterface desc,
                                RankedTensorType rows, MemDescType memory) {
  if (cast<NVMMASharedEncodingAttr>(memory.getEncoding()).getFp4Padded())
    return op->emitOpError()
           << "copies rows of fp4Padded memory, which TMA cannot do";
  auto tensor =
      RankedTensorType::get(memory.getShape(), memory.getElementType());
  if (failed(tt::verifyGatherScatter(op, desc.getSignlessBlockType(), tensor,
                                     rows)))
    return failure();
  if (!planRows(memory))
    return op->emitOpError() << "moves rows of " << memory
                             << ", which TMA cannot lay out as rows";
  if (!rows.getEncoding())
    return success();
  std::string error;
  auto layout = ttg::toLinearLayout(rows.getShape(), rows.getEncoding(), error);
  if (!layout)
    return op->emitOpError() << error;
  ttg::LayoutDims dims(op->getContext());
  auto registers = layout->getBases(dims.reg);
  if (registers.size() < 2 || registers[0][0] != 1 || registers[1][0] != 2)
    return op->emitOpError()
           << "has row offsets of layout " << rows.getEncoding()
           << "; each thread must hold 4 consecutive ones";
  int32_t lanes = layout->getInDimSize(dims.lane);
  if (layout->getZeroMask(dims.lane) != lanes - 1)
    return op->emitOpError()
           << "has row offsets of layout " << rows.getEncoding()
           << "; all lanes of a warp must hold the same ones";
  auto cluster = [&](Type type) {
    return cast<ttg::LayoutEncodingTrait>(ttg::getEncoding(type))
        .getCGALayout()
        .getLinearLayout()
        .getBases(dims.block);
  };
  for (auto [ofRow, ofMemory] : llvm::zip(cluster(rows), cluster(memory)))
    if (ofRow[0] != ofMemory[0])
      return op->emitOpError() << "has row offsets that are split over CTAs "
                                  "differently from the rows";
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  auto desc = cast<tt::TensorDescInterface>(getDesc().getType());
  MemDescType memory = getResult().getType();
  if (failed(verifyCoordinates(*this, desc, getCoord().size(),
                               getOffsets().size())) ||
      failed(tt::verifyBlockAccess(*this, desc, memory)))
    return failure();
  if (failed(verifyLoad(*this, desc, getBarrier(), memory, getMulticast())))
    return failure();
  return verifyMessages(*this, desc, memory);
}

LogicalResult AsyncTMACopyLocalToGlobalOp::verify() {
  auto desc = cast<tt::TensorDescInterface>(Type(getDesc().getType()));
  if (failed(verifyCoordinates(*this, desc, getCoord().size(), 0)) ||
      failed(tt::verifyBlockAccess(*this, desc, getSrc().getType())))
    return failure();
  if (failed(verifyStore(*this, desc, getSrc().getType())))
    return failure();
  return verifyMessages(*this, desc, getSrc().getType());
}

/// What the hardware combines, by element type.
static bool canReduce(tt::DescriptorReduceKind kind, Type element) {
  bool i32 = element.isInteger(32), i64 = element.isInteger(64);
  bool half = element.isF16() || element.isBF16();
  switch (kind) {
  case tt::DescriptorReduceKind::ADD:
    return i32 || (i64 && !element.isSignedInteger()) || element.isF32() ||
           half;
  case tt::DescriptorReduceKind::MIN:
  case tt::DescriptorReduceKind::MAX:
    return i32 || i64 || half;
  case tt::DescriptorReduceKind::AND:
  case tt::DescriptorReduceKind::OR:
  case tt::DescriptorReduceKind::XOR:
    return i32 || i64;
  default:
    return false;
  }
}

LogicalResult AsyncTMAReduceOp::verify() {
  auto desc = cast<tt::TensorDescInterface>(Type(getDesc().getType()));
  if (failed(verifyCoordinates(*this, desc, getCoord().size(), 0)) ||
      failed(tt::verifyBlockAccess(*this, desc, getSrc().getType())) ||
      failed(verifyStore(*this, desc, getSrc().getType())))
    return failure();
  if (!canReduce(getKind(), desc.getElementType()))
    return emitOpError() << "cannot reduce " << desc.getElementType()
                         << " with "
                         << stringifyDescriptorReduceKind(getKind());
  return verifyMessages(*this, desc, getSrc().getType());
}

LogicalResult AsyncTMAGatherOp::verify() {
  auto desc = cast<tt::TensorDescInterface>(Type(getDesc().getType()));
  if (failed(verifyLoad(*this, desc, getBarrier(), getResult().getType(),
                        getMulticast())))
    return failure();
  return verifyRows(*this, desc, getXOffsets().getType(),
                    getResult().getType());
}

LogicalResult AsyncTMAScatterOp::verify() {
  auto desc = cast<tt::TensorDescInterface>(Type(getDesc().getType()));
  if (failed(verifyStore(*this, desc, getSrc().getType())))
    return failure();
  return verifyRows(*this, desc, getXOffsets().getType(), getSrc().getType());
}

/// A tensor map has 128 bytes at a multiple of 128. PTX ISA,
/// "tensormap.cp_fenceproxy". Checks scratch memory, at a constant distance
/// from its start.
static LogicalResult verifyMapPlace(TensormapCreateOp op) {
  constexpr int64_t mapBytes = 128;
  int64_t offset = 0;
  Value place = op.getDescPtr();
  if (auto step = place.getDefiningOp<tt::AddPtrOp>()) {
    auto pointer = dyn_cast<tt::PointerType>(step.getPtr().getType());
    auto distance = tt::constantOf(step.getOffset());
    if (!pointer || !pointer.getPointeeType().isInteger(8) || !distance)
      return success();
    offset = *distance;
    place = step.getPtr();
  }
  auto scratch = place.getDefiningOp<ttg::GlobalScratchAllocOp>();
  // One in error may lack the size.
  if (!scratch || !scratch.getNbytesAttr())
    return success();
  const int64_t bytes = scratch.getNbytes(), aligned = scratch.getAlignment();
  if (aligned % mapBytes)
    return ttg::withOrigin(op.emitOpError()
                               << "writes a tensor map to memory that is "
                                  "aligned to "
                               << aligned << " bytes; it needs " << mapBytes,
                           scratch, "the memory");
  if (offset % mapBytes)
    return ttg::withOrigin(op.emitOpError()
                               << "writes a tensor map at byte " << offset
                               << " of its memory; it needs a multiple of "
                               << mapBytes,
                           scratch, "the memory");
  if (offset < 0 || offset > bytes - mapBytes)
    return ttg::withOrigin(op.emitOpError()
                               << "writes the " << mapBytes
                               << " bytes of a tensor map at byte " << offset
                               << " of memory of " << bytes << " bytes",
                           scratch, "the memory");
  return success();
}

LogicalResult TensormapCreateOp::verify() {
  size_t rank = getBoxDim().size();
  if (rank < 1 || rank > 5)
    return emitOpError() << "has a block of " << counted(rank, "dimension")
                         << "; TMA takes 1 to 5";
  if (getGlobalDim().size() != rank || getElementStride().size() != rank ||
      getGlobalStride().size() != rank - 1)
    return emitOpError() << "has a block of " << counted(rank, "dimension")
                         << ", " << getGlobalDim().size() << " sizes, "
                         << getGlobalStride().size() << " strides and "
                         << getElementStride().size()
                         << " element strides; it needs " << rank << ", "
                         << rank - 1 << " and " << rank;
  return verifyMapPlace(*this);
}
