//===- SimulatedScalesTest.cpp - Products with scales in the simulator ----===//
//
// tcgen05.mma with .block_scale: narrow elements in shared memory, and scales
// in the bytes of tensor memory that the descriptor chooses.
//
//===----------------------------------------------------------------------===//

#include "StoredMatrix.h"
#include "executor/plan/SmallFloat.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::wave::nvidia;

namespace {

/// Scales of `rows` rows, `count` each in successive bytes, for all warps.
template <typename Fn>
void storeScales(TensorMemory &memory, uint32_t column, unsigned rows,
                 unsigned firstByte, unsigned count, Fn &&scaleOf) {
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned warp = 0; warp < 4; ++warp)
      for (unsigned i = 0; i < count; ++i) {
        uint32_t &cell = memory.at(warp * 32 + row % 32, column + row / 32);
        const unsigned bit = (firstByte + i) * 8;
        cell = (cell & ~(0xffu << bit)) | uint32_t(scaleOf(row, i)) << bit;
      }
}

TEST(SimulatedScales, MixedTypes) {
  // A is e4m3; B is e2m1, 16 elements in 8 bytes with 8 bytes after them.
  Stored a({6}, 128, 32, 1), b({6}, 64, 32, 1, 32 * 1024);
  std::vector<char> shared(sharedBytes, char(0xff));
  for (unsigned k = 0; k < 32; ++k)
    for (unsigned m = 0; m < 128; ++m)
      a.put(shared, m, k, executor::F8E4M3FN::encode(elementA(m, k)).bits);
  for (unsigned n = 0; n < 64; ++n)
    for (unsigned k = 0; k < 32; k += 2) {
      auto nibble = [&](unsigned at) {
        return executor::F4E2M1FN::encode(elementB(n, at)).bits;
      };
      b.put(shared, n, k / 16 * 16 + k % 16 / 2,
            static_cast<uint8_t>(nibble(k) | nibble(k + 1) << 4));
    }
  TensorMemory memory = wholeMemory();
  storeScales(memory, 256, 128, 2, 1,
              [](unsigned m, unsigned) { return 127 + m / 32; });
  storeScales(memory, 264, 64, 1, 1,
              [](unsigned n, unsigned) { return 127 - n / 32; });
  TensorCoreProduct product =
      productOf("kind::mxf8f6f4.block_scale.scale_vec::1X");
  product.descriptor = 5 << 10 | scaledSizeBits(128, 64) | 2u << 29 | 1u << 4;
  product.sharedA = a.descriptor();
  product.sharedB = b.descriptor();
  product.scalesOfA = 256;
  product.scalesOfB = 264;
  product.accumulates = false;
  ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  EXPECT_EQ(floatAt(memory, 100, 40), dotOf(100, 40, 32) * 8 / 2);
  EXPECT_EQ(floatAt(memory, 20, 10), dotOf(20, 10, 32));
}

TEST(SimulatedScales, NarrowTypes) {
  Stored a({6}, 128, 32, 1), b({6}, 16, 32, 1, 32 * 1024);
  std::vector<char> shared(sharedBytes);
  auto pair = [](int first, int second) {
    return static_cast<uint8_t>(executor::F4E2M1FN::encode(first).bits |
                                executor::F4E2M1FN::encode(second).bits << 4);
  };
  for (unsigned k = 0; k < 64; k += 2) {
    for (unsigned m = 0; m < 128; ++m)
      a.put(shared, m, k / 2, pair(elementA(m, k), elementA(m, k + 1)));
    for (unsigned n = 0; n < 16; ++n)
      b.put(shared, n, k / 2, pair(elementB(n, k), elementB(n, k + 1)));
  }
  TensorMemory memory = wholeMemory();
  // ue4m3: 1, 2, 3 and 4 for the four blocks of 16.
  storeScales(memory, 256, 128, 0, 4, [](unsigned, unsigned i) {
    return executor::F8E4M3FN::encode(i + 1).bits;
  });
  storeScales(memory, 264, 16, 0, 4, [](unsigned, unsigned) {
    return executor::F8E4M3FN::encode(0.5).bits;
  });
  TensorCoreProduct product = productOf("kind::mxf4nvf4.block_scale.block16");
  product.descriptor =
      1 << 7 | 1 << 10 | (scaledSizeBits(128, 16) & ~(1u << 23));
  product.sharedA = a.descriptor();
  product.sharedB = b.descriptor();
  product.scalesOfA = 256;
  product.scalesOfB = 264;
  product.accumulates = false;
  ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  double expected = 0;
  for (unsigned k = 0; k < 64; ++k)
    expected += elementA(9, k) * elementB(3, k) * int(k / 16 + 1) * 0.5;
  EXPECT_EQ(floatAt(memory, 9, 3), expected);
}

} // namespace
