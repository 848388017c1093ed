//===- ProductLayout.cpp - Layouts that a matrix unit takes ---------------===//

#include "passes/ttgir/ProductLayout.h"
#include "dialects/target/MatrixInstructions.h"
#include "dialects/target/TensorMemoryShapes.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttg/TTG.h"
#include "passes/analysis/DotPlan.h"
#include "passes/ttgir/AccumulatorLayout.h"
#include "passes/ttgir/ClusterProducts.h"
#include "passes/ttgir/ScaledProductLayout.h"
#include "passes/ttgir/TensorCoreProducts.h"
#include "passes/ttgir/WgmmaProducts.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttgir;

namespace {
/// That another product is computed from the result of one, or the reverse.
struct Chain {
  ChainedShare share;
  /// The columns of the product whose left operand this result is; 0 if there
  /// is none.
  int64_t columnsAfter = 0;
};
using Chains = llvm::DenseMap<Operation *, Chain>;
} // namespace

/// How the warps share the result of a product of a chain, which `isLast` or
/// not; the last result is of type `last`. `dim` is the dimension that both
/// have.
static ChainedShare shareInChain(bool isLast, RankedTensorType last,
                                 unsigned dim, const Target &target) {
  using Copies = ChainedShare::Copies;
  // The last one needs no copies of what all warps have.
  if (target.isAmd())
    return {dim, isLast ? Copies::OfSeveralTiles : Copies::Always};
  // On NVIDIA, as in Triton, long rows of both products are shared instead.
  const auto rank = static_cast<unsigned>(last.getRank());
  const unsigned other = dim + 1 == rank ? rank - 2 : rank - 1;
  return {dim, last.getDimSize(dim) >= last.getDimSize(other) ? Copies::Always
                                                              : Copies::Never};
}

/// Where an operand of one product is computed from the result of another in
/// the same block element by element, as in attention, adds the dimension that
/// both results have: if the warps of both share it, no warp needs another's
/// part.
static void addChainsFrom(tt::DotOp op, const Target &target, Chains &chains) {
  llvm::SmallSetVector<Value, 8> computed;
  computed.insert(op.getResult());
  for (size_t i = 0; i < computed.size(); ++i)
    for (OpOperand &use : computed[i].getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() != op->getBlock())
        continue;
      const unsigned index = use.getOperandNumber();
      if (auto last = dyn_cast<tt::DotOp>(user); last && index < 2) {
        const unsigned dim =
            static_cast<unsigned>(op.getType().getRank()) - 2 + index;
        for (tt::DotOp product : {op, last})
          chains.try_emplace(product,
                             Chain{shareInChain(product == last, last.getType(),
                                                dim, target)});
        if (index == 0)
          chains[op].columnsAfter = last.getType().getShape().back();
      } else if (user->hasTrait<OpTrait::Elementwise>())
        computed.insert(user->result_begin(), user->result_end());
    }
}

/// Elements along K that a lane holds one after another.
static unsigned neighboursAlongK(const MatrixFragment &fragment) {
  unsigned width = 1;
  for (FragmentBit bit : fragment.registerBits()) {
    if (bit.dim != 'k' || 1u << bit.log2 != width)
      break;
    width *= 2;
  }
  return width;
}

/// The instructions of `target` for a product of these types.
static SmallVector<const MatrixInstruction *>
instructionsFor(Type x, Type y, Type sum, tt::InputPrecision precision,
                const Target &target) {
  auto a = ttg::matrixElement(x), b = ttg::matrixElement(y),
       c = ttg::matrixElement(sum);
  if (!a || !b || !c)
    return {};
  if (*a == MatrixElement::F32 && *b == *a && target.isNvidia() &&
      precision == tt::InputPrecision::TF32)
    a = b = MatrixElement::TF32;
  return findMatrixInstructions(target, {a, b, c, {}, {}, {}});
}

/// For products on the FMA units: a thread computes a block that is about as
/// tall as it is wide, so that it needs the fewest operands, and rather taller:
/// the lanes of a row load the same of the left operand at once, but as much of
/// the right one as they compute columns.
static ProductLayout multiplyAddLayout(RankedTensorType part,
                                       ttg::CGAEncodingAttr cluster,
                                       const ThreadCounts &threads) {
  MLIRContext *context = part.getContext();
  auto rank = static_cast<unsigned>(part.getRank());
  SmallVector<unsigned> tile(rank, 1), lanes(rank, 1), warps(rank, 1);
  const SmallVector<unsigned> order(llvm::reverse(llvm::seq(0u, rank)));
  SmallVector<unsigned> rowsFirst = order;
  std::swap(rowsFirst[0], rowsFirst[1]);
  /// Gives `count` shares to the dimensions in which most is left over, the
  /// first of several in `dims`.
  auto share = [&](SmallVector<unsigned> &shares, unsigned count, unsigned most,
                   ArrayRef<unsigned> dims) {
    for (; count > 1; count /= 2) {
      std::optional<unsigned> best;
      int64_t mostLeft = 0;
      for (unsigned dim : dims) {
        int64_t left = part.getDimSize(dim) /
                       (int64_t(tile[dim]) * lanes[dim] * warps[dim]);
        if (shares[dim] < most && left > mostLeft) {
          best = dim;
          mostLeft = left;
        }
      }
      if (!best)
        return;
      shares[*best] *= 2;
    }
  };
  const int64_t own =
      part.getNumElements() / (threads.warps * int64_t(threads.threadsPerWarp));
  share(tile, static_cast<unsigned>(std::clamp<int64_t>(own, 1, 16)), 4,
        rowsFirst);
  // Lanes of a column read the same elements of the right operand, and those of
  // a row the same of the left one, whose rows mostly begin at the same bank.
  unsigned lanesLeft = threads.threadsPerWarp;
  for (unsigned dim : order) {
    auto room = static_cast<unsigned>(part.getDimSize(dim) / tile[dim]);
    lanes[dim] = std::clamp(room, 1u, lanesLeft);
    lanesLeft /= lanes[dim];
  }
  lanes[order.front()] *= lanesLeft;
  share(warps, threads.warps, threads.warps, order);
  auto blocked = ttg::BlockedEncodingAttr::get(context, tile, lanes, warps,
                                               order, cluster);
  return {ttg::DotOperandEncodingAttr::get(context, 0, blocked, 0),
          ttg::DotOperandEncodingAttr::get(context, 1, blocked, 0), blocked};
}

static std::optional<ProductLayout>
chooseProductLayout(tt::DotOp op, std::optional<Chain> chain,
                    const ThreadCounts &threads, const Target &target,
                    int64_t &tensorColumns) {
  auto type = op.getType();
  const auto cluster = splitProduct(type, threads.ctas);
  // How the CTAs of other clusters share a product, blocked layouts say.
  if (!cluster || (threads.ctas != 1 && !target.isNvidia()))
    return std::nullopt;
  if (auto layout = chooseWgmmaLayout(op, chain ? chain->columnsAfter : 0,
                                      cluster, threads, target))
    return layout;
  if (auto layout = chooseTensorCoreLayout(op, threads, target, tensorColumns))
    return layout;
  MLIRContext *context = op.getContext();
  RankedTensorType part = partOf(type, cluster);
  const auto chained = chain ? std::optional(chain->share) : std::nullopt;
  auto instructions =
      instructionsFor(op.getA().getType().getElementType(),
                      op.getB().getType().getElementType(),
                      type.getElementType(), op.getInputPrecision(), target);
  // As Triton does on AMD, a product that is too shallow for any instruction
  // takes one with zeros beyond the end of K.
  SmallVector<bool, 2> paddings{false};
  if (target.isAmd())
    paddings.push_back(true);
  const SmallVector<const MatrixInstruction *> rows =
      fewestCopiesFirst(instructions, part, chained, threads.warps);
  for (bool padsDepth : paddings)
    for (const MatrixInstruction *row : rows) {
      Attribute sum = accumulatorLayout(*row, part, chained, threads.warps,
                                        cluster, target);
      if (!sum)
        continue;
      const unsigned width = neighboursAlongK(row->fragments.a);
      ProductLayout layout{
          ttg::DotOperandEncodingAttr::get(context, 0, sum, width),
          ttg::DotOperandEncodingAttr::get(context, 1, sum, width), sum};
      std::string error;
      auto linear = [&](RankedTensorType type, Attribute encoding) {
        return ttg::toLinearLayout(type.getShape(), encoding, error);
      };
      auto x = linear(op.getA().getType(), layout.a),
           y = linear(op.getB().getType(), layout.b),
           z = linear(type, layout.c);
      if (x && y && z && planDot(row->fragments, *x, *y, *z, padsDepth))
        return layout;
    }
  return multiplyAddLayout(part, cluster, threads);
}

/// Where the target has no instruction for a product, but one for wider types
/// of the same values: computes it with those. On AMD sums of 16 bits are
/// rounded from f32 if possible, as in Triton: WMMA with sums in f16 rounds
/// after each step along K.
static void widenProduct(tt::DotOp op, const Target &target) {
  struct Types {
    Type a, b, sum;
    bool operator==(const Types &) const = default;
  };
  const Types given{op.getA().getType().getElementType(),
                    op.getB().getType().getElementType(),
                    op.getType().getElementType()};
  OpBuilder b(op);
  // f16 has all values of the formats of 8 bits.
  auto widened = [&](Type type) -> Type {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8
               ? b.getF16Type()
               : type;
  };
  const Types halves{widened(given.a), widened(given.b), given.sum};
  Type sum = given.sum;
  if (sum.isF16() || sum.isBF16())
    sum = b.getF32Type();
  const Types inF32{given.a, given.b, sum},
      halvesInF32{halves.a, halves.b, sum};
  const auto forms = target.isAmd()
                         ? SmallVector<Types>{inF32, halvesInF32, given}
                         : SmallVector<Types>{given, halves, halvesInF32};
  const Types *form = llvm::find_if(forms, [&](const Types &types) {
    return !instructionsFor(types.a, types.b, types.sum, op.getInputPrecision(),
                            target)
                .empty();
  });
  if (form == forms.end() || *form == given)
    return;
  auto convert = [&](Value value, Type to) -> Value {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() == to)
      return value;
    return tt::FpToFpOp::create(b, op.getLoc(), type.clone(to), value);
  };
  Value wide = tt::DotOp::create(
      b, op.getLoc(), convert(op.getA(), form->a), convert(op.getB(), form->b),
      convert(op.getC(), form->sum), op.getInputPrecision(),
      op.getMaxNumImpreciseAcc());
  Value result = wide;
  if (form->sum != given.sum)
    result = tt::FpToFpOp::create(
        b, op.getLoc(), op.getType(), wide,
        tt::RoundingModeAttr::get(op.getContext(), tt::RoundingMode::RTNE));
  op.replaceAllUsesWith(result);
  op->erase();
}

void ttgir::widenProducts(Operation *root, const Target &target) {
  SmallVector<tt::DotOp> products;
  root->walk([&](tt::DotOp op) { products.push_back(op); });
  for (tt::DotOp op : products)
    widenProduct(op, target);
}

llvm::MapVector<Operation *, ProductLayout>
ttgir::chooseProductLayouts(Operation *root, const ThreadCounts &threads,
                            const Target &target) {
  llvm::MapVector<Operation *, ProductLayout> layouts;
  llvm::MapVector<Operation *, int64_t> tensorColumns;
  auto columnsFor = [&](Operation *op) -> int64_t & {
    auto function = op->getParentOfType<tt::FuncOp>();
    return tensorColumns.try_emplace(function, tensorColumnsOf(function))
        .first->second;
  };
  // Others have been decomposed.
  root->walk([&](tt::DotScaledOp op) {
    if (auto layout = chooseScaledLayout(op, threads, target, columnsFor(op)))
      layouts[op] = *layout;
  });
  Chains chains;
  root->walk([&](tt::DotOp op) { addChainsFrom(op, target, chains); });
  root->walk([&](tt::DotOp op) {
    std::optional<Chain> chain;
    if (auto found = chains.find(op); found != chains.end())
      chain = found->second;
    if (auto layout =
            chooseProductLayout(op, chain, threads, target, columnsFor(op)))
      layouts[op] = *layout;
  });
  return layouts;
}
