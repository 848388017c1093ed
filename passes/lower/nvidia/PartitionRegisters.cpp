//===- PartitionRegisters.cpp - Registers of partitions -------------------===//

#include "passes/lower/nvidia/PartitionRegisters.h"
#include "dialects/layout/Counted.h"
#include "passes/lower/support/Partitions.h"

using namespace mlir;

namespace kernelscope::lower {

void setRegisters(Builder &b, unsigned from, unsigned to) {
  if (from != to)
    b.intrinsic(from < to ? "llvm.nvvm.setmaxnreg.inc.sync.aligned.u32"
                          : "llvm.nvvm.setmaxnreg.dec.sync.aligned.u32",
                {}, {b.i32(static_cast<int32_t>(to))});
}

std::optional<WarpRegisters>
kernelRegisters(tt::FuncOp kernel, ArrayRef<ttg::WarpSpecializeOp> ops,
                unsigned defaultWarps, unsigned totalWarps) {
  const bool areAsked = llvm::any_of(ops, [](ttg::WarpSpecializeOp op) {
    return op.getRequestedRegisters() || op.getActualRegisters();
  });
  if (!areAsked || defaultWarps % warpGroupSize)
    return std::nullopt;
  auto module = kernel->getParentOfType<ModuleOp>();
  auto launch = module->getAttrOfType<IntegerAttr>(ttg::maxRegistersName);
  WarpRegisters registers(defaultWarps, totalWarps,
                          launch ? WarpRegisters::rounded(launch.getInt()) : 0);
  if (!launch)
    module->setAttr(
        ttg::maxRegistersName,
        IntegerAttr::get(IntegerType::get(module.getContext(), 32),
                         static_cast<int32_t>(registers.launched())));
  return registers;
}

FailureOr<unsigned> grantRegisters(ttg::WarpSpecializeOp op,
                                   MutableArrayRef<RegisterGroup> groups,
                                   const WarpRegisters &registers) {
  // What was granted has the default warps in front.
  auto granted = op.getActualRegisters();
  auto asked = granted
                   ? granted->drop_front(granted->empty() ? 0 : 1)
                   : op.getRequestedRegisters().value_or(ArrayRef<int32_t>());
  const size_t partitions = op.getPartitionRegions().size();
  if (!asked.empty() && asked.size() != partitions)
    return op.emitOpError() << "requests registers for " << asked.size()
                            << " partitions; it has " << partitions;
  registers.grant(groups, asked);
  auto left = registers.defaultBeside(groups);
  if (!left)
    return op.emitOpError()
           << "leaves fewer than " << minRegisters
           << " registers to each thread of the default region: a block with "
           << counted(registers.warps(), "warp") << " has "
           << registers.launched() << " per thread";
  if (granted && !granted->empty())
    return std::min(*left, WarpRegisters::rounded(granted->front()));
  return *left;
}

} // namespace kernelscope::lower
