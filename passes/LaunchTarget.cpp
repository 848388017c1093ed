//===- LaunchTarget.cpp - Whether and where a module can be launched ------===//

#include "passes/LaunchTarget.h"
#include "dialects/ttg/ChipRules.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/BuiltinDialect.h"

using namespace mlir;

namespace kernelscope {

/// The first result or block argument, in `root` or below it, that is a tensor
/// whose encoding is `wanted`.
static Value findTensor(Operation *root,
                        llvm::function_ref<bool(Attribute)> wanted) {
  Value found;
  auto look = [&](ValueRange values) {
    for (Value value : values)
      if (auto tensor = dyn_cast<RankedTensorType>(value.getType());
          tensor && !found && wanted(tensor.getEncoding()))
        found = value;
  };
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    look(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        look(block.getArguments());
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

bool hasLayouts(Operation *root) {
  return root->hasAttr(ttg::numWarpsName) ||
         findTensor(root, [](Attribute encoding) {
           // MLIR's own attributes are no layouts.
           return encoding && !isa<BuiltinDialect>(encoding.getDialect());
         });
}

LogicalResult checkLayouts(ModuleOp module) {
  Value tensor = findTensor(module, [](Attribute encoding) {
    return !isa_and_nonnull<ttg::LayoutEncodingTrait>(encoding);
  });
  if (!tensor)
    return success();
  Operation *op = tensor.getDefiningOp();
  if (!op)
    op = tensor.getParentBlock()->getParentOp();
  InFlightDiagnostic error = op->emitOpError() << "has a " << tensor.getType();
  if (Attribute encoding =
          cast<RankedTensorType>(tensor.getType()).getEncoding())
    return error << ", but " << encoding
                 << " is not a layout; every tensor needs one here";
  if (!module->hasAttr(ttg::numWarpsName))
    return error << " without a layout; every tensor needs one here";
  return error << " without a layout; the module has '" << ttg::numWarpsName
               << "', so it is TTGIR, in which every tensor needs a layout";
}

void declareTarget(ModuleOp module, const Target &target) {
  Builder builder(module.getContext());
  module->setAttr(ttg::targetName,
                  builder.getStringAttr(target.moduleTarget()));
  // Barriers of clusters without this are as older releases write them.
  if (target.isNvidia() && ttg::lookupNumCTAs(module).value_or(1) == 1)
    module->setAttr(ttg::twoCTAsName, builder.getBoolAttr(false));
}

FailureOr<Target> parseTarget(ModuleOp module, StringRef arch) {
  llvm::Expected<Target> target = Target::parse(arch);
  if (!target)
    return module.emitError() << llvm::toString(target.takeError());
  return *target;
}

FailureOr<Target> findLaunchTarget(ModuleOp module, StringRef arch) {
  if (arch.empty())
    if (auto ofModule = module->getAttrOfType<StringAttr>(ttg::targetName))
      arch = ofModule.getValue();
  FailureOr<Target> target = parseTarget(module, arch);
  if (failed(target))
    return failure();
  if (!module->hasAttr(ttg::numWarpsName))
    return module.emitError()
           << "the module has no '" << ttg::numWarpsName
           << "': add it to its attributes, as in "
              "`module attributes {\"ttg.num-warps\" = 4 : i32}`";
  for (auto *verify : {ttg::verifyLanes, ttg::verifyClusterSize,
                       ttg::verifyThreads, ttg::verifyRegisters})
    if (failed(verify(module, *target)))
      return failure();
  return std::move(*target);
}

} // namespace kernelscope
