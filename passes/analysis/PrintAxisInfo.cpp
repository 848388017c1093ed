//===- PrintAxisInfo.cpp - Shows the axis analysis to tests ---------------===//

#include "dialects/tt/TT.h"
#include "passes/Passes.h"
#include "passes/analysis/AxisInfo.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_TESTPRINTAXISINFO
#include "passes/Passes.h.inc"

namespace {

struct PrintAxisInfo : impl::TestPrintAxisInfoBase<PrintAxisInfo> {
  void runOnOperation() override {
    AxisInfoAnalysis axes(getOperation());
    getOperation().walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        Type type = getElementTypeOrSelf(result.getType());
        if (!isa<IntegerType, IndexType, tt::PointerType>(type))
          continue;
        std::string facts;
        llvm::raw_string_ostream(facts) << axes.get(result);
        emitRemark(op->getLoc(), facts);
      }
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace kernelscope
