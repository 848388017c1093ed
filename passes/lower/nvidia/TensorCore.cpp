//===- TensorCore.cpp - Products of the tensor core -----------------------===//
//
// ttng.tc_gen5_mma, tc_gen5_mma_scaled and tc_gen5_commit as tcgen05.mma and
// .commit, which one thread issues for its CTA, or for a pair. PTX ISA,
// "TensorCore 5th Generation Family Instructions".
//
//===----------------------------------------------------------------------===//

#include "dialects/target/DescribedProducts.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixElements.h"
#include "dialects/ttng/ScaledProduct.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/MBarrier.h"
#include "passes/lower/nvidia/TensorCorePlan.h"
#include "passes/lower/nvidia/TensorMemoryAccess.h"
#include "passes/lower/nvidia/TmaInstruction.h"
#include "passes/lower/nvidia/WgmmaOperand.h"
#include "passes/lower/support/GlobalAccess.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

/// Arrives on `barrier` once the work that this thread has issued is done, in
/// all CTAs that share one of `operands`.
void commit(lower::Builder &b, const TargetHooks &hooks, Operation *op,
            const MBarrier &barrier, ValueRange operands, Value predicate) {
  const bool inPairs = ttng::lookupTwoCTAs(op).value_or(false);
  SmallVector<uint32_t> shared;
  for (Value operand : operands) {
    auto layout = cast<ttg::LayoutEncodingTrait>(
                      cast<ttg::MemDescType>(operand.getType()).getEncoding())
                      .getCGALayout()
                      .getLinearLayout();
    shared.push_back(static_cast<uint32_t>(layout.getZeroMask(
                         ttg::LayoutDims(b.getContext()).block)) |
                     (inPairs ? 1 : 0));
  }
  if (inPairs && operands.empty())
    shared.push_back(1);
  Ptx ptx(b);
  std::string to = ptx.input(barrier.local(), "r"), multicast, mask;
  if (llvm::any_of(shared, [](uint32_t bits) { return bits != 0; })) {
    // Each operand's receivers are those of CTA 0, moved to the group that this
    // CTA is in.
    Value cta = hooks.ctaId(b), all = b.i32(0);
    for (uint32_t bits : shared)
      all = b.bitOr(all,
                    b.shl(b.i32(static_cast<int32_t>(
                              receiversOf(0, hooks.getCtas(), bits))),
                          b.bitAnd(cta, b.i32(static_cast<int32_t>(
                                            ~bits & (hooks.getCtas() - 1))))));
    multicast = ".multicast::cluster";
    mask = ", " + ptx.input(b.trunc(b.intType(16), all), "h");
  }
  std::string guard = ptx.predicate(predicate);
  ptx.emit(llvm::formatv("{0}tcgen05.commit{1}.mbarrier::arrive::one"
                         ".shared::cluster{2}.b64 [{3}]{4};",
                         guard, ctaGroupOf(op), multicast, to, mask)
               .str());
}

class CommitPattern : public lower::Pattern<ttng::TCGen5CommitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::TCGen5CommitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    MBarrier barrier(b, hooks, op, adaptor.getBarrier(),
                     op.getBarrier().getType());
    commit(b, hooks, op, barrier, op.getDescs(),
           issuesForAll(b, hooks, op, adaptor.getPred()));
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The scales of an operand in tensor memory.
struct ScalesInTensorMemory {
  TensorMemoryMap memory;
  Value address;
};

/// All that the instructions of an op need.
struct Issue {
  TensorCoreProduct product;
  bool isInPairs;
  /// The left operand is in shared memory, or in tensor memory.
  std::optional<SharedOperand> a;
  std::optional<TensorMemoryMap> tensorA;
  Value addressA;
  std::optional<SharedOperand> b;
  std::optional<TensorMemoryMap> d;
  Value addressD;
  std::optional<ScalesInTensorMemory> scalesA, scalesB;
  /// Rows and columns of the result in a CTA, and the elements of K as the
  /// instruction counts them; how many of those are in one element of A in
  /// tensor memory, and of operands in shared memory.
  int64_t rows, columns, depth, packing = 1, sharedPacking = 1;
  Value useD, predicate;

  int32_t tileRows() const {
    return static_cast<int32_t>(product.m / (isInPairs ? 2 : 1));
  }

  void emitAll(lower::Builder &builder, Operation *op) const {
    for (int32_t m = 0; m < rows; m += tileRows())
      for (int32_t n = 0; n < columns; n += static_cast<int32_t>(product.n))
        for (int32_t k = 0; k < depth; k += static_cast<int32_t>(product.k))
          emit(builder, op, m, n, k);
  }

private:
  void emit(lower::Builder &builder, Operation *op, int32_t m, int32_t n,
            int32_t k) const {
    Ptx ptx(builder);
    auto address = [&](Value base, const TensorMemoryMap &memory,
                       ArrayRef<int32_t> indices, int32_t *element = nullptr) {
      auto place = memory.placeOf(indices, element);
      return llvm::formatv("[{0} + {1}]", ptx.input(base, "r"),
                           place ? place->bits() : 0)
          .str();
    };
    const auto inShared = static_cast<unsigned>(k / sharedPacking);
    std::string text = address(addressD, *d, {m, n}) + ", ";
    text +=
        a ? ptx.input(a->at(builder, m, inShared), "l")
          : address(addressA, *tensorA, {m, static_cast<int32_t>(k / packing)});
    text +=
        ", " + ptx.input(b->at(builder, isInPairs ? n / 2 : n, inShared), "l");
    int32_t idOfA = 0, idOfB = 0;
    std::string scales;
    if (product.isScaled()) {
      auto scale = k / static_cast<int32_t>(product.blockSize);
      scales =
          ", " + address(scalesA->address, scalesA->memory, {m, scale}, &idOfA);
      scales +=
          ", " + address(scalesB->address, scalesB->memory, {n, scale}, &idOfB);
    }
    text += ", " + ptx.input(builder.i32(static_cast<int32_t>(
                                 product.descriptor(idOfA, idOfB))),
                             "r");
    text += scales + ", " + ptx.input(k ? builder.i1(true) : useD, "b");
    std::string guard = ptx.predicate(predicate), vector;
    if (product.isScaled())
      vector =
          llvm::formatv(".block_scale.scale_vec::{0}X", product.scalesPerRow());
    ptx.emit(llvm::formatv("{0}tcgen05.mma{1}.kind::{2}{3} {4};", guard,
                           ctaGroupOf(op), product.kind, vector, text)
                 .str());
  }
};

/// Fails with an error on `op`, whose `operand` no instruction takes.
LogicalResult reportOperand(Operation *op, Value operand) {
  return op->emitOpError("has an operand that no matrix descriptor of "
                         "tcgen05.mma can describe: ")
         << operand.getType();
}

/// Lowers a product whose instruction is known except for its shape.
template <typename Op>
LogicalResult issue(lower::Builder &b, const TargetHooks &hooks, Op op,
                    typename Op::Adaptor adaptor, Issue issue) {
  ttg::MemDescType typeA = op.getA().getType(), typeB = op.getB().getType(),
                   typeD = op.getD().getType();
  auto layout = cast<ttng::TensorMemoryEncodingAttr>(typeD.getEncoding());
  if (!op.getIsAsync() && op.getBarriers().empty()) {
    bool isCommitted =
        op->template getParentOfType<ModuleOp>()
            ->walk([](ttng::TCGen5CommitOp) { return WalkResult::interrupt(); })
            .wasInterrupted();
    if (!isCommitted)
      return op.emitOpError(
          "is synchronous, and nothing waits for it; run "
          "allocate-tensor-memory first, which inserts a barrier and a wait");
  }
  TensorCoreProduct &product = issue.product;
  issue.isInPairs = op.getTwoCtas();
  SmallVector<unsigned> split = layout.getCGALayout().getCTASplitNum();
  issue.rows = typeD.getDimSize(0) / split[0];
  issue.columns = typeD.getDimSize(1) / split[1];
  product.m = layout.getBlockM() * (issue.isInPairs ? 2 : 1);
  constexpr int64_t mostColumns = 256;
  product.n = static_cast<unsigned>(
      std::min({issue.columns, int64_t(layout.getBlockN()), mostColumns}));
  issue.d = mapOf(typeD);
  issue.addressD = adaptor.getD();

  Value none = b.i32(0);
  const auto depth = static_cast<unsigned>(product.k / issue.sharedPacking);
  if (isInTensorMemory(typeA)) {
    issue.tensorA = mapOf(typeA);
    issue.addressA = adaptor.getA();
  } else {
    if (failed(checkInOwnCTA(op, typeA)))
      return failure();
    issue.a = describe(b, adaptor.getA(), typeA, 1, none,
                       static_cast<unsigned>(issue.tileRows()), depth,
                       MatrixUnit::Tcgen05);
    if (!issue.a)
      return reportOperand(op, op.getA());
    product.isMMajor = !issue.a->mode.isKMajor;
  }
  if (failed(checkInOwnCTA(op, typeB)))
    return failure();
  issue.b = describe(b, adaptor.getB(), typeB, 0, none,
                     product.n / (issue.isInPairs ? 2 : 1), depth,
                     MatrixUnit::Tcgen05);
  if (!issue.b)
    return reportOperand(op, op.getB());
  product.isNMajor = !issue.b->mode.isKMajor;

  issue.useD = adaptor.getUseD();
  issue.predicate = issuesForAll(b, hooks, op, adaptor.getPred());
  issue.emitAll(b, op);
  SmallVector<Value> operands;
  if (op.getMulticast()) {
    operands = {op.getA(), op.getB()};
    if constexpr (std::is_same_v<Op, ttng::TCGen5MMAScaledOp>)
      operands.append({op.getAScale(), op.getBScale()});
  }
  for (auto [barrier, packed, predicate] : llvm::zip_equal(
           op.getBarriers(), adaptor.getBarriers(), adaptor.getBarrierPreds()))
    commit(b, hooks, op,
           MBarrier(b, hooks, op, packed,
                    cast<ttg::MemDescType>(barrier.getType())),
           operands, bothHold(b, issue.predicate, predicate));
  return success();
}

template <typename Op> class ProductPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    FailureOr<Issue> found = start(op, adaptor);
    if (failed(found) ||
        failed(issue(b, this->hooks, op, adaptor, std::move(*found))))
      return failure();
    if (op.getToken())
      rewriter.replaceOp(op, b.i32(0));
    else
      rewriter.eraseOp(op);
    return success();
  }

private:
  FailureOr<Issue> start(ttng::TCGen5MMAOp op,
                         ttng::TCGen5MMAOp::Adaptor) const {
    Type a = op.getA().getType().getElementType(),
         b = op.getB().getType().getElementType(),
         d = op.getD().getType().getElementType();
    const DescribedProduct *product =
        ttg::findDescribedProduct(MatrixUnit::Tcgen05, a, b, d);
    if (!product)
      return op.emitOpError("multiplies ")
             << a << " by " << b << " into " << d
             << ", which tcgen05.mma does not support; it supports "
             << describedOperands(MatrixUnit::Tcgen05);
    const Target &target = this->hooks.getTarget();
    if (!hasProduct(target, *product))
      return op.emitOpError("multiplies ")
             << a << " by " << b << " with " << product->name << ", which "
             << archsThat(Vendor::Nvidia,
                          [&](const Target &chip) {
                            return hasMatrixUnit(chip, product->unit) &&
                                   hasProduct(chip, *product);
                          })
             << " has, but " << target.arch << " does not";
    Issue issue;
    issue.product = {.kind = product->name.rsplit("::").second,
                     .a = *ttg::matrixElement(a),
                     .b = *ttg::matrixElement(b),
                     .d = *ttg::matrixElement(d),
                     .k = product->k,
                     .isUnsigned = op.getIsUnsigned()};
    issue.depth = op.getA().getType().getDimSize(1);
    return issue;
  }

  static FailureOr<Issue> start(ttng::TCGen5MMAScaledOp op,
                                ttng::TCGen5MMAScaledOp::Adaptor adaptor) {
    const ttng::ScaledProduct scaled = ttng::scaledProductOf(op);
    Issue issue;
    TensorCoreProduct &product = issue.product;
    product.kind = scaled.kind;
    product.a = *ttg::matrixElement(op.getAType());
    product.b = *ttg::matrixElement(op.getBType());
    product.d = MatrixElement::F32;
    product.k = scaled.k;
    product.blockSize = scaled.blockSize;
    product.hasExponentScales = scaled.hasExponentScales;
    issue.packing = scaled.packingOfA;
    issue.sharedPacking = scaled.isPacked ? 2 : 1;
    issue.depth = scaled.depth;
    auto result =
        cast<ttng::TensorMemoryEncodingAttr>(op.getD().getType().getEncoding());
    auto scales = cast<ttg::MemDescType>(op.getAScale().getType()),
         scalesB = cast<ttg::MemDescType>(op.getBScale().getType());
    issue.scalesA = ScalesInTensorMemory{mapOf(scales), adaptor.getAScale()};
    issue.scalesB = ScalesInTensorMemory{mapOf(scalesB), adaptor.getBScale()};
    auto columns = static_cast<unsigned>(std::min<int64_t>(
        {256, op.getD().getType().getDimSize(1), int64_t{result.getBlockN()}}));
    for (auto [side, rows, type] :
         {std::tuple(&*issue.scalesA, 128u, scales),
          std::tuple(&*issue.scalesB, columns, scalesB)})
      if (!hasScalesOf(side->memory, rows, product.scalesPerRow()))
        return op.emitOpError("has scales of ")
               << type << "; tcgen05.mma takes those of " << rows << " rows, "
               << product.scalesPerRow()
               << " per row, as 32 rows of consecutive columns";
    return issue;
  }
};

} // namespace

void lower::populateTensorCorePatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns,
                                       const TargetHooks &hooks) {
  patterns.add<CommitPattern, ProductPattern<ttng::TCGen5MMAOp>,
               ProductPattern<ttng::TCGen5MMAScaledOp>>(converter, hooks);
}
