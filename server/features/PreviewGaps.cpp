//===- PreviewGaps.cpp - what keeps a kernel from being compiled ----------===//

#include "server/features/PreviewGaps.h"

#include "dialects/ttg/TTG.h"
#include "passes/LaunchTarget.h"
#include "passes/lower/Coverage.h"
#include "server/analysis/Hole.h"
#include "server/analysis/Unit.h"
#include "server/features/Name.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace kernelscope;
using llvm::StringRef;

std::string kernelscope::previewArch(mlir::ModuleOp module,
                                     std::optional<Emit> emit,
                                     const std::vector<std::string> &archs) {
  auto target = module->getAttrOfType<mlir::StringAttr>(ttg::targetName);
  std::optional<Vendor> ofModule;
  if (target)
    ofModule = vendorOf(target.getValue());
  std::optional<Vendor> vendor = emit ? infoOf(*emit).vendor : std::nullopt;
  if (!vendor)
    vendor = ofModule;

  for (const std::string &arch : archs) {
    llvm::Expected<Target> known = Target::parse(arch);
    // An unknown name is chosen too, so that the answer says that it is one.
    if (!known || !vendor || known->vendor == vendor) {
      llvm::consumeError(known.takeError());
      return arch;
    }
  }
  if (target && vendor == ofModule)
    return target.str();
  auto lanes =
      module->getAttrOfType<mlir::IntegerAttr>(ttg::threadsPerWarpName);
  return Target::usual(vendor.value_or(Vendor::Nvidia),
                       lanes && lanes.getInt() == 32 ? 32 : 64)
      .arch;
}

/// A message without the way out, which a lens has no room for.
static std::string inShort(StringRef message) {
  return message.split(';').first.str();
}

/// Why a module of TTGIR cannot run on `target`.
static std::string launchProblem(mlir::ModuleOp module, const Target &target) {
  std::string problem;
  mlir::ScopedDiagnosticHandler handler(module.getContext(),
                                        [&](mlir::Diagnostic &diagnostic) {
                                          if (problem.empty())
                                            problem = diagnostic.str();
                                          return mlir::success();
                                        });
  (void)findLaunchTarget(module, target.arch);
  return problem;
}

/// The parsed function that `statement` defines; null if it has an error.
static mlir::Operation *functionOf(const Document &document,
                                   const Statement &statement) {
  const Unit *unit = document.unitAt(statement.name.begin);
  return unit && unit->facts->isValid ? unit->facts->root : nullptr;
}

const PreviewGaps::Function &PreviewGaps::read(const Statement &function) {
  auto [entry, isNew] = functions.try_emplace(&function);
  Function &found = entry->second;
  mlir::Operation *root = isNew ? functionOf(document, function) : nullptr;
  if (!root)
    return found;
  llvm::DenseSet<mlir::OperationName> seen;
  root->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (seen.insert(op->getName()).second && !llvm::isa<HoleOp>(op))
      found.ops.push_back(op->getName());
    if (auto call = llvm::dyn_cast<tt::CallOp>(op))
      if (const Statement *callee = findSymbol(document, function.name.begin,
                                               ("@" + call.getCallee()).str()))
        found.called.push_back(callee);
  });
  return found;
}

std::string PreviewGaps::find(const Statement &kernel,
                              std::optional<Emit> emit) {
  mlir::Operation *root = functionOf(document, kernel);
  auto module = root ? root->getParentOfType<mlir::ModuleOp>() : nullptr;
  if (!module)
    return "";
  llvm::Expected<Target> target =
      Target::parse(previewArch(module, emit, archs));
  if (!target)
    return inShort(llvm::toString(target.takeError()));
  const bool isTtgir = hasLayouts(module);
  if (isTtgir)
    if (std::string problem = launchProblem(module, *target); !problem.empty())
      return inShort(problem);
  llvm::SetVector<const Statement *> reached;
  reached.insert(&kernel);
  for (size_t i = 0; i < reached.size(); ++i) {
    const Function &function = read(*reached[i]);
    for (mlir::OperationName op : function.ops)
      if (!lower::hasLowering(op.getStringRef(), *target, isTtgir))
        return inShort(lower::describeGap(op.getStringRef(), *target));
    reached.insert(function.called.begin(), function.called.end());
  }
  return "";
}
