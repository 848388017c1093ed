//===- LowerToken.cpp - Tokens become rings of mbarriers ------------------===//
//
// `nvws-lower-token`: the producer of a buffer waits for "empty" and arrives on
// "full", its consumer the other way round.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/Owners.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Passes.h"
#include "passes/nvws/Marks.h"
#include "passes/nvws/Rings.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSLOWERTOKEN
#include "passes/Passes.h.inc"
} // namespace kernelscope

/// Replaces a wait, for the phase that it names or, before the first, for the
/// other.
template <typename Op>
static void lowerWait(Op op, Value barriers, bool forOther) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value phase = arith::ExtUIOp::create(b, loc, b.getI32Type(), op.getPhase());
  if (forOther)
    phase = arith::XOrIOp::create(
        b, loc, phase,
        arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(1)));
  auto wait = ttng::WaitBarrierOp::create(
      b, loc, nvws::indexRing(b, loc, barriers, op.getIdx()), phase, Value(),
      ValueRange());
  nvws::copyMarks(op, wait);
  op.erase();
}

template <typename Op>
static void lowerArrival(Op op, Value barriers, bool awaitsCopies = false) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  // Each thread's copies add an arrival, so that the phase cannot end before
  // they have.
  if (awaitsCopies) {
    auto copied = ttng::AsyncCopyMbarrierArriveOp::create(
        b, loc, nvws::indexRing(b, loc, barriers, op.getIdx()),
        /*noIncrement=*/false);
    nvws::copyMarks(op, copied);
  }
  // The other side may use the buffer by TMA or a tensor core.
  ttng::FenceAsyncSharedOp::create(b, loc, /*bCluster=*/false);
  auto arrival = ttng::ArriveBarrierOp::create(
      b, loc, nvws::indexRing(b, loc, barriers, op.getIdx()), uint32_t(1),
      Value(), IntegerAttr());
  nvws::copyMarks(op, arrival);
  op.erase();
}

static void lowerUsers(Value tokens, ValueRange rings) {
  Value full = rings[0], empty = rings[1];
  for (Operation *op : llvm::to_vector(tokens.getUsers())) {
    if (auto acquire = dyn_cast<nvws::ProducerAcquireOp>(op))
      lowerWait(acquire, empty, /*forOther=*/true);
    else if (auto commit = dyn_cast<nvws::ProducerCommitOp>(op))
      lowerArrival(commit, full, nvws::isFilledByCopies(tokens));
    else if (auto wait = dyn_cast<nvws::ConsumerWaitOp>(op))
      lowerWait(wait, full, /*forOther=*/false);
    else if (auto release = dyn_cast<nvws::ConsumerReleaseOp>(op))
      lowerArrival(release, empty);
  }
}

namespace {

class NvwsLowerToken
    : public kernelscope::impl::NvwsLowerTokenBase<NvwsLowerToken> {
public:
  void runOnOperation() override {
    SmallVector<nvws::CreateTokenOp> all;
    getOperation().walk([&](nvws::CreateTokenOp op) { all.push_back(op); });
    for (nvws::CreateTokenOp op : all) {
      if (failed(nvws::checkDepth(op, op.getNumBuffers())))
        return signalPassFailure();
      auto arrivals = [](ArrayRef<Operation *> ops) {
        return std::max<size_t>(1, nvws::Owners(ops).size());
      };
      Value tokens = op.getResult();
      SmallVector<Value> rings{
          nvws::createBarriers(
              op, op.getNumBuffers(),
              arrivals(nvws::usersOf<nvws::ProducerCommitOp>(tokens))),
          nvws::createBarriers(
              op, op.getNumBuffers(),
              arrivals(nvws::usersOf<nvws::ConsumerReleaseOp>(tokens)))};
      nvws::replaceByRings(tokens, rings, lowerUsers);
      if (!tokens.use_empty()) {
        InFlightDiagnostic error = op.emitOpError(
            "passes tokens to an op that neither waits nor signals");
        error.attachNote(tokens.use_begin()->getOwner()->getLoc())
            << "used here";
        return signalPassFailure();
      }
      op.erase();
    }
  }
};

} // namespace
