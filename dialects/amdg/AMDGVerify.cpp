//===- AMDGVerify.cpp - rules of the ops of amdg --------------------------===//
//
// One verifier an op. Each message gives the rule, the value found and the
// value needed.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace kernelscope::amdg;

/// A cluster's barrier needs a cluster. IR without a module's word on the
/// number of CTAs is left alone.
static LogicalResult verifyInCluster(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto ctas = module ? module->getAttrOfType<IntegerAttr>("ttg.num-ctas")
                     : IntegerAttr();
  if (ctas && ctas.getInt() < 2)
    return op->emitOpError() << "needs a cluster of at least two CTAs, but the "
                                "module has ttg.num-ctas = "
                             << ctas.getInt();
  return success();
}

LogicalResult ClusterBarrierArriveOp::verify() {
  return verifyInCluster(*this);
}
LogicalResult ClusterBarrierWaitOp::verify() { return verifyInCluster(*this); }
