//===- ExecutionScope.cpp - The warps that execute an op ------------------===//

#include "passes/lower/support/ExecutionScope.h"
#include "dialects/ttg/LaunchConfig.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace kernelscope::lower {

static constexpr StringLiteral scopeName = "execution.scope";
static constexpr StringLiteral besidePartitionsName =
    "execution.beside_partitions";
/// The field of a note that stands for no announcements.
static constexpr int32_t noPlace = -1;

ExecutionScope ExecutionScope::of(Operation *op) {
  Operation *function = op;
  while (function && !isa<FunctionOpInterface>(function))
    function = function->getParentOp();
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  unsigned launched = 0;
  if (module)
    if (auto limit = module->getAttrOfType<IntegerAttr>(ttg::maxRegistersName))
      launched = static_cast<unsigned>(limit.getInt());
  if (function)
    if (auto note = function->getAttrOfType<DenseI32ArrayAttr>(scopeName);
        note && note.size() == 5) {
      ExecutionScope scope{static_cast<unsigned>(note[0]),
                           static_cast<unsigned>(note[1]),
                           static_cast<unsigned>(note[2]),
                           /*isWholeBlock=*/false,
                           note[3] ? static_cast<unsigned>(note[3]) : launched};
      if (note[4] != noPlace)
        scope.announcements = static_cast<unsigned>(note[4]);
      auto region = op->getAttrOfType<IntegerAttr>(besidePartitionsName);
      if (region || !scope.announcements)
        scope.besidePartitions =
            region ? static_cast<unsigned>(region.getInt()) : 0;
      return scope;
    }
  int warps = module ? ttg::lookupNumWarps(module).value_or(1) : 1;
  int total = module ? ttg::lookupTotalNumWarps(module).value_or(warps) : warps;
  return {0, static_cast<unsigned>(warps), 0, total <= warps, launched};
}

void ExecutionScope::noteOn(Operation *function) const {
  function->setAttr(
      scopeName,
      DenseI32ArrayAttr::get(
          function->getContext(),
          {static_cast<int32_t>(firstWarp), static_cast<int32_t>(warps),
           static_cast<int32_t>(barrier), static_cast<int32_t>(registers),
           announcements ? static_cast<int32_t>(*announcements) : noPlace}));
}

void ExecutionScope::noteBesidePartitions(Operation *op, unsigned region) {
  op->setAttr(besidePartitionsName,
              IntegerAttr::get(IntegerType::get(op->getContext(), 32),
                               static_cast<int64_t>(region)));
}

void ExecutionScope::copyNote(Operation *from, Operation *to) {
  if (Attribute note = from->getAttr(scopeName))
    to->setAttr(scopeName, note);
}

} // namespace kernelscope::lower
