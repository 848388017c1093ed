//===- ArefLoads.cpp - Loads into the buffers of puts ---------------------===//

#include "passes/nvws/ArefLoads.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/Rings.h"
#include "passes/ttir/GatheredRows.h"

using namespace mlir;

namespace kernelscope::nvws {

/// The bytes of a response of cluster launch control.
constexpr int32_t launchControlBytes = 16;

/// The loads that complete on the barrier of `put`.
static SmallVector<Operation *> loadsOf(ArefPutEnterOp put) {
  SmallVector<Operation *> loads;
  auto add = [&](Operation *op) {
    if (isa<DescriptorLoadOp, DescriptorGatherOp, CLCTryCancelOp>(op))
      loads.push_back(op);
  };
  for (Value buffer : put.getBuffers())
    forEachAccess(buffer, add);
  for (Operation *user : put.getToken().getUsers())
    if (auto view = dyn_cast<ArefBufferOp>(user))
      for (Value buffer : view.getBuffers())
        forEachAccess(buffer, add);
  return loads;
}

LogicalResult checkLoads(ArefPutEnterOp put) {
  for (Operation *load : loadsOf(put))
    if (load->getBlock() != put->getBlock()) {
      InFlightDiagnostic error = load->emitOpError(
          "fills a buffer in another block than its put's enter; both must "
          "be in the same block, because the enter announces the bytes");
      error.attachNote(put->getLoc()) << "entered here";
      return error;
    }
  return success();
}

static int32_t loadedBytes(Operation *load) {
  if (auto block = dyn_cast<DescriptorLoadOp>(load))
    return block.getTxCount();
  if (auto rows = dyn_cast<DescriptorGatherOp>(load))
    return rows.getTxCount();
  return launchControlBytes;
}

/// The numbers of the rows in a layout that TMA takes.
static Value rowsOf(DescriptorGatherOp gather, MarkedBuilder &at) {
  Value rows = gather.getXOffsets();
  auto type = cast<RankedTensorType>(rows.getType());
  if (!isa_and_nonnull<ttg::BlockedEncodingAttr>(type.getEncoding()))
    return rows;
  Value made =
      gatheredRows(at.b, at.loc, rows, ttg::lookupNumWarps(gather).value_or(4),
                   ttg::lookupThreadsPerWarp(gather).value_or(32));
  for (Value value = made; value != rows;
       value = value.getDefiningOp()->getOperand(0))
    at.mark(value.getDefiningOp());
  return made;
}

void lowerLoads(ArefPutEnterOp put, Value full) {
  SmallVector<Operation *> loads = loadsOf(put);
  if (loads.empty())
    return;
  MarkedBuilder at(put);
  at.b.setInsertionPointAfter(put);
  Value barrier = indexRing(at, full, put.getStage());
  Value yes = at.make<arith::ConstantOp>(at.b.getBoolAttr(true));
  int64_t bytes = 0;
  for (Operation *load : loads)
    bytes += loadedBytes(load);
  at.make<ttng::BarrierExpectOp>(barrier, static_cast<uint32_t>(bytes), yes,
                                 IntegerAttr());
  for (Operation *load : loads) {
    MarkedBuilder of(load);
    if (auto block = dyn_cast<DescriptorLoadOp>(load))
      of.make<ttng::AsyncTMACopyGlobalToLocalOp>(
          block.getDesc(), block.getIndices(), ValueRange(), barrier,
          block.getResult(), yes, /*multicast=*/false, block.getCache(),
          block.getEvict(), /*isVolatile=*/false, /*cachePolicy=*/Attribute());
    else if (auto rows = dyn_cast<DescriptorGatherOp>(load))
      of.make<ttng::AsyncTMAGatherOp>(rows.getDesc(), rowsOf(rows, of),
                                      rows.getYOffset(), barrier,
                                      rows.getResult(), yes,
                                      /*multicast=*/false,
                                      /*cachePolicy=*/Attribute());
    else
      of.make<ttng::CLCTryCancelOp>(cast<CLCTryCancelOp>(load).getResult(),
                                    barrier);
    load->erase();
  }
}

} // namespace kernelscope::nvws
