//===- PrintAxisInfo.cpp - Shows the axis analysis to tests ---------------===//

#include "dialects/tt/TT.h"
#include "mlir/Pass/Pass.h"
#include "passes/Passes.h"
#include "passes/analysis/AxisInfo.h"

using namespace mlir;
using namespace kernelscope;

namespace {
class PrintAxisInfo
    : public PassWrapper<PrintAxisInfo, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintAxisInfo)

  StringRef getArgument() const override { return "test-print-axis-info"; }
  StringRef getDescription() const override {
    return "Remark what is known of each integer or pointer result";
  }

  void runOnOperation() override {
    AxisInfoAnalysis axes(getOperation());
    getOperation().walk([&](Operation *op) {
      for (Value result : op->getResults()) {
        Type type = getElementTypeOrSelf(result.getType());
        if (!isa<IntegerType, IndexType, tt::PointerType>(type))
          continue;
        std::string facts;
        llvm::raw_string_ostream(facts) << axes.get(result);
        op->emitRemark(facts);
      }
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

std::unique_ptr<Pass> kernelscope::createPrintAxisInfo() {
  return std::make_unique<PrintAxisInfo>();
}
