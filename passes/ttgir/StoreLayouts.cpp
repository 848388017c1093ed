//===- StoreLayouts.cpp - Stores where values are -------------------------===//

#include "passes/ttgir/StoreLayouts.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;

/// Moving more 32-bit words per thread by shuffles costs more than a barrier.
/// Narrower elements move one by one, and take less of shared memory.
static constexpr unsigned mostWords = 32, mostNarrow = 16;
/// What one access of a warp must cover in one piece to be coalesced.
static constexpr unsigned segmentBytes = 128;

namespace {
/// A bit of an element's index.
struct IndexBit {
  unsigned dim, log2;
  bool operator==(const IndexBit &) const = default;
};

/// The bits of the indices of a layout of which each basis is one of them.
struct BitLayout {
  SmallVector<IndexBit> registers, lanes, warps, blocks;
  /// Whether lanes or warps hold the same elements.
  bool hasCopies = false;
};
} // namespace

/// Nothing for a layout with sums of bits, or copies in registers or CTAs.
static std::optional<BitLayout> splitIntoBits(const LinearLayout &layout,
                                              const ttg::LayoutDims &names) {
  BitLayout bits;
  auto collect = [&](StringAttr in, SmallVector<IndexBit> &into) {
    for (const auto &basis : layout.getBases(in)) {
      std::optional<IndexBit> found;
      for (auto [dim, value] : llvm::enumerate(basis))
        if (value) {
          if (found || !llvm::isPowerOf2_32(value))
            return false;
          found = IndexBit{static_cast<unsigned>(dim), llvm::Log2_32(value)};
        }
      if (found)
        into.push_back(*found);
      else if (in == names.lane || in == names.warp)
        bits.hasCopies = true;
      else
        return false;
    }
    return true;
  };
  if (!collect(names.reg, bits.registers) || !collect(names.lane, bits.lanes) ||
      !collect(names.warp, bits.warps) || !collect(names.block, bits.blocks))
    return std::nullopt;
  return bits;
}

/// How many of the lowest bits along `dim` are in `bits`.
static unsigned runAlong(unsigned dim, ArrayRef<IndexBit> bits) {
  unsigned run = 0;
  while (llvm::is_contained(bits, IndexBit{dim, run}))
    ++run;
  return run;
}

/// The bytes that a warp accesses in one piece.
static unsigned pieceBytes(unsigned fastest, unsigned run,
                           const BitLayout &layout, unsigned elementBits) {
  SmallVector<IndexBit> together(layout.lanes);
  for (unsigned bit = 0; bit < run; ++bit)
    together.push_back({fastest, bit});
  return (elementBits / 8) << runAlong(fastest, together);
}

/// `layout` with each of the lowest `run` bits along `dim` that lanes have
/// exchanged for the next higher one along it that registers have. Nothing if
/// warps have one of them, or registers too few.
static std::optional<BitLayout> withRunInRegisters(BitLayout layout,
                                                   unsigned dim, unsigned run) {
  unsigned next = run;
  for (unsigned log2 = 0; log2 < run; ++log2) {
    auto *lane = llvm::find(layout.lanes, IndexBit{dim, log2});
    if (lane == layout.lanes.end())
      continue;
    auto *own = llvm::find_if(layout.registers, [&](IndexBit bit) {
      return bit.dim == dim && bit.log2 == next;
    });
    if (own == layout.registers.end())
      return std::nullopt;
    std::swap(*lane, *own);
    ++next;
  }
  return runAlong(dim, layout.registers) >= run ? std::optional(layout)
                                                : std::nullopt;
}

/// The layout in the shape of `whole` that has these bits; null if there is
/// none.
static Attribute layoutOf(const BitLayout &bits, const LinearLayout &whole,
                          const ttg::LayoutDims &names) {
  auto bases = [&](StringAttr in, ArrayRef<IndexBit> of) {
    LinearLayout::Bases result{in, {}};
    for (IndexBit bit : of) {
      std::vector<int32_t> basis(whole.getOutDims().size());
      basis[bit.dim] = 1 << bit.log2;
      result.second.push_back(std::move(basis));
    }
    return result;
  };
  std::string error;
  auto layout = LinearLayout::create(
      {bases(names.reg, bits.registers), bases(names.lane, bits.lanes),
       bases(names.warp, bits.warps), bases(names.block, bits.blocks)},
      whole.getOutDimSizes(), error);
  return layout && *layout != whole
             ? ttg::LinearEncodingAttr::get(names.reg.getContext(), *layout)
             : Attribute();
}

Attribute ttgir::chooseStoreLayout(RankedTensorType pointers,
                                   Attribute computed, Attribute coalesced,
                                   unsigned elementBits, const Target &target) {
  MLIRContext *context = pointers.getContext();
  const ttg::LayoutDims names(context);
  std::string error;
  auto from = ttg::toLinearLayout(pointers.getShape(), computed, error),
       to = ttg::toLinearLayout(pointers.getShape(), coalesced, error);
  auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(coalesced);
  if (!from || !to || !blocked)
    return coalesced;
  auto has = splitIntoBits(*from, names), wants = splitIntoBits(*to, names);
  if (!has || !wants || has->blocks != wants->blocks)
    return coalesced;
  const unsigned fastest = blocked.getOrder()[0],
                 run = llvm::Log2_32(blocked.getSizePerThread()[fastest]);
  const unsigned enough =
      target.isAmd()
          ? std::min(run, llvm::Log2_32(std::max(1u, 64 / elementBits)))
          : run;
  const unsigned own = runAlong(fastest, has->registers);
  const bool isWide = own >= enough && elementBits << own >= 64;
  // Of copies, one is stored. With twice as many stores as if all threads had a
  // share that costs less than a conversion.
  auto countStores = [&](const BitLayout &layout, unsigned run) {
    const unsigned most = llvm::Log2_32(128 / elementBits);
    return layout.registers.size() - std::min(run, most);
  };
  if (has->hasCopies || wants->hasCopies)
    return isWide && countStores(*has, own) <= countStores(*wants, run) + 1
               ? computed
               : coalesced;
  if (isWide)
    return computed;
  // On RDNA 3 two lanes have the sums of a row in turn: they exchange half of
  // them in registers.
  if (target.isAmd() && elementBits >= 32)
    if (auto swapped = withRunInRegisters(
            *has, fastest,
            std::min(run, llvm::Log2_32(std::max(1u, 128 / elementBits)))))
      if (Attribute layout = layoutOf(*swapped, *to, names))
        return layout;

  const unsigned words = llvm::divideCeil(elementBits, 32u)
                         << has->registers.size();
  if (words > (elementBits < 32 ? mostNarrow : mostWords))
    return coalesced;
  BitLayout chosen{{}, {}, has->warps, has->blocks};
  for (unsigned dim : blocked.getOrder())
    for (unsigned log2 = 0; 1 << log2 < pointers.getDimSize(dim); ++log2) {
      IndexBit bit{dim, log2};
      const bool isInRun = dim == fastest && log2 < run;
      if (llvm::is_contained(chosen.warps, bit) ||
          llvm::is_contained(chosen.blocks, bit)) {
        if (isInRun)
          return coalesced;
      } else if (!isInRun && chosen.lanes.size() < wants->lanes.size()) {
        chosen.lanes.push_back(bit);
      } else {
        chosen.registers.push_back(bit);
      }
    }
  const unsigned piece = pieceBytes(fastest, run, chosen, elementBits),
                 best = pieceBytes(fastest, run, *wants, elementBits);
  if (chosen.lanes.size() < wants->lanes.size() ||
      piece < std::min(best, segmentBytes))
    return coalesced;
  Attribute layout = layoutOf(chosen, *to, names);
  return layout ? layout : coalesced;
}
