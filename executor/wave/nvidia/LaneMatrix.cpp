//===- LaneMatrix.cpp - Matrices in the registers of a warp ---------------===//

#include "executor/wave/nvidia/LaneMatrix.h"
#include "executor/wave/nvidia/TensorMemory.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

constexpr unsigned warpLanes = 32;

LaneMatrix::LaneMatrix(Columns registers, LaneElement element,
                       const MatrixFragment &fragment, char rows,
                       unsigned width)
    : registers(std::move(registers)), element(element),
      places(fragment, rows, warpLanes), width(width) {}

template <typename Fn>
void LaneMatrix::forElements(unsigned stride, Fn fn) const {
  const unsigned inRegister = element.inRegister();
  const size_t ofFragment = places.elements / inRegister;
  for (size_t number = 0; number < registers.size(); ++number) {
    const size_t first = number % ofFragment * inRegister;
    const size_t column = number / ofFragment * width;
    for (unsigned i = 0; i < inRegister; ++i)
      for (unsigned lane = 0; lane < warpLanes; ++lane) {
        const auto &place = places.places[(first + i) * warpLanes + lane];
        fn(registers[number], i * element.slot, lane,
           size_t{place.row} * stride + column + place.column);
      }
  }
}

void LaneMatrix::gather(Wave &wave, Matrix &matrix, unsigned stride) const {
  auto *read = matrixElementReader(element.element);
  const unsigned bits = bitsOf(element.element);
  const unsigned shift = element.slot > bits ? narrowFloatShift(bits) : 0;
  forElements(
      stride, [&](Column column, unsigned bit, unsigned lane, size_t at) {
        matrix[at] =
            read((wave.value(column, lane) >> (bit + shift)) & lowBits(bits));
      });
}

void LaneMatrix::scatter(Wave &wave, const Matrix &matrix,
                         unsigned stride) const {
  const uint64_t mask = lowBits(element.slot);
  forElements(
      stride, [&](Column column, unsigned bit, unsigned lane, size_t at) {
        uint64_t &value = wave.value(column, lane);
        value = (value & ~(mask << bit)) |
                roundedMatrixElement(element.element, matrix[at]) << bit;
      });
}

} // namespace kernelscope::wave::nvidia
