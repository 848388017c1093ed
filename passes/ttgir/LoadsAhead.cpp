//===- LoadsAhead.cpp - Loads that a loop may start early -----------------===//

#include "passes/ttgir/LoadsAhead.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

/// The argument of a function that a pointer, a tensor of them or a descriptor
/// comes from, or null.
static BlockArgument originOf(Value pointer) {
  for (;;) {
    if (auto argument = dyn_cast<BlockArgument>(pointer)) {
      Operation *parent = argument.getOwner()->getParentOp();
      auto loop = dyn_cast<scf::ForOp>(parent);
      OpOperand *init = loop ? loop.getTiedLoopInit(argument) : nullptr;
      if (!loop)
        return isa<tt::FuncOp>(parent) ? argument : BlockArgument();
      if (!init)
        return {};
      pointer = init->get();
      continue;
    }
    if (!isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
             tt::TransOp, tt::ReshapeOp, tt::MakeTensorDescOp,
             ttg::ConvertLayoutOp>(pointer.getDefiningOp()))
      return {};
    pointer = pointer.getDefiningOp()->getOperand(0);
  }
}

/// The bits of neighbours that a thread of `load` may copy at once.
static int64_t bitsTogether(tt::LoadOp load, const AxisInfoAnalysis &axes) {
  auto type = cast<RankedTensorType>(load.getType());
  const LinearLayout layout = ttg::toLinearLayout(type);
  ttg::LayoutDims names(load.getContext());
  const unsigned bits = 8 * tt::bytesInMemory(type.getElementType());
  int64_t most = 1;
  for (auto [dim, name] :
       llvm::enumerate(ttg::tensorDims(load.getContext(), type.getRank()))) {
    // The first registers are neighbours along the fastest dimension.
    int64_t together = 1;
    for (unsigned bit = 0; bit < layout.getInDimSizeLog2(names.reg) &&
                           layout.getBasis(names.reg, bit, name) == together;
         ++bit)
      together *= 2;
    const auto along = static_cast<unsigned>(dim);
    together = std::min<int64_t>(
        together, axes.accessElements(load.getPtr(), along, bits));
    if (Value mask = load.getMask())
      together = std::min<int64_t>(together, axes.maskRun(mask, along));
    most = std::max(most, together);
  }
  return most * bits;
}

/// Whether what reads a load's result reads it from shared memory, in a layout
/// of its own.
static bool isMoved(tt::LoadOp load) {
  return llvm::all_of(
      load->getUsers(),
      llvm::IsaPred<ttg::ConvertLayoutOp, ttg::LocalAllocOp, tt::TransOp>);
}

unsigned ttgir::copyBits(tt::LoadOp load, const AxisInfoAnalysis &axes,
                         const Target &target) {
  const int64_t together = bitsTogether(load, axes);
  if (target.isNvidia())
    return together >= target.asyncCopyBits.front() ? together : 0;
  // A warp has to write its lanes one after another, or each lane anywhere.
  ttg::LayoutDims names(load.getContext());
  const LinearLayout layout =
      ttg::toLinearLayout(cast<RankedTensorType>(load.getType()));
  if (!target.hasWideAsyncCopies() || !isMoved(load) ||
      layout.getZeroMask(names.lane) != 0)
    return 0;
  const unsigned element =
      8 * tt::bytesInMemory(
              cast<RankedTensorType>(load.getType()).getElementType());
  for (unsigned width : llvm::reverse(target.asyncCopyBits))
    if (together >= width && width % element == 0)
      return width;
  return 0;
}

namespace {

/// Where a loop writes global memory.
struct Writes {
  /// Unknown: anywhere, or other threads' memory becomes visible.
  bool anywhere = false;
  llvm::SmallSetVector<BlockArgument, 4> origins;

  explicit Writes(scf::ForOp loop) {
    loop.getBody()->walk([&](Operation *op) { add(op); });
  }

  bool mayReach(BlockArgument origin) const {
    return anywhere ||
           (!origins.empty() && (!origin || origins.contains(origin)));
  }

private:
  void add(Operation *op) {
    if (isa<LoopLikeOpInterface, CallOpInterface,
            ttg::ThreadBarrierOpInterface>(op)) {
      anywhere = true;
      return;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (isa<ttng::FenceAsyncSharedOp>(op))
      return;
    if (!effects) {
      anywhere |= !isMemoryEffectFree(op) &&
                  !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    for (const MemoryEffects::EffectInstance &effect : all) {
      const bool isGlobal = isa<tt::GlobalMemory>(effect.getResource());
      if (!isa<MemoryEffects::Write>(effect.getEffect()) ||
          !(isGlobal ||
            isa<SideEffects::DefaultResource>(effect.getResource())))
        continue;
      // An atomic whose result is used may be how threads wait for others.
      BlockArgument origin = isGlobal && effect.getValue() && op->use_empty()
                                 ? originOf(effect.getValue())
                                 : BlockArgument();
      origin ? void(origins.insert(origin)) : void(anywhere = true);
    }
  }
};

class Search {
public:
  Search(scf::ForOp loop, const AxisInfoAnalysis &axes, const Target &target)
      : loop(loop), axes(axes), target(target), writes(loop) {}

  LoadsAhead find(bool all) {
    LoadsAhead found;
    llvm::SmallPtrSet<Operation *, 32> needed;
    for (Operation &op : loop.getBody()->without_terminator()) {
      const bool copies = canCopy(&op);
      if (!(copies || canHold(&op)) || !(all || endsInProduct(&op)))
        continue;
      llvm::SmallSetVector<Value, 32> behind;
      if (!collectBehind(&op, behind))
        continue;
      if (copies)
        found.loads.push_back(&op);
      else
        found.held.push_back(cast<tt::LoadOp>(op));
      for (Value value : behind) {
        if (auto argument = dyn_cast<BlockArgument>(value))
          found.carried.insert(argument);
        else
          needed.insert(value.getDefiningOp());
      }
    }
    for (Operation &op : *loop.getBody())
      if (needed.contains(&op))
        found.addresses.push_back(&op);
    return found;
  }

private:
  bool canCopy(Operation *op) {
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(op))
      return target.hasTma && loop.isDefinedOutsideOfLoop(load.getDesc()) &&
             !writes.mayReach(originOf(load.getDesc()));
    auto load = dyn_cast<tt::LoadOp>(op);
    return load && canMove(load) && isZeroElsewhere(load) &&
           copyBits(load, axes, target) != 0;
  }

  bool canHold(Operation *op) const {
    auto load = dyn_cast<tt::LoadOp>(op);
    return load && target.isAmd() && canMove(load);
  }

  bool canMove(tt::LoadOp load) const {
    return isa<RankedTensorType>(load.getType()) && !load.getIsVolatile() &&
           !writes.mayReach(originOf(load.getPtr()));
  }

  /// Elements that are masked off are zero, or nothing is said of them.
  static bool isZeroElsewhere(tt::LoadOp load) {
    Value other = load.getOther();
    return !other || matchPattern(other, m_Zero()) ||
           matchPattern(other, m_AnyZeroFloat());
  }

  /// Whether a product reads what is computed of a load's result.
  bool endsInProduct(Operation *load) const {
    llvm::SmallSetVector<Operation *, 32> after;
    after.insert(load);
    for (size_t i = 0; i < after.size(); ++i)
      for (Operation *user : after[i]->getUsers()) {
        if (isa<tt::DotOpInterface>(user))
          return true;
        after.insert(user);
      }
    return false;
  }

  /// What the addresses of a load are computed from in the loop: results of its
  /// ops, and iteration arguments. False if that cannot be done ahead.
  bool collectBehind(Operation *load, llvm::SmallSetVector<Value, 32> &behind) {
    auto add = [&](Value value) {
      if (!loop.isDefinedOutsideOfLoop(value) &&
          value != loop.getInductionVar())
        behind.insert(value);
    };
    llvm::for_each(load->getOperands(), add);
    for (size_t i = 0; i < behind.size(); ++i) {
      if (auto argument = dyn_cast<BlockArgument>(behind[i])) {
        if (argument.getOwner() != loop.getBody())
          return false;
        add(loop.getTiedLoopYieldedValue(argument)->get());
        continue;
      }
      Operation *op = behind[i].getDefiningOp();
      if (op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
          !isMemoryEffectFree(op) || isa<tt::DotOpInterface>(op))
        return false;
      llvm::for_each(op->getOperands(), add);
    }
    return true;
  }

  scf::ForOp loop;
  const AxisInfoAnalysis &axes;
  const Target &target;
  Writes writes;
};

} // namespace

LoadsAhead ttgir::findLoadsAhead(scf::ForOp loop, const AxisInfoAnalysis &axes,
                                 const Target &target, bool all) {
  return Search(loop, axes, target).find(all);
}
