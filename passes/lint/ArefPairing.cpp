//===- ArefPairing.cpp - references that only one side uses ---------------===//
//
// What is put into an asynchronous reference has to be got, and the other way
// round: a put waits until its buffer has been got, a get until it has been
// put. An enter without an exit keeps the buffer for ever.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"

#include "dialects/nvws/NVWS.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kernelscope;

static void check(nvws::ArefCreateOp create, EmitLint emit) {
  Operation *put = nullptr, *get = nullptr;
  for (Operation *user : create->getUsers()) {
    if (isa<nvws::ArefPutEnterOp>(user))
      put = user;
    else if (isa<nvws::ArefGetEnterOp>(user))
      get = user;
    else if (!isa<nvws::ArefPutExitOp, nvws::ArefGetExitOp, nvws::ArefBufferOp>(
                 user))
      return; // Passed on: the other side may be there.
  }
  if (!put == !get)
    return;
  emit(
      {create, "aref-pairing",
       put ? "creates a reference with a put but no get; the second put waits "
             "forever"
           : "creates a reference with a get but no put; the get waits forever",
       put ? put : get, put ? "put here" : "got here"});
}

/// A token that nothing takes can reach no exit.
static void checkEnter(Operation *enter, Value token, EmitLint emit) {
  if (token.use_empty())
    emit({enter, "aref-pairing",
          "enters a region that no exit ends; its buffer is never released",
          nullptr, ""});
}

void kernelscope::lintArefPairing(LintInput &input, EmitLint emit) {
  input.function->walk([&](Operation *op) {
    if (auto create = dyn_cast<nvws::ArefCreateOp>(op))
      check(create, emit);
    else if (auto put = dyn_cast<nvws::ArefPutEnterOp>(op))
      checkEnter(put, put.getToken(), emit);
    else if (auto get = dyn_cast<nvws::ArefGetEnterOp>(op))
      checkEnter(get, get.getToken(), emit);
  });
}
