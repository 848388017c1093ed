//===- LaunchTarget.cpp - Whether and where a module can be launched ------===//

#include "passes/LaunchTarget.h"
#include "dialects/ttg/LaunchConfig.h"

using namespace mlir;

namespace kernelscope {

bool hasLayouts(Operation *root) {
  if (root->hasAttr(ttg::numWarpsName))
    return true;
  auto hasLayout = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  WalkResult walk = root->walk([&](Operation *op) {
    bool found = llvm::any_of(op->getResultTypes(), hasLayout);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), hasLayout);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

void declareTarget(ModuleOp module, const Target &target) {
  Builder builder(module.getContext());
  module->setAttr(ttg::targetName,
                  builder.getStringAttr(target.moduleTarget()));
  // Barriers of clusters without this are as older releases write them.
  if (target.isNvidia() && ttg::lookupNumCTAs(module).value_or(1) == 1)
    module->setAttr(ttg::twoCTAsName, builder.getBoolAttr(false));
}

FailureOr<Target> findLaunchTarget(ModuleOp module, StringRef arch) {
  if (arch.empty())
    if (auto ofModule = module->getAttrOfType<StringAttr>(ttg::targetName))
      arch = ofModule.getValue();
  llvm::Expected<Target> target = Target::parse(arch);
  if (!target)
    return module.emitError() << llvm::toString(target.takeError());
  if (!module->hasAttr(ttg::numWarpsName))
    return module.emitError()
           << "the module has no '" << ttg::numWarpsName
           << "': add it to its attributes, as in "
              "`module attributes {\"ttg.num-warps\" = 4 : i32}`";
  int lanes = ttg::lookupThreadsPerWarp(module).value_or(32);
  if (static_cast<unsigned>(lanes) != target->warpSize)
    return module.emitError()
           << "the layouts for '" << ttg::threadsPerWarpName << "' = " << lanes
           << " cannot run on " << target->arch << ", whose warps have "
           << target->warpSize
           << " lanes; choose an architecture with warps of " << lanes
           << ", or compile the .ttir instead";
  auto ctas = static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1));
  if (ctas > target->maxClusterSize) {
    InFlightDiagnostic error = module.emitError();
    error << "'" << ttg::numCTAsName << "' = " << ctas << " cannot run on "
          << target->arch << ", ";
    if (!target->hasClusters())
      return error << "which has no clusters";
    return error << "whose clusters have at most " << target->maxClusterSize
                 << " blocks";
  }
  int64_t warps = ttg::lookupTotalNumWarps(module).value_or(1);
  if (warps * lanes > target->maxThreads)
    return module.emitError()
           << warps << " warps of " << lanes << " lanes are " << warps * lanes
           << " threads; a block on " << target->arch << " has at most "
           << target->maxThreads;
  auto registers = module->getAttrOfType<IntegerAttr>(ttg::maxRegistersName);
  if (registers && target->isNvidia()) {
    // CUDA C++ Programming Guide, "Compute Capabilities". Triton asks for 256
    // where a warp may have all.
    constexpr int64_t file = 65536, most = 256;
    const int64_t each = std::min(most, file / (warps * lanes));
    if (registers.getInt() < 1 || registers.getInt() > each)
      return module.emitError()
             << "'" << ttg::maxRegistersName << "' = " << registers.getInt()
             << "; of the " << file << " registers of an SM each of the "
             << warps * lanes << " threads of a block has 1 to " << each;
  }
  return std::move(*target);
}

} // namespace kernelscope
