//===- Lint.h - what no verifier says ---------------------------*- C++ -*-===//
//
// Rules about the program, not an op: code that breaks one parses, verifies and
// compiles, and hangs or races when it runs. Each is in a file named after its
// code, and a row of the table below. A lint says nothing unless it sees all
// that the rule is about.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LINT_LINT_H
#define KERNELSCOPE_PASSES_LINT_LINT_H

#include "passes/analysis/AsyncFlow.h"
#include "passes/analysis/BarrierRun.h"

#include <optional>
#include <string>
#include <variant>

namespace kernelscope {

/// A number in an op's text that would be right with another value.
struct NumberFix {
  mlir::Operation *op;
  int64_t from, to;
  /// The attribute that it is in; empty for the first of its numbers.
  llvm::StringRef attribute = {};
};

/// A layout that would be right if it were another one.
struct LayoutFix {
  mlir::Attribute from, to;
};

/// Ops that are missing before another one.
struct MissingOps {
  mlir::Operation *before;
  /// Their lines, in which `$0`, `$1`, ... are `operands`, and `$type` is the
  /// type of the first.
  std::string text;
  llvm::SmallVector<mlir::Value, 2> operands = {};
  /// What defines the one that is null, as "arith.constant true".
  std::string constant = {};
  /// They give `$result`, which `before` takes in place of the first operand.
  bool givesResult = false;
};

/// A value that an op must take for one of its operands.
struct OperandFix {
  mlir::OpOperand *operand;
  mlir::Value value;
};

/// An op that is one too many.
struct RedundantOp {
  mlir::Operation *op;
};

/// An op that comes too early in its block.
struct MovedOp {
  mlir::Operation *op, *after;
};

/// The one edit that fixes the finding.
using LintFix = std::variant<NumberFix, PhaseEdit, LayoutFix, MissingOps,
                             OperandFix, RedundantOp, MovedOp>;

/// How certain it is that the program is wrong.
enum class LintLevel : uint8_t {
  /// A later pass of Triton's pipeline fixes it, if it runs.
  Hint,
  Warning,
  /// No later pass does.
  Error
};

/// How the message of such a hint ends.
constexpr llvm::StringLiteral laterPass =
    "; a later pass may give the lanes another layout";

struct LintFinding {
  mlir::Operation *op;
  llvm::StringLiteral code;
  /// The rule, the value found, the value needed.
  std::string message;
  /// The op that `op` conflicts with, and what of it; or null, and nothing.
  mlir::Operation *other;
  std::string note;
  LintLevel level = LintLevel::Warning;
  /// The one edit that fixes it, if there is one.
  std::optional<LintFix> fix = {};
};

using EmitLint = llvm::function_ref<void(LintFinding)>;

/// What lints look at: a verified function, and what analyses know of it.
class LintInput {
public:
  explicit LintInput(mlir::Operation *function) : function(function) {}
  mlir::Operation *const function;
  const Barriers &barriers() {
    return known ? *known : known.emplace(function);
  }
  const BarrierRun &barrierRun() {
    return run ? *run : run.emplace(runBarriers(function, barriers()));
  }
  /// The first wait on a barrier that never ends.
  const std::optional<BarrierFault> &endlessWait() {
    return barrierRun().endless;
  }

  /// Loads that may come before their data.
  llvm::ArrayRef<EarlyLoad> earlyLoads() {
    return loads ? *loads : loads.emplace(findEarlyLoads(function));
  }

private:
  std::optional<llvm::SmallVector<EarlyLoad>> loads;
  std::optional<Barriers> known;
  std::optional<BarrierRun> run;
};

void lintArefPairing(LintInput &input, EmitLint emit);
void lintAsyncWaitMissing(LintInput &input, EmitLint emit);
void lintBarrierArrivals(LintInput &input, EmitLint emit);
void lintBarrierBytes(LintInput &input, EmitLint emit);
void lintBarrierWaitMissing(LintInput &input, EmitLint emit);
void lintLdsWidth(LintInput &input, EmitLint emit);
void lintPhaseParity(LintInput &input, EmitLint emit);
void lintProductWaitMissing(LintInput &input, EmitLint emit);
void lintSharedMemoryBytes(LintInput &input, EmitLint emit);
void lintTensorMemoryColumns(LintInput &input, EmitLint emit);
void lintWaitCount(LintInput &input, EmitLint emit);

/// Whether an op is what a rule is about: most kernels have none of them, and
/// such lints are not run.
bool isAboutCopies(mlir::Operation *op);
bool isAboutBarriers(mlir::Operation *op);
bool isAboutProducts(mlir::Operation *op);
bool isAboutReferences(mlir::Operation *op);
bool isAboutSharedMemory(mlir::Operation *op);
bool isAboutTensorMemory(mlir::Operation *op);

/// Whether an op is what some rule is about.
bool isAboutLints(mlir::Operation *op);

struct Lint {
  llvm::StringLiteral code;
  bool (*isAbout)(mlir::Operation *op);
  void (*run)(LintInput &input, EmitLint emit);
};

constexpr Lint lints[] = {
    // A reference that is put into and never got, or got and never put into; an
    // enter without its own exit, or a use after that.
    {"aref-pairing", isAboutReferences, lintArefPairing},
    // Shared memory that an asynchronous copy writes is read before any wait.
    {"async-wait-missing", isAboutCopies, lintAsyncWaitMissing},
    // The count of a barrier differs from its arrivals.
    {"barrier-arrivals", isAboutBarriers, lintBarrierArrivals},
    // The bytes that a barrier expects differ from those of the copies that
    // complete on it.
    {"barrier-bytes", isAboutBarriers, lintBarrierBytes},
    // A buffer is read without a wait for it to be full.
    {"barrier-wait-missing", isAboutBarriers, lintBarrierWaitMissing},
    // A direct-to-LDS copy that the chip cannot do (AMD).
    {"lds-width", isAboutCopies, lintLdsWidth},
    // A wait asks for another phase of a barrier than the one that completes.
    {"phase-parity", isAboutBarriers, lintPhaseParity},
    // The result of an asynchronous product is read before any wait for it.
    {"product-wait-missing", isAboutProducts, lintProductWaitMissing},
    // Buffers in shared memory need more bytes than there are.
    {"shared-memory-bytes", isAboutSharedMemory, lintSharedMemoryBytes},
    // Buffers in tensor memory need more columns than there are.
    {"tensor-memory-columns", isAboutTensorMemory, lintTensorMemoryColumns},
    // A wait leaves so much in flight that the copy whose data is read after it
    // need not be complete.
    {"wait-count", isAboutCopies, lintWaitCount},
};

/// Whether `code` is that of a lint.
inline bool isLint(llvm::StringRef code) {
  for (const Lint &lint : lints)
    if (lint.code == code)
      return true;
  return false;
}

/// All of them on a verified function.
void runLints(mlir::Operation *function, EmitLint emit);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LINT_LINT_H
