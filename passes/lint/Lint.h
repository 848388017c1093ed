//===- Lint.h - what no verifier says ---------------------------*- C++ -*-===//
//
// Rules about the program, not an op: code that breaks one parses, verifies and
// compiles, and hangs or races when it runs. Each is in a file named after its
// code. A lint says nothing unless it sees all that the rule is about.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LINT_LINT_H
#define KERNELSCOPE_PASSES_LINT_LINT_H

#include "mlir/IR/Operation.h"

#include <string>

namespace kernelscope {

class Barriers;

struct LintFinding {
  mlir::Operation *op;
  llvm::StringLiteral code;
  /// The rule, the value found, the value needed.
  std::string message;
  /// The op that `op` conflicts with, and what of it; or null, and nothing.
  mlir::Operation *other;
  std::string note;
};

using EmitLint = llvm::function_ref<void(LintFinding)>;

/// `aref-pairing`: a reference that is put into and never got, or got and never
/// put into; an enter without an exit.
void lintArefPairing(mlir::Operation *function, EmitLint emit);
/// `lds-width`: a copy straight to LDS of less than 32 bits a lane (AMD).
void lintLdsWidth(mlir::Operation *function, EmitLint emit);
/// `async-wait-missing`: shared memory that an asynchronous copy writes is read
/// before any wait.
void lintAsyncWaitMissing(mlir::Operation *function, EmitLint emit);
/// `wait-count`: a wait leaves so much in flight that the copy whose data is
/// read behind it need not be done.
void lintWaitCount(mlir::Operation *function, EmitLint emit);
/// `barrier-bytes`: the bytes that a barrier expects are not those of the
/// copies that complete on it.
void lintBarrierBytes(const Barriers &barriers, EmitLint emit);
/// `barrier-arrivals`: the arrivals that a barrier is made for are not those
/// that come.
void lintBarrierArrivals(const Barriers &barriers, EmitLint emit);
/// `phase-parity`: a loop waits for the same phase of a barrier each time.
void lintPhaseParity(const Barriers &barriers, EmitLint emit);

/// All of them on a verified function.
void runLints(mlir::Operation *function, EmitLint emit);

/// The codes of all lints.
llvm::ArrayRef<llvm::StringLiteral> lintCodes();

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_LINT_LINT_H
