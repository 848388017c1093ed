//===- TensorCopy.cpp - Copies from shared to tensor memory ---------------===//
//
// ttng.tmem_copy as tcgen05.cp, which one thread issues for its CTA, or for a
// pair. PTX ISA, "tcgen05.cp".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TensorCopy.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/nvidia/TensorMemoryAccess.h"
#include "passes/lower/nvidia/WgmmaOperand.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class CopyPattern : public lower::Pattern<ttng::TMEMCopyOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TMEMCopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    if (failed(checkInOwnCTA(op, op.getSrc().getType())))
      return failure();
    ttg::MemDescType from = op.getSrc().getType(), to = op.getDst().getType();
    auto plan = ttng::planTensorCopy(from, to);
    if (!plan)
      return failure(); // The verifier requires one.
    const auto bytes =
        static_cast<unsigned>(tt::bytesInMemory(to.getElementType()));
    auto row = rewriter.getStringAttr("row"),
         col = rewriter.getStringAttr("col");
    SharedOperand source =
        describeThrough(b, adaptor.getSrc(), from, plan->offsets, row, col,
                        plan->mode, MatrixUnit::Tcgen05);
    Value predicate = issuesForAll(b, hooks, op, {});
    const auto step = static_cast<int32_t>(plan->bytes / bytes),
               perColumn = static_cast<int32_t>(4 / bytes);
    const int32_t outside = windowMask(plan->memory, to, col);
    for (int32_t at = 0; at < plan->memory.getInDimSize(col); at += step) {
      if (at & outside)
        continue;
      Ptx ptx(b);
      std::string target = llvm::formatv(
          "[{0} + {1}]", ptx.input(adaptor.getDst(), "r"), at / perColumn);
      std::string matrix = ptx.input(source.at(b, 0, at), "l");
      std::string guard = ptx.predicate(predicate);
      ptx.emit(llvm::formatv("{0}tcgen05.cp{1}{2} {3}, {4};", guard,
                             ctaGroupOf(op), plan->shape, target, matrix)
                   .str());
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// The bits of a column's number that a window of the allocation has not.
  static int32_t windowMask(const LinearLayout &memory, ttg::MemDescType type,
                            StringAttr col) {
    int32_t outside = 0;
    for (unsigned bit = 0; bit < memory.getInDimSizeLog2(col); ++bit)
      for (auto [value, size] :
           llvm::zip_equal(memory.getBasis(col, bit), type.getShape()))
        if (value >= size)
          outside |= int32_t(1) << bit;
    return outside;
  }
};

} // namespace

void lower::populateTensorCopyPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns,
                                       const TargetHooks &hooks) {
  patterns.add<CopyPattern>(converter, hooks);
}
