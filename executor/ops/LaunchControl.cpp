//===- LaunchControl.cpp - Work of clusters that have not started ---------===//
//
// clusterlaunchcontrol.try_cancel takes over a cluster that has not started, if
// there is one. Programs here start one after another and never wait in a
// queue, so there is none: each request is answered with no.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/NVWS.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"
#include <numeric>

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// Bytes of a response; all are zero when nothing was cancelled.
constexpr size_t responseBytes = 16;

/// The response that there is no cluster to take over.
std::vector<char> noCluster(ArrayRef<int64_t> shape, size_t elementBytes) {
  return std::vector<char>(elementBytes *
                           std::accumulate(shape.begin(), shape.end(),
                                           int64_t{1}, std::multiplies<>()));
}

/// The first CTA makes the request for the cluster, and each gets the response.
Step planTryCancel(Planner &planner, ttng::CLCTryCancelOp op) {
  return [barrier = planBarrier(planner, op, op.getMbarrier()),
          shape = shapeOf(op.getResult()), bytes = elementBytes(op.getResult()),
          to = planner.slot(op.getResult()),
          ctas = planner.plan.ctas](Frame &frame) {
    for (unsigned cta = 0; frame.cta == 0 && cta < ctas; ++cta) {
      auto cells = Cells::of(frame, barrier.op, *frame.at<View>(to), shape,
                             bytes, {nullptr, CTAs{1} << cta});
      if (!cells)
        return false;
      if (!issueWrite(frame, barrier.at(frame, cta), std::move(*cells),
                      ttg::Proxy::Async, responseBytes,
                      [=] { return noCluster(shape, bytes); }))
        return false;
    }
    return true;
  };
}

/// Before it has a barrier it is done at once.
Step planTryCancelAtOnce(Planner &planner, nvws::CLCTryCancelOp op) {
  return [shape = shapeOf(op.getResult()), bytes = elementBytes(op.getResult()),
          to = planner.slot(op.getResult()),
          operation = op.getOperation()](Frame &frame) {
    auto cells = Cells::of(frame, operation, *frame.at<View>(to), shape, bytes,
                           Tile::own(frame));
    if (!cells)
      return false;
    watchCells(frame, operation, *cells, /*isWrite=*/true);
    cells->write(noCluster(shape, bytes).data());
    return true;
  };
}

/// result = zeros, of whatever type.
Step planNo(Planner &planner, Operation *op) {
  return [to = planner.slot(op->getResult(0)),
          bytes = planner.bytesOf(op->getResult(0))](Frame &frame) {
    std::memset(frame.at<char>(to), 0, bytes);
    return true;
  };
}

Step planLoadResponse(Planner &planner, ttng::CLCLoadResultOp op) {
  const size_t bytes =
      op.getSrc().getType().getNumElements() * elementBytes(op.getSrc());
  if (bytes != responseBytes) {
    op.emitError("a response has ")
        << responseBytes << " bytes, but " << op.getSrc().getType() << " has "
        << bytes;
    return {};
  }
  return planReadView(planner, op, op.getSrc(), op.getResult());
}

Step planIsCanceled(Planner &planner, ttng::CLCIsCanceledOp op) {
  return [from = planner.slot(op.getClcResult()),
          to = planner.slot(op.getResult())](Frame &frame) {
    const char *response = frame.at<char>(from);
    *frame.at<uint8_t>(to) = std::any_of(response, response + responseBytes,
                                         [](char byte) { return byte != 0; });
    return true;
  };
}

} // namespace

void registerLaunchControl(Registry &r) {
  r.add<ttng::CLCTryCancelOp>(planTryCancel);
  r.add<nvws::CLCTryCancelOp>(planTryCancelAtOnce);
  r.add("ttng.clc_try_cancel_sync", planNo);
  r.add<ttng::CLCLoadResultOp>(planLoadResponse);
  r.add<ttng::CLCIsCanceledOp>(planIsCanceled);
  r.add("ttng.clc_get_program_id", planNo);
}

} // namespace kernelscope::executor
