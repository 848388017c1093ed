//===- AccessText.cpp - loads and stores, in words ------------------------===//

#include "server/features/AccessText.h"

#include "dialects/ttg/LaunchConfig.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/analysis/Coalescing.h"
#include "passes/lower/nvidia/AccessWords.h"
#include "passes/lower/support/ConversionCost.h"
#include "passes/lower/support/LoweredAccess.h"
#include "server/analysis/Verifier.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope;
using llvm::formatv;
using llvm::StringRef;

std::optional<ttg::SharedAccess>
kernelscope::sharedAccess(mlir::Operation *op) {
  if (!llvm::isa<ttg::LocalLoadOp, ttg::LocalStoreOp, ttg::LocalAllocOp>(op) ||
      !verifies(op))
    return std::nullopt;
  return ttg::sharedAccessOf(op);
}

/// The `ptxSuffix` of accesses of so many bits.
static std::string ptxSuffix(std::optional<Target> target, unsigned bits,
                             unsigned elementBits) {
  return target && target->isNvidia()
             ? lower::typeSuffix(lower::wordsFor(bits, elementBits))
             : "";
}

static AccessDescription describeShared(mlir::Operation *op) {
  std::optional<ttg::SharedAccess> access = sharedAccess(op);
  if (!access)
    return {};
  std::optional<Target> target = ttg::lookupTarget(op);
  auto lowered = target && target->canCompile
                     ? lower::loweredAccessOf(op, *target)
                     : std::nullopt;
  if (!lowered)
    return {describeAccess(*access), "", false};
  if (!lowered->instruction.empty())
    return {formatv("{0} x `{1}` in each warp", lowered->count,
                    lowered->instruction),
            "", /*namesInstructions=*/true};
  access->cost = lowered->cost;
  std::string text =
      (lowered->needsExchange ? "after lanes exchange bytes: " : "") +
      describeAccess(*access);
  return {text,
          ptxSuffix(target, access->bits(),
                    access->bits() / access->cost.vectorElements),
          false};
}

std::string kernelscope::describeAccess(mlir::Operation *op) {
  return describeShared(op).text;
}

std::string kernelscope::describeAccess(const ttg::SharedAccess &access) {
  const AccessCost &cost = access.cost;
  std::string text =
      formatv("{0} access{1} of {2} bits per thread, {3} cycle{4} each",
              cost.instructions, cost.instructions == 1 ? "" : "es",
              access.bits(), cost.wavefronts, cost.wavefronts == 1 ? "" : "s");
  if (cost.ways() > 1)
    text += formatv(" instead of {0}: **{1}-way bank conflict**", cost.fewest,
                    cost.ways());
  else
    text += ": no bank conflict";
  text += formatv(" ({0} banks)", access.banks);
  return text;
}

/// What a load, store or atomic of global memory takes: how many accesses of
/// how many bits, and whether the warp's are coalesced. Empty for other ops.
static AccessDescription describeGlobal(mlir::Operation *op) {
  auto global = llvm::dyn_cast<tt::GlobalAccessOpInterface>(op);
  auto function = op->getParentOfType<mlir::FunctionOpInterface>();
  std::optional<Target> target = ttg::lookupTarget(op);
  if (!global || !function || !target || !target->canCompile || !verifies(op))
    return {};
  const AxisInfoAnalysis axes(function);
  // A copy is only as wide as shared memory allows, too.
  const bool isCopy =
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<ttg::MemDescType>);
  auto accesses = isCopy ? lower::asyncCopyAccessesOf(global, axes, *target)
                         : lower::globalAccessesOf(global, axes, *target);
  if (!accesses)
    return {};
  tt::GlobalAccess access = global.getGlobalAccess();
  const bool isOne = accesses->count == 1;
  StringRef what = access.isAtomic
                       ? (isOne ? "atomic access" : "atomic accesses")
                   : isCopy ? (isOne ? "copy" : "copies")
                            : (isOne ? "access" : "accesses");
  std::string text = formatv("{0} {1} of {2} bits per thread", accesses->count,
                             what, accesses->elements * access.elementBits());
  if (access.isAtomic)
    return {text, "", false};
  if (auto warp = warpAccess(access, axes, accesses->elements))
    text += ", " + describeCoalescing(*warp);
  if (isCopy)
    return {text, "", false};
  return {text,
          ptxSuffix(target, accesses->elements * access.elementBits(),
                    access.elementBits()),
          false};
}

/// What a layout conversion through shared memory stores and loads; empty for
/// other ops, and for one that stays in registers or within warps.
static std::string describeConversion(mlir::Operation *op) {
  std::optional<Target> target = ttg::lookupTarget(op);
  if (!llvm::isa<ttg::ConvertLayoutOp>(op) || !target || !target->canCompile ||
      !verifies(op))
    return "";
  auto cost = lower::conversionCost(op, *target);
  if (!cost)
    return "";
  unsigned ways = 1;
  auto side = [&](const std::optional<AccessCost> &access, const char *what,
                  const char *instruction) -> std::string {
    if (!access)
      return formatv("`{0}`", instruction);
    ways = std::max(ways, access->ways());
    return formatv("{0} {1}{2} of {3} bits", access->instructions, what,
                   access->instructions == 1 ? "" : "s",
                   access->vectorElements * cost->elementBits);
  };
  std::string text =
      "through shared memory: " + side(cost->store, "store", "stmatrix") +
      " and " + side(cost->load, "load", "ldmatrix") + " per thread";
  return text + (ways > 1 ? formatv(", **{0}-way bank conflict**", ways).str()
                          : ", no bank conflict");
}

AccessDescription kernelscope::describeMemoryAccess(mlir::Operation *op) {
  if (AccessDescription shared = describeShared(op); !shared.text.empty())
    return shared;
  if (std::string conversion = describeConversion(op); !conversion.empty())
    return {conversion, "", /*namesInstructions=*/true};
  return describeGlobal(op);
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
