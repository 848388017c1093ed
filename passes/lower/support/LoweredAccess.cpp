//===- LoweredAccess.cpp - What a load of a buffer becomes ----------------===//

#include "passes/lower/support/LoweredAccess.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/SharedCost.h"
#include "passes/lower/support/MatrixTiles.h"
#include "passes/lower/support/MemDesc.h"
#include "passes/lower/support/TargetHooks.h"
#include "passes/lower/support/TransposingReadPlan.h"
#include "passes/lower/support/WordExchange.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// The dimensions of `memory` in which a window may begin elsewhere than at 0.
static SmallVector<bool> movedDims(Value memory) {
  auto type = cast<ttg::MemDescType>(memory.getType());
  SmallVector<bool> moved(type.getRank());
  while (auto window = memory.getDefiningOp<ttg::MemDescSubsliceOp>()) {
    for (auto [dim, offset] : llvm::enumerate(window.getOffsets()))
      moved[dim] = moved[dim] || offset != 0;
    memory = window.getSrc();
    if (cast<ttg::MemDescType>(memory.getType()).getRank() != type.getRank())
      break;
  }
  // Of one that is passed in, only the type is known.
  auto rest = cast<ttg::MemDescType>(memory.getType());
  for (size_t dim = 0; dim < moved.size(); ++dim)
    moved[dim] = moved[dim] || rest.getRank() != type.getRank() ||
                 rest.getShape()[dim] !=
                     rest.getAllocShape().take_back(rest.getRank())[dim];
  return moved;
}

std::optional<SharedPlaces> lower::placesWithoutCode(RankedTensorType registers,
                                                     Value memory) {
  auto type = cast<ttg::MemDescType>(memory.getType());
  auto offsets = ttg::sharedOffsets(registers, type);
  std::string error;
  auto buffer = ttg::toLinearLayout(
      ttg::dropPipeliningDim(type.getAllocShape(), type.getEncoding()),
      type.getEncoding(), error);
  if (!offsets || !buffer)
    return std::nullopt;
  ttg::LayoutDims names(memory.getContext());
  // The plans look at blocks, too, which all have memory of their own.
  SharedPlaces places{*offsets *
                          LinearLayout::zeros1D(1, names.block, names.offset),
                      {},
                      {},
                      0,
                      ttg::gapsOf(type.getEncoding())};
  LinearLayout offsetOf = buffer->pseudoinvert();
  for (auto [dim, isMoved] : llvm::enumerate(movedDims(memory))) {
    auto [name, size] = buffer->getOutDimSizes()[dim];
    for (unsigned bit = llvm::Log2_64(type.getShape()[dim]);
         isMoved && int32_t(1) << bit < size; ++bit)
      places.windowMask |= offsetOf.getBasis(name, bit, names.offset);
  }
  return places;
}

/// How many registers of `rows` hold no copy.
static unsigned numAccesses(const LinearLayout &rows, StringAttr reg) {
  return rows.getInDimSize(reg) >>
         llvm::popcount(unsigned(rows.getZeroMask(reg)));
}

std::optional<LoweredAccess> lower::loweredAccessOf(Operation *op,
                                                    const Target &target) {
  std::optional<ttg::SharedAccess> access = ttg::sharedAccessOf(op);
  if (!access)
    return std::nullopt;
  LoweredAccess lowered;
  lowered.cost = access->cost;
  const bool isLoad = isa<ttg::LocalLoadOp>(op);
  Value memory = isLoad ? cast<ttg::LocalLoadOp>(op).getSrc()
                 : isa<ttg::LocalStoreOp>(op)
                     ? cast<ttg::LocalStoreOp>(op).getDst()
                     : cast<ttg::LocalAllocOp>(op).getResult();
  std::optional<SharedPlaces> places =
      placesWithoutCode(access->registers, memory);
  if (!places ||
      isa<ttg::PartitionedSharedEncodingAttr>(access->memory.getEncoding()))
    return lowered;
  ttg::LayoutDims names(op->getContext());
  const Type element = access->registers.getElementType();
  const unsigned bits = 8 * tt::bytesInMemory(element);
  const auto hooks = createHooks(
      target, static_cast<unsigned>(ttg::lookupNumCTAs(op).value_or(1)));
  const TileInstructions tiles = hooks->tileInstructions();
  if (isLoad ? tiles.loads : tiles.stores)
    if (auto plan = planTiles(*places, element)) {
      lowered.instruction =
          llvm::formatv("{0}matrix.x{1}{2}", isLoad ? "ld" : "st", plan->tiles,
                        plan->isTransposed ? ".trans" : "");
      lowered.count = numAccesses(plan->rows, names.reg);
      return lowered;
    }
  if (const TransposingRead *read =
          isLoad ? findTransposingRead(target, bits) : nullptr) {
    unsigned aligned = 1u << read->elementsLog2;
    for (auto [interval, padding] : places->gaps)
      aligned = std::min({aligned, interval, padding});
    if (auto plan = planTransposingRead(*read, places->offsets,
                                        places->windowMask, aligned)) {
      lowered.instruction = read->mnemonic;
      lowered.count = numAccesses(plan->pieces, names.reg);
      return lowered;
    }
  }
  if (hooks->hasPermuteBytes())
    if (auto exchange = planWordExchange(*places, bits, isLoad)) {
      lowered.needsExchange = true;
      lowered.cost = accessCost(exchange->offsets, places->gaps, bits,
                                ttg::lookupSharedBanks(op), isLoad);
    }
  return lowered;
}
