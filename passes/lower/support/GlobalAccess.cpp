//===- GlobalAccess.cpp - Which elements one access takes -----------------===//

#include "passes/lower/support/GlobalAccess.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/analysis/AxisInfo.h"
#include "passes/lower/support/LoweredAccess.h"
#include "passes/lower/support/TargetHooks.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

static constexpr StringLiteral accessRunName = "access.run";

namespace {
/// Registers that run along one dimension.
struct RegisterRun {
  unsigned dim = 0;
  /// The bits of the register index, lowest coordinate first.
  SmallVector<unsigned> bits;
};
} // namespace

/// The bits of the register index that step 1, 2, 4, ... along out-dim `dim`,
/// at most `limit`, while nothing else moves within those steps.
static RegisterRun registerRun(const LinearLayout &layout, unsigned dim,
                               unsigned limit) {
  StringAttr out = layout.getOutDims()[dim].name;
  auto registers = StringAttr::get(out.getContext(), "register");
  RegisterRun run{dim, {}};
  for (unsigned step = 0; step < limit; ++step) {
    std::optional<unsigned> found;
    bool alone = true;
    for (const LinearLayout::Dim &in : layout.getInDims())
      for (unsigned bit = 0; bit < in.log2; ++bit) {
        if (!(layout.getBasis(in.name, bit, out) >> step & 1))
          continue;
        bool isStep = in.name == registers && !found;
        for (auto [i, value] : llvm::enumerate(layout.getBasis(in.name, bit)))
          isStep &= value == (i == dim ? 1 << step : 0);
        alone &= isStep;
        found = bit;
      }
    if (!found || !alone)
      break;
    run.bits.push_back(*found);
  }
  return run;
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

/// The dimension along which the first registers lie. The `contiguity` of an op
/// counts elements along it, and says nothing of the others.
static std::optional<unsigned> firstDim(const LinearLayout &layout,
                                        unsigned rank) {
  const LinearLayout::Dim &registers = layout.getInDims().front();
  for (unsigned bit = 0; bit < registers.log2; ++bit)
    for (unsigned dim = 0; dim < rank; ++dim)
      if (layout.getBasis(registers.name, bit)[dim] != 0)
        return dim;
  return std::nullopt;
}

/// The bits of the register index that move only within runs of equal values.
static int32_t equalRegisters(const LinearLayout &layout,
                              const AxisInfo &info) {
  const LinearLayout::Dim &registers = layout.getInDims().front();
  int32_t bits = 0;
  for (unsigned bit = 0; bit < registers.log2; ++bit) {
    SmallVector<int32_t> steps = layout.getBasis(registers.name, bit);
    bool isEqual = true;
    for (unsigned dim = 0; dim < info.getRank(); ++dim)
      isEqual &= int64_t(steps[dim]) < int64_t(1) << info[dim].constancy;
    bits |= int32_t(isEqual) << bit;
  }
  return bits;
}

/// A mask of a tail, for one, is the same in whole runs of elements.
static void noteEqualRegisters(Operation *op, const AxisInfoAnalysis &axes) {
  if (!op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getEncoding() || isa<FloatType>(type.getElementType()))
    return;
  AxisInfo info = axes.get(op->getResult(0));
  if (info.getRank() != type.getRank())
    return;
  if (int32_t bits = equalRegisters(ttg::toLinearLayout(type), info))
    op->setAttr(equalRegistersName,
                mlir::Builder(op->getContext()).getI32IntegerAttr(bits));
}

/// Which registers of `op` one access may take, along the dimension that gives
/// the most.
static RegisterRun longestRun(tt::GlobalAccessOpInterface op,
                              RankedTensorType type,
                              const AxisInfoAnalysis &axes, unsigned maxBits) {
  tt::GlobalAccess access = op.getGlobalAccess();
  LinearLayout layout = ttg::toLinearLayout(type);
  unsigned bits = access.elementBits();
  const std::optional<unsigned> first = firstDim(layout, type.getRank());
  RegisterRun best;
  for (unsigned dim = 0; dim < type.getRank(); ++dim) {
    int64_t elements = axes.accessElements(access.addresses, dim, bits);
    if (dim == first)
      elements = std::max(elements, access.contiguity);
    if (access.base)
      elements = std::min(
          elements,
          (int64_t(1) << axes.get(access.base).divisibilityOfAll()) * 8 / bits);
    if (access.mask)
      elements = std::min(elements, axes.maskRun(access.mask, dim));
    elements = std::min<int64_t>(elements, maxBits / bits);
    RegisterRun run =
        registerRun(layout, dim, elements > 1 ? llvm::Log2_64(elements) : 0);
    if (run.bits.size() > best.bits.size())
      best = run;
  }
  return best;
}

static RankedTensorType tensorOfAddresses(tt::GlobalAccessOpInterface op) {
  auto type =
      dyn_cast<RankedTensorType>(op.getGlobalAccess().addresses.getType());
  return type && type.getEncoding() ? type : RankedTensorType();
}

/// Spreads the bits of `value` to the positions `bits`.
static unsigned deposit(unsigned value, ArrayRef<unsigned> bits) {
  unsigned result = 0;
  for (auto [i, bit] : llvm::enumerate(bits))
    result |= (value >> i & 1) << bit;
  return result;
}

/// How many neighbours one atomic update of `op` takes.
static unsigned maxAtomicElementsOf(Operation *op, const TargetHooks &hooks) {
  auto update = dyn_cast<tt::AtomicRMWOp>(op);
  return update ? hooks.maxAtomicElements(
                      update.getAtomicRmwOp(),
                      getElementTypeOrSelf(update.getVal().getType()))
                : 1;
}

void lower::annotateAccessRuns(Operation *root, unsigned maxBits) {
  AxisInfoAnalysis axes(root);
  root->walk([&](Operation *op) { noteEqualRegisters(op, axes); });
  root->walk([&](tt::GlobalAccessOpInterface op) {
    RankedTensorType type = tensorOfAddresses(op);
    if (!type)
      return;
    RegisterRun run = longestRun(op, type, axes, maxBits);
    op->setAttr(accessRunName, DenseI32ArrayAttr::get(
                                   op->getContext(),
                                   {int32_t(run.dim), 1 << run.bits.size()}));
  });
}

std::optional<GlobalAccesses>
lower::globalAccessesOf(tt::GlobalAccessOpInterface op,
                        const AxisInfoAnalysis &axes, const Target &target) {
  RankedTensorType type = tensorOfAddresses(op);
  std::string error;
  if (!type || !ttg::toLinearLayout(type.getShape(), type.getEncoding(), error))
    return std::nullopt;
  const auto hooks = createHooks(target, /*ctas=*/1);
  unsigned elements =
      1u << longestRun(op, type, axes, hooks->maxGlobalBits()).bits.size();
  if (op.getGlobalAccess().isAtomic)
    elements = std::min(elements, maxAtomicElementsOf(op, *hooks));
  LinearLayout layout = ttg::toLinearLayout(type);
  StringAttr reg = layout.getInDims().front().name;
  const unsigned registers = layout.getInDimSize(reg) >>
                             llvm::popcount(unsigned(layout.getZeroMask(reg)));
  return GlobalAccesses{registers / elements, elements};
}

SmallVector<unsigned> lower::firstAccessOf(tt::GlobalAccessOpInterface op,
                                           const AxisInfoAnalysis &axes,
                                           const Target &target) {
  RankedTensorType type = tensorOfAddresses(op);
  std::string error;
  if (!type || !ttg::toLinearLayout(type.getShape(), type.getEncoding(), error))
    return {};
  const auto hooks = createHooks(target, /*ctas=*/1);
  RegisterRun run = longestRun(op, type, axes, hooks->maxGlobalBits());
  SmallVector<unsigned> access;
  for (unsigned i = 0; i < (1u << run.bits.size()); ++i)
    access.push_back(deposit(i, run.bits));
  return access;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

AccessPlan lower::planAccesses(Operation *op, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return {{{0}}, {0}};
  LinearLayout layout = ttg::toLinearLayout(tensor);
  auto registers = StringAttr::get(op->getContext(), "register");

  RegisterRun run;
  if (auto note = op->getAttrOfType<DenseI32ArrayAttr>(accessRunName);
      note && note.size() == 2 && note[0] >= 0 && note[0] < tensor.getRank() &&
      note[1] > 0)
    run = registerRun(layout, note[0], llvm::Log2_32(note[1]));

  unsigned runMask = 0, copyMask = 0;
  for (unsigned bit : run.bits)
    runMask |= 1u << bit;
  for (unsigned bit = 0; bit < layout.getInDimSizeLog2(registers); ++bit)
    if (llvm::all_of(layout.getBasis(registers, bit),
                     [](int32_t step) { return step == 0; }))
      copyMask |= 1u << bit;

  AccessPlan plan;
  for (unsigned r = 0, e = layout.getInDimSize(registers); r < e; ++r) {
    plan.sources.push_back(r & ~copyMask);
    if (r & (copyMask | runMask))
      continue;
    SmallVector<unsigned> &access = plan.accesses.emplace_back();
    for (unsigned i = 0; i < (1u << run.bits.size()); ++i)
      access.push_back(r | deposit(i, run.bits));
  }
  return plan;
}

Value lower::bothHold(lower::Builder &b, Value p, Value q) {
  return !p ? q : !q ? p : b.bitAnd(p, q);
}

/// The bits of each dimension in which holders of the same elements differ.
static llvm::StringMap<int32_t> copyBits(Type type) {
  // Of a scalar every thread has a copy.
  llvm::StringMap<int32_t> masks{{"lane", -1}, {"warp", -1}, {"block", -1}};
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (auto [in, mask] : ttg::toLinearLayout(tensor).getFreeVariableMasks())
      masks[in.getValue()] = mask;
  return masks;
}

int32_t lower::threadCopyBits(Type type, const TargetHooks &hooks) {
  // Lane and warp are the low and high bits of the thread.
  llvm::StringMap<int32_t> masks = copyBits(type);
  uint32_t warpSize = hooks.getTarget().warpSize;
  return static_cast<int32_t>(
      (static_cast<uint32_t>(masks["lane"]) & (warpSize - 1)) |
      static_cast<uint32_t>(masks["warp"]) * warpSize);
}

Value lower::holdsFirstCopy(lower::Builder &b, Type type,
                            const TargetHooks &hooks, Operation *op,
                            bool acrossBlocks) {
  Value first;
  auto require = [&](Value index, int32_t mask) {
    if (mask)
      first = bothHold(
          b, first, b.icmp(ICmp::eq, b.bitAnd(index, b.i32(mask)), b.i32(0)));
  };
  require(hooks.threadId(b), threadCopyBits(type, hooks));
  if (acrossBlocks && ttg::lookupNumCTAs(op).value_or(1) > 1)
    require(hooks.ctaId(b), copyBits(type)["block"]);
  return first;
}

Type lower::memoryType(lower::Builder &b, Type element) {
  return element.isInteger(1) ? b.intType(8) : element;
}

SmallVector<Value> lower::toMemory(lower::Builder &b,
                                   ArrayRef<Value> elements) {
  return llvm::map_to_vector(elements, [&](Value element) {
    Type type = memoryType(b, element.getType());
    return type == element.getType() ? element : b.zext(type, element);
  });
}

Value lower::fromMemory(lower::Builder &b, Type element, Value value) {
  return value.getType() == element ? value : b.trunc(element, value);
}

unsigned lower::neighboursInBoth(ArrayRef<unsigned> access,
                                 ArrayRef<unsigned> sharedBits) {
  unsigned neighbours = 1;
  for (unsigned bit : sharedBits) {
    if (access[neighbours] != 1u << bit)
      break;
    neighbours *= 2;
  }
  return neighbours;
}

bool lower::isAbsentOrZero(Value other) {
  if (!other)
    return true;
  DenseElementsAttr elements;
  if (!matchPattern(other, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isPosZero();
  return elements.getSplatValue<APInt>().isZero();
}

SmallVector<Value> lower::unpackOptional(lower::Builder &b, Value packed) {
  return packed ? unpackElements(b, packed) : SmallVector<Value>();
}

SmallVector<Value> lower::pick(ArrayRef<Value> elements,
                               ArrayRef<unsigned> registers) {
  SmallVector<Value> picked;
  if (!elements.empty())
    for (unsigned r : registers)
      picked.push_back(elements[r]);
  return picked;
}
