//===- SharedCost.cpp - what tensors cost in shared memory ----------------===//

#include "dialects/ttg/SharedCost.h"

#include "dialects/ttg/LaunchConfig.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

/// The bytes of a buffer, or of each part of one with a partitioned layout.
static std::optional<int64_t> partBytes(MemDescType type) {
  ArrayRef<int64_t> shape = type.getAllocShape();
  ArrayRef<int64_t> buffer = dropPipeliningDim(shape, type.getEncoding());
  std::string error;
  auto layout = toLinearLayout(buffer, type.getEncoding(), error);
  LayoutDims names(type.getContext());
  if (!layout || !layout->hasInDim(names.offset))
    return std::nullopt;
  int64_t elements = layout->getInDimSize(names.offset);
  // Far more than there is, and far from an overflow below.
  constexpr int64_t most = int64_t(1) << 32;
  for (int64_t stages : shape.drop_back(buffer.size())) {
    if (stages <= 0 || stages > most || elements > most)
      return std::nullopt;
    elements *= stages;
  }
  int64_t gaps = 0;
  for (auto [interval, padding] : gapsOf(type.getEncoding()))
    gaps += (elements - 1) / interval * padding;
  return (elements + gaps) * tt::bytesInMemory(type.getElementType());
}

std::optional<PartitionBytes> ttg::partitionBytes(MemDescType type) {
  std::optional<int64_t> each = partBytes(type);
  if (!each || !isa<PartitionedSharedEncodingAttr>(type.getEncoding()))
    return std::nullopt;
  constexpr uint64_t partition = 65536;
  return PartitionBytes{*each,
                        static_cast<int64_t>(llvm::alignTo(*each, partition))};
}

std::optional<int64_t> ttg::allocationBytes(MemDescType type) {
  auto parts = dyn_cast<PartitionedSharedEncodingAttr>(type.getEncoding());
  if (!parts)
    return partBytes(type);
  std::optional<PartitionBytes> bytes = partitionBytes(type);
  if (!bytes)
    return std::nullopt;
  return (parts.getNumPartitions() - 1) * bytes->stride + bytes->each;
}

int64_t ttg::numPieces(CGAEncodingAttr cluster) {
  int64_t pieces = 1;
  for (unsigned split : cluster.getCTASplitNum())
    pieces *= split;
  return pieces;
}

std::optional<int64_t> ttg::bytesInCTA(MemDescType memory) {
  auto layout = dyn_cast<LayoutEncodingTrait>(memory.getEncoding());
  if (!layout)
    return std::nullopt;
  return memory.getNumElements() / numPieces(layout.getCGALayout()) *
         tt::bytesInMemory(memory.getElementType());
}

SmallVector<std::pair<unsigned, unsigned>> ttg::gapsOf(Attribute layout) {
  if (auto parts = dyn_cast_or_null<PartitionedSharedEncodingAttr>(layout))
    return gapsOf(parts.getPartitionLayout());
  SmallVector<std::pair<unsigned, unsigned>> gaps;
  if (auto padded = dyn_cast_or_null<PaddedSharedEncodingAttr>(layout))
    for (auto [interval, padding] :
         llvm::zip_equal(padded.getIntervals(), padded.getPaddings()))
      gaps.push_back({interval, padding});
  return gaps;
}

SharedBanks ttg::lookupSharedBanks(Operation *op) {
  SharedBanks memory;
  if (std::optional<Target> target = lookupTarget(op)) {
    memory.banks = target->sharedBanks;
    memory.wideLoadLanes = llvm::to_vector(target->wideLoadLanes);
  }
  return memory;
}

/// The map from (register, lane, warp, block) to (offset, block) of a tensor in
/// `memory`; nothing where the layouts do not fit.
static std::optional<LinearLayout> placesOf(RankedTensorType tensor,
                                            MemDescType memory) {
  if (memory.getRank() != tensor.getRank() || !tensor.getEncoding())
    return std::nullopt;
  LayoutDims names(tensor.getContext());
  std::string error;
  auto registers =
      toLinearLayout(tensor.getShape(), tensor.getEncoding(), error);
  auto buffer = toLinearLayout(
      dropPipeliningDim(memory.getAllocShape(), memory.getEncoding()),
      memory.getEncoding(), error);
  if (!registers || !buffer || !buffer->hasInDim(names.offset) ||
      registers->getOutDims().size() != buffer->getOutDims().size())
    return std::nullopt;
  for (auto [name, size] : buffer->getOutDimSizes())
    registers = registers->resizeOut(name, size);
  return registers->invertAndCompose(*buffer);
}

std::optional<AccessCost> ttg::accessCost(RankedTensorType tensor,
                                          MemDescType memory,
                                          const SharedBanks &banks,
                                          bool isLoad) {
  std::optional<LinearLayout> map = placesOf(tensor, memory);
  if (!map)
    return std::nullopt;
  LayoutDims names(tensor.getContext());
  StringAttr inside[] = {names.reg, names.lane, names.warp};
  if (!map->sublayoutIsZero(inside, {names.block}))
    return std::nullopt;
  return kernelscope::accessCost(
      map->sublayout(inside, {names.offset}), gapsOf(memory.getEncoding()),
      8 * tt::bytesInMemory(tensor.getElementType()), banks, isLoad);
}

ttg::MemDescType ttg::withoutSwizzle(MemDescType memory) {
  auto swizzled = dyn_cast<SwizzledSharedEncodingAttr>(memory.getEncoding());
  if (!swizzled)
    return memory;
  auto plain = SwizzledSharedEncodingAttr::get(memory.getContext(), 1, 1, 1,
                                               swizzled.getOrder(),
                                               swizzled.getCGALayout());
  return MemDescType::get(memory.getShape(), memory.getElementType(), plain,
                          memory.getMemorySpace(), memory.getMutableMemory(),
                          memory.getAllocShape());
}

unsigned SharedAccess::bits() const {
  return cost.vectorElements * 8 *
         tt::bytesInMemory(registers.getElementType());
}

std::optional<SharedAccess> ttg::sharedAccessOf(Operation *op) {
  Value registers, memory;
  if (auto load = dyn_cast<LocalLoadOp>(op)) {
    registers = load.getResult();
    memory = load.getSrc();
  } else if (auto store = dyn_cast<LocalStoreOp>(op)) {
    registers = store.getSrc();
    memory = store.getDst();
  } else if (auto alloc = dyn_cast<LocalAllocOp>(op)) {
    registers = alloc.getSrc();
    memory = alloc.getResult();
  }
  if (!registers || !memory)
    return std::nullopt;
  auto tensor = dyn_cast<RankedTensorType>(registers.getType());
  auto buffer = dyn_cast<MemDescType>(memory.getType());
  if (!tensor || !buffer)
    return std::nullopt;
  SharedBanks banks = lookupSharedBanks(op);
  auto cost = accessCost(tensor, buffer, banks, isa<LocalLoadOp>(op));
  if (!cost)
    return std::nullopt;
  return SharedAccess{tensor, buffer, banks.banks, std::move(*cost)};
}

std::optional<LinearLayout> ttg::sharedOffsets(RankedTensorType tensor,
                                               MemDescType memory) {
  std::optional<LinearLayout> map = placesOf(tensor, memory);
  LayoutDims names(tensor.getContext());
  return map ? std::optional(map->sublayout({names.reg, names.lane, names.warp},
                                            {names.offset}))
             : std::nullopt;
}

std::optional<int64_t> ttg::contiguousElements(RankedTensorType tensor,
                                               MemDescType memory,
                                               bool mayPermute) {
  std::optional<LinearLayout> offsets = sharedOffsets(tensor, memory);
  if (!offsets)
    return std::nullopt;
  LayoutDims names(tensor.getContext());
  // Of the bits that move a thread's place, how many are so far taken.
  int32_t taken = 0, moved = 0;
  SmallVector<int32_t> steps;
  for (const auto &basis : offsets->getBases(names.reg))
    if (basis[0] != 0)
      steps.push_back(basis[0]);
  for (StringAttr outside : {names.lane, names.warp})
    for (const auto &basis : offsets->getBases(outside))
      moved |= basis[0];
  for (size_t bit = 0; bit < steps.size(); ++bit) {
    int32_t next = int32_t(1) << bit;
    const auto *found =
        mayPermute ? llvm::find(steps, next) : steps.begin() + bit;
    if (found == steps.end() || *found != next || (moved & next) != 0 ||
        llvm::count_if(steps, [&](int32_t s) { return (s & next) != 0; }) != 1)
      break;
    taken |= next;
  }
  int64_t most = int64_t(taken) + 1;
  for (auto [interval, padding] : gapsOf(memory.getEncoding()))
    most = std::min<int64_t>(most, interval);
  return most;
}
