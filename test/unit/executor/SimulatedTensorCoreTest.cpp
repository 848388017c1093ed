//===- SimulatedTensorCoreTest.cpp - The simulator's tensor core ----------===//
//
// tcgen05.mma on matrices in shared and tensor memory, against sums that are
// written out.
//
//===----------------------------------------------------------------------===//

#include "StoredMatrix.h"
#include "executor/plan/SmallFloat.h"
#include "executor/wave/nvidia/TensorCore.h"
#include "gmock/gmock.h"
#include <bit>
#include <cmath>

using namespace kernelscope;
using namespace kernelscope::wave::nvidia;
using executor::BF16;
using executor::F16;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Puts rows of A and of B from these on in shared memory, as f16.
void storeHalves(std::vector<char> &shared, const Stored &a, const Stored &b,
                 unsigned rows, unsigned columns, unsigned firstRow = 0,
                 unsigned firstColumn = 0) {
  for (unsigned k = 0; k < 16; ++k) {
    for (unsigned i = 0; i < rows; ++i)
      a.put(shared, i, k, F16::encode(elementA(firstRow + i, k)).bits);
    for (unsigned i = 0; i < columns; ++i)
      b.put(shared, i, k, F16::encode(elementB(firstColumn + i, k)).bits);
  }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

TEST(SimulatedTensorCore, EveryModeOfSharedMemory) {
  for (unsigned swizzle : {0u, 2u, 4u, 6u})
    for (bool aIsKMajor : {true, false})
      for (bool bIsKMajor : {true, false}) {
        SCOPED_TRACE(testing::Message() << swizzle << aIsKMajor << bIsKMajor);
        Stored a({swizzle, aIsKMajor}, 128, 16, 2),
            b({swizzle, bIsKMajor}, 64, 16, 2, 32 * 1024);
        std::vector<char> shared(sharedBytes);
        storeHalves(shared, a, b, 128, 64);
        TensorMemory memory = wholeMemory();
        TensorCoreProduct product = productOf("kind::f16");
        product.descriptor = f16ToF32 | sizeBits(128, 64) |
                             uint32_t(!aIsKMajor) << 15 |
                             uint32_t(!bIsKMajor) << 16;
        product.d = 32;
        product.sharedA = a.descriptor();
        product.sharedB = b.descriptor();
        product.accumulates = false;
        ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
        unsigned wrong = 0;
        for (unsigned m = 0; m < 128; ++m)
          for (unsigned n = 0; n < 64; ++n)
            wrong += floatAt(memory, m, 32 + n) != dotOf(m, n, 16);
        EXPECT_EQ(wrong, 0u);
      }
}

TEST(SimulatedTensorCore, PlacesWithinASwizzledChunk) {
  // Two steps along K of one matrix: the address moves, the swizzle stays.
  Stored a({2}, 128, 32, 2), b({2}, 16, 32, 2, 32 * 1024);
  std::vector<char> shared(sharedBytes);
  for (unsigned k = 0; k < 32; ++k) {
    for (unsigned m = 0; m < 128; ++m)
      a.put(shared, m, k, F16::encode(elementA(m, k)).bits);
    for (unsigned n = 0; n < 16; ++n)
      b.put(shared, n, k, F16::encode(elementB(n, k)).bits);
  }
  TensorMemory memory = wholeMemory();
  TensorCoreProduct product = productOf("kind::f16");
  product.descriptor = f16ToF32 | sizeBits(128, 16);
  for (unsigned step : {0u, 1u}) {
    product.sharedA = a.descriptor() + step * 32 / 16;
    product.sharedB = b.descriptor() + step * 32 / 16;
    product.accumulates = step != 0;
    ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  }
  EXPECT_EQ(floatAt(memory, 77, 13), dotOf(77, 13, 32));
  // Halved before it is added to.
  product.scaleOfD = 1;
  ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  EXPECT_EQ(floatAt(memory, 77, 13),
            dotOf(77, 13, 32) / 2 + dotOf(77, 13, 32) - dotOf(77, 13, 16));
}

TEST(SimulatedTensorCore, RowsOfSixtyFourAreInterleaved) {
  Stored a({2}, 64, 16, 2), b({2}, 24, 16, 2, 32 * 1024);
  std::vector<char> shared(sharedBytes);
  storeHalves(shared, a, b, 64, 24);
  TensorMemory memory = wholeMemory();
  TensorCoreProduct product = productOf("kind::f16");
  product.descriptor = f16ToF32 | sizeBits(64, 24);
  product.d = 16 << 16;
  product.sharedA = a.descriptor();
  product.sharedB = b.descriptor();
  product.accumulates = false;
  ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  EXPECT_EQ(floatAt(memory, 16 + 3, 23), dotOf(3, 23, 16));
  EXPECT_EQ(floatAt(memory, 96 + 16 + 15, 5), dotOf(63, 5, 16));
  EXPECT_TRUE(std::isnan(floatAt(memory, 15, 0)));
}

/// A pair with `rows` rows in both; each CTA has half of A's and of B's rows.
struct Pair {
  Pair(unsigned rows, unsigned columns)
      : a({2}, rows / 2, 16, 2), b({2}, columns / 2, 16, 2, 32 * 1024) {
    for (unsigned cta : {0u, 1u}) {
      shared[cta].resize(sharedBytes);
      storeHalves(shared[cta], a, b, rows / 2, columns / 2, cta * rows / 2,
                  cta * columns / 2);
    }
    product.modifiers = modifiersOf("cta_group::2.kind::f16");
    product.descriptor = f16ToF32 | sizeBits(rows, columns);
    product.sharedA = a.descriptor();
    product.sharedB = b.descriptor();
    product.accumulates = false;
  }
  std::string run() {
    return errorOf(multiply(
        product, {{shared[0], &memories[0]}, {shared[1], &memories[1]}}));
  }

  Stored a, b;
  std::vector<char> shared[2];
  TensorMemory memories[2] = {wholeMemory(), wholeMemory()};
  TensorCoreProduct product;
};

TEST(SimulatedTensorCore, Pairs) {
  Pair large(256, 64);
  ASSERT_EQ(large.run(), "");
  EXPECT_EQ(floatAt(large.memories[0], 100, 63), dotOf(100, 63, 16));
  EXPECT_EQ(floatAt(large.memories[1], 100, 3), dotOf(228, 3, 16));
  // Of 128 rows, the upper half of the lanes has the right half of D.
  Pair small(128, 64);
  ASSERT_EQ(small.run(), "");
  EXPECT_EQ(floatAt(small.memories[0], 50, 31), dotOf(50, 31, 16));
  EXPECT_EQ(floatAt(small.memories[0], 64 + 50, 0), dotOf(50, 32, 16));
  EXPECT_EQ(floatAt(small.memories[1], 64 + 50, 31), dotOf(114, 63, 16));
}

TEST(SimulatedTensorCore, LanesThatAreNotWritten) {
  Pair pair(256, 32);
  pair.product.disabledLanes[4] = 1u << 3;
  ASSERT_EQ(pair.run(), "");
  EXPECT_EQ(floatAt(pair.memories[0], 3, 1), dotOf(3, 1, 16));
  EXPECT_TRUE(std::isnan(floatAt(pair.memories[1], 3, 1)));
  EXPECT_EQ(floatAt(pair.memories[1], 4, 1), dotOf(132, 1, 16));
}

TEST(SimulatedTensorCore, LeftOperandInTensorMemory) {
  Stored b({4}, 32, 16, 2, 32 * 1024), unused({2}, 0, 16, 2);
  std::vector<char> shared(sharedBytes);
  storeHalves(shared, unused, b, 0, 32);
  for (unsigned rows : {128u, 64u}) {
    TensorMemory memory = wholeMemory();
    auto laneOfRow = [&](unsigned m) {
      return rows == 128 ? m : m / 16 * 32 + m % 16;
    };
    for (unsigned m = 0; m < rows; ++m)
      for (unsigned k = 0; k < 16; k += 2)
        memory.at(laneOfRow(m), 64 + k / 2) =
            BF16::encode(elementA(m, k)).bits |
            uint32_t{BF16::encode(elementA(m, k + 1)).bits} << 16;
    // B is -bf16 of what it has as f16: zeros, so that only A counts.
    for (unsigned n = 0; n < 32; ++n)
      for (unsigned k = 0; k < 16; ++k)
        b.put(shared, n, k, BF16::encode(elementB(n, k)).bits);
    TensorCoreProduct product = productOf("kind::f16");
    product.descriptor =
        f16ToF32 | 1 << 7 | 1 << 10 | 1 << 14 | sizeBits(rows, 32);
    product.tensorA = 64;
    product.sharedB = b.descriptor();
    product.accumulates = false;
    ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
    EXPECT_EQ(floatAt(memory, laneOfRow(60), 31), -dotOf(60, 31, 16));
  }
}

TEST(SimulatedTensorCore, Tf32AndIntegers) {
  std::vector<char> shared(sharedBytes);
  TensorMemory memory = wholeMemory();
  // Transposed operands of 32 bits have a swizzle of their own.
  Stored a({1, false}, 128, 8, 4), b({2}, 16, 8, 4, 32 * 1024);
  for (unsigned k = 0; k < 8; ++k) {
    for (unsigned m = 0; m < 128; ++m)
      a.put(shared, m, k, bitsOfFloat(elementA(m, k)) | 0x1fff);
    for (unsigned n = 0; n < 16; ++n)
      b.put(shared, n, k, bitsOfFloat(elementB(n, k)) | 0x1000);
  }
  TensorCoreProduct product = productOf("kind::tf32");
  product.descriptor =
      f16ToF32 | 2 << 7 | 2 << 10 | 1 << 15 | sizeBits(128, 16);
  product.sharedA = a.descriptor();
  product.sharedB = b.descriptor();
  product.accumulates = false;
  ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  EXPECT_NEAR(floatAt(memory, 99, 7), dotOf(99, 7, 8), 1e-30);

  Stored bytes({6}, 128, 32, 1), others({6}, 16, 32, 1, 32 * 1024);
  for (unsigned k = 0; k < 32; ++k) {
    for (unsigned m = 0; m < 128; ++m)
      bytes.put(shared, m, k, uint8_t{200}); // u8
    for (unsigned n = 0; n < 16; ++n)
      others.put(shared, n, k, int8_t{-100}); // s8
  }
  product.modifiers = modifiersOf("kind::i8");
  product.descriptor = 2 << 4 | 1 << 10 | sizeBits(128, 16);
  product.sharedA = bytes.descriptor();
  product.sharedB = others.descriptor();
  ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  EXPECT_EQ(int32_t(memory.at(5, 5)), 32 * 200 * -100);
  memory.at(5, 5) = 0x80000001;
  product.accumulates = true;
  product.descriptor |= 1 << 3;
  ASSERT_EQ(errorOf(multiply(product, {{shared, &memory}})), "");
  EXPECT_EQ(memory.at(5, 5), 0x80000000u);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST(SimulatedTensorCore, WrongDescriptors) {
  Stored a({2}, 128, 16, 2);
  std::vector<char> shared(sharedBytes);
  TensorMemory memory = wholeMemory();
  TensorCoreProduct good = productOf("kind::f16");
  good.descriptor = f16ToF32 | sizeBits(128, 64);
  good.sharedA = good.sharedB = a.descriptor();
  auto errorWith = [&](auto change) {
    TensorCoreProduct product = good;
    change(product);
    return errorOf(multiply(product, {{shared, &memory}}));
  };
  EXPECT_THAT(errorWith([](auto &) {}), IsEmpty());
  EXPECT_EQ(errorWith([](auto &p) { p.sharedA &= ~(uint64_t{1} << 46); }),
            "the shared-memory descriptor 0x4000004004000040 has 0 in bits 46 "
            "to 48; it must be 1");
  EXPECT_THAT(errorWith([](auto &p) { p.sharedB |= uint64_t{3} << 61; }),
              HasSubstr("has 3 in its swizzle (bits 61 to 63); it must be 0"));
  EXPECT_THAT(errorWith([](auto &p) { p.sharedB |= 0x3fff; }),
              HasSubstr("of shared memory, which has 65536"));
  EXPECT_EQ(errorWith([](auto &p) { p.descriptor |= 1 << 2; }),
            "the instruction descriptor 0x8100014 of tcgen05.mma has 1 as its "
            "sparsity (bit 2); it must be 0: the wave simulator does not "
            "support sparse matrices");
  EXPECT_THAT(errorWith([](auto &p) { p.descriptor |= 4 << 7; }),
              HasSubstr("has 4 as the type of A (bits 7 to 9); it must be 0 "
                        "for f16 or 1 for bf16"));
  EXPECT_THAT(errorWith([](auto &p) { p.descriptor = f16ToF32; }),
              HasSubstr("has 0 as M / 16 (bits 24 to 28); it must be 4 or 8 "
                        "with .cta_group::1"));
  EXPECT_THAT(
      errorWith([](auto &p) { p.descriptor = f16ToF32 | sizeBits(128, 72); }),
      HasSubstr("has 9 as N / 8 (bits 17 to 22); it must be an eighth of a "
                "multiple of 16 up to 256"));
  EXPECT_THAT(errorWith([](auto &p) { p.d = 480; }),
              HasSubstr("D of tcgen05.mma accesses columns 480 to 543"));
  EXPECT_THAT(errorWith([](auto &p) { p.d = 32 << 16; }),
              HasSubstr("has D at lane 32; it must be lane 0"));
  EXPECT_THAT(
      errorOf(ProductModifiers::parse("kind::mxf4.block_scale.scale_vec::4X")),
      HasSubstr("4 scales for each row; kind mxf8f6f4 takes 1, mxf4 2"));
  EXPECT_THAT(errorOf(ProductModifiers::parse("sp.cta_group::1.kind::f16")),
              HasSubstr("does not support tcgen05.mma with '.sp'"));
  EXPECT_THAT(errorOf(ProductModifiers::parse("ws.cta_group::2.kind::f16")),
              HasSubstr("with .ws it must have .cta_group::1"));
}

} // namespace
