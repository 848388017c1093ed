//===- Verifier.cpp - every broken op, not the first ----------------------===//

#include "server/analysis/Verifier.h"

#include "dialects/target/Instructions.h"
#include "dialects/tt/VerifiedTensors.h"
#include "dialects/ttg/TTG.h"
#include "passes/Source.h"
#include "passes/lower/Coverage.h"
#include "server/analysis/Hole.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

using namespace kernelscope;
using namespace mlir;

/// False after an error for a switch with cases that have no values: MLIR's own
/// check takes for granted that they do.
static bool hasCaseValues(Operation *op) {
  auto cases = dyn_cast<cf::SwitchOp>(op);
  if (!cases || cases.getCaseValues() || op->getNumSuccessors() < 2)
    return true;
  op->emitOpError()
      << "needs the attribute 'case_values' with a value for each case";
  return false;
}

/// Whether `op` keeps the rules of its own; says which it breaks.
static bool keepsRules(Operation *op) {
  return hasCaseValues(op) && succeeded(op->getName().verifyInvariants(op));
}

bool kernelscope::verifies(Operation *op) {
  ScopedDiagnosticHandler quiet(op->getContext(), [](Diagnostic &) {});
  return keepsRules(op);
}

namespace {

class OpVerifier {
public:
  explicit OpVerifier(const VerifierHooks &hooks) : hooks(hooks) {}

  /// True if `op` and all in it are sound.
  bool verify(Operation *op) {
    if (isa<HoleOp>(op)) {
      verifyRegions(op);
      return false;
    }
    isStopped = isStopped || !hooks.enter(op);
    if (isStopped)
      return false;
    bool isClean = !dependsOnHole(op);
    if (isClean)
      isClean = verifyOnEntry(op);
    // Rules of the ops inside may look at what it lacks.
    if (!isClean && op->getNumRegions() != 0 && !isWhole(op))
      return false;
    bool isInside = verifyRegions(op);
    if (op->getNumRegions() != 0)
      hooks.enter(op);
    if (isClean && isInside && !isStopped)
      isClean = succeeded(op->getName().verifyRegionInvariants(op));
    return isClean && isInside;
  }

  bool verifyHeader(Operation *op) {
    return hooks.enter(op) && verifyOnEntry(op);
  }

private:
  /// Whether a value of `op` has a layout that stands for a missing alias.
  bool hasUnknownLayout(Operation *op) const {
    auto isUnknown = [&](Type type) {
      auto layout = dyn_cast_or_null<StringAttr>(ttg::getEncoding(type));
      return layout && layout.getValue() == hooks.unknownLayout;
    };
    return llvm::any_of(op->getOperandTypes(), isUnknown) ||
           llvm::any_of(op->getResultTypes(), isUnknown) ||
           llvm::any_of(op->getRegions(), [&](Region &region) {
             return llvm::any_of(region.getBlocks(), [&](Block &block) {
               return llvm::any_of(block.getArgumentTypes(), isUnknown);
             });
           });
  }

  /// Whether an error on `op` may be due to a statement that is not there.
  bool dependsOnHole(Operation *op) const {
    if (!hooks.unknownLayout.empty() && hasUnknownLayout(op))
      return true;
    if (llvm::any_of(op->getOperands(), [](Value operand) {
          return operand.getDefiningOp<HoleOp>();
        }))
      return true;
    if (isa_and_nonnull<HoleOp>(op->getParentOp()) &&
        op->hasTrait<OpTrait::IsTerminator>())
      return true;
    if (llvm::any_of(op->getSuccessors(), [&](Block *block) {
          return hooks.brokenBlocks.contains(block);
        }))
      return true;
    // A rule of the op may look at the end of its body.
    return llvm::any_of(op->getRegions(), [](Region &region) {
      return llvm::any_of(region, [](Block &block) {
        return !block.empty() && isa<HoleOp>(block.front()) &&
               !block.back().hasTrait<OpTrait::IsTerminator>();
      });
    });
  }

  bool error(Operation *op, StringRef code, const Twine &message) {
    hooks.report(op, code, message);
    return false;
  }

  /// Whether `op` may be asked for all that its definition names. Of an op in
  /// the generic form that is broken, an attribute may be missing.
  bool isWhole(Operation *op) {
    if (!op->isRegistered() || !hooks.isGeneric(op) ||
        llvm::all_of(op->getName().getAttributeNames(), [&](StringAttr name) {
          return op->getInherentAttr(name).value_or(Attribute());
        }))
      return true;
    return verifies(op);
  }

  /// Whether all symbols that `op` names can be asked for what they are.
  bool namesWholeSymbols(Operation *op) {
    WalkResult walk =
        op->getAttrDictionary().walk([&](SymbolRefAttr reference) {
          Operation *symbol = symbols.lookupNearestSymbolFrom(op, reference);
          return symbol && !isWhole(symbol) ? WalkResult::interrupt()
                                            : WalkResult::advance();
        });
    return !walk.wasInterrupted();
  }

  /// False after an error for an indirect function whose resolver does not
  /// exist: MLIR's own check takes for granted that it does.
  bool hasResolver(Operation *op) {
    if (op->getName().getStringRef() != "llvm.mlir.ifunc")
      return true;
    auto resolver = op->getAttrOfType<SymbolRefAttr>("resolver");
    if (!resolver || symbols.lookupNearestSymbolFrom(op, resolver))
      return true;
    op->emitOpError() << "names the resolver " << resolver
                      << ", which is not in the module";
    return false;
  }

  bool verifyOnEntry(Operation *op) {
    if (!op->isRegistered())
      return verifyUnregistered(op);
    if (!verifyInstruction(op))
      return false;
    bool isClean = keepsRules(op);
    if (!isClean && !isWhole(op))
      return false;
    if (isClean)
      isClean = succeeded(tt::verifyResultEncodings(op));
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (Dialect *dialect = attribute.getNameDialect())
        isClean &= succeeded(dialect->verifyOperationAttribute(op, attribute));
    if (auto user = dyn_cast<SymbolUserOpInterface>(op))
      if (namesWholeSymbols(op))
        isClean &= hasResolver(op) && succeeded(user.verifySymbolUses(symbols));
    return isClean;
  }

  /// False after an error for an op that the module's chip has no instruction
  /// for. Ops of `tt` and of MLIR's dialects are rewritten before code is made.
  bool verifyInstruction(Operation *op) {
    auto [entry, isNew] = missingInstructions.try_emplace(op->getName());
    if (isNew && llvm::is_contained({"ttg", "ttng", "nvg", "amdg"},
                                    op->getName().getDialectNamespace())) {
      std::optional<Target> chip = ttg::lookupTarget(op);
      StringRef name = op->getName().getStringRef();
      if (chip && chip->canCompile)
        entry->second = describeMissingInstruction(name, *chip);
      // Asked last: the first time it takes as long as a short text.
      if (!entry->second.empty() &&
          lower::hasLowering(name, *chip, /*hasLayouts=*/true))
        entry->second.clear();
    }
    if (!entry->second.empty())
      op->emitError() << entry->second;
    return entry->second.empty();
  }

  bool verifyUnregistered(Operation *op) {
    StringRef name = op->getName().getStringRef();
    Dialect *dialect = op->getDialect();
    if (!dialect) {
      StringRef space = op->getName().getDialectNamespace();
      return error(op, "unknown-dialect",
                   "unknown dialect '" + space + "' of operation '" + name +
                       "'");
    }
    if (dialect->allowsUnknownOperations())
      return true;
    return error(op, "unknown-op",
                 "dialect '" + dialect->getNamespace() +
                     "' has no operation '" + name + "'");
  }

  /// False if anything inside is broken or missing.
  bool verifyRegions(Operation *op) {
    bool isClean = true;
    auto kinds = dyn_cast<RegionKindInterface>(op);
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      if (!region.front().hasNoPredecessors())
        isClean = error(op, "terminator",
                        "no block may branch to the first block of a region");
      bool checkDominance =
          !kinds || kinds.hasSSADominance(region.getRegionNumber());
      for (Block &block : region)
        isClean &= verifyBlock(op, block,
                               checkDominance &&
                                   dominance.isReachableFromEntry(&block));
    }
    return isClean;
  }

  bool verifyBlock(Operation *parent, Block &block, bool checkDominance) {
    bool isClean = verifyEnd(parent, block);
    for (Operation &op : block) {
      isClean &= verify(&op);
      if (isStopped)
        return false;
      if (checkDominance)
        isClean &= verifyDominance(&op);
    }
    return isClean;
  }

  bool verifyEnd(Operation *parent, Block &block) {
    if (!block.empty() && isa<HoleOp>(block.front()))
      return false;
    bool isClean = true;
    for (Operation &op : block)
      if (op.getNumSuccessors() != 0 && &op != &block.back())
        isClean = error(&op, "terminator",
                        "'" + op.getName().getStringRef() +
                            "' branches away, so it must be the last "
                            "operation of its block");
    bool mayEndOpenly = isa<HoleOp>(parent) ||
                        (block.getParent()->hasOneBlock() &&
                         parent->mightHaveTrait<OpTrait::NoTerminator>());
    if (mayEndOpenly)
      return isClean;
    if (block.empty())
      return error(parent, "terminator",
                   "a block of '" + parent->getName().getStringRef() +
                       "' is empty; it must end with a terminator");
    Operation &last = block.back();
    if (!last.mightHaveTrait<OpTrait::IsTerminator>())
      return error(&last, "terminator",
                   "a block of '" + parent->getName().getStringRef() +
                       "' ends with '" + last.getName().getStringRef() +
                       "', which is not a terminator");
    for (Block *successor : last.getSuccessors())
      if (successor->getParent() != block.getParent())
        isClean =
            error(&last, "terminator", "branch to a block of another region");
    return isClean;
  }

  bool verifyDominance(Operation *op) {
    bool isClean = true;
    for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
      if (operand.getDefiningOp<HoleOp>() ||
          dominance.properlyDominates(operand, op))
        continue;
      hooks.enter(op);
      isClean = error(op, "dominance",
                      "operand #" + Twine(index) + " of '" +
                          op->getName().getStringRef() +
                          "' is not defined on every path to here");
    }
    return isClean;
  }

  const VerifierHooks &hooks;
  tt::VerifiedTensors goodTensors;
  DominanceInfo dominance;
  SymbolTableCollection symbols;
  /// Why ops of a name have no instruction; empty if they have one.
  llvm::DenseMap<OperationName, std::string> missingInstructions;
  bool isStopped = false;
};

} // namespace

bool kernelscope::verifyAll(Operation *root, const VerifierHooks &hooks) {
  if (hooks.isHeaderOnly)
    return OpVerifier(hooks).verifyHeader(root);
  bool isClean = OpVerifier(hooks).verify(root);
  // A function comes without the others of its module, so it is said here. One
  // whose header is broken may have taken the module's place.
  auto module = root->getParentOfType<ModuleOp>();
  if (module && !isa<HoleOp>(root)) {
    hooks.enter(root);
    isClean &= succeeded(verifyNumWarps(module, root));
  }
  return isClean;
}
