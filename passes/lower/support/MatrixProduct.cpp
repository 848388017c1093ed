//===- MatrixProduct.cpp - tt.dot by the instructions of a chip -----------===//

#include "passes/lower/support/MatrixProduct.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/GlobalAccess.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

SmallVector<Value> lower::emitProducts(const DotPlan &plan, ArrayRef<Value> a,
                                       ArrayRef<Value> b, ArrayRef<Value> c,
                                       EmitProduct emit) {
  SmallVector<Value> sums(c);
  for (const DotStep &step : plan.steps) {
    SmallVector<Value> left = pick(a, step.a), right = pick(b, step.b);
    if (plan.isTransposed)
      std::swap(left, right);
    SmallVector<Value> added = emit(left, right, pick(sums, step.c));
    for (auto [r, value] : llvm::zip_equal(step.c, added))
      sums[r] = value;
  }
  return pick(sums, plan.sources);
}

SmallVector<Value> lower::emitProducts(Builder &b, const TargetHooks &hooks,
                                       const DotPlan &plan, Value x, Value y,
                                       Value sum, EmitProduct emit) {
  // A zero after the registers, for what is beyond the end of K.
  auto padded = [&](Value operand, uint32_t idleLanes) {
    SmallVector<Value> elements = unpackElements(b, operand);
    clearIdleLanes(b, hooks, idleLanes, elements);
    elements.push_back(b.zero(elements.front().getType()));
    return elements;
  };
  SmallVector<Value> left = padded(x, plan.idleLanes[0]),
                     right = padded(y, plan.idleLanes[1]);
  return emitProducts(plan, left, right, unpackElements(b, sum), emit);
}

/// Whether one of `steps` adds to the sums of `step`.
static bool haveSums(ArrayRef<DotStep> steps, const DotStep &step) {
  return llvm::any_of(steps,
                      [&](const DotStep &other) { return other.c == step.c; });
}

bool lower::isFirstOfSums(const DotPlan &plan, size_t index) {
  return !haveSums(ArrayRef(plan.steps).take_front(index), plan.steps[index]);
}

bool lower::isLastOfSums(const DotPlan &plan, size_t index) {
  return !haveSums(ArrayRef(plan.steps).drop_front(index + 1),
                   plan.steps[index]);
}

void lower::clearIdleLanes(Builder &b, const TargetHooks &hooks,
                           uint32_t idleLanes,
                           MutableArrayRef<Value> elements) {
  if (!idleLanes)
    return;
  Value bits =
      b.bitAnd(hooks.laneId(b), b.i32(static_cast<int32_t>(idleLanes)));
  Value isIdle = b.icmp(ICmp::ne, bits, b.i32(0));
  // Whole words at once: narrow elements fill registers together.
  Type type = elements.front().getType();
  const unsigned perWord = std::max(1u, 32 / bitWidth(type));
  for (size_t i = 0; i < elements.size(); i += perWord) {
    auto word =
        elements.slice(i, std::min<size_t>(perWord, elements.size() - i));
    if (perWord == 1 || word.size() < perWord) {
      for (Value &element : word)
        element = b.select(isIdle, b.zero(type), element);
      continue;
    }
    Value kept = b.select(isIdle, b.i32(0), joinBits(b, word, b.intType(32)));
    llvm::copy(splitBits(b, kept, type, perWord), word.begin());
  }
}

namespace {

class MatrixProductPattern : public lower::Pattern<tt::DotOp> {
public:
  MatrixProductPattern(const lower::TypeConverter &converter,
                       const TargetHooks &hooks, EmitInstruction emit,
                       const SumPlacement *placement)
      // Before products on FMA units.
      : Pattern(converter, hooks, /*benefit=*/2), emit(emit),
        placement(placement) {}

  LogicalResult
  matchAndRewrite(tt::DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto choice = chooseMatrixInstruction(op, hooks.getTarget());
    if (!choice)
      return rewriter.notifyMatchFailure(op, "no matrix instruction fits");
    if (placement && failed(placement->check(op)))
      return failure();
    ProductBuilder b(op, rewriter);
    size_t index = 0;
    SmallVector<Value> sums = emitProducts(
        b, hooks, choice->plan, adaptor.getA(), adaptor.getB(), adaptor.getC(),
        [&](ArrayRef<Value> x, ArrayRef<Value> y, ArrayRef<Value> sum) {
          const size_t step = index++;
          if (!placement)
            return emit(b, *choice->instruction, x, y, sum);
          SmallVector<Value> added(sum);
          if (isFirstOfSums(choice->plan, step))
            added = placement->place(b, op, added);
          added = emit(b, *choice->instruction, x, y, added);
          return isLastOfSums(choice->plan, step)
                     ? placement->place(b, op, added)
                     : added;
        });
    rewriter.replaceOp(op, packElements(b, converter, sums, op.getType()));
    return success();
  }

private:
  EmitInstruction emit;
  const SumPlacement *placement;
};

} // namespace

void lower::populateMatrixProductPattern(const TypeConverter &converter,
                                         Patterns &patterns,
                                         const TargetHooks &hooks,
                                         EmitInstruction emit,
                                         const SumPlacement *placement) {
  patterns.add<MatrixProductPattern>(converter, hooks, emit, placement);
}

Value ProductBuilder::join(ArrayRef<Value> elements, Type type) {
  std::vector<void *> key;
  for (Value element : elements)
    key.push_back(element.getAsOpaquePointer());
  Value &value = joined[{std::move(key), type.getAsOpaquePointer()}];
  if (!value)
    value = joinBits(*this, elements, type);
  return value;
}

Value lower::joinBits(Builder &b, ArrayRef<Value> elements, Type type) {
  if (elements.size() == 1 && elements.front().getType() == type)
    return elements.front();
  if (elements.size() == 1)
    return b.fromBits(type, b.toBits(elements.front()));
  SmallVector<Value> bits =
      llvm::map_to_vector(elements, [&](Value x) { return b.toBits(x); });
  return b.bitcast(type, b.makeVector(bits));
}

SmallVector<Value> lower::splitBits(Builder &b, Value value, Type element,
                                    unsigned count) {
  if (count == 1 && value.getType() == element)
    return {value};
  if (count == 1)
    return {b.fromBits(element, b.toBits(value))};
  Type bits = b.intType(bitWidth(element));
  SmallVector<Value> elements =
      b.splitVector(b.bitcast(b.vectorType(bits, count), value));
  for (Value &x : elements)
    x = b.fromBits(element, x);
  return elements;
}
