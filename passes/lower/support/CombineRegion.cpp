//===- CombineRegion.cpp - The region of a reduction or scan --------------===//

#include "passes/lower/support/CombineRegion.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

Tuple lower::emitCombination(ConversionPatternRewriter &rewriter,
                             const TypeConverter &converter, Region &region,
                             const Tuple &first, const Tuple &second) {
  Block &block = region.front();
  IRMapping mapping;
  Tuple inputs = first;
  inputs.append(second);
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), inputs)) {
    // Narrow floats are integers in LLVM.
    if (value.getType() != argument.getType())
      value = converter.materializeSourceConversion(rewriter, value.getLoc(),
                                                    argument.getType(), value);
    mapping.map(argument, value);
  }
  for (Operation &op : block.without_terminator())
    rewriter.clone(op, mapping);
  Tuple results;
  for (Value operand : block.getTerminator()->getOperands()) {
    Value value = mapping.lookupOrDefault(operand);
    Type type = converter.convertElement(operand.getType());
    if (value.getType() != type)
      value = converter.materializeTargetConversion(rewriter, value.getLoc(),
                                                    type, value);
    results.push_back(value);
  }
  return results;
}

std::vector<Tuple> lower::unpackTuples(lower::Builder &b, ValueRange operands) {
  std::vector<Tuple> tuples;
  for (Value operand : operands) {
    SmallVector<Value> elements = unpackElements(b, operand);
    tuples.resize(elements.size());
    for (auto [tuple, element] : llvm::zip_equal(tuples, elements))
      tuple.push_back(element);
  }
  return tuples;
}

SmallVector<Value> lower::packTuples(lower::Builder &b,
                                     const lower::TypeConverter &converter,
                                     ArrayRef<Tuple> tuples, TypeRange types) {
  SmallVector<Value> packed;
  for (auto [index, type] : llvm::enumerate(types)) {
    SmallVector<Value> elements = llvm::map_to_vector(
        tuples, [&](const Tuple &tuple) { return tuple[index]; });
    packed.push_back(packElements(b, converter, elements, type));
  }
  return packed;
}
