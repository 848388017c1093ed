//===- PackedTransposedLoad.cpp - amdg.local_load_packed_transposed -------===//
//
// Memory has pairs of 4-bit values along M or N, registers have them along K.
// Each byte of a register is put together from two bytes of memory, the half of
// them that its row or column names.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// The bytes of memory, a tensor, that a thread needs for the bytes of
/// `result`: registers 2r and 2r + 1 are those for register r. `k` is the
/// dimension along which pairs are packed in registers, `other` in memory.
RankedTensorType bytesNeeded(RankedTensorType result, unsigned k,
                             unsigned other) {
  MLIRContext *context = result.getContext();
  const ttg::LayoutDims names(context);
  LinearLayout layout = ttg::toLinearLayout(result);
  SmallVector<LinearLayout::Bases> bases;
  for (StringAttr in : {names.reg, names.lane, names.warp, names.block}) {
    std::vector<std::vector<int32_t>> moved = layout.getBases(in);
    for (std::vector<int32_t> &basis : moved) {
      basis[k] *= 2;
      basis[other] /= 2;
    }
    if (in == names.reg) {
      std::vector<int32_t> second(result.getRank());
      second[k] = 1;
      moved.insert(moved.begin(), second);
    }
    bases.push_back({in, std::move(moved)});
  }
  SmallVector<int64_t> shape(result.getShape());
  shape[k] *= 2;
  shape[other] /= 2;
  SmallVector<LinearLayout::NamedValue> outs;
  for (auto [name, size] : llvm::zip_equal(layout.getOutDimNames(), shape))
    outs.emplace_back(name, static_cast<int32_t>(size));
  std::string error;
  auto needed = LinearLayout::create(bases, outs, error);
  return needed ? RankedTensorType::get(
                      shape, result.getElementType(),
                      ttg::LinearEncodingAttr::get(context, *needed))
                : RankedTensorType();
}

class PackedTransposedPattern
    : public lower::Pattern<amdg::LocalLoadPackedTransposedOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::LocalLoadPackedTransposedOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto operand = cast<ttg::DotOperandEncodingAttr>(type.getEncoding());
    const auto rank = static_cast<unsigned>(type.getRank());
    const unsigned k = operand.getOpIdx() == 0 ? rank - 1 : rank - 2,
                   other = operand.getOpIdx() == 0 ? rank - 2 : rank - 1;
    RankedTensorType needed = bytesNeeded(type, k, other);
    if (!needed || !type.getElementType().isInteger(8))
      return op.emitOpError("needs pairs of 4-bit values in i8, in a layout "
                            "that holds all of them, but it is ")
             << type;
    lower::Builder b(op, rewriter);
    auto places = placesIn(b, op, needed, MemDesc::unpack(b, adaptor.getSrc()),
                           op.getSrc().getType());
    if (failed(places))
      return failure();
    Type i8 = b.intType(8);
    SmallVector<Value> bytes = loadShared(b, hooks, *places, i8), results;
    for (auto [r, at] :
         llvm::enumerate(emitIndices(b, ttg::toLinearLayout(type), hooks))) {
      Value shift = b.trunc(i8, b.shl(b.bitAnd(at[other], b.i32(1)), b.i32(2)));
      auto half = [&](Value byte) {
        return b.bitAnd(b.lshr(byte, shift), b.intConstant(i8, 15));
      };
      results.push_back(
          b.bitOr(half(bytes[2 * r]),
                  b.shl(half(bytes[2 * r + 1]), b.intConstant(i8, 4))));
    }
    rewriter.replaceOp(op, packElements(b, converter, results, type));
    return success();
  }
};

} // namespace

void lower::populatePackedTransposedPatterns(const TypeConverter &converter,
                                             Patterns &patterns,
                                             const TargetHooks &hooks) {
  patterns.add<PackedTransposedPattern>(converter, hooks);
}
