//===- Scalar.cpp - The parts of LLVM's values ----------------------------===//
//
// Types taken apart as LLVM lays them out in memory.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Scalar.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kernelscope::wave {

static Error collectFields(Type *type, const DataLayout &data, uint64_t offset,
                           SmallVectorImpl<Field> &fields) {
  auto add = [&](Scalar::Kind kind, unsigned bits, unsigned space = 0) {
    fields.push_back({{kind, bits, space}, offset});
    return Error::success();
  };
  using Kind = Scalar::Kind;
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return add(Kind::Int, type->getIntegerBitWidth());
  if (type->isHalfTy())
    return add(Kind::F16, 16);
  if (type->isBFloatTy())
    return add(Kind::BF16, 16);
  if (type->isFloatTy())
    return add(Kind::F32, 32);
  if (type->isDoubleTy())
    return add(Kind::F64, 64);
  // WideIntegers.cpp computes with them.
  const bool isWide =
      type->isIntegerTy() && type->getIntegerBitWidth() % 64 == 0;
  const bool isResource =
      type->isPointerTy() && type->getPointerAddressSpace() == BufferResource;
  if (isWide || isResource) {
    const unsigned words = isResource ? 2 : type->getIntegerBitWidth() / 64;
    for (unsigned i = 0; i < words; ++i)
      fields.push_back({{Kind::Int, 64, 0}, offset + uint64_t{64} * i});
    return Error::success();
  }
  if (auto *pointer = dyn_cast<PointerType>(type);
      pointer && data.getPointerTypeSizeInBits(type) <= 64)
    return add(Kind::Pointer,
               static_cast<unsigned>(data.getPointerTypeSizeInBits(type)),
               pointer->getAddressSpace());
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    // The elements of a vector have no gaps, whatever their width.
    const uint64_t stride =
        data.getTypeSizeInBits(vector->getElementType()).getFixedValue();
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (Error error = collectFields(vector->getElementType(), data,
                                      offset + i * stride, fields))
        return error;
    return Error::success();
  }
  if (auto *array = dyn_cast<ArrayType>(type)) {
    const uint64_t stride =
        data.getTypeAllocSizeInBits(array->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      if (Error error = collectFields(array->getElementType(), data,
                                      offset + i * stride, fields))
        return error;
    return Error::success();
  }
  if (auto *record = dyn_cast<StructType>(type)) {
    const StructLayout *layout = data.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (Error error = collectFields(
              record->getElementType(i), data,
              offset + layout->getElementOffsetInBits(i).getFixedValue(),
              fields))
        return error;
    return Error::success();
  }
  std::string text;
  raw_string_ostream(text) << *type;
  return createStringError(
      "the wave simulator does not support values of type '" + text + "'");
}

Expected<SmallVector<Field>> fieldsOf(Type *type, const DataLayout &data) {
  SmallVector<Field> fields;
  if (!type->isVoidTy())
    if (Error error = collectFields(type, data, 0, fields))
      return error;
  return fields;
}

} // namespace kernelscope::wave
