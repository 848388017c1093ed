//===- PackedTransposedLoad.cpp - amdg.local_load_packed_transposed -------===//
//
// Memory has pairs of 4-bit values along M or N, registers have them along K. A
// read of LDS that transposes 4-bit values makes one of the other. Where lanes
// do not hold neighbours, each byte of a register is put together from two
// bytes of memory, the half of them that its row or column names.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "passes/lower/amd/TransposingRead.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/MatrixProduct.h"
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

/// `places` of bytes as places of the 4-bit values that the registers of
/// `result` hold: of a byte of memory each row or column along `other` has one.
LinearLayout valuesIn(const LinearLayout &places, RankedTensorType result,
                      unsigned other) {
  const ttg::LayoutDims names(result.getContext());
  const LinearLayout layout = ttg::toLinearLayout(result);
  SmallVector<LinearLayout::NamedValue> ins;
  SmallVector<uint64_t> columns;
  for (StringAttr in : {names.reg, names.lane, names.warp, names.block}) {
    ins.push_back({in, places.getInDimSize(in)});
    for (unsigned bit = 0; bit < places.getInDimSizeLog2(in); ++bit) {
      uint64_t at = 2 * uint64_t(places.getBasis(in, bit, names.offset));
      // The first register bit is the second value along K.
      const unsigned own = in == names.reg ? bit - 1 : bit;
      if ((in != names.reg || bit > 0) && own < layout.getInDimSizeLog2(in))
        at |= layout.getBasis(in, own)[other] & 1;
      columns.push_back(at);
    }
  }
  return LinearLayout::fromColumns(
      ins, {{names.offset, 2 * places.getOutDimSize(names.offset)}}, columns);
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
    if (auto loaded = loadTransposed(b, op, *places, type, other)) {
      rewriter.replaceOp(op, packElements(b, converter, *loaded, type));
      return success();
    }
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

private:
  /// The bytes of `type` by transposing reads; nothing if they do not fit.
  std::optional<SmallVector<Value>>
  loadTransposed(lower::Builder &b, amdg::LocalLoadPackedTransposedOp op,
                 const SharedPlaces &places, RankedTensorType type,
                 unsigned other) const {
    const TransposingRead *read =
        findTransposingRead(hooks.getTarget(), /*elementBits=*/4);
    if (!read || places.owner)
      return std::nullopt;
    const LinearLayout values = valuesIn(places.offsets, type, other);
    auto plan = planTransposingRead(*read, values, 2 * places.windowMask,
                                    2 * alignmentOf(*read, places));
    if (!plan)
      return std::nullopt;
    const ttg::LayoutDims names(b.getContext());
    Type i8 = b.intType(8);
    SharedPlaces pieces = places;
    pieces.offsets = inBytes(plan->pieces);
    SmallVector<Value> bytes(values.getInDimSize(names.reg) / 2);
    emitTransposingReads(
        b, hooks, op, *read, pieces, i8, [&](Value value, unsigned i) {
          ArrayRef<unsigned> registers = plan->registers[i];
          for (auto [place, byte] :
               llvm::enumerate(splitBits(b, value, i8, registers.size() / 2)))
            bytes[registers[2 * place] / 2] = byte;
        });
    fillCopies(bytes, values.getZeroMask(names.reg) / 2);
    return bytes;
  }

  /// Pieces begin at whole bytes.
  static LinearLayout inBytes(const LinearLayout &pieces) {
    const ttg::LayoutDims names(pieces.getInDims().front().name.getContext());
    SmallVector<LinearLayout::NamedValue> ins;
    SmallVector<uint64_t> columns;
    for (const LinearLayout::Dim &in : pieces.getInDims()) {
      ins.push_back({in.name, int32_t(1) << in.log2});
      for (unsigned bit = 0; bit < in.log2; ++bit)
        columns.push_back(pieces.getBasis(in.name, bit, names.offset) / 2);
    }
    return LinearLayout::fromColumns(
        ins, {{names.offset, pieces.getOutDimSize(names.offset) / 2}}, columns);
  }
};

} // namespace

void lower::populatePackedTransposedPatterns(const TypeConverter &converter,
                                             Patterns &patterns,
                                             const TargetHooks &hooks) {
  patterns.add<PackedTransposedPattern>(converter, hooks);
}
