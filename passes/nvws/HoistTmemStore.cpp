//===- HoistTmemStore.cpp - An accumulator is filled once -----------------===//
//
// `nvws-hoist-tmem-store`: a loop of products whose first one overwrites the
// accumulator needs no fill before it, which another partition would have to do
// and hand over for each tile.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/Owners.h"
#include "dialects/ttng/TTNG.h"
#include "passes/Passes.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/TensorMemoryChain.h"
#include "passes/nvws/TripCount.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSHOISTTMEMSTORE
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// An accumulator that is allocated and filled in each iteration of a loop
/// around its products.
class FilledAccumulator {
public:
  FilledAccumulator(LoopLikeOpInterface partitioned, ttng::TMEMAllocOp alloc)
      : partitioned(partitioned), alloc(alloc) {}

  /// Whether only the fill's tile of products takes the fill, and its first
  /// product overwrites it.
  bool find() {
    Value token = alloc.getToken();
    if (!token || !token.hasOneUse())
      return false;
    filled = alloc.getSrc();
    store = dyn_cast<ttng::TMEMStoreOp>(*token.user_begin());
    if (store) {
      bool fillsAll = store.getDst() == alloc.getResult() &&
                      nvws::isConstantFlag(store.getPred(), true);
      token = store.getToken();
      if (filled || !fillsAll || !token || !token.hasOneUse())
        return false;
      filled = store.getSrc();
    }
    carrier = filled ? &*token.use_begin() : nullptr;
    products = carrier ? dyn_cast<scf::ForOp>(carrier->getOwner()) : nullptr;
    return products &&
           carrier->getOperandNumber() >= products.getNumControlOperands() &&
           startsAfresh();
  }

  /// Allocates and fills before the partitions. False where a tile could then
  /// read what another has left.
  bool hoist() {
    SmallVector<Operation *> around;
    for (Operation *inner = alloc; inner != partitioned;
         inner = around.back()) {
      if (!isInBodyOfLoop(inner))
        return false;
      around.push_back(inner->getParentOp());
    }
    std::optional<Value> last = findLastToken();
    if (!last || !canFillBefore() || products->getBlock() != alloc->getBlock())
      return false;
    if (!nvws::runsAtLeastOnce(products) &&
        !(onlyReadAfter && nvws::hasSameBoundsIn(products, partitioned)))
      return false;

    DenseI32ArrayAttr owners = nvws::ownersOfResult(products, resultNumber());
    fold();
    alloc->moveBefore(partitioned);
    if (!partitioned.isDefinedOutsideOfLoop(alloc.getSrc())) {
      Operation *constant = OpBuilder(alloc).clone(*filled.getDefiningOp());
      nvws::eraseMarks(constant);
      alloc.getSrcMutable().assign(constant->getResult(0));
    }
    nvws::eraseMarks(alloc);
    carry(around, *last, owners);
    return true;
  }

  /// Leaves the fill where it is, to the partition of the products.
  void fillInPartitionOfProducts() {
    DenseI32ArrayAttr owners = nvws::partitionOf(product);
    Operation *source = filled.getDefiningOp();
    DenseI32ArrayAttr computes = source ? nvws::partitionOf(source) : nullptr;
    if (!owners || owners.size() != 1 ||
        (computes && !llvm::is_contained(computes.asArrayRef(), owners[0])))
      return;
    if (canFillAtAlloc())
      fold();
    nvws::setPartitions(store ? store.getOperation() : alloc.getOperation(),
                        owners.asArrayRef());
  }

private:
  unsigned resultNumber() const {
    scf::ForOp loop = products;
    return carrier->getOperandNumber() - loop.getNumControlOperands();
  }

  bool startsAfresh() {
    BlockArgument token = products.getRegionIterArg(resultNumber());
    if (!token.hasOneUse())
      return false;
    product = *token.user_begin();
    Value flag = nvws::accumulateFlagOf(product);
    if (!flag || nvws::orderedMemoryOf(product) != alloc.getResult() ||
        product->getBlock() != products.getBody())
      return false;
    auto carried = dyn_cast<BlockArgument>(flag);
    if (!carried || carried.getOwner() != products.getBody() ||
        carried.getArgNumber() == 0)
      return nvws::isConstantFlag(flag, false);
    return nvws::isConstantFlag(
        products.getInitArgs()[carried.getArgNumber() - 1], false);
  }

  /// The token after the last access of the iteration; none if tokens do not
  /// go straight there, or do not order all accesses.
  std::optional<Value> findLastToken() {
    size_t unordered = 0;
    nvws::forEachAccess(alloc.getResult(), [&](Operation *) { ++unordered; });
    unordered -= store ? 2 : 1; // The store and the product.
    Value token = products.getResult(resultNumber());
    while (!token.use_empty()) {
      Operation *next = *token.user_begin();
      if (!token.hasOneUse() || !nvws::dependenceOf(next) ||
          next->getBlock() != products->getBlock())
        return std::nullopt;
      onlyReadAfter &= isa<ttng::TMEMLoadOp>(next);
      --unordered;
      token = nvws::tokenOf(next);
      if (!token)
        return std::nullopt;
    }
    return unordered == 0 ? std::optional(token) : std::nullopt;
  }

  /// Whether the parent of `op` can carry a token to it.
  static bool isInBodyOfLoop(Operation *op) {
    auto loop = dyn_cast<scf::WhileOp>(op->getParentOp());
    return isa<scf::ForOp>(op->getParentOp()) ||
           (loop && nvws::passesOnArguments(loop) &&
            op->getParentRegion() == &loop.getAfter());
  }

  bool canFillBefore() {
    Operation *made = filled.getDefiningOp();
    return partitioned.isDefinedOutsideOfLoop(filled) ||
           (made && made->hasTrait<OpTrait::ConstantLike>());
  }

  bool canFillAtAlloc() {
    return !store || filled.getParentBlock() != alloc->getBlock() ||
           !filled.getDefiningOp() ||
           filled.getDefiningOp()->isBeforeInBlock(alloc);
  }

  /// The allocation fills, instead of the store after it.
  void fold() {
    if (!store)
      return;
    alloc.getSrcMutable().assign(filled);
    store.getToken().replaceAllUsesWith(alloc.getToken());
    store.erase();
    store = nullptr;
  }

  /// Hands the token through the loops `around` the products, the innermost
  /// first, from the allocation to the `last` access.
  void carry(MutableArrayRef<Operation *> around, Value last,
             DenseI32ArrayAttr owners) {
    Value token = alloc.getToken();
    for (Operation *&loop : llvm::reverse(around)) {
      loop = nvws::grow(loop, token, token.getType(), owners);
      for (Region &region : loop->getRegions()) {
        token = region.addArgument(token.getType(), loop->getLoc());
        if (auto condition =
                dyn_cast<scf::ConditionOp>(region.front().getTerminator()))
          condition.getArgsMutable().append(token);
      }
    }
    carrier->set(token);
    for (Operation *loop : around) {
      Operation *yield = loop->getRegions().back().front().getTerminator();
      yield->insertOperands(loop->getNumResults() - 1, last);
      last = loop->getResults().back();
    }
  }

  LoopLikeOpInterface partitioned;
  scf::ForOp products;
  ttng::TMEMAllocOp alloc;
  ttng::TMEMStoreOp store; ///< fills, if the allocation does not
  Value filled;
  OpOperand *carrier = nullptr; ///< brings the token to the products
  Operation *product = nullptr;
  bool onlyReadAfter = true;
};

class NvwsHoistTmemStore
    : public kernelscope::impl::NvwsHoistTmemStoreBase<NvwsHoistTmemStore> {
public:
  void runOnOperation() override {
    for (LoopLikeOpInterface loop :
         nvws::findPartitionedLoops(getOperation())) {
      SmallVector<ttng::TMEMAllocOp> allocs;
      loop->walk([&](ttng::TMEMAllocOp op) { allocs.push_back(op); });
      for (ttng::TMEMAllocOp alloc : allocs) {
        Operation *outermost = alloc;
        while (!isPartitioned(outermost))
          outermost = outermost->getParentOp();
        FilledAccumulator accumulator(cast<LoopLikeOpInterface>(outermost),
                                      alloc);
        if (accumulator.find() && !accumulator.hoist())
          accumulator.fillInPartitionOfProducts();
      }
    }
  }

private:
  static bool isPartitioned(Operation *op) {
    return isa<scf::ForOp, scf::WhileOp>(op) &&
           op->hasAttr(nvws::warpSpecializeName);
  }
};

} // namespace
