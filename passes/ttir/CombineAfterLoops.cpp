//===- CombineAfterLoops.cpp - Lanes and warps combined once a loop -------===//
//
// `combine-after-loops`: a loop that adds to what it carries the sum of a
// tensor, or combines otherwise, keeps one partial result for each thread, so
// that lanes and warps exchange them once, after the loop.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "passes/Passes.h"
#include "passes/ttir/RescalingFactor.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_COMBINEAFTERLOOPS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// What a loop carries: `combine(carried * factor, reduce(...))`, with
/// conversions between.
struct Accumulation {
  tt::ReduceOp reduce;
  Operation *combine = nullptr;
  /// Null if there is no factor.
  Operation *scale = nullptr;
  /// Of each iteration, between 0 and 1.
  Value factor;
  /// The ops that partial results replace, users first.
  SmallVector<Operation *> replaced;

  Location loc() const { return combine->getLoc(); }
};

/// How the source of a reduction is divided: the threads along the axis, and
/// the elements that a thread has along it.
struct Division {
  /// The source as `... x threads x elements x ...`.
  RankedTensorType divided;
  /// One element of each thread.
  RankedTensorType partial;
};

} // namespace

/// The use of `value`, if it is in `block` and the only one; that of what
/// `value` is converted to, with the conversion added to `passed`.
static OpOperand *onlyUse(Value value, Block *block,
                          SmallVectorImpl<Operation *> &passed) {
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (user->getBlock() != block)
      return nullptr;
    if (!isa<ttg::ConvertLayoutOp>(user))
      return &use;
    passed.push_back(user);
    value = user->getResult(0);
  }
  return nullptr;
}

static std::optional<Accumulation> findAccumulation(scf::ForOp loop,
                                                    unsigned index) {
  Block *body = loop.getBody();
  Accumulation found;
  auto useOf = [&](Value value) {
    return onlyUse(value, body, found.replaced);
  };
  auto otherOperand = [](OpOperand *use) {
    return use->getOwner()->getOperand(1 - use->getOperandNumber());
  };
  OpOperand *carried = useOf(loop.getRegionIterArg(index));
  auto scale =
      carried ? dyn_cast<arith::MulFOp>(carried->getOwner()) : arith::MulFOp();
  // An infinite factor would make NaN of partial results of 0.
  if (scale && isAtMostOne(otherOperand(carried))) {
    found.scale = scale;
    found.factor = otherOperand(carried);
    found.replaced.push_back(scale);
    carried = useOf(scale.getResult());
    if (carried && !isa<arith::AddFOp>(carried->getOwner()))
      return std::nullopt;
  }
  if (!carried || carried->getOwner()->getNumOperands() != 2 ||
      carried->getOwner()->getNumResults() != 1)
    return std::nullopt;
  found.combine = carried->getOwner();
  found.replaced.push_back(found.combine);
  OpOperand *yielded = useOf(found.combine->getResult(0));
  if (!yielded || yielded->getOwner() != body->getTerminator() ||
      yielded->getOperandNumber() != index)
    return std::nullopt;

  found.reduce =
      withoutConversion(otherOperand(carried)).getDefiningOp<tt::ReduceOp>();
  Operation *combiner =
      found.reduce ? found.reduce.getSingleCombiner() : nullptr;
  if (!combiner || found.reduce->getBlock() != body ||
      combiner->getName() != found.combine->getName() ||
      !arith::getNeutralElement(combiner))
    return std::nullopt;
  SmallVector<Operation *> ofReduction{found.reduce};
  OpOperand *added = onlyUse(found.reduce->getResult(0), body, ofReduction);
  if (!added || added->getOwner() != found.combine)
    return std::nullopt;
  found.replaced.insert(found.replaced.begin(), ofReduction.begin(),
                        ofReduction.end());
  std::reverse(found.replaced.begin(), found.replaced.end());
  return found;
}

/// Nothing if no threads share the axis, or if elements are not divided bit by
/// bit.
static std::optional<Division> divide(tt::ReduceOp reduce) {
  RankedTensorType source = reduce.getInputTypes().front();
  const unsigned axis = reduce.getAxis();
  LinearLayout layout = ttg::toLinearLayout(source);
  MLIRContext *context = source.getContext();
  ttg::LayoutDims names(context);
  std::vector<LinearLayout::Bases> bases;
  // The places along the axis that a thread has, and those of others.
  int32_t own = 0, others = 0;
  for (StringAttr dim : layout.getInDimNames()) {
    bases.emplace_back(dim, layout.getBases(dim));
    for (const std::vector<int32_t> &basis : bases.back().second) {
      const int32_t place = basis[axis];
      if (place == 0)
        continue;
      const auto isZero = [](int32_t value) { return value == 0; };
      if (dim == names.block || !llvm::isPowerOf2_32(place) ||
          (own | others) & place ||
          llvm::count_if(basis, isZero) + 1 != std::ptrdiff_t(basis.size()))
        return std::nullopt;
      (dim == names.reg ? own : others) |= place;
    }
  }
  if (!others)
    return std::nullopt;
  if (!own)
    return Division{source, source};

  /// Its rank among the bits of `places`.
  auto rankIn = [](int32_t places, int32_t place) {
    return int32_t(1) << llvm::popcount(uint32_t(places & (place - 1)));
  };
  for (auto &[dim, vectors] : bases)
    for (std::vector<int32_t> &basis : vectors) {
      const int32_t place = basis[axis];
      basis[axis] = place & others ? rankIn(others, place) : 0;
      basis.insert(basis.begin() + axis + 1,
                   place & own ? rankIn(own, place) : 0);
    }
  const int64_t elements = int64_t(1) << llvm::popcount(uint32_t(own));
  SmallVector<int64_t> shape(source.getShape());
  shape[axis] /= elements;
  const SmallVector<int64_t> one(shape);
  shape.insert(shape.begin() + axis + 1, elements);
  SmallVector<LinearLayout::NamedValue> sizes;
  for (auto [name, size] :
       llvm::zip_equal(ttg::tensorDims(context, shape.size()), shape))
    sizes.emplace_back(name, size);
  std::string error;
  auto divided = LinearLayout::create(bases, sizes, error);
  if (!divided || !divided->isSurjective())
    return std::nullopt;
  auto encoding = ttg::LinearEncodingAttr::get(context, *divided);
  return Division{
      RankedTensorType::get(shape, source.getElementType(), encoding),
      RankedTensorType::get(
          one, source.getElementType(),
          ttg::SliceEncodingAttr::get(context, axis + 1, encoding))};
}

/// `value`, with an element for each row of `partial` or one for all, as such a
/// tensor.
static Value spread(OpBuilder &b, Location loc, Value value,
                    RankedTensorType partial, unsigned axis) {
  auto rows = dyn_cast<RankedTensorType>(value.getType());
  auto type = partial.clone(getElementTypeOrSelf(value.getType()));
  if (!rows)
    return tt::SplatOp::create(b, loc, type, value);
  auto layout = ttg::SliceEncodingAttr::get(
      b.getContext(), axis,
      cast<ttg::DistributedEncodingTrait>(partial.getEncoding()));
  if (rows.getEncoding() != layout)
    value = ttg::ConvertLayoutOp::create(b, loc, rows.cloneWithEncoding(layout),
                                         value);
  return tt::BroadcastOp::create(b, loc, type,
                                 tt::ExpandDimsOp::create(b, loc, value, axis));
}

static Value reduceAlong(OpBuilder &b, tt::ReduceOp like, Value source,
                         unsigned axis) {
  auto reduce = tt::ReduceOp::create(b, like.getLoc(), source, axis);
  IRMapping mapping;
  like.getCombineOp().cloneInto(&reduce.getCombineOp(), mapping);
  return reduce->getResult(0);
}

static Value combineAs(OpBuilder &b, Operation *like, Value first,
                       Value second) {
  IRMapping mapping;
  Operation *op = b.clone(*like, mapping);
  op->setOperands({first, second});
  op->getResult(0).setType(first.getType());
  return op->getResult(0);
}

/// `initial` in one thread of each row, and zero in the others.
static Value inFirstThread(OpBuilder &b, Location loc, Value initial,
                           RankedTensorType partial, unsigned axis) {
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(partial)));
  if (matchPattern(initial, m_AnyZeroFloat()))
    return zero;
  // The layouts of ranges along the axis, with ever more other dimensions.
  SmallVector<Attribute> layouts{partial.getEncoding()};
  for (unsigned dim = partial.getRank(); dim-- > 0;)
    if (dim != axis)
      layouts.push_back(ttg::SliceEncodingAttr::get(
          b.getContext(), dim,
          cast<ttg::DistributedEncodingTrait>(layouts.back())));
  const int64_t size = partial.getDimSize(axis);
  auto places = RankedTensorType::get({size}, b.getI32Type(), layouts.back());
  Value place = tt::MakeRangeOp::create(b, loc, places, 0, size);
  Value first =
      arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(places)));
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, place, first);
  for (unsigned dim = 0; dim < partial.getRank(); ++dim)
    if (dim != axis)
      isFirst = tt::ExpandDimsOp::create(b, loc, isFirst, dim);
  isFirst =
      tt::BroadcastOp::create(b, loc, partial.clone(b.getI1Type()), isFirst);
  return arith::SelectOp::create(b, loc, isFirst,
                                 spread(b, loc, initial, partial, axis), zero);
}

/// The partial results that `whole` is reduced from as `reduce` would, such as
/// those of a loop before; null if they are not known.
static Value partsOf(Value whole, tt::ReduceOp reduce,
                     RankedTensorType partial) {
  auto before = withoutConversion(whole).getDefiningOp<tt::ReduceOp>();
  Operation *combiner = before ? before.getSingleCombiner() : nullptr;
  return combiner && before.getAxis() == reduce.getAxis() &&
                 before.getInputTypes().front() == partial &&
                 combiner->getName() == reduce.getSingleCombiner()->getName()
             ? before.getSrcs().front()
             : Value();
}

static void combineAfter(scf::ForOp loop, unsigned index,
                         const Accumulation &found, const Division &division) {
  tt::ReduceOp reduce = found.reduce;
  const unsigned axis = reduce.getAxis();
  OpOperand &initial = loop.getInitArgsMutable()[index];
  const Value before = initial.get();
  Value result = loop.getResult(index);

  OpBuilder b(loop);
  const Value parts = partsOf(before, reduce, division.partial);
  if (parts)
    initial.set(parts);
  else if (found.factor)
    initial.set(inFirstThread(b, found.loc(), before, division.partial, axis));
  else
    initial.set(arith::ConstantOp::create(
        b, found.loc(),
        DenseElementsAttr::get(
            division.partial,
            Attribute(*arith::getNeutralElement(reduce.getSingleCombiner())))));

  b.setInsertionPointAfter(loop);
  auto resultUses = llvm::map_to_vector(result.getUses(),
                                        [](OpOperand &use) { return &use; });
  const Type wholeType = result.getType();
  result.setType(division.partial);
  Value whole = reduceAlong(b, reduce, result, axis);
  if (whole.getType() != wholeType)
    whole = ttg::ConvertLayoutOp::create(b, found.loc(), wholeType, whole);
  if (!parts && !found.factor)
    whole = combineAs(b, found.combine, before, whole);
  for (OpOperand *use : resultUses)
    use->set(whole);

  b.setInsertionPoint(found.combine);
  Value added = reduce.getSrcs().front();
  if (division.divided != division.partial)
    added = reduceAlong(b, reduce,
                        tt::ReshapeOp::create(b, reduce.getLoc(),
                                              division.divided, added,
                                              /*allow_reorder=*/true),
                        axis + 1);
  Value carried = loop.getRegionIterArg(index);
  carried.setType(division.partial);
  if (found.scale)
    carried =
        combineAs(b, found.scale, carried,
                  spread(b, found.loc(), found.factor, division.partial, axis));
  loop.getBody()->getTerminator()->setOperand(
      index, combineAs(b, found.combine, carried, added));
  for (Operation *op : found.replaced)
    op->erase();
  for (Operation *op = before.getDefiningOp(); op && isOpTriviallyDead(op);) {
    Value source = op->getNumOperands() ? op->getOperand(0) : Value();
    op->erase();
    op = source ? source.getDefiningOp() : nullptr;
  }
}

namespace {
class CombineAfterLoops
    : public kernelscope::impl::CombineAfterLoopsBase<CombineAfterLoops> {
public:
  using CombineAfterLoopsBase::CombineAfterLoopsBase;
  void runOnOperation() override {
    // Inner loops first: what is combined after them may be after outer ones.
    getOperation().walk([](scf::ForOp loop) {
      for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
        if (auto found = findAccumulation(loop, index))
          if (auto division = divide(found->reduce))
            combineAfter(loop, index, *found, *division);
    });
  }
};
} // namespace
