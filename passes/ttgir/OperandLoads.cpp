//===- OperandLoads.cpp - Operands that are loaded before a loop ----------===//

#include "passes/ttgir/OperandLoads.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/ttgir/Coalesce.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// More elements per thread than these are moved through shared memory; if
/// several warps load the same ones, fewer are worth it.
static constexpr unsigned mostElements = 32, mostCopies = 16;
/// The least that a lane should access at once.
static constexpr unsigned leastBits = 64;

/// The layout in which products in loops that `load` is not in take its result,
/// or what is computed from it element by element. Null if there is any other
/// use, or if they take it in several.
static Attribute
multipliedLayout(tt::LoadOp load,
                 const llvm::MapVector<Operation *, ProductLayout> &products) {
  Attribute layout;
  llvm::SmallSetVector<Value, 8> computed;
  computed.insert(load.getResult());
  for (size_t i = 0; i < computed.size(); ++i)
    for (OpOperand &use : computed[i].getUses()) {
      Operation *user = use.getOwner();
      if (user->hasTrait<OpTrait::Elementwise>() && isRecomputable(user)) {
        computed.insert(user->result_begin(), user->result_end());
        continue;
      }
      auto product = products.find(user);
      auto loop = user->getParentOfType<LoopLikeOpInterface>();
      if (product == products.end() || !isa<tt::DotOp>(user) || !loop ||
          loop->isAncestor(load) || use.getOperandNumber() > 1)
        return {};
      Attribute operand = product->second.ofOperand(use.getOperandNumber());
      if (!operand || (layout && layout != operand))
        return {};
      layout = operand;
    }
  return layout;
}

/// A layout of `type` in which each warp has what it has in `operand`, and its
/// lanes access `run` neighbours along the fastest dimension of `order` at
/// once. Null if there is none, or if a thread would have too much of it.
static Attribute sharedByLanes(RankedTensorType type,
                               const LinearLayout &operand, unsigned run,
                               ArrayRef<unsigned> order) {
  const ttg::LayoutDims names(type.getContext());
  LinearLayout::Bases registers{names.reg, {}}, lanes{names.lane, {}},
      warps{names.warp, operand.getBases(names.warp)},
      blocks{names.block, operand.getBases(names.block)};
  const unsigned laneBits = operand.getInDimSizeLog2(names.lane);
  bool hasCopies = false;
  for (const std::vector<int32_t> &basis : warps.second)
    hasCopies |= llvm::all_of(basis, [](int32_t value) { return !value; });
  for (unsigned dim : order)
    for (int32_t bit = 1; bit < type.getDimSize(dim); bit *= 2) {
      std::vector<int32_t> basis(type.getRank());
      basis[dim] = bit;
      const bool isInRun = dim == order[0] && static_cast<unsigned>(bit) < run;
      if (llvm::is_contained(warps.second, basis)) {
        if (isInRun)
          return {};
      } else {
        const bool isLanes = !isInRun && lanes.second.size() < laneBits;
        (isLanes ? lanes : registers).second.push_back(basis);
      }
    }
  if (lanes.second.size() < laneBits ||
      1u << registers.second.size() > (hasCopies ? mostCopies : mostElements))
    return {};
  std::string error;
  auto layout = LinearLayout::create({registers, lanes, warps, blocks},
                                     operand.getOutDimSizes(), error);
  return layout && layout->isSurjective()
             ? ttg::LinearEncodingAttr::get(type.getContext(), *layout)
             : Attribute();
}

/// How many elements along `dim` a thread has one after another.
static unsigned runAlong(const LinearLayout &layout, unsigned dim,
                         const ttg::LayoutDims &names) {
  unsigned run = 1;
  for (const std::vector<int32_t> &basis : layout.getBases(names.reg)) {
    std::vector<int32_t> next(basis.size());
    next[dim] = static_cast<int32_t>(run);
    if (basis != next)
      break;
    run *= 2;
  }
  return run;
}

void ttgir::loadOperandsByWarps(
    const AxisInfoAnalysis &axes, const Target &target,
    const llvm::MapVector<Operation *, ProductLayout> &productLayouts,
    llvm::MapVector<Operation *, Attribute> &accessLayouts) {
  for (auto &[op, layout] : accessLayouts) {
    auto found = asBlockedLoad(op, layout);
    if (!found || !found->type.getElementType().isIntOrFloat())
      continue;
    auto [load, type, blocked] = *found;
    const Attribute operand = multipliedLayout(load, productLayouts);
    std::string error;
    auto linear = operand ? ttg::toLinearLayout(type.getShape(), operand, error)
                          : std::nullopt;
    if (!linear)
      continue;
    const ttg::LayoutDims names(type.getContext());
    const unsigned bits = type.getElementTypeBitWidth(),
                   fastest = blocked.getOrder()[0];
    const auto together = static_cast<unsigned>(std::min<int64_t>(
        128 / bits, axes.accessElements(load.getPtr(), fastest, bits)));
    const unsigned own = std::min(together, runAlong(*linear, fastest, names));
    if (own * bits >= leastBits &&
        static_cast<unsigned>(linear->getInDimSize(names.reg)) <= mostElements)
      layout = operand;
    else if (Attribute byWarps =
                 sharedByLanes(type, *linear, together, blocked.getOrder());
             byWarps && target.isNvidia())
      layout = byWarps;
  }
}
