//===- DotPlan.cpp - Matrix products as instructions ----------------------===//
//
// Coordinates are words over F2: the bits of k, n, m and of the batch, one
// group after the other, so that those of A, B and C can be compared.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/DotPlan.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace kernelscope;
using mlir::StringAttr;
using Words = SmallVector<uint64_t>;

namespace {

/// The groups of bits of a coordinate. The batch is 'b'.
class Space {
public:
  Space(const LinearLayout &a, const LinearLayout &c) {
    auto sizeFromBack = [](const LinearLayout &layout, unsigned place) {
      ArrayRef<LinearLayout::Dim> dims = layout.getOutDims();
      return place < dims.size() ? dims[dims.size() - 1 - place].log2 : 0;
    };
    unsigned first = 0;
    for (auto [dim, log2] : {std::pair('k', sizeFromBack(a, 0)),
                             {'n', sizeFromBack(c, 0)},
                             {'m', sizeFromBack(c, 1)},
                             {'b', sizeFromBack(c, 2)}}) {
      groups[dim] = {first, log2};
      first += log2;
    }
  }

  uint64_t mask(char dim) const {
    auto [first, log2] = groups.at(dim);
    return ((uint64_t(1) << log2) - 1) << first;
  }
  unsigned log2(char dim) const { return groups.at(dim).second; }
  unsigned first(char dim) const { return groups.at(dim).first; }
  unsigned size() const { return first('b') + log2('b'); }

private:
  std::map<char, std::pair<unsigned, unsigned>> groups;
};

/// One operand: the tensor's layout and the fragment that it fills.
class Operand {
public:
  /// `dims` are the tensor's last two dimensions: "mk", "kn" or "mn". With
  /// `isTransposed` the fragment's M is the tensor's N and the reverse.
  Operand(const LinearLayout &layout, const MatrixFragment &fragment,
          bool isTransposed, StringRef dims, const Space &space)
      : layout(layout), registers{space.size(), {}}, lanes(fragment.laneBits()),
        places(fragment.registerBits()), dims("b" + dims.str()), space(space) {
    if (isTransposed)
      for (SmallVector<FragmentBit> *bits : {&lanes, &places})
        for (FragmentBit &bit : *bits)
          bit.dim = bit.dim == 'm' ? 'n' : bit.dim == 'n' ? 'm' : bit.dim;
    ttg::LayoutDims names(layout.getInDims().front().name.getContext());
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(names.reg); ++bit)
      registers.columns.push_back(word(names.reg, bit));
  }

  /// What bit `bit` of `in` adds to the coordinate; 0 beyond the last bit.
  uint64_t word(StringAttr in, unsigned bit) const {
    if (bit >= layout.getInDimSizeLog2(in))
      return 0;
    uint64_t result = 0;
    ArrayRef<LinearLayout::Dim> outs = layout.getOutDims();
    for (auto [index, out] : enumerate(outs)) {
      char dim = dims[dims.size() - outs.size() + index];
      result |= uint64_t(layout.getBasis(in, bit, out.name))
                << space.first(dim);
    }
    return result;
  }

  /// The register that is `offset` away from register 0 in the tensor.
  std::optional<unsigned> registerAt(uint64_t offset) const {
    std::optional<uint64_t> found = registers.solve(offset);
    return found ? std::optional(static_cast<unsigned>(*found)) : std::nullopt;
  }
  bool hasDim(char dim) const { return StringRef(dims).contains(dim); }

  const LinearLayout &layout;
  /// From the bits of the register index to coordinates.
  F2Matrix registers;
  SmallVector<FragmentBit> lanes, places;

private:
  std::string dims;
  const Space &space;
};

class Planner {
public:
  Planner(const MatrixFragments &fragments, bool isTransposed,
          const LinearLayout &a, const LinearLayout &b, const LinearLayout &c,
          bool padsDepth)
      : isTransposed(isTransposed), padsDepth(padsDepth), space(a, c),
        names(a.getInDims().front().name.getContext()),
        operands{{{a, isTransposed ? fragments.b : fragments.a, isTransposed,
                   "mk", space},
                  {b, isTransposed ? fragments.a : fragments.b, isTransposed,
                   "kn", space},
                  {c, fragments.c, isTransposed, "mn", space}}} {}

  std::optional<DotPlan> plan() {
    if (!placeLanes() || !warpsAgree() || !placeRegisters())
      return std::nullopt;
    return tile();
  }

private:
  using Bit = std::pair<char, unsigned>;
  static Bit key(const FragmentBit &bit) { return {bit.dim, bit.log2}; }

  /// A lane holds what its fragment says, which determines where the bits of
  /// the instruction's coordinates are in the tensor.
  bool placeLanes() {
    for (const Operand &operand : operands)
      for (auto [index, bit] : enumerate(operand.lanes)) {
        uint64_t word = operand.word(names.lane, index);
        if (bit.isCopy()) {
          if (word)
            return false;
          continue;
        }
        // A sum that counts copies would be wrong.
        if (bit.dim == 'k' && !word) {
          if (!padsDepth)
            return false;
          idleLanes[&operand - operands.begin()] |= 1u << index;
        }
        auto [it, isNew] = image.try_emplace(key(bit), word);
        if (it->second != word || word & ~space.mask(bit.dim))
          return false;
      }
    return true;
  }

  /// All other bits of the thread's id move A along M, B along N, and C as both
  /// do.
  bool warpsAgree() const {
    const Operand &a = operands[0], &b = operands[1], &c = operands[2];
    uint64_t forA = space.mask('m') | space.mask('b'),
             forB = space.mask('n') | space.mask('b');
    for (StringAttr in : {names.lane, names.warp, names.block}) {
      unsigned first = in == names.lane ? a.lanes.size() : 0;
      unsigned count = 0;
      for (const Operand &operand : operands)
        count = std::max(count, operand.layout.getInDimSizeLog2(in));
      for (unsigned bit = first; bit < count; ++bit) {
        uint64_t inC = c.word(in, bit);
        if (a.word(in, bit) != (inC & forA) || b.word(in, bit) != (inC & forB))
          return false;
      }
    }
    return true;
  }

  /// The bits of the instruction's coordinates that no lane determines are in
  /// the registers of two operands: the first bits that both have. Where the
  /// tensor is smaller than the instruction, registers hold copies, or, along
  /// K, zeros.
  bool placeRegisters() {
    for (const Operand &operand : operands)
      for (const FragmentBit &bit : operand.places)
        if (!image.contains(key(bit)))
          image[key(bit)] = nextInBoth(bit.dim);
    Words depth = imagesAlong('k');
    if (padsDepth)
      llvm::erase(depth, 0);
    return F2Matrix{space.size(), depth}.rank() == depth.size();
  }

  /// Whether element `i` of a fragment is beyond the end of K.
  bool isBeyondDepth(const Operand &operand, unsigned i) const {
    for (auto [index, bit] : enumerate(operand.places))
      if (i >> index & 1 && bit.dim == 'k' && !image.at(key(bit)))
        return true;
    return false;
  }

  Words imagesAlong(char dim) const {
    Words words;
    for (auto [bit, word] : image)
      if (bit.first == dim)
        words.push_back(word);
    return words;
  }

  /// The first step along `dim` that the registers of both operands make, and
  /// that is none of those placed so far; 0 if there is none.
  uint64_t nextInBoth(char dim) const {
    Words placed = imagesAlong(dim);
    for (uint64_t step : stepsAlong(dim, placed))
      return step;
    return 0;
  }

  /// All such steps, independent of `placed` and of each other.
  Words stepsAlong(char dim, Words placed) const {
    Words steps;
    for (const Operand &operand : operands) {
      if (!operand.hasDim(dim))
        continue;
      for (uint64_t step : operand.registers.columns) {
        if (!step || step & ~space.mask(dim) ||
            F2Matrix{space.size(), placed}.solve(step))
          continue;
        if (!all_of(operands, [&](const Operand &other) {
              return !other.hasDim(dim) || other.registerAt(step);
            }))
          continue;
        steps.push_back(step);
        placed.push_back(step);
      }
      break; // Both have what is asked for, so one list is enough.
    }
    return steps;
  }

  /// Repeats the instruction over all registers.
  std::optional<DotPlan> tile() const {
    // Steps from one tile to the next, along K and within C.
    Words depth = imagesAlong('k');
    llvm::erase(depth, 0);
    Words along = stepsAlong('k', depth);
    if (depth.size() + along.size() != space.log2('k'))
      return std::nullopt;
    Words placed, across;
    for (const FragmentBit &bit : operands[2].places)
      placed.push_back(image.at(key(bit)));
    for (uint64_t step : operands[2].registers.columns)
      if (!F2Matrix{space.size(), placed}.solve(step)) {
        across.push_back(step);
        placed.push_back(step);
      }

    DotPlan plan;
    plan.isTransposed = isTransposed;
    plan.idleLanes = idleLanes;
    std::array<SmallVector<unsigned>, 3> fragment, tiles;
    for (auto [index, operand] : enumerate(operands)) {
      for (const FragmentBit &bit : operand.places) {
        auto r = operand.registerAt(image.at(key(bit)));
        if (!r)
          return std::nullopt;
        fragment[index].push_back(*r);
      }
      uint64_t seen = 0;
      for (char dim : {'k', 'n', 'm', 'b'})
        seen |= operand.hasDim(dim) ? space.mask(dim) : 0;
      for (uint64_t step : joined(across, along)) {
        auto r = operand.registerAt(step & seen);
        if (!r)
          return std::nullopt;
        tiles[index].push_back(*r);
      }
    }
    for (unsigned t = 0; t < 1u << (across.size() + along.size()); ++t) {
      DotStep step;
      for (auto [index, list] :
           enumerate(std::array{&step.a, &step.b, &step.c}))
        for (unsigned i = 0; i < 1u << fragment[index].size(); ++i)
          list->push_back(isBeyondDepth(operands[index], i)
                              ? 1u << operands[index].registers.columns.size()
                              : sumOf(tiles[index], t) ^
                                    sumOf(fragment[index], i));
      plan.steps.push_back(std::move(step));
    }
    const Operand &c = operands[2];
    for (unsigned r = 0; r < 1u << c.registers.columns.size(); ++r)
      plan.sources.push_back(*c.registerAt(c.registers.apply(r)));
    return plan;
  }

  static Words joined(ArrayRef<uint64_t> first, ArrayRef<uint64_t> second) {
    Words result(first);
    result.append(second.begin(), second.end());
    return result;
  }

  /// The register that the set bits of `number` lead to.
  static unsigned sumOf(ArrayRef<unsigned> registers, unsigned number) {
    unsigned sum = 0;
    for (auto [bit, r] : enumerate(registers))
      sum ^= number >> bit & 1 ? r : 0;
    return sum;
  }

  bool isTransposed, padsDepth;
  Space space;
  ttg::LayoutDims names;
  std::array<Operand, 3> operands;
  /// Where the bits of the instruction's coordinates are in the tensor.
  std::map<Bit, uint64_t> image;
  std::array<uint32_t, 2> idleLanes{};
};

} // namespace

std::optional<DotPlan> kernelscope::planDot(const MatrixFragments &fragments,
                                            const LinearLayout &a,
                                            const LinearLayout &b,
                                            const LinearLayout &c,
                                            bool padsDepth) {
  for (bool isTransposed : {false, true})
    if (auto plan = Planner(fragments, isTransposed, a, b, c, padsDepth).plan())
      return plan;
  return std::nullopt;
}
