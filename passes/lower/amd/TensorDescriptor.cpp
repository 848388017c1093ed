//===- TensorDescriptor.cpp - Tensors described to the data mover ---------===//
//
// The fields of its groups of words, as LLVM's tests and Triton's kernels for
// gfx1250 have them; and tt.make_tensor_descriptor,
// amdg.update_tensor_descriptor.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/TensorDescriptor.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/target/TensorWords.h"
#include "passes/lower/support/Lowering.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// Fields of the words of a descriptor.
class Words {
public:
  Words(lower::Builder &b, SmallVector<Value> words)
      : b(b), words(std::move(words)) {}

  /// An i32 or i64 of the field's bits; zero if there are no such words.
  Value get(TensorField field) {
    Type type = b.intType(field.bits > 32 ? 64 : 32);
    Value value = b.zero(type);
    forParts(field,
             [&](unsigned word, unsigned shift, unsigned bits, unsigned at) {
               if (word >= words.size())
                 return;
               Value part = b.lshr(words[word], amount(32, shift));
               part = b.bitAnd(part, b.i32(mask(bits)));
               value = b.bitOr(value, b.shl(b.zextOrTrunc(type, part),
                                            b.intConstant(type, at)));
             });
    return value;
  }
  /// Sets bits that are zero so far.
  void set(TensorField field, Value value) {
    forParts(field, [&](unsigned word, unsigned shift, unsigned bits,
                        unsigned at) {
      Value part = b.lshr(value, b.intConstant(value.getType(), at));
      part = b.bitAnd(b.zextOrTrunc(b.intType(32), part), b.i32(mask(bits)));
      words[word] = b.bitOr(words[word], b.shl(part, amount(32, shift)));
    });
  }
  void set(TensorField field, int64_t value) { set(field, b.i64(value)); }
  ArrayRef<Value> all() const { return words; }

private:
  static int32_t mask(unsigned bits) {
    return static_cast<int32_t>(llvm::maskTrailingOnes<uint32_t>(bits));
  }
  Value amount(unsigned width, unsigned shift) {
    return b.intConstant(b.intType(width), shift);
  }
  template <typename Fn> static void forParts(TensorField field, Fn fn) {
    for (unsigned at = 0; at < field.bits;) {
      const unsigned shift = (field.bit + at) % 32,
                     bits = std::min(field.bits - at, 32 - shift);
      fn(tensorGroupBegins[field.group] + (field.bit + at) / 32, shift, bits,
         at);
      at += bits;
    }
  }

  lower::Builder &b;
  SmallVector<Value> words;
};

void setTensor(Words &words, lower::Builder &b,
               const TensorDescriptor &tensor) {
  words.set(tensorFields::enabled, tensor.enabled);
  words.set(tensorFields::address, tensor.address);
  words.set(tensorFields::kind, 2);
  words.set(tensorFields::elementBytes, llvm::Log2_32(tensor.elementBytes));
  const size_t rank = tensor.sizes.size();
  for (size_t i = 0; i < rank; ++i) {
    words.set(tensorFields::sizes[i], tensor.sizes[rank - 1 - i]);
    if (i > 0)
      words.set(tensorFields::strides[i - 1], tensor.strides[rank - 1 - i]);
  }
}

} // namespace

TensorDescriptor TensorDescriptor::unpack(lower::Builder &b, Value packed,
                                          unsigned rank,
                                          unsigned elementBytes) {
  Words words(b, b.splitStruct(packed));
  TensorDescriptor tensor{words.get(tensorFields::enabled),
                          words.get(tensorFields::address),
                          {},
                          {},
                          elementBytes};
  for (unsigned i = rank; i-- > 0;) {
    tensor.sizes.push_back(words.get(tensorFields::sizes[i]));
    tensor.strides.push_back(i == 0 ? b.i64(1)
                                    : words.get(tensorFields::strides[i - 1]));
  }
  return tensor;
}

Value TensorDescriptor::pack(lower::Builder &b) const {
  Words words(
      b, SmallVector<Value>(numTensorWords(static_cast<unsigned>(sizes.size())),
                            b.i32(0)));
  setTensor(words, b, *this);
  return b.makeStruct(words.all());
}

void TensorDescriptor::advance(lower::Builder &b, ArrayRef<Value> offsets,
                               bool clamps) {
  Type i64 = b.intType(64);
  for (auto [offset, size, stride] : llvm::zip_equal(offsets, sizes, strides)) {
    Value bytes =
        b.mul(b.mul(b.sext(i64, offset), stride), b.i64(elementBytes));
    address = b.add(address, bytes);
    if (!clamps)
      continue;
    // What begins before the tensor is outside of it: the mover has no signs.
    Value zero = b.i32(0);
    size = b.select(b.icmp(ICmp::slt, offset, zero), zero,
                    b.smax(b.sub(size, offset), zero));
  }
}

SmallVector<Value> TensorMessage::words(lower::Builder &b) const {
  Words words(b, SmallVector<Value>(numTensorWords(5), b.i32(0)));
  setTensor(words, b, tensor);
  words.set(tensorFields::lds, lds);
  for (auto [field, size] : llvm::zip(tensorFields::tile, llvm::reverse(tile)))
    words.set(field, size);
  if (gapInterval) {
    words.set(tensorFields::hasGaps, 1);
    words.set(tensorFields::gapInterval, llvm::Log2_32(gapInterval) - 3);
    words.set(tensorFields::gapWords, gapBytes / 4 - 1);
  }
  if (!rows.empty()) {
    const unsigned bits = rows.front().getType().getIntOrFloatBitWidth();
    words.set(tensorFields::isGather, 1);
    words.set(tensorFields::hasWideRows, bits == 32);
    for (auto [i, row] : llvm::enumerate(rows))
      words.set({2, static_cast<unsigned>(i) * bits, bits},
                b.zextOrTrunc(b.intType(32), row));
  }
  if (multicast)
    words.set(tensorFields::multicast, multicast);
  if (barrier) {
    words.set(tensorFields::arrives, 1);
    words.set(tensorFields::barrier,
              b.lshr(b.ptrtoint(b.intType(32), barrier), b.i32(3)));
  }
  return SmallVector<Value>(words.all());
}

namespace {

class MakeDescriptorPattern : public lower::Pattern<tt::MakeTensorDescOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(tt::MakeTensorDescOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto type = cast<tt::TensorDescInterface>(op.getType());
    if (op.getShape().size() > 5)
      return op.emitOpError("describes a tensor of rank ")
             << op.getShape().size()
             << "; the tensor data mover takes at most 5";
    if (op.getPadding() == tt::PaddingOption::PAD_NAN)
      return op.emitOpError("needs NaN outside the tensor; the tensor data "
                            "mover can only write zeros there");
    TensorDescriptor tensor{
        b.i32(1),
        b.ptrtoint(b.intType(64), adaptor.getBase()),
        {},
        {},
        static_cast<unsigned>(tt::bytesInMemory(type.getElementType()))};
    llvm::append_range(tensor.sizes, adaptor.getShape());
    llvm::append_range(tensor.strides, adaptor.getStrides());
    rewriter.replaceOp(op, tensor.pack(b));
    return success();
  }
};

class UpdateDescriptorPattern
    : public lower::Pattern<amdg::UpdateTensorDescriptorOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::UpdateTensorDescriptorOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    tt::TensorDescType type = op.getDesc().getType();
    auto tensor = TensorDescriptor::unpack(
        b, adaptor.getDesc(), static_cast<unsigned>(type.getShape().size()),
        static_cast<unsigned>(tt::bytesInMemory(type.getElementType())));
    if (!adaptor.getAddOffsets().empty())
      tensor.advance(b, SmallVector<Value>(adaptor.getAddOffsets()),
                     op.getClampBounds());
    if (!adaptor.getSetBounds().empty())
      tensor.sizes = SmallVector<Value>(adaptor.getSetBounds());
    if (Value enabled = adaptor.getPred())
      tensor.enabled = enabled;
    rewriter.replaceOp(op, tensor.pack(b));
    return success();
  }
};

} // namespace

void lower::populateTensorDescriptorPatterns(const TypeConverter &converter,
                                             Patterns &patterns,
                                             const TargetHooks &hooks) {
  patterns.add<MakeDescriptorPattern, UpdateDescriptorPattern>(converter,
                                                               hooks);
}
