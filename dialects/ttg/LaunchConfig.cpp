//===- LaunchConfig.cpp - What the module says about its launch -----------===//

#include "dialects/ttg/LaunchConfig.h"
#include "dialects/target/Capabilities.h"
#include "dialects/ttg/ChipRules.h"
#include "dialects/ttg/OlderDump.h"
#include "dialects/ttg/TTG.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttg;

static ModuleOp moduleAround(Operation *op) {
  if (auto module = dyn_cast<ModuleOp>(op))
    return module;
  return op->getParentOfType<ModuleOp>();
}

/// A positive integer that fits an `int`.
static std::optional<int> positive(Attribute attribute) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!integer || !integer.getType().isSignlessInteger() ||
      integer.getValue().getSignificantBits() > 31 ||
      integer.getValue().getSExtValue() <= 0)
    return std::nullopt;
  return static_cast<int>(integer.getValue().getSExtValue());
}

static std::optional<int> onModule(Operation *op, StringRef name,
                                   std::optional<int> ifAbsent) {
  ModuleOp module = moduleAround(op);
  if (!module)
    return std::nullopt;
  Attribute attribute = module->getAttr(name);
  return attribute ? positive(attribute) : ifAbsent;
}

std::optional<int> ttg::lookupNumWarps(Region *region) {
  Operation *parent = region->getParentOp();
  if (!parent)
    return std::nullopt;
  if (auto partitions = dyn_cast<WarpSpecializePartitionsOp>(parent)) {
    auto specialize =
        dyn_cast_or_null<WarpSpecializeOp>(partitions->getParentOp());
    unsigned index = region->getRegionNumber();
    // The attribute may be missing from an op that has not been verified.
    DenseI32ArrayAttr counts =
        specialize ? specialize.getPartitionNumWarpsAttr() : nullptr;
    if (!counts || index >= unsigned(counts.size()))
      return std::nullopt;
    int numWarps = counts[index];
    return numWarps > 0 ? std::optional(numWarps) : std::nullopt;
  }
  return lookupNumWarps(parent);
}

std::optional<int> ttg::lookupNumWarps(Operation *op) {
  while (op) {
    if (isa<ModuleOp, FunctionOpInterface>(op))
      if (Attribute attribute = op->getAttr(numWarpsName))
        return positive(attribute);
    Operation *parent = op->getParentOp();
    if (isa_and_nonnull<WarpSpecializePartitionsOp>(parent))
      return lookupNumWarps(op->getParentRegion());
    op = parent;
  }
  return std::nullopt;
}

std::optional<int> ttg::lookupThreadsPerWarp(Operation *op) {
  return onModule(op, threadsPerWarpName, 32);
}

std::optional<int> ttg::lookupNumCTAs(Operation *op) {
  return onModule(op, numCTAsName, 1);
}

std::optional<Target> ttg::lookupTarget(Operation *op) {
  ModuleOp module = moduleAround(op);
  auto target =
      module ? module->getAttrOfType<StringAttr>(targetName) : StringAttr();
  return target ? Target::ofModule(target) : std::nullopt;
}

/// Marks an older dump whose lowering has set `ttng.two-ctas`.
static constexpr StringLiteral olderDumpName = "ttg.older-dump";

bool ttg::isOlderDump(Operation *op) {
  ModuleOp module = moduleAround(op);
  return module && module->hasAttr(targetName) &&
         (!module->hasAttr(twoCTAsName) || module->hasAttr(olderDumpName));
}

void ttg::setTwoCTAs(ModuleOp module) {
  if (isOlderDump(module))
    module->setAttr(olderDumpName, UnitAttr::get(module.getContext()));
  module->setAttr(twoCTAsName, BoolAttr::get(module.getContext(), true));
}

/// Marks a module whose columns count from 0.
static constexpr StringLiteral columnsFromZeroName = "ttg.columns-from-zero";

/// Whether the text in Python begins at column 0.
static bool beginsAtZero(FunctionOpInterface function) {
  auto def = function->getLoc()->findInstanceOf<FileLineColLoc>();
  return def && def.getLine() && !def.getColumn();
}

bool ttg::countsColumnsFromZero(Operation *op) {
  ModuleOp module = moduleAround(op);
  auto function = op->getParentOfType<FunctionOpInterface>();
  return (module && module->hasAttr(columnsFromZeroName)) ||
         (function && beginsAtZero(function));
}

void ttg::recordColumns(ModuleOp module) {
  if (module->hasAttr(targetName) &&
      llvm::any_of(module.getOps<FunctionOpInterface>(), beginsAtZero))
    module->setAttr(columnsFromZeroName, UnitAttr::get(module.getContext()));
}

std::optional<int> ttg::lookupTotalNumWarps(Operation *op) {
  ModuleOp module = moduleAround(op);
  if (module)
    if (Attribute attribute = module->getAttr(totalNumWarpsName))
      return positive(attribute);
  return lookupNumWarps(op);
}

LogicalResult ttg::verifyLaunchAttribute(Operation *op,
                                         NamedAttribute attribute) {
  StringRef name = attribute.getName();
  bool onModuleOnly =
      name == numCTAsName || name == threadsPerWarpName || name == targetName;
  if (onModuleOnly && !isa<ModuleOp>(op))
    return op->emitOpError()
           << "carries '" << name << "', which belongs on the module";
  if (name == numWarpsName && !isa<ModuleOp, FunctionOpInterface>(op))
    return op->emitOpError()
           << "carries '" << name
           << "', which belongs on the module or on a function";

  if (name == targetName) {
    auto target = dyn_cast<StringAttr>(attribute.getValue());
    if (auto neighbours = target ? neighboursOfNoChip(target) : std::nullopt)
      return op->emitOpError()
             << "has " << name << " = " << target
             << "; no GPU has that compute capability; the nearest are \""
             << neighbours->first << "\" and \"" << neighbours->second << "\"";
    if (target && Target::ofModule(target))
      return success();
    // Triton's own tests write the number 0 where they mean no chip.
    if (target && target.getValue().ends_with(":0"))
      return success();
    for (const Target &chip : knownArchs())
      if (std::string whole = chip.moduleTarget();
          target && StringRef(whole).split(':').second == target.getValue())
        return op->emitOpError() << "has " << name << " = " << target
                                 << "; it must be \"" << whole << "\"";
    StringRef vendor = target ? target.getValue().split(':').first : "cuda";
    // A letter too many or too few is a slip, not another vendor.
    if (vendor.edit_distance("cuda") <= 1 || vendor.edit_distance("hip") <= 1)
      return op->emitOpError()
             << "has " << name << " = " << attribute.getValue()
             << "; it must be a string such as \"cuda:90\" or \"hip:gfx942\"";
    // Forks have chips of other vendors, and Triton takes any string. A remark
    // of the op would print it, which verifies it again.
    emitRemark(op->getLoc())
        << "has " << name << " = " << attribute.getValue()
        << ", which is not the name of a known chip, such as \"cuda:90\" "
           "or \"hip:gfx942\"; rules about chips are not checked";
    return success();
  }
  if (name != numWarpsName && name != numCTAsName &&
      name != threadsPerWarpName && name != totalNumWarpsName &&
      name != maxRegistersName)
    return success();

  std::optional<int> value = positive(attribute.getValue());
  if (!value)
    return op->emitOpError() << "has " << name << " = " << attribute.getValue()
                             << "; it must be a positive 32-bit integer";
  bool powerOfTwo =
      name == numWarpsName || name == numCTAsName || name == threadsPerWarpName;
  if (powerOfTwo && !llvm::isPowerOf2_32(*value))
    return op->emitOpError() << "has " << name << " = " << *value
                             << "; it must be a power of two";
  auto module = dyn_cast<ModuleOp>(op);
  const auto target = module ? lookupExactTarget(op) : std::nullopt;
  if (!target)
    return success();
  if (name == threadsPerWarpName)
    return verifyLanes(module, *target);
  if (name == numCTAsName)
    return verifyClusterSize(module, *target);
  if (name == maxRegistersName)
    return verifyRegisters(module, *target);
  // What the module says of all partitions counts.
  return name == totalNumWarpsName || !module->hasAttr(totalNumWarpsName)
             ? verifyThreads(module, *target)
             : success();
}
