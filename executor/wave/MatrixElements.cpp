//===- MatrixElements.cpp - The numbers that matrix units take ------------===//

#include "executor/wave/MatrixElements.h"
#include "executor/wave/Scalar.h"
#include <cmath>

namespace kernelscope::wave {

double (*matrixElementReader(MatrixElement element))(uint64_t) {
  using namespace executor;
  using enum MatrixElement;
  using Reader = double (*)(uint64_t);
  auto ofSmall = []<typename Float>() -> Reader {
    return [](uint64_t bits) -> double {
      return Float::raw(static_cast<unsigned>(bits)).decode();
    };
  };
  switch (element) {
  case F64:
    return [](uint64_t bits) { return std::bit_cast<double>(bits); };
  case F32:
    return [](uint64_t bits) -> double { return FloatCodec::load(bits); };
  case TF32: // the unit does not read the lower bits
    return [](uint64_t bits) -> double {
      return FloatCodec::load(bits & ~lowBits(13));
    };
  case F16:
    return ofSmall.operator()<executor::F16>();
  case BF16:
    return [](uint64_t bits) -> double { return BFloatCodec::load(bits); };
  case E4M3:
    return ofSmall.operator()<F8E4M3FN>();
  case E5M2:
    return ofSmall.operator()<F8E5M2>();
  case E4M3FNUZ:
    return ofSmall.operator()<F8E4M3FNUZ>();
  case E5M2FNUZ:
    return ofSmall.operator()<F8E5M2FNUZ>();
  case E2M3:
    return ofSmall.operator()<F6E2M3FN>();
  case E3M2:
    return ofSmall.operator()<F6E3M2FN>();
  case E2M1:
    return ofSmall.operator()<F4E2M1FN>();
  case I4:
    return [](uint64_t bits) -> double { return double(signExtend(bits, 4)); };
  case I8:
    return [](uint64_t bits) -> double { return double(signExtend(bits, 8)); };
  case I32:
    return [](uint64_t bits) -> double { return double(signExtend(bits, 32)); };
  case F8F6F4:
    break;
  }
  llvm_unreachable("an operand is of one type");
}

uint64_t roundedMatrixElement(MatrixElement element, double value) {
  switch (element) {
  case MatrixElement::F64:
    return DoubleCodec::store(value);
  case MatrixElement::F16:
    return HalfCodec::store(value);
  case MatrixElement::I32:
    // Exact in double: at most 2^31 and the sum of 64 products of 8 bits.
    return static_cast<uint64_t>(static_cast<int64_t>(value)) & lowBits(32);
  default:
    return FloatCodec::store(value);
  }
}

double scaleOfE8M0(uint64_t byte) {
  return byte == 0xff ? NAN : std::ldexp(1.0, static_cast<int>(byte) - 127);
}

} // namespace kernelscope::wave
