//===- MapElementwise.cpp - tt.map_elementwise ----------------------------===//
//
// A copy of the region for each `pack` elements of the thread, with its
// branches: threads of a warp may take different ones.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/tt/TT.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/lower/support/CombineRegion.h"

using namespace mlir;

namespace kernelscope::lower {
namespace {

class MapElementwisePattern : public Pattern<tt::MapElementwiseOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::MapElementwiseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    std::vector<Tuple> sources = unpackTuples(b, adaptor.getSrcs());
    size_t pack = op.getPack();
    if (sources.empty() || sources.size() % pack)
      return op.emitOpError("needs a multiple of ")
             << counted(pack, "element") << " in each thread, but it has "
             << sources.size();
    std::vector<Tuple> results(sources.size());
    for (size_t i = 0; i < sources.size(); i += pack) {
      // The arguments are the elements of the first operand, of the next one.
      SmallVector<Value> inputs;
      for (size_t operand = 0; operand < sources.front().size(); ++operand)
        for (size_t k = 0; k < pack; ++k)
          inputs.push_back(sources[i + k][operand]);
      SmallVector<Value> outputs = emitCopy(b, op, rewriter, inputs);
      for (auto [j, output] : llvm::enumerate(outputs))
        results[i + j % pack].push_back(output);
    }
    rewriter.replaceOp(op,
                       packTuples(b, converter, results, op.getResultTypes()));
    return success();
  }

private:
  /// Puts a copy of the region here, and returns its results.
  SmallVector<Value> emitCopy(Builder &b, tt::MapElementwiseOp op,
                              ConversionPatternRewriter &rewriter,
                              ValueRange inputs) const {
    Region &region = op.getScalarOp();
    if (region.hasOneBlock())
      return emitCombination(rewriter, converter, region, Tuple(inputs), {});

    Block *before = rewriter.getInsertionBlock();
    Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
    IRMapping mapping;
    rewriter.cloneRegionBefore(region, *before->getParent(),
                               after->getIterator(), mapping);
    Block *entry = mapping.lookup(&region.front());
    // Narrow floats are integers in LLVM, but not yet in the copy.
    SmallVector<Value> arguments;
    for (auto [value, argument] :
         llvm::zip_equal(inputs, entry->getArguments()))
      arguments.push_back(
          value.getType() == argument.getType()
              ? value
              : converter.materializeSourceConversion(
                    rewriter, b.getLoc(), argument.getType(), value));
    rewriter.setInsertionPointToEnd(before);
    // `cf` is converted together with the blocks that it names.
    cf::BranchOp::create(rewriter, b.getLoc(), entry, arguments);
    SmallVector<Value> results;
    for (Type type : op.getResultTypes())
      for (unsigned k = 0; k < op.getPack(); ++k)
        results.push_back(after->addArgument(
            converter.convertElement(getElementTypeOrSelf(type)), b.getLoc()));
    for (Block &original : region) {
      auto done = dyn_cast<tt::MapElementwiseReturnOp>(
          mapping.lookup(&original)->getTerminator());
      if (!done)
        continue;
      rewriter.setInsertionPoint(done);
      SmallVector<Value> values;
      for (auto [value, result] : llvm::zip_equal(done->getOperands(), results))
        values.push_back(
            value.getType() == result.getType()
                ? value
                : converter.materializeTargetConversion(
                      rewriter, b.getLoc(), result.getType(), value));
      rewriter.replaceOpWithNewOp<cf::BranchOp>(done, after, values);
    }
    rewriter.setInsertionPointToStart(after);
    return results;
  }
};

} // namespace

void populateMapElementwisePatterns(const TypeConverter &converter,
                                    Patterns &patterns,
                                    const TargetHooks &hooks) {
  patterns.add<MapElementwisePattern>(converter, hooks);
}

} // namespace kernelscope::lower
