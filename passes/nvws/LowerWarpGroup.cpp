//===- LowerWarpGroup.cpp - Groups of warps become partitions -------------===//
//
// `nvws-lower-warp-group`: the first group is the default region of a
// `ttg.warp_specialize`; the others are its partitions, which are passed what
// they use, or compute it themselves.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/NVWS.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Passes.h"
#include "passes/nvws/MemoryForm.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSLOWERWARPGROUP
#include "passes/Passes.h.inc"
} // namespace kernelscope

/// Whether a partition computes `value` itself: a tensor, which other warps
/// hold no part of, or a constant.
static bool isComputedInside(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() != 0 ||
      op->hasTrait<ttg::MemDescView>())
    return false;
  return isa<RankedTensorType>(value.getType()) ||
         op->hasTrait<OpTrait::ConstantLike>() ||
         isa<ttg::AsyncTokenType>(value.getType());
}

/// What the partitions use from outside: what they are passed, and, in an order
/// in which each can be computed, what they compute themselves.
static void findCaptures(MutableArrayRef<Region *> regions,
                         llvm::SetVector<Value> &passed,
                         SmallVector<Operation *> &computed) {
  llvm::SetVector<Value> used;
  for (Region *region : regions)
    getUsedValuesDefinedAbove(*region, *region, used);
  llvm::SetVector<Operation *> inside;
  SmallVector<std::pair<Value, bool>> work;
  for (Value value : llvm::reverse(used))
    work.emplace_back(value, false);
  while (!work.empty()) {
    auto [value, operandsAreDone] = work.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (operandsAreDone) {
      inside.insert(op);
    } else if (!isComputedInside(value)) {
      passed.insert(value);
    } else if (!inside.contains(op)) {
      work.emplace_back(value, true);
      for (Value operand : op->getOperands())
        work.emplace_back(operand, false);
    }
  }
  computed.assign(inside.begin(), inside.end());
}

/// Ends each region with `Op` in place of the terminators of groups.
template <typename Op> static void endWith(Region &region) {
  for (Block &block : region) {
    Operation *end = block.getTerminator();
    if (!isa<nvws::WarpGroupYieldOp, nvws::WarpGroupReturnOp>(end))
      continue;
    OpBuilder b(end);
    if constexpr (std::is_same_v<Op, ttg::WarpYieldOp>)
      Op::create(b, end->getLoc(), end->getOperands());
    else
      Op::create(b, end->getLoc());
    end->erase();
  }
}

static LogicalResult lower(nvws::WarpGroupOp op) {
  SmallVector<Region *> regions;
  for (Region &region : op.getPartitionRegions())
    regions.push_back(&region);
  if (regions.empty()) {
    op.erase();
    return success();
  }
  llvm::SetVector<Value> passed;
  SmallVector<Operation *> computed;
  findCaptures(MutableArrayRef(regions).drop_front(), passed, computed);

  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> captures;
  SmallVector<std::optional<nvws::MemoryForm>> forms;
  for (Value value : passed) {
    // A tensor that cannot be computed again goes through shared memory.
    std::optional<nvws::MemoryForm> form;
    if (isa<RankedTensorType>(value.getType()))
      form = nvws::MemoryForm::of(value.getType(), op);
    nvws::MarkedBuilder at(b, value.getLoc(), nullptr);
    captures.push_back(form ? form->alloc(at, value) : value);
    forms.push_back(form);
  }
  OperationState state(loc, ttg::WarpSpecializeOp::getOperationName());
  state.addTypes(op.getResultTypes());
  state.addAttribute("partitionNumWarps",
                     b.getDenseI32ArrayAttr(op.getNumWarps().drop_front()));
  state.addRegion()->takeBody(*regions.front());
  state.addRegion();
  Operation *made = b.create(state);
  endWith<ttg::WarpYieldOp>(made->getRegion(0));

  OpBuilder within = OpBuilder::atBlockEnd(&made->getRegion(1).emplaceBlock());
  OperationState inner(loc,
                       ttg::WarpSpecializePartitionsOp::getOperationName());
  inner.addOperands(captures);
  for (size_t i = 1; i < regions.size(); ++i)
    inner.addRegion();
  Operation *partitions = within.create(inner);
  for (auto [region, partition] : llvm::zip_equal(
           ArrayRef(regions).drop_front(), partitions->getRegions())) {
    endWith<ttg::WarpReturnOp>(*region);
    partition.takeBody(*region);
    Block &entry = partition.front();
    OpBuilder at = OpBuilder::atBlockBegin(&entry);
    IRMapping values;
    SmallVector<Value> loaded;
    auto replace = [&](Value outer, Value own) {
      values.map(outer, own);
      replaceAllUsesInRegionWith(outer, own, partition);
    };
    for (auto [value, capture, form] :
         llvm::zip_equal(passed, captures, forms)) {
      Value own = entry.addArgument(capture.getType(), value.getLoc());
      if (form) {
        nvws::MarkedBuilder loads(at, loc, nullptr);
        own = form->load(loads, own);
        loaded.push_back(own);
      }
      replace(value, own);
    }
    for (Operation *op : computed) {
      Operation *copy = at.clone(*op, values);
      for (auto [outer, own] :
           llvm::zip_equal(op->getResults(), copy->getResults()))
        replace(outer, own);
    }
    for (Operation *op : llvm::reverse(computed))
      if (Operation *copy = values.lookup(op->getResult(0)).getDefiningOp();
          copy && isOpTriviallyDead(copy))
        copy->erase();
    // Others may use what this one does not, and with other numbers of warps.
    for (Value value : loaded)
      for (Operation *op = value.getDefiningOp(), *from = nullptr;
           op && isOpTriviallyDead(op); op = from) {
        from = op->getOperand(0).getDefiningOp();
        op->erase();
      }
  }
  op.replaceAllUsesWith(made->getResults());
  op.erase();
  return success();
}

namespace {

class NvwsLowerWarpGroup
    : public kernelscope::impl::NvwsLowerWarpGroupBase<NvwsLowerWarpGroup> {
public:
  void runOnOperation() override {
    SmallVector<nvws::WarpGroupOp> groups;
    getOperation().walk([&](nvws::WarpGroupOp op) { groups.push_back(op); });
    for (nvws::WarpGroupOp group : groups)
      if (failed(lower(group)))
        return signalPassFailure();
  }
};

} // namespace
