//===- Barriers.cpp - who uses which barrier ------------------------------===//

#include "passes/lint/Barriers.h"

#include "dialects/amdg/AMDG.h"
#include "dialects/ttng/TTNG.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace kernelscope;
using ttg::MemDescType;

int64_t BarrierRing::depth() const {
  auto type = cast<MemDescType>(allocation.getType());
  int64_t depth = 1;
  for (int64_t size : type.getShape().drop_back())
    depth *= size;
  return depth;
}

/// The allocation that `barrier` is a view of, in this region or in the one
/// that a partition got it from; null when it came another way.
static Value allocationOf(Value barrier) {
  while (true) {
    if (Operation *op = barrier.getDefiningOp()) {
      if (!op->hasTrait<ttg::MemDescView>())
        return isa<ttg::LocalAllocOp>(op) ? barrier : Value();
      barrier = op->getOperand(0);
      continue;
    }
    auto argument = cast<BlockArgument>(barrier);
    auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(
        argument.getOwner()->getParentOp());
    if (!partitions)
      return {};
    barrier = partitions.getExplicitCaptures()[argument.getArgNumber()];
  }
}

/// Adds all uses of `view`; false if there is one of which nothing is known.
static bool collect(Value view, BarrierRing &ring) {
  for (OpOperand &use : view.getUses()) {
    Operation *op = use.getOwner();
    bool isKnown = true;
    if (op->hasTrait<ttg::MemDescView>()) {
      isKnown = collect(op->getResult(0), ring);
    } else if (auto partitions =
                   dyn_cast<ttg::WarpSpecializePartitionsOp>(op)) {
      for (Region &region : partitions.getPartitionRegions())
        isKnown &= collect(region.getArgument(use.getOperandNumber()), ring);
    } else if (auto barrierOp = dyn_cast<ttg::MBarrierOpInterface>(op)) {
      isKnown = llvm::is_contained(barrierOp.getBarriers(), view);
      ring.uses.push_back({op, view});
    } else {
      isKnown = isa<ttg::LocalDeallocOp>(op);
    }
    if (!isKnown)
      return false;
  }
  return true;
}

Barriers::Barriers(Operation *function) {
  llvm::SetVector<Value> allocations;
  DenseMap<Operation *, unsigned> order;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    order.try_emplace(op, order.size());
    auto init = dyn_cast<ttng::InitBarrierOp>(op);
    if (Value allocation = init ? allocationOf(init.getAlloc()) : Value())
      allocations.insert(allocation);
  });
  for (Value allocation : allocations) {
    BarrierRing ring{allocation, {}};
    if (!collect(allocation, ring))
      continue;
    llvm::sort(ring.uses, [&](const BarrierUse &a, const BarrierUse &b) {
      return order.lookup(a.op) < order.lookup(b.op);
    });
    all.push_back(std::move(ring));
  }
}

bool kernelscope::areSameView(Value a, Value b) {
  if (a == b)
    return true;
  auto indexA = a.getDefiningOp<ttg::MemDescIndexOp>();
  auto indexB = b.getDefiningOp<ttg::MemDescIndexOp>();
  if (!indexA || !indexB || !areSameView(indexA.getSrc(), indexB.getSrc()))
    return false;
  auto constant = constantOf(indexA.getIndex());
  return indexA.getIndex() == indexB.getIndex() ||
         (constant && constant == constantOf(indexB.getIndex()));
}

/// See `arrivalsOf`.
static int64_t commitsOf(Operation *op, ArrayRef<Value> operands,
                         bool inPairs) {
  int64_t numCTAs = ttg::lookupNumCTAs(op).value_or(1), commits = 0;
  for (int64_t cta = 0; cta < numCTAs; cta += inPairs ? 2 : 1)
    commits += llvm::any_of(operands, [&](Value operand) {
      auto layout = cast<ttg::LayoutEncodingTrait>(
          cast<MemDescType>(operand.getType()).getEncoding());
      int32_t shared = layout.getCGALayout().getLinearLayout().getZeroMask(
          ttg::LayoutDims(op->getContext()).block);
      return (cta & ~int64_t(shared)) == 0;
    });
  return commits;
}

/// Only operands in shared memory come by multicast.
static SmallVector<Value> inShared(ValueRange operands) {
  return llvm::filter_to_vector(operands, [](Value operand) {
    return isa<ttg::SharedEncodingTrait>(
        cast<MemDescType>(operand.getType()).getEncoding());
  });
}

std::optional<int64_t> kernelscope::arrivalsOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<ttng::InitBarrierOp, ttng::InvalBarrierOp, ttng::WaitBarrierOp,
            ttng::AsyncTMACopyGlobalToLocalOp, ttng::AsyncTMAGatherOp,
            ttng::AsyncSharedStoreOp, ttng::CLCTryCancelOp>(
          [](Operation *) { return 0; })
      .Case([](ttng::BarrierExpectOp) { return 1; })
      .Case([](ttng::ArriveBarrierOp arrive) {
        return arrive.isMulticast() ? std::nullopt
                                    : std::optional<int64_t>(arrive.getCount());
      })
      .Case([](ttng::TCGen5MMAOp mma) -> int64_t {
        if (!mma.getMulticast())
          return 1;
        return commitsOf(mma, inShared({mma.getA(), mma.getB()}),
                         mma.getTwoCtas());
      })
      .Case([](ttng::TCGen5MMAScaledOp mma) -> int64_t {
        if (!mma.getMulticast())
          return 1;
        return commitsOf(mma,
                         inShared({mma.getA(), mma.getB(), mma.getAScale(),
                                   mma.getBScale()}),
                         mma.getTwoCtas());
      })
      .Case([](ttng::TCGen5CommitOp commit) -> int64_t {
        SmallVector<Value> operands = inShared(commit.getDescs());
        if (operands.empty())
          return 1;
        return commitsOf(commit, operands,
                         ttng::lookupTwoCTAs(commit).value_or(false));
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::string kernelscope::describeArrivals(const BarrierRing &ring) {
  std::map<StringRef, int64_t> byName;
  for (const BarrierUse &use : ring.uses) {
    std::optional<int64_t> count = arrivalsOf(use.op);
    if (!count)
      return {};
    if (*count != 0) {
      int64_t &most = byName[use.op->getName().stripDialect()];
      most = std::max(most, *count);
    }
  }
  std::string text;
  for (auto [name, count] : byName)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " by " +
            name.str();
  return text;
}

std::optional<int64_t> kernelscope::bytesOf(Operation *op) {
  Value memory;
  if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op))
    memory = copy.getResult();
  else if (auto gather = dyn_cast<ttng::AsyncTMAGatherOp>(op))
    memory = gather.getResult();
  else
    return std::nullopt;
  auto type = cast<MemDescType>(memory.getType());
  auto layout = dyn_cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding());
  // What counts of padded fp4, or over CTAs, is not for here.
  if (!layout || layout.getFp4Padded() || ttg::lookupNumCTAs(op) != 1)
    return std::nullopt;
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

bool kernelscope::startsCopy(Operation *op) {
  return isa<ttg::AsyncCopyGlobalToLocalOp, amdg::BufferLoadToLocalOp,
             amdg::AsyncTDMCopyGlobalToLocalOp>(op);
}

bool kernelscope::isSyncedLoad(Operation *op) {
  auto mark = op->getAttrOfType<BoolAttr>("ttg.amdg.syncedViaAsyncWait");
  return mark && mark.getValue() && isa<ttg::LocalLoadOp>(op);
}

Operation *kernelscope::loopAround(Operation *op) {
  Operation *parent = op->getParentOp();
  while (parent && !isa<LoopLikeOpInterface>(parent))
    parent = parent->getParentOp();
  return parent;
}

std::optional<int64_t> kernelscope::constantOf(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

std::string kernelscope::quote(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}
