//===- OpLayouts.cpp - How the layouts around one op hang together --------===//

#include "passes/ttgir/OpLayouts.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

Attribute ttgir::blockedLayout(RankedTensorType type, ArrayRef<unsigned> order,
                               unsigned perThread, const ThreadCounts &threads,
                               ttg::CGAEncodingAttr cluster) {
  SmallVector<unsigned> sizePerThread(type.getRank(), 1);
  sizePerThread[order[0]] = perThread;
  return ttg::BlockedEncodingAttr::getFor(type.getContext(), type.getShape(),
                                          sizePerThread, order, threads.warps,
                                          threads.threadsPerWarp, cluster);
}

Attribute ttgir::blockedLayout(RankedTensorType type, ArrayRef<unsigned> order,
                               unsigned perThread,
                               const ThreadCounts &threads) {
  // The CTAs split the tensor along the fastest dimensions that have room; what
  // is left over has copies along the slowest.
  SmallVector<unsigned> split(type.getRank(), 1), perCga(type.getRank(), 1);
  unsigned left = threads.ctas;
  for (unsigned dim : order) {
    const int64_t together = dim == order[0] ? perThread : 1;
    split[dim] = std::min<int64_t>(
        left, std::max<int64_t>(1, type.getDimSize(dim) / together));
    perCga[dim] = split[dim];
    left /= split[dim];
  }
  perCga[order.back()] *= left;
  return blockedLayout(type, order, perThread, threads,
                       ttg::CGAEncodingAttr::fromSplitParams(
                           type.getContext(), perCga, split, order));
}

static SmallVector<unsigned> lastDimensionFastest(unsigned rank) {
  return llvm::to_vector(llvm::reverse(llvm::seq(0u, rank)));
}

Attribute ttgir::plainLayout(RankedTensorType type,
                             const ThreadCounts &threads) {
  return blockedLayout(type, lastDimensionFastest(type.getRank()), 1, threads);
}

/// Foreign ops, and ops of tt without a rule of their own, whose operands and
/// results all have the working layout.
static bool sharesOneLayout(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         op->hasTrait<tt::SameOperandsAndResultEncoding>() ||
         op->hasTrait<tt::SameOperandsEncoding>() ||
         op->hasTrait<OpTrait::ConstantLike>();
}

bool ttgir::hasWorkingLayout(Operation *op) {
  return isa<tt::LayoutTransferOpInterface>(op) || sharesOneLayout(op);
}

bool ttgir::isRecomputable(Operation *op) {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  if (auto transfer = dyn_cast<tt::LayoutTransferOpInterface>(op))
    return transfer.isRecomputable();
  return sharesOneLayout(op);
}

bool ttgir::choosesLayout(Operation *op) {
  auto transfer = dyn_cast<tt::LayoutTransferOpInterface>(op);
  return transfer && transfer.choosesLayout();
}

Attribute ttgir::operandLayout(Operation *op, unsigned index,
                               Attribute working) {
  auto transfer = dyn_cast<tt::LayoutTransferOpInterface>(op);
  return transfer ? transfer.getOperandLayout(index, working) : working;
}

Attribute ttgir::resultLayout(Operation *op, Attribute working) {
  auto transfer = dyn_cast<tt::LayoutTransferOpInterface>(op);
  return transfer ? transfer.getResultLayout(working) : working;
}

/// Whether the warps of `layout` follow each other along the axis of `scan`,
/// and its CTAs are outermost: the lowering goes through all warps at once.
static bool suitsScan(tt::ScanOp scan, Attribute layout) {
  auto type = cast<RankedTensorType>(scan.getSrcs().front().getType());
  std::string error;
  auto map = ttg::toLinearLayout(type.getShape(), layout, error);
  if (!map)
    return false;
  ttg::LayoutDims names(layout.getContext());
  StringAttr axis = map->getOutDims()[scan.getAxis()].name;
  int32_t next = 0;
  auto follow = [&](StringAttr in) {
    next = 0;
    for (unsigned bit = 0; bit < map->getInDimSizeLog2(in); ++bit)
      if (int32_t basis = map->getBasis(in, bit, axis)) {
        if (next && basis != next)
          return false;
        next = 2 * basis;
      }
    return true;
  };
  return follow(names.warp) && follow(names.block) &&
         (!next || next == type.getDimSize(scan.getAxis()));
}

Attribute ttgir::workingLayoutForOperand(Operation *op, unsigned index,
                                         Attribute layout) {
  if (auto scan = dyn_cast<tt::ScanOp>(op); scan && !suitsScan(scan, layout))
    return {};
  auto transfer = dyn_cast<tt::LayoutTransferOpInterface>(op);
  return transfer ? transfer.getWorkingLayoutForOperand(index, layout) : layout;
}

Attribute ttgir::workingLayoutForResult(Operation *op, Attribute layout) {
  auto transfer = dyn_cast<tt::LayoutTransferOpInterface>(op);
  return transfer ? transfer.getWorkingLayoutForResult(layout) : layout;
}

Attribute ttgir::plainWorkingLayout(Operation *op,
                                    const ThreadCounts &threads) {
  auto transfer = dyn_cast<tt::LayoutTransferOpInterface>(op);
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  bool byResult = (transfer && transfer.worksInResultLayout()) ||
                  llvm::none_of(op->getOperandTypes(), isTensor);
  auto types = byResult ? SmallVector<Type>(op->getResultTypes())
                        : SmallVector<Type>(op->getOperandTypes());
  auto found = llvm::find_if(types, isTensor);
  if (found == types.end())
    return {};
  auto type = cast<RankedTensorType>(*found);
  return blockedLayout(type, lastDimensionFastest(type.getRank()),
                       transfer ? transfer.getElementsTogether() : 1, threads);
}
