//===- InsertTmemAref.cpp - References to tensor memory -------------------===//
//
// `nvws-insert-tmem-aref`: tensor memory that partitions access in turn. The
// tokens of the accesses say when it goes from one to the other.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "passes/Passes.h"
#include "passes/nvws/Handover.h"
#include "passes/nvws/TensorMemoryHandover.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSINSERTTMEMAREF
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

class NvwsInsertTmemAref
    : public kernelscope::impl::NvwsInsertTmemArefBase<NvwsInsertTmemAref> {
public:
  void runOnOperation() override {
    for (LoopLikeOpInterface loop :
         nvws::findPartitionedLoops(getOperation())) {
      SmallVector<ttng::TMEMAllocOp> filled, accessed;
      loop->getParentOfType<tt::FuncOp>()->walk([&](ttng::TMEMAllocOp op) {
        if (op.getToken())
          accessed.push_back(op);
        else if (op.getSrc() && loop->isAncestor(op))
          filled.push_back(op);
      });
      for (ttng::TMEMAllocOp op : filled)
        if (failed(nvws::handOver(loop, op.getResult())))
          return signalPassFailure();
      for (ttng::TMEMAllocOp op : accessed) {
        nvws::TensorMemoryHandover handover(loop, op);
        if (handover.isNeeded() && failed(handover.run()))
          return signalPassFailure();
      }
    }
  }
};

} // namespace
