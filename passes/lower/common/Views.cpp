//===- Views.cpp - Ops that rename elements and move none -----------------===//
//
// Splat, range, broadcast, transpose, reshape, join and split: each register of
// the result is one of the source's, found by the coordinates it holds.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/Lowering.h"
#include <map>

using namespace mlir;

namespace kernelscope::lower {

namespace {

using Coordinates = SmallVector<int64_t>;

/// The coordinates of each register of a tensor on thread 0 of block 0. By
/// linearity, what holds between registers there holds on every thread.
SmallVector<Coordinates> registerCoordinates(RankedTensorType type) {
  LinearLayout layout = ttg::toLinearLayout(type);
  auto registers = StringAttr::get(type.getContext(), "register");
  SmallVector<Coordinates> all;
  for (int32_t r = 0, e = layout.getInDimSize(registers); r < e; ++r) {
    Coordinates &coordinates = all.emplace_back();
    for (auto [name, value] : layout.apply({{registers, r}}))
      coordinates.push_back(value);
  }
  return all;
}

/// Picks elements of a source tensor by coordinates.
class RegisterMap {
public:
  RegisterMap(RankedTensorType type, ArrayRef<Value> elements) {
    for (auto [coordinates, element] :
         llvm::zip(registerCoordinates(type), elements))
      byCoordinates.try_emplace(
          std::vector<int64_t>(coordinates.begin(), coordinates.end()),
          element);
  }
  /// Null if this thread does not hold the element.
  Value lookup(ArrayRef<int64_t> coordinates) const {
    auto found = byCoordinates.find(coordinates.vec());
    return found == byCoordinates.end() ? Value() : found->second;
  }

private:
  std::map<std::vector<int64_t>, Value> byCoordinates;
};

/// Coordinates in the source of the element at `coordinates` of the result.
template <typename Op> Coordinates sourceOf(Op op, Coordinates coordinates);

template <> Coordinates sourceOf(tt::BroadcastOp op, Coordinates coordinates) {
  for (auto [coordinate, size] :
       llvm::zip(coordinates, op.getSrc().getType().getShape()))
    if (size == 1)
      coordinate = 0;
  return coordinates;
}

template <> Coordinates sourceOf(tt::ExpandDimsOp op, Coordinates coordinates) {
  coordinates.erase(coordinates.begin() + op.getAxis());
  return coordinates;
}

template <> Coordinates sourceOf(tt::TransOp op, Coordinates coordinates) {
  Coordinates source(coordinates.size());
  for (auto [coordinate, dim] : llvm::zip(coordinates, op.getOrder()))
    source[dim] = coordinate;
  return source;
}

template <> Coordinates sourceOf(tt::ReshapeOp op, Coordinates coordinates) {
  int64_t index = 0;
  for (auto [coordinate, size] :
       llvm::zip(coordinates, op.getResult().getType().getShape()))
    index = index * size + coordinate;
  ArrayRef<int64_t> shape = op.getSrc().getType().getShape();
  Coordinates source(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; index /= shape[dim])
    source[dim] = index % shape[dim];
  return source;
}

LogicalResult dataWouldMove(Operation *op) {
  return op->emitOpError(
      "needs data from other threads, because the layouts of the source and "
      "the result place elements differently; convert the layout first");
}

template <typename Op> class ViewPattern : public Pattern<Op> {
public:
  using Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    RankedTensorType type = op.getResult().getType();
    RegisterMap source(op.getSrc().getType(),
                       unpackElements(b, adaptor.getSrc()));
    SmallVector<Value> results;
    for (Coordinates &coordinates : registerCoordinates(type)) {
      results.push_back(source.lookup(sourceOf(op, coordinates)));
      if (!results.back())
        return dataWouldMove(op);
    }
    rewriter.replaceOp(op, packElements(b, this->converter, results, type));
    return success();
  }
};

class ReshapePattern : public ViewPattern<tt::ReshapeOp> {
public:
  using ViewPattern::ViewPattern;

  LogicalResult
  matchAndRewrite(tt::ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getAllowReorder())
      return ViewPattern::matchAndRewrite(op, adaptor, rewriter);
    // Any order will do: that of the registers costs nothing.
    Builder b(op, rewriter);
    SmallVector<Value> elements = unpackElements(b, adaptor.getSrc());
    if (elements.size() != registerCoordinates(op.getResult().getType()).size())
      return dataWouldMove(op);
    rewriter.replaceOp(op, adaptor.getSrc());
    return success();
  }
};

class SplatPattern : public Pattern<tt::SplatOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    RankedTensorType type = op.getResult().getType();
    SmallVector<Value> elements(registerCoordinates(type).size(),
                                adaptor.getSrc());
    rewriter.replaceOp(op, packElements(b, converter, elements, type));
    return success();
  }
};

class UnsplatPattern : public Pattern<tt::UnsplatOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::UnsplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    rewriter.replaceOp(op, unpackElements(b, adaptor.getSrc()).front());
    return success();
  }
};

class MakeRangePattern : public Pattern<tt::MakeRangeOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::MakeRangeOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    RankedTensorType type = op.getResult().getType();
    Value start = b.i32(static_cast<int32_t>(op.getStart()));
    SmallVector<Value> elements;
    for (auto &coordinates : emitIndices(b, ttg::toLinearLayout(type), hooks))
      elements.push_back(b.add(coordinates[0], start));
    rewriter.replaceOp(op, packElements(b, converter, elements, type));
    return success();
  }
};

/// Elements may come in any order: each thread puts the registers of `lhs` in
/// front of those of `rhs`, each element once.
class CatPattern : public Pattern<tt::CatOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::CatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    RankedTensorType source = op.getLhs().getType(), type = op.getType();
    auto registers = StringAttr::get(op.getContext(), "register");
    auto copiesIn = [&](RankedTensorType of) {
      return unsigned(ttg::toLinearLayout(of).getZeroMask(registers));
    };
    SmallVector<Value> elements, results;
    for (Value half : adaptor.getOperands())
      for (auto [r, element] : llvm::enumerate(unpackElements(b, half)))
        if (!(r & copiesIn(source)))
          elements.push_back(element);
    unsigned copies = copiesIn(type), next = 0;
    for (unsigned r = 0, e = registerCoordinates(type).size(); r < e; ++r) {
      if (r & copies)
        results.push_back(results[r & ~copies]);
      else if (next < elements.size())
        results.push_back(elements[next++]);
      else
        break;
    }
    if (next != elements.size() ||
        results.size() < registerCoordinates(type).size())
      return dataWouldMove(op);
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }
};

class JoinPattern : public Pattern<tt::JoinOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::JoinOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    RegisterMap halves[] = {
        {op.getLhs().getType(), unpackElements(b, adaptor.getLhs())},
        {op.getRhs().getType(), unpackElements(b, adaptor.getRhs())}};
    RankedTensorType type = op.getResult().getType();
    SmallVector<Value> elements;
    for (const Coordinates &coordinates : registerCoordinates(type)) {
      elements.push_back(
          halves[coordinates.back()].lookup(ArrayRef(coordinates).drop_back()));
      if (!elements.back())
        return dataWouldMove(op);
    }
    rewriter.replaceOp(op, packElements(b, converter, elements, type));
    return success();
  }
};

class SplitPattern : public Pattern<tt::SplitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::SplitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op, rewriter);
    RegisterMap source(op.getSrc().getType(),
                       unpackElements(b, adaptor.getSrc()));
    RankedTensorType type = op.getOutLHS().getType();
    SmallVector<Value> halves[2];
    for (Coordinates &coordinates : registerCoordinates(type)) {
      coordinates.push_back(0);
      for (auto &half : halves) {
        half.push_back(source.lookup(coordinates));
        if (!half.back())
          return dataWouldMove(op);
        coordinates.back() = 1;
      }
    }
    rewriter.replaceOp(op, {packElements(b, converter, halves[0], type),
                            packElements(b, converter, halves[1], type)});
    return success();
  }
};

} // namespace

void populateViewPatterns(const TypeConverter &converter, Patterns &patterns,
                          const TargetHooks &hooks) {
  patterns
      .add<SplatPattern, UnsplatPattern, MakeRangePattern, ReshapePattern,
           CatPattern, JoinPattern, SplitPattern, ViewPattern<tt::BroadcastOp>,
           ViewPattern<tt::ExpandDimsOp>, ViewPattern<tt::TransOp>>(converter,
                                                                    hooks);
}

} // namespace kernelscope::lower
