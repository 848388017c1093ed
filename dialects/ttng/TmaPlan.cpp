//===- TmaPlan.cpp - Blocks of tensors as TMA moves them ------------------===//

#include "dialects/ttng/TmaPlan.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/CopyParts.h"
#include "dialects/ttng/TTNG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;
using namespace kernelscope::ttng;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::StringAttr;

namespace {

using Basis = SmallVector<int32_t>;

bool isZero(const Basis &basis) {
  return llvm::all_of(basis, [](int32_t value) { return value == 0; });
}

/// Whether a basis is one bit of one dimension; which.
std::optional<std::pair<unsigned, int64_t>> asStep(const Basis &basis) {
  std::optional<std::pair<unsigned, int64_t>> step;
  for (auto [dim, value] : llvm::enumerate(basis)) {
    if (!value)
      continue;
    if (step || !llvm::isPowerOf2_32(value))
      return std::nullopt;
    step = {dim, value};
  }
  return step;
}

/// The coordinates that offset bit `bit` stands for once the swizzle is undone:
/// the number of a 16-byte piece is xored with that of its 128 bytes.
Basis unswizzled(const LinearLayout &memory, StringAttr offset, unsigned bit,
                 const TmaMode &mode) {
  constexpr unsigned pieceBytes = 16, lineBytes = 128;
  Basis basis = memory.getBasis(offset, bit);
  uint64_t address = uint64_t(mode.elementBytes) << bit;
  if (!mode.swizzleBytes || address < lineBytes)
    return basis;
  uint64_t piece = address / lineBytes & (mode.swizzleBytes / pieceBytes - 1);
  uint64_t moved = piece * pieceBytes / mode.elementBytes;
  for (unsigned other = 0; moved >> other; ++other)
    if (moved >> other & 1)
      for (auto [value, change] :
           llvm::zip_equal(basis, memory.getBasis(offset, other)))
        value ^= change;
  return basis;
}

/// `memory`, of which a window of `shape` is moved, with the dimensions of
/// `block`: it may lack those of size 1, and have one for several that follow
/// each other. Nothing if the others differ.
std::optional<LinearLayout> withDimensionsOf(const LinearLayout &memory,
                                             ArrayRef<int64_t> shape,
                                             ArrayRef<int64_t> block) {
  SmallVector<LinearLayout::NamedValue> sizes(block.size());
  SmallVector<StringAttr> names = ttg::tensorDims(
      memory.getOutDims().front().name.getContext(), block.size());
  size_t left = shape.size();
  int64_t inner = 1; // Of memory's dimension left - 1, what is done.
  for (size_t dim = block.size(); dim-- > 0;) {
    sizes[dim] = {names[dim], static_cast<int32_t>(block[dim])};
    if (left > 0 && inner * block[dim] == shape[left - 1]) {
      sizes[dim].second =
          memory.getOutDims()[--left].size() / static_cast<int32_t>(inner);
      inner = 1;
    } else if (block[dim] != 1) {
      inner *= block[dim];
      if (left == 0 || shape[left - 1] % inner)
        return std::nullopt;
    }
  }
  return left ? std::nullopt : std::optional(memory.reshapeOuts(sizes));
}

} // namespace

TmaMode TmaMode::of(ttg::NVMMASharedEncodingAttr layout, mlir::Type element,
                    bool isIm2Col) {
  return {tt::bytesInMemory(element), layout.getSwizzlingByteWidth(),
          isIm2Col ? 1024 : 256};
}

unsigned TmaPlan::messages() const { return places.getInDims()[0].size(); }

std::optional<TmaPlan> ttng::planTma(const LinearLayout &memory,
                                     ArrayRef<int64_t> shape,
                                     const TmaMode &mode) {
  unsigned rank = memory.getOutDims().size();
  if (rank == 0 || rank != shape.size())
    return std::nullopt;
  mlir::MLIRContext *context = memory.getOutDims()[0].name.getContext();
  ttg::LayoutDims names(context);
  unsigned bits = memory.getInDimSizeLog2(names.offset);
  const std::optional<CopyParts> parts = divideCopy(memory, shape);
  if (!parts)
    return std::nullopt;

  // Offsets walk over a row, then over the rows of the last but one dimension,
  // and so on, until they no longer step to the next.
  TmaPlan plan;
  plan.box.assign(rank, 1);
  unsigned current = rank - 1, bit = 0;
  uint64_t rowBytes = mode.elementBytes;
  for (; bit < bits; ++bit) {
    Basis basis = unswizzled(memory, names.offset, bit, mode);
    // The gaps of padded elements of 4 bits.
    if (isZero(basis) && current == rank - 1) {
      rowBytes *= 2;
      continue;
    }
    auto step = asStep(basis);
    if (!step || step->first > current)
      break;
    auto [dim, size] = *step;
    bool isFull = dim == rank - 1 && rowBytes == mode.swizzleBytes;
    if (plan.box[dim] != size || size >= mode.maxBox ||
        size >= parts->sizes[dim] || isFull)
      break;
    current = dim;
    plan.box[dim] *= 2;
    if (dim == rank - 1)
      rowBytes *= 2;
  }
  // A swizzle is one of whole rows.
  if (mode.swizzleBytes && rowBytes != mode.swizzleBytes)
    return std::nullopt;

  // All else in the part is a message of its own, in the order of memory. Where
  // a part is not all that a CTA has of the window, its start is in that
  // memory.
  std::vector<std::vector<int32_t>> messages, blocks;
  for (unsigned i = 0; i < memory.getInDimSizeLog2(names.block); ++i) {
    Basis start = parts->starts.getBasis(names.block, i);
    blocks.emplace_back(start.begin(), start.end());
    int32_t offset = 0;
    if (parts->inOneCTA >> i & 1)
      for (unsigned at = 0; at < bits; ++at)
        if (unswizzled(memory, names.offset, at, mode) == start)
          offset = int32_t(1) << at;
    if (parts->inOneCTA >> i & 1 && !offset)
      return std::nullopt;
    blocks.back().push_back(offset);
  }
  for (; bit < bits; ++bit) {
    Basis basis = unswizzled(memory, names.offset, bit, mode);
    if (isZero(basis))
      continue;
    auto step = asStep(basis);
    if (!step)
      return std::nullopt;
    auto [dim, size] = *step;
    if (size >= parts->sizes[dim])
      continue;
    if (size < plan.box[dim])
      return std::nullopt;
    messages.emplace_back(basis.begin(), basis.end());
    messages.back().push_back(int32_t(1) << bit);
  }
  plan.inOneCTA = parts->inOneCTA;
  plan.sharedCTABits =
      memory.hasInDim(names.block) ? memory.getZeroMask(names.block) : 0;
  SmallVector<LinearLayout::NamedValue> outs = memory.getOutDimSizes();
  outs.push_back({names.offset, memory.getInDimSize(names.offset)});
  std::string error;
  std::optional<LinearLayout> places = LinearLayout::create(
      {{StringAttr::get(context, messageDimName), messages},
       {names.block, blocks}},
      outs, error);
  if (!places)
    return std::nullopt;
  plan.places = std::move(*places);
  return plan;
}

std::optional<TmaPlan> ttng::planBlock(tt::TensorDescInterface desc,
                                       ttg::MemDescType memory) {
  auto layout = mlir::cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
  const bool isIm2Col = mlir::isa<TensorDescIm2ColType>(mlir::Type(desc));
  std::optional<LinearLayout> places = withDimensionsOf(
      ttg::toLinearLayout(memory), memory.getShape(), desc.getShape());
  return places
             ? planTma(*places, desc.getShape(),
                       TmaMode::of(layout, memory.getElementType(), isIm2Col))
             : std::nullopt;
}

std::optional<TmaPlan> ttng::planMap(tt::TensorDescInterface desc) {
  auto layout = mlir::dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(
      desc.getSharedLayout());
  SmallVector<int64_t> block(desc.getShape());
  if (!layout || layout.getRank() == 0 || block.size() < layout.getRank())
    return std::nullopt;
  // Gathers and scatters move blocks of one row each, into a buffer that has in
  // each CTA at least the rows that a swizzle repeats after.
  constexpr int64_t swizzledRows = 8;
  const bool isRow =
      block.size() == 2 && layout.getRank() == 2 && block.front() == 1;
  if (isRow)
    block.front() =
        swizzledRows * layout.getCGALayout().getCTASplitNum().front();
  // Memory may have one dimension for several.
  SmallVector<int64_t> shape(ArrayRef(block).take_back(layout.getRank()));
  for (int64_t size : ArrayRef(block).drop_back(layout.getRank()))
    shape.front() *= size;
  std::string error;
  std::optional<LinearLayout> memory =
      ttg::toLinearLayout(shape, layout, error);
  if (memory)
    memory = withDimensionsOf(*memory, shape, block);
  if (!memory)
    return std::nullopt;
  const bool isIm2Col = mlir::isa<TensorDescIm2ColType>(mlir::Type(desc));
  std::optional<TmaPlan> plan = planTma(
      *memory, block, TmaMode::of(layout, desc.getElementType(), isIm2Col));
  if (plan && isRow)
    plan->box.front() = 1;
  return plan;
}

std::optional<TmaPlan> ttng::planRows(ttg::MemDescType memory) {
  auto layout = mlir::cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
  std::optional<TmaPlan> plan =
      planTma(ttg::toLinearLayout(memory), memory.getShape(),
              TmaMode::of(layout, memory.getElementType(), /*isIm2Col=*/false));
  return plan && plan->box.front() >= rowsOfMessage ? plan : std::nullopt;
}
