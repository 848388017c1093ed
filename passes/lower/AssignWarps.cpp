//===- AssignWarps.cpp - Which warps run which partition ------------------===//
//
// Partitions of ttg.warp_specialize get warps after those that the kernel
// starts with, large partitions first, so that each begins at a multiple of its
// size. A function that partitions call is copied for each of them: a copy
// knows its warps, and has shared memory of its own.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/support/Partitions.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <tuple>

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace kernelscope {
#define GEN_PASS_DEF_ASSIGNWARPS
#include "passes/Passes.h.inc"
} // namespace kernelscope

/// The end of the warps of `op`, whose own begin at `begin`; assigns them where
/// the op does not say.
static FailureOr<unsigned> assignStarts(ttg::WarpSpecializeOp op,
                                        unsigned begin) {
  ArrayRef<int32_t> warps = op.getPartitionNumWarps();
  if (auto given = op.getWarpGroupStartIds()) {
    unsigned end = begin;
    SmallVector<int32_t> owners;
    for (auto [i, start, count] : llvm::enumerate(*given, warps)) {
      if (start < static_cast<int32_t>(begin) || start > INT16_MAX)
        return op.emitOpError()
               << "starts partition " << i << " at warp " << start
               << "; partitions can start only from warp " << begin << " on";
      end = std::max(end, static_cast<unsigned>(start + count));
      owners.resize(end, -1);
      for (int32_t warp = start; warp < start + count; ++warp) {
        if (owners[warp] >= 0)
          return op.emitOpError()
                 << "assigns warp " << warp << " to partitions " << owners[warp]
                 << " and " << i << "; a warp runs only one";
        owners[warp] = static_cast<int32_t>(i);
      }
    }
    return end;
  }
  auto order = llvm::to_vector(llvm::seq<size_t>(0, warps.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-warps[a], a) < std::pair(-warps[b], b);
  });
  SmallVector<int32_t> starts(warps.size());
  unsigned end = begin;
  for (size_t i : order) {
    starts[i] = static_cast<int32_t>(end);
    end += warps[i];
  }
  op.setWarpGroupStartIds(starts);
  return end;
}

static LogicalResult checkCaptures(ttg::WarpSpecializeOp op) {
  for (auto [i, type] : llvm::enumerate(op.getExplicitCaptures().getTypes()))
    if (isa<RankedTensorType>(type))
      return op.emitOpError() << "passes " << type << " as operand " << i
                              << ", but each warp holds only a part of it; "
                                 "pass a buffer in shared memory instead";
  return success();
}

static LogicalResult checkBarriers(ttg::WarpSpecializeOp op) {
  auto needed = llvm::count_if(op.getPartitionNumWarps(),
                               [](int32_t warps) { return warps > 1; });
  constexpr unsigned available = numBarriers - firstPartitionBarrier;
  if (needed > available)
    return op.emitOpError() << "has " << needed
                            << " partitions of several warps, each of which "
                               "needs a barrier; a block has "
                            << available << " for them";
  return success();
}

namespace {

/// Copies functions for the warps that call them.
class CalleeCopies {
public:
  explicit CalleeCopies(ModuleOp module) : module(module), symbols(module) {}

  void redirectCalls(Region &region, const ExecutionScope &scope) {
    SmallVector<std::pair<Region *, ExecutionScope>> work{{&region, scope}};
    while (!work.empty()) {
      auto [caller, warps] = work.pop_back_val();
      caller->walk([&, warps = warps](tt::CallOp call) {
        auto callee = symbols.lookup<tt::FuncOp>(call.getCallee());
        if (!callee || callee.isExternal())
          return;
        tt::FuncOp &copy =
            copies[{callee, warps.firstWarp, warps.warps, warps.barrier}];
        if (!copy) {
          copy = copyFor(callee, warps);
          work.push_back({&copy.getBody(), warps});
        }
        call.setCallee(copy.getName());
      });
    }
  }

  /// Erases functions that only partitions called.
  void eraseUnused() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto &[key, copy] : copies) {
        Operation *original = std::get<0>(key);
        if (erased.contains(original) ||
            !cast<tt::FuncOp>(original).isPrivate() ||
            !SymbolTable::symbolKnownUseEmpty(original, module))
          continue;
        erased.insert(original);
        symbols.erase(original);
        changed = true;
      }
    }
  }

private:
  tt::FuncOp copyFor(tt::FuncOp callee, const ExecutionScope &scope) {
    tt::FuncOp copy = callee.clone();
    copy.setName((callee.getName() + "_warps_" + Twine(scope.firstWarp) + "_" +
                  Twine(scope.firstWarp + scope.warps - 1))
                     .str());
    copy.setPrivate();
    scope.noteOn(copy);
    copy->setAttr(ttg::numWarpsName, mlir::Builder(module).getI32IntegerAttr(
                                         static_cast<int32_t>(scope.warps)));
    symbols.insert(copy);
    return copy;
  }

  ModuleOp module;
  SymbolTable symbols;
  std::map<std::tuple<Operation *, unsigned, unsigned, unsigned>, tt::FuncOp>
      copies;
  DenseSet<Operation *> erased;
};

} // namespace

static LogicalResult assignWarps(ModuleOp module, const Target &target) {
  const unsigned maxWarps = target.maxThreads / target.warpSize;
  // Where registers belong to groups of warps, all groups are whole.
  const unsigned multiple = target.isNvidia() ? warpGroupSize : 1;
  SmallVector<ttg::WarpSpecializeOp> ops;
  module.walk([&](ttg::WarpSpecializeOp op) { ops.push_back(op); });
  if (ops.empty())
    return success();
  auto defaultWarps =
      static_cast<unsigned>(ttg::lookupNumWarps(module).value_or(1));
  auto total = static_cast<unsigned>(
      ttg::lookupTotalNumWarps(module).value_or(defaultWarps));
  for (ttg::WarpSpecializeOp op : ops) {
    FailureOr<unsigned> end = assignStarts(op, defaultWarps);
    if (failed(end) || failed(checkBarriers(op)) || failed(checkCaptures(op)))
      return failure();
    total = llvm::alignTo(std::max(total, *end), multiple);
    if (total > maxWarps)
      return op.emitOpError() << "needs " << counted(total, "warp")
                              << "; a block can have " << maxWarps;
  }
  module->setAttr(
      ttg::totalNumWarpsName,
      mlir::Builder(module).getI32IntegerAttr(static_cast<int32_t>(total)));

  CalleeCopies copies(module);
  for (ttg::WarpSpecializeOp op : ops)
    for (auto [region, scope] :
         llvm::zip_equal(op.getPartitionRegions(), partitionScopes(op)))
      copies.redirectCalls(*region, scope);
  copies.eraseUnused();
  return success();
}

namespace {

struct AssignWarps : kernelscope::impl::AssignWarpsBase<AssignWarps> {
  using AssignWarpsBase::AssignWarpsBase;

  void runOnOperation() override {
    FailureOr<Target> target = findLaunchTarget(getOperation(), arch);
    if (failed(target) || failed(checkLayouts(getOperation())))
      return signalPassFailure();
    if (hasPartitionBarriers(*target) &&
        failed(assignWarps(getOperation(), *target)))
      signalPassFailure();
  }
};

} // namespace
