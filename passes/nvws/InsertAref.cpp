//===- InsertAref.cpp - References between the partitions of a loop -------===//
//
// `nvws-insert-aref`: a value that one partition computes and another uses goes
// through a reference to shared memory. Tensor memory has a pass of its own.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TTNG.h"
#include "passes/Passes.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/Handover.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSINSERTAREF
#include "passes/Passes.h.inc"
} // namespace kernelscope

static bool isInTensorMemory(Value value) {
  auto type = dyn_cast<ttg::MemDescType>(value.getType());
  return type && isa<ttng::TensorMemorySpaceAttr>(type.getMemorySpace());
}

namespace {

class NvwsInsertAref
    : public kernelscope::impl::NvwsInsertArefBase<NvwsInsertAref> {
public:
  void runOnOperation() override {
    for (LoopLikeOpInterface loop :
         nvws::findPartitionedLoops(getOperation())) {
      for (OpResult result : loop->getResults())
        nvws::handResultOver(loop, result);
      SmallVector<Value> values;
      loop->walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (op != loop.getOperation())
          values.append(op->result_begin(), op->result_end());
        for (Region &region : op->getRegions())
          for (Block &block : region)
            values.append(block.args_begin(), block.args_end());
      });
      for (Value value : values)
        if (!isInTensorMemory(value) && failed(nvws::handOver(loop, value)))
          return signalPassFailure();
    }
  }
};

} // namespace
