//===- Lint.cpp - what no verifier says -----------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/nvws/NVWS.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lint/Barriers.h"

using namespace mlir;
using namespace kernelscope;

ArrayRef<StringLiteral> kernelscope::lintCodes() {
  static constexpr StringLiteral codes[] = {
      "aref-pairing", "async-wait-missing", "barrier-arrivals", "barrier-bytes",
      "lds-width",    "phase-parity",       "wait-count"};
  return codes;
}

void kernelscope::runLints(Operation *function, EmitLint emit) {
  // Most kernels have nothing of what the rules are about.
  bool hasBarriers = false, hasCopies = false, hasArefs = false;
  function->walk([&](Operation *op) {
    hasBarriers |= isa<ttng::InitBarrierOp>(op);
    hasCopies |= startsCopy(op) || isSyncedLoad(op);
    hasArefs |= isa<nvws::ArefCreateOp>(op);
  });
  if (hasArefs)
    lintArefPairing(function, emit);
  if (hasCopies) {
    lintAsyncWaitMissing(function, emit);
    lintWaitCount(function, emit);
    lintLdsWidth(function, emit);
  }
  if (!hasBarriers)
    return;
  Barriers barriers(function);
  lintBarrierArrivals(barriers, emit);
  lintBarrierBytes(barriers, emit);
  lintPhaseParity(barriers, emit);
}
