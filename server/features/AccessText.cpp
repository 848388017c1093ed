//===- AccessText.cpp - loads and stores of shared memory, in words -------===//

#include "server/features/AccessText.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope;
using llvm::formatv;
using llvm::StringRef;

/// An op that breaks its own rules need not have the types that its accessors
/// promise.
bool kernelscope::verifies(mlir::Operation *op) {
  mlir::ScopedDiagnosticHandler quiet(
      op->getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  return mlir::succeeded(op->getName().verifyInvariants(op));
}

std::optional<ttg::SharedAccess>
kernelscope::sharedAccess(mlir::Operation *op) {
  if (!llvm::isa<ttg::LocalLoadOp, ttg::LocalStoreOp, ttg::LocalAllocOp>(op) ||
      !verifies(op))
    return std::nullopt;
  return ttg::sharedAccessOf(op);
}

std::string kernelscope::describeAccess(mlir::Operation *op) {
  std::optional<ttg::SharedAccess> access = sharedAccess(op);
  return access ? describeAccess(*access) : "";
}

std::string kernelscope::describeAccess(const ttg::SharedAccess &access) {
  const AccessCost &cost = access.cost;
  std::string text =
      formatv("{0} access{1} of {2} bits per thread, {3} cycle{4} each",
              cost.instructions, cost.instructions == 1 ? "" : "es",
              access.bits(), cost.wavefronts, cost.wavefronts == 1 ? "" : "s");
  if (cost.ways() > 1)
    text += formatv(" instead of {0}: a **{1}-way bank conflict**", cost.fewest,
                    cost.ways());
  else
    text += ": no bank conflict";
  text += formatv(" ({0} banks)", access.banks);
  auto operand = llvm::dyn_cast_or_null<ttg::DotOperandEncodingAttr>(
      access.registers.getEncoding());
  if (operand && llvm::isa<ttg::NvidiaMmaEncodingAttr>(operand.getParent()))
    text += "; `ldmatrix` reads rows of 16 bytes instead where it applies";
  return text;
}

void kernelscope::visitUsers(
    mlir::Value buffer, llvm::function_ref<void(mlir::Operation *)> visit) {
  constexpr size_t mostViews = 64, mostUsers = 512;
  llvm::SetVector<mlir::Value> views;
  views.insert(buffer);
  size_t users = 0;
  for (size_t i = 0; i < views.size() && i < mostViews; ++i)
    for (mlir::Operation *user : views[i].getUsers()) {
      if (++users > mostUsers)
        return;
      visit(user);
      for (mlir::Value result : user->getResults())
        if (result.getDefiningOp()->hasTrait<ttg::MemDescView>())
          views.insert(result);
    }
}

std::string kernelscope::listed(StringRef what, const std::string &line) {
  return formatv("- `{0}`{1}{2}: ", what, line.empty() ? "" : ", ", line);
}

std::string kernelscope::describeAccesses(mlir::Value memory,
                                          const LineOf &lineOf) {
  constexpr size_t most = 6;
  llvm::SetVector<mlir::Operation *> ops;
  mlir::Value buffer = ttg::lookThroughViews(memory);
  if (mlir::Operation *owner = buffer.getDefiningOp())
    ops.insert(owner);
  visitUsers(buffer, [&](mlir::Operation *op) { ops.insert(op); });
  std::string text;
  size_t shown = 0;
  for (mlir::Operation *op : ops) {
    std::string access = shown < most ? describeAccess(op) : "";
    if (access.empty())
      continue;
    ++shown;
    text += listed(op->getName().getStringRef(), lineOf(op)) + access + "\n";
  }
  return text.empty() ? text : "\naccesses:\n" + text;
}
