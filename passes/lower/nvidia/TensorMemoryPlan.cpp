//===- TensorMemoryPlan.cpp - Registers to tensor memory ------------------===//

#include "passes/lower/nvidia/TensorMemoryPlan.h"
#include "dialects/ttg/Layouts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;
using namespace kernelscope::lower;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::StringAttr;

using Place = TensorMemoryPlace;
using Shape = TensorMemoryShape;
using Indices = SmallVector<int32_t>;

//===----------------------------------------------------------------------===//
// Where tensor memory has what
//===----------------------------------------------------------------------===//

TensorMemoryMap::TensorMemoryMap(const LinearLayout &layout,
                                 unsigned elementBits)
    : layout(layout), inverse(layout.pseudoinvert()),
      elementBits(static_cast<int32_t>(elementBits)) {
  mlir::MLIRContext *context = layout.getOutDims().front().name.getContext();
  row = StringAttr::get(context, "row");
  col = StringAttr::get(context, "col");
  block = ttg::LayoutDims(context).block;
}

std::optional<Place> TensorMemoryMap::placeOf(ArrayRef<int32_t> indices,
                                              int32_t *element) const {
  SmallVector<LinearLayout::NamedValue> at;
  for (auto [name, index] : llvm::zip_equal(inverse.getInDimNames(), indices))
    at.push_back({name, index});
  Place place;
  int32_t inColumn = 0;
  for (auto [name, value] : inverse.apply(at)) {
    if (name == row)
      place.row = value;
    else if (name == col) {
      place.column = value / perColumn();
      inColumn = value % perColumn();
    } else if (value != 0) {
      return std::nullopt;
    }
  }
  if (element)
    *element = inColumn;
  else if (inColumn != 0)
    return std::nullopt;
  return place;
}

Indices TensorMemoryMap::indicesAt(Place place, int32_t element) const {
  const int32_t column = place.column * perColumn() + element;
  // Places beyond the layout hold nothing, as if there were no basis.
  const bool exists =
      place.row < layout.getInDimSize(row) && column < layout.getInDimSize(col);
  Indices indices;
  for (auto [name, value] : layout.apply(
           {{row, exists ? place.row : 0}, {col, exists ? column : 0}}))
    indices.push_back(exists ? value : -1);
  return indices;
}

int32_t TensorMemoryMap::columns() const {
  return llvm::divideCeil(layout.getInDimSize(col), perColumn());
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {

/// Finds the plan with one shape.
class Matching {
public:
  Matching(const LinearLayout &registers, const TensorMemoryMap &memory,
           const Shape &shape, unsigned limit)
      : registers(registers), memory(memory), shape(shape), limit(limit),
        names(registers.getOutDims().front().name.getContext()) {}

  std::optional<TensorMemoryPlan> run(bool isPacked) {
    step = isPacked ? 2 : 1;
    plan.shape = shape.name;
    plan.isPacked = isPacked;
    findRegisters();
    if (!takeWord() || !matchLanes() || !matchWarps())
      return std::nullopt;
    for (unsigned bit = 0; bit < shape.registerBits; ++bit)
      if (!take(memory.indicesAt(scaled(shape.registers[bit]))))
        return std::nullopt;
    while (plan.repeat < shape.maxRepeat && 2 * words() <= mostWords() &&
           take(memory.indicesAt(
               scaled({0, shape.columns * static_cast<int32_t>(plan.repeat)}))))
      plan.repeat *= 2;
    if (!makeMessages())
      return std::nullopt;
    return std::move(plan);
  }

private:
  struct Bit {
    unsigned log2;
    Indices basis;
  };

  Place scaled(Place place) const { return {place.row, place.column * step}; }
  Indices basisOf(StringAttr in, unsigned bit) const {
    SmallVector<int32_t> basis = registers.getBasis(in, bit);
    return {basis.begin(), basis.end()};
  }
  static bool isZero(const Indices &basis) {
    return llvm::all_of(basis, [](int32_t value) { return value == 0; });
  }

  /// The words of a message so far.
  unsigned words() const {
    return (1u << taken.size()) / plan.bitsOfElements.size();
  }
  /// How many a message may have.
  unsigned mostWords() const {
    constexpr unsigned ofThread = 256;
    if (limit && limit < ofThread)
      return limit / 2;
    const size_t all = (size_t{1} << (taken.size() + left.size())) /
                       plan.bitsOfElements.size();
    return all > ofThread / 2 ? ofThread / 4 : ofThread / 2;
  }

  /// Bits of the register index that say something; others are copies.
  void findRegisters() {
    for (unsigned bit = 0; bit < registers.getInDimSizeLog2(names.reg); ++bit)
      if (Indices basis = basisOf(names.reg, bit); isZero(basis))
        copies |= 1u << bit;
      else
        left.push_back({bit, basis});
    for (int32_t r = 0; r < registers.getInDimSize(names.reg); ++r)
      plan.sources.push_back(static_cast<unsigned>(r) & ~copies);
  }

  /// Takes the bit that moves by `indices` for the next one of a message.
  bool take(const Indices &indices) {
    auto found = llvm::find_if(
        left, [&](const Bit &bit) { return bit.basis == indices; });
    if (found == left.end() || isZero(indices))
      return false;
    taken.push_back(found->log2);
    left.erase(found);
    return true;
  }

  /// The elements of a word: neighbours in a column, or two columns with one
  /// each.
  bool takeWord() {
    plan.bitsOfElements = {0};
    const int32_t bits = 32 / memory.perColumn();
    auto append = [&](unsigned bit) {
      for (unsigned other : llvm::to_vector(plan.bitsOfElements))
        plan.bitsOfElements.push_back(other + bit);
    };
    for (int32_t element = 1; element < memory.perColumn(); element *= 2) {
      Indices indices = memory.indicesAt({}, element);
      if (isZero(indices)) // a gap
        continue;
      if (plan.isPacked || !take(indices))
        return false;
      append(element * bits);
    }
    if (!plan.isPacked)
      return true;
    append(16);
    return bits == 16 && take(memory.indicesAt({0, 1}));
  }

  /// Where `basis` is, for what only moves a message.
  std::optional<Place> offsetOf(const Indices &basis) const {
    std::optional<Place> place = memory.placeOf(basis);
    // Messages of 16 rows begin at the first or the middle of a warp's.
    if (place && place->row & ~(shape.rows == rowsOfWarp ? 0 : shape.rows))
      return std::nullopt;
    return place;
  }

  bool matchLanes() {
    if (registers.getInDimSizeLog2(names.lane) != shape.lanes.size())
      return false;
    for (auto [bit, place] : llvm::enumerate(shape.lanes)) {
      Indices basis = basisOf(names.lane, bit);
      if (place != placeInInstruction) {
        // Rows with nothing in them have no lanes either.
        if (isZero(basis) || basis != memory.indicesAt(scaled(place)))
          return false;
        continue;
      }
      std::optional<Place> other = offsetOf(basis);
      if (!other || other->row)
        return false;
      plan.halfOffset = other->column;
    }
    return true;
  }

  bool matchWarps() {
    constexpr unsigned bitsOfGroup = 2;
    const unsigned count = registers.getInDimSizeLog2(names.warp);
    if (count < bitsOfGroup)
      return false;
    for (unsigned bit = 0; bit < count; ++bit) {
      Indices basis = basisOf(names.warp, bit);
      if (bit < bitsOfGroup)
        for (auto [value, own] :
             llvm::zip_equal(basis, memory.indicesAt({rowsOfWarp << bit, 0})))
          value ^= own;
      std::optional<Place> offset = offsetOf(basis);
      if (!offset)
        return false;
      plan.warpBits.push_back(*offset);
    }
    return true;
  }

  bool makeMessages() {
    SmallVector<Place> offsets;
    for (const Bit &bit : left) {
      std::optional<Place> offset = offsetOf(bit.basis);
      if (!offset)
        return false;
      offsets.push_back(*offset);
    }
    for (unsigned number = 0; number < 1u << left.size(); ++number) {
      TensorMemoryPlan::Message message;
      unsigned first = 0;
      for (auto [i, bit] : llvm::enumerate(left))
        if (number >> i & 1) {
          message.place = message.place ^ offsets[i];
          first |= 1u << bit.log2;
        }
      for (unsigned index = 0; index < 1u << taken.size(); ++index) {
        unsigned r = first;
        for (auto [i, bit] : llvm::enumerate(taken))
          if (index >> i & 1)
            r |= 1u << bit;
        message.registers.push_back(r);
      }
      plan.messages.push_back(std::move(message));
    }
    return true;
  }

  const LinearLayout &registers;
  const TensorMemoryMap &memory;
  const Shape &shape;
  unsigned limit;
  ttg::LayoutDims names;
  TensorMemoryPlan plan;
  /// From one column of a shape to the next, in columns.
  int32_t step = 1;
  unsigned copies = 0;
  /// Bits of the register index: those of a message, in its order, and those
  /// that distinguish messages.
  SmallVector<unsigned> taken;
  SmallVector<Bit> left;
};

} // namespace

std::optional<TensorMemoryPlan>
lower::planTensorMemory(const LinearLayout &registers,
                        const TensorMemoryMap &memory, unsigned limit) {
  for (bool isPacked : {true, false})
    for (const Shape &shape : tensorMemoryShapes())
      if (auto plan = Matching(registers, memory, shape, limit).run(isPacked))
        return plan;
  return std::nullopt;
}
