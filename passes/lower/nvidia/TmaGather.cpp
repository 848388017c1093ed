//===- TmaGather.cpp - Rows of tensors by TMA -----------------------------===//
//
// ttng.async_tma_gather and ttng.async_tma_scatter: each message moves four
// rows, whose numbers a thread has in neighbouring registers. PTX ISA,
// "cp.async.bulk.tensor", modes .tile::gather4 and .tile::scatter4.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/TTNG.h"
#include "dialects/ttng/TmaPlan.h"
#include "passes/lower/nvidia/L2Policy.h"
#include "passes/lower/nvidia/MBarrier.h"
#include "passes/lower/nvidia/TmaInstruction.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// The rows of one op, and where they are in shared memory. The verifier has
/// seen that four neighbours are in the first registers, the same ones in all
/// lanes of a warp, and in each CTA those of its part of the memory.
class GatheredRows {
public:
  /// Failure, with an error on `op`, where TMA cannot move them.
  template <typename Op>
  static FailureOr<GatheredRows> of(Op op, const TargetHooks &hooks,
                                    ttg::MemDescType type) {
    auto rowsType = cast<RankedTensorType>(op.getXOffsets().getType());
    LinearLayout rows = ttg::toLinearLayout(rowsType);
    std::optional<ttng::TmaPlan> plan = ttng::planRows(type);
    assert(plan && "the verifier has planned it, too");
    auto layout = cast<ttg::NVMMASharedEncodingAttr>(type.getEncoding());
    if (failed(checkReachesCTA(op, hooks, plan->inOneCTA)))
      return failure();
    ttg::LayoutDims names(op.getContext());
    StringAttr row = plan->places.getOutDimNames().front();
    for (unsigned bit = 0; bit < rows.getInDimSizeLog2(names.block); ++bit)
      if (rows.getBasis(names.block, bit).front() !=
          plan->places.getBasis(names.block, bit, row))
        return op.emitOpError("moves rows of a window to CTAs of other pairs, "
                              "where TMA cannot signal the barrier");
    return GatheredRows(std::move(rows), type, *plan,
                        layout.getFp4Padded() ? 2 : 1,
                        layout.getFp4Padded() && !ttg::isOlderDump(op) ? 2 : 1);
  }

  /// Calls `emit(predicate, coordinates, address)` for each message that this
  /// warp starts: the column and four of `numbers`.
  void
  forEach(lower::Builder &b, const TargetHooks &hooks, Value packed,
          ArrayRef<Value> numbers, Value column, Value predicate,
          llvm::function_ref<void(Value, ArrayRef<Value>, Value)> emit) const {
    ttg::LayoutDims names(b.getContext());
    Type element = b.intType(8 * tt::bytesInMemory(type.getElementType()));
    MemDesc buffer = MemDesc::unpack(b, packed);
    // From a row, and from a column, to where it is.
    LinearLayout memory = ttg::toLinearLayout(type).pseudoinvert();
    SmallVector<StringAttr> dims = memory.getInDimNames();
    LinearLayout ofRow =
        rows.compose(memory.sublayout({dims[0]}, {names.offset})
                         .renameIn(dims[0], rows.getOutDims().front().name));
    LinearLayout ofColumn = memory.sublayout({dims[1]}, {names.offset});

    predicate = bothHold(b, predicate, isElected(b));
    if (int32_t copies = rows.getZeroMask(names.warp))
      predicate = bothHold(
          b, predicate,
          b.icmp(ICmp::eq, b.bitAnd(hooks.uniformWarpId(b), b.i32(copies)),
                 b.i32(0)));
    Value cta = hooks.ctaId(b);
    Value firstColumn =
        applyLayout(b, plan.places.sublayout({names.block}, {dims[1]}),
                    {{names.block, cta}})
            .front();
    column = b.add(b.mul(column, b.i32(columnsOfIndex)),
                   b.mul(firstColumn, b.i32(columnsOfElement)));
    Value start = b.bitXor(
        windowStart(b, buffer, type),
        applyLayout(b, ofRow, {{names.warp, hooks.uniformWarpId(b)}}).front());
    Value target = this->target(b, hooks, packed);
    if (plan.inOneCTA)
      start = b.bitXor(
          start,
          applyLayout(b, plan.places.sublayout({names.block}, {names.offset}),
                      {{names.block, cta}})
              .front());
    const int32_t copies = rows.getZeroMask(names.reg);
    for (int32_t r = 0; r < rows.getInDimSize(names.reg);
         r += ttng::rowsOfMessage) {
      if (r & copies)
        continue;
      for (int32_t first = 0; first < columns; first += boxColumns) {
        int32_t place = ofRow.apply({{names.reg, r}}).front().second ^
                        ofColumn.apply({{dims[1], first}}).front().second;
        // A swizzle moves pieces within a row; TMA takes the row's start.
        Value offset =
            b.bitAnd(b.bitXor(start, b.i32(place)), b.i32(-boxColumns));
        SmallVector<Value> coordinates{
            b.add(column, b.i32(first * columnsOfElement))};
        coordinates.append(numbers.begin() + r,
                           numbers.begin() + r + ttng::rowsOfMessage);
        Value address = b.gep(element, buffer.base, offset);
        emit(predicate, coordinates,
             isInPair() ? mapToCTA(b, address, target) : address);
      }
    }
  }

  int32_t sharedCTABits() const { return plan.sharedCTABits; }
  /// Whether the window may be in the other CTA of a pair.
  bool isInPair() const { return plan.inOneCTA; }
  /// The id of the CTA whose memory has the rows.
  Value target(lower::Builder &b, const TargetHooks &hooks,
               Value packed) const {
    return ctaOfWindow(b, hooks, MemDesc::unpack(b, packed), type,
                       plan.inOneCTA);
  }

private:
  GatheredRows(LinearLayout rows, ttg::MemDescType type,
               const ttng::TmaPlan &plan, int32_t columnsOfElement,
               int32_t columnsOfIndex)
      : rows(std::move(rows)), type(type), plan(plan),
        columns(static_cast<int32_t>(
            type.getShape().back() /
            cast<ttg::LayoutEncodingTrait>(type.getEncoding())
                .getCGALayout()
                .getCTASplitNum()
                .back())),
        boxColumns(static_cast<int32_t>(plan.box.back())),
        columnsOfElement(columnsOfElement), columnsOfIndex(columnsOfIndex) {}

  LinearLayout rows;
  ttg::MemDescType type;
  ttng::TmaPlan plan;
  /// Of a CTA's part and of a message, in elements of memory, of which each is
  /// as many columns of the tensor.
  int32_t columns, boxColumns, columnsOfElement;
  /// How many columns one of an index is: Triton 3.6 wrote coordinates.
  int32_t columnsOfIndex;
};

class GatherPattern : public lower::Pattern<ttng::AsyncTMAGatherOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::AsyncTMAGatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto rows = GatheredRows::of(op, hooks, op.getResult().getType());
    if (failed(rows))
      return failure();
    lower::Builder b(op, rewriter);
    MBarrier barrier(b, hooks, op, adaptor.getBarrier(),
                     op.getBarrier().getType());
    Value predicate = adaptor.getPred(), mask;
    if (op.getMulticast()) {
      Multicast cast = multicast(b, hooks, rows->sharedCTABits(),
                                 rows->target(b, hooks, adaptor.getResult()));
      predicate = bothHold(b, predicate, cast.isFirst);
      mask = cast.mask;
    }
    Value arrival = barrier.signalled(b, hooks);
    Value policy =
        createL2Policy(b, op.getCachePolicyAttr(), tt::EvictionPolicy::NORMAL);
    rows->forEach(
        b, hooks, adaptor.getResult(), unpackElements(b, adaptor.getXOffsets()),
        adaptor.getYOffset(), predicate,
        [&](Value predicate, ArrayRef<Value> coordinates, Value address) {
          Ptx ptx(b);
          std::string to = ptx.input(address, "r");
          std::string from = addTensor(ptx, adaptor.getDesc(), coordinates);
          std::string signal = "[" + ptx.input(arrival, "r") + "]";
          if (mask)
            signal += ", " + ptx.input(mask, "h");
          if (policy)
            signal += ", " + ptx.input(policy, "l");
          std::string guard = ptx.predicate(predicate);
          ptx.emit(
              llvm::formatv("{0}cp.async.bulk.tensor.2d{6}.shared::{1}.global"
                            ".tile::gather4.mbarrier::complete_tx::bytes{2}{7} "
                            "[{3}], {4}, {5};",
                            guard, hooks.getCtas() > 1 ? "cluster" : "cta",
                            mask ? ".multicast::cluster" : "", to, from, signal,
                            barrier.groupOfCopies(op, rows->isInPair()),
                            policy ? ".L2::cache_hint" : "")
                  .str());
        });
    rewriter.eraseOp(op);
    return success();
  }
};

class ScatterPattern : public lower::Pattern<ttng::AsyncTMAScatterOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(ttng::AsyncTMAScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto rows = GatheredRows::of(op, hooks, op.getSrc().getType());
    if (failed(rows))
      return failure();
    lower::Builder b(op, rewriter);
    Value policy =
        createL2Policy(b, op.getCachePolicyAttr(), tt::EvictionPolicy::NORMAL);
    rows->forEach(
        b, hooks, adaptor.getSrc(), unpackElements(b, adaptor.getXOffsets()),
        adaptor.getYOffset(), {},
        [&](Value predicate, ArrayRef<Value> coordinates, Value address) {
          Ptx ptx(b);
          std::string to = addTensor(ptx, adaptor.getDesc(), coordinates);
          std::string from = "[" + ptx.input(address, "r") + "]";
          if (policy)
            from += ", " + ptx.input(policy, "l");
          std::string guard = ptx.predicate(predicate);
          ptx.emit(llvm::formatv("{0}cp.async.bulk.tensor.2d.global.shared::cta"
                                 ".tile::scatter4.bulk_group{3} {1}, {2};",
                                 guard, to, from,
                                 policy ? ".L2::cache_hint" : "")
                       .str());
        });
    Ptx(b).emit("cp.async.bulk.commit_group;");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateTmaGatherPatterns(const TypeConverter &converter,
                                      Patterns &patterns,
                                      const TargetHooks &hooks) {
  patterns.add<GatherPattern>(converter, hooks);
  // Of the chips that gather, only those with tensor memory scatter.
  if (hooks.getTarget().hasTensorMemory())
    patterns.add<ScatterPattern>(converter, hooks);
}
