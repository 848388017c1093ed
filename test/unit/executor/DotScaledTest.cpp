//===- DotScaledTest.cpp - Microscaled products, and upcasts --------------===//
//
// Against sums written here from the formats' definitions, not from tables.
//
//===----------------------------------------------------------------------===//

#include "Matrix.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace kernelscope::executor;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr int m = 16, n = 32, k = 64;

/// A float of `exponent` and `mantissa` bits, without infinities.
double small(unsigned bits, int exponent, int mantissa) {
  const int bias = (1 << (exponent - 1)) - 1;
  const int e = (bits >> mantissa) & ((1 << exponent) - 1);
  const double fraction =
      double(bits & ((1 << mantissa) - 1)) / (1 << mantissa);
  const double size = e == 0 ? std::ldexp(fraction, 1 - bias)
                             : std::ldexp(1 + fraction, e - bias);
  return (bits >> (exponent + mantissa)) & 1 ? -size : size;
}

/// How one format is written in IR, and what its bits stand for.
struct Format {
  std::string name, type;
  int exponent, mantissa;
  bool packed = false;
  unsigned bits() const { return 1 + exponent + mantissa; }
  double value(unsigned stored) const {
    return small(stored, exponent, mantissa);
  }
};
const Format e4m3{"e4m3", "f8E4M3FN", 4, 3}, e5m2{"e5m2", "f8E5M2", 5, 2},
    e2m3{"e2m3", "i8", 2, 3}, e3m2{"e3m2", "i8", 3, 2},
    e2m1{"e2m1", "i8", 2, 1, true};

/// One operand, as logical elements' bits and as it is stored.
struct Operand {
  Format format;
  bool packedAlongK = true;
  std::vector<unsigned> bits; ///< rows x columns
  int rows, columns;
  bool isLeft;

  Operand(Format format, bool isLeft, bool packedAlongK = true)
      : format(std::move(format)), packedAlongK(packedAlongK),
        rows(isLeft ? m : k), columns(isLeft ? k : n), isLeft(isLeft) {
    for (int i = 0; i < rows * columns; ++i) {
      // Exponents below the largest, which e5m2 keeps for infinity.
      unsigned value = (i * 37 + i / 7) % (1u << this->format.bits());
      if (this->format.exponent > 3)
        value &= ~(1u << (this->format.bits() - 2));
      bits.push_back(value);
    }
  }
  bool packsRows() const { return packedAlongK == isLeft; }
  std::pair<int, int> storedShape() const {
    if (!format.packed)
      return {rows, columns};
    return packsRows() ? std::pair(rows, columns / 2)
                       : std::pair(rows / 2, columns);
  }
  std::vector<uint8_t> stored() const {
    auto [height, width] = storedShape();
    std::vector<uint8_t> bytes(height * width);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const unsigned value = bits[r * columns + c];
        if (!format.packed)
          bytes[r * width + c] = value;
        else if (packsRows())
          bytes[r * width + c / 2] |= value << (c % 2 * 4);
        else
          bytes[r / 2 * width + c] |= value << (r % 2 * 4);
      }
    return bytes;
  }
  double at(int r, int c) const { return format.value(bits[r * columns + c]); }
  std::string type() const {
    auto [height, width] = storedShape();
    return matrixType(height, width, format.type);
  }
};

/// Scales near 1, of `lines` times K / factor.
std::vector<uint8_t> scaleBits(int lines, int factor, bool e8m0) {
  std::vector<uint8_t> made;
  for (int i = 0; i < lines * k / factor; ++i)
    made.push_back(e8m0 ? 125 + i % 5 : 0x30 + i % 16);
  return made;
}
double scaleValue(uint8_t bits, bool e8m0) {
  return e8m0 ? std::ldexp(1.0, bits - 127) : small(bits, 4, 3);
}

/// d = a * b + 1 with scales for every `factor` elements.
void expectProduct(const Operand &a, const Operand &b, int factor, bool e8m0) {
  SCOPED_TRACE(a.format.name + " * " + b.format.name);
  const std::string scale = e8m0 ? "i8" : "f8E4M3FN",
                    sa = matrixType(m, k / factor, scale),
                    sb = matrixType(n, k / factor, scale),
                    out = matrixType(m, n, "f32");
  auto [ah, aw] = a.storedShape();
  auto [bh, bw] = b.storedShape();
  Program program(
      "tt.func public @k(%pa: !tt.ptr<" + a.format.type + ">, %pb: !tt.ptr<" +
      b.format.type + ">, %psa: !tt.ptr<" + scale + ">, %psb: !tt.ptr<" +
      scale + ">, %pd: !tt.ptr<f32>) {\n" +
      loadMatrix("a", ah, aw, a.format.type) +
      loadMatrix("b", bh, bw, b.format.type) +
      loadMatrix("sa", m, k / factor, scale) +
      loadMatrix("sb", n, k / factor, scale) +
      "%c = arith.constant dense<1.0> : " + out +
      "\n%d = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = " +
      a.format.name + " rhs = " + b.format.name +
      " {fastMath = false, lhs_k_pack = " +
      (a.packedAlongK ? "true" : "false") +
      ", rhs_k_pack = " + (b.packedAlongK ? "true" : "false") +
      "} : " + a.type() + ", " + sa + " * " + b.type() + ", " + sb + " -> " +
      out + "\n" + storeMatrix("d", m, n, "f32") + "tt.return\n}");
  auto bytesA = a.stored(), bytesB = b.stored();
  auto scalesA = scaleBits(m, factor, e8m0),
       scalesB = scaleBits(n, factor, e8m0);
  std::vector<float> d(m * n);
  ASSERT_TRUE(program.run({buffer(bytesA), buffer(bytesB), buffer(scalesA),
                           buffer(scalesB), buffer(d)}))
      << program.errors;
  const int groups = k / factor;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 1;
      for (int x = 0; x < k; ++x)
        sum += a.at(i, x) * scaleValue(scalesA[i * groups + x / factor], e8m0) *
               b.at(x, j) * scaleValue(scalesB[j * groups + x / factor], e8m0);
      ASSERT_EQ(d[i * n + j], float(sum)) << i << ", " << j;
    }
}

TEST(DotScaled, EveryFormat) {
  for (const Format &format : {e4m3, e5m2, e2m3, e3m2, e2m1})
    expectProduct({format, true}, {format, false}, 32, true);
  expectProduct({e4m3, true}, {e2m1, false}, 32, true);
  expectProduct({e2m1, true}, {e5m2, false}, 32, true);
}

TEST(DotScaled, ScalesOfSixteenElementsInE4M3) {
  expectProduct({e2m1, true}, {e2m1, false}, 16, false);
}

TEST(DotScaled, PairsAlongRowsAndColumns) {
  expectProduct({e2m1, true, false}, {e2m1, false, true}, 32, true);
  expectProduct({e2m1, true, true}, {e2m1, false, false}, 32, true);
}

TEST(DotScaled, AScaleOfAllOnesIsNaN) {
  Program program(
      "tt.func public @k(%psa: !tt.ptr<i8>, %pd: !tt.ptr<f32>) {\n" +
      loadMatrix("sa", 16, 1, "i8") + R"(
      %a = arith.constant dense<1.0> : tensor<16x32xbf16>
      %b = arith.constant dense<1.0> : tensor<32x16xf8E4M3FN>
      %c = arith.constant dense<0.0> : tensor<16x16xf32>
      %d = tt.dot_scaled %a scale %sa, %b, %c lhs = bf16 rhs = e4m3 {fastMath = false} : tensor<16x32xbf16>, tensor<16x1xi8> * tensor<32x16xf8E4M3FN> -> tensor<16x16xf32>
)" + storeMatrix("d", 16, 16, "f32") +
      "tt.return\n}");
  std::vector<uint8_t> scales(16, 128);
  scales[1] = 255;
  std::vector<float> d(256);
  ASSERT_TRUE(program.run({buffer(scales), buffer(d)})) << program.errors;
  EXPECT_EQ(d[0], 64);
  EXPECT_TRUE(std::isnan(d[16]));
  EXPECT_EQ(d[32], 64);
}

/// The results of an op on bytes %a, 2x2, and scales %s, 2x1, as floats.
std::vector<float> upcast(const std::string &op, const std::string &type,
                          const std::string &result, int rows, int columns) {
  Program program("tt.func public @k(%pa: !tt.ptr<" + type +
                  ">, %ps: !tt.ptr<i8>, %pr: !tt.ptr<f16>) {\n" +
                  loadMatrix("a", 2, 2, type) + loadMatrix("s", 2, 1, "i8") +
                  "%two = arith.constant dense<2.0> : tensor<2x2xbf16>\n%r = " +
                  op + " -> " + result + "\n" +
                  storeMatrix("r", rows, columns, "f16") + "tt.return\n}");
  std::vector<uint8_t> a = {0x21, 0x43, 0x65, 0xf7}, s = {128, 126};
  std::vector<F16> r(rows * columns);
  EXPECT_TRUE(program.run({buffer(a), buffer(s), buffer(r)})) << program.errors;
  return decode(r);
}

TEST(Upcast, UnpacksPairsAlongEitherDimension) {
  EXPECT_THAT(upcast("ttg.fp4_to_fp %a {axis = 1 : i32} : tensor<2x2xi8>", "i8",
                     "tensor<2x4xf16>", 2, 4),
              ElementsAre(0.5, 1, 1.5, 2, 3, 4, 6, -6));
  EXPECT_THAT(upcast("ttg.fp4_to_fp %a {axis = 0 : i32} : tensor<2x2xi8>", "i8",
                     "tensor<4x2xf16>", 4, 2),
              ElementsAre(0.5, 1.5, 1, 2, 3, 6, 4, -6));
}

TEST(Upcast, ScalesRunsOfElements) {
  EXPECT_THAT(upcast("amdg.scaled_upcast_fp4 %a scale %s {axis = 1 : i32} : "
                     "tensor<2x2xi8>, tensor<2x1xi8>",
                     "i8", "tensor<2x4xf16>", 2, 4),
              ElementsAre(1, 2, 3, 4, 1.5, 2, 3, -3));
}

TEST(Upcast, ScalesEachElement) {
  auto r = upcast("amdg.scaled_upcast_fp8 %a scale %two : "
                  "tensor<2x2xf8E4M3FN>, tensor<2x2xbf16>",
                  "f8E4M3FN", "tensor<2x2xf16>", 2, 2);
  for (auto [found, bits] : {std::pair(r[0], 0x21), {r[1], 0x43}, {r[2], 0x65}})
    EXPECT_EQ(found, 2 * small(bits, 4, 3));
}

/// The bytes of `op` -> `type`, of %a, which has rows of twice 0.6, 1, 1.5,
/// ..., or columns if it is `tall`, with the scales 2 and 1.
std::vector<uint8_t> downcast(const std::string &op, const std::string &type,
                              bool tall, int rows, int columns) {
  const int m = tall ? 8 : 2, n = tall ? 2 : 8;
  Program program(
      "tt.func public @k(%pa: !tt.ptr<f32>, %ps: !tt.ptr<i8>, %pr: !tt.ptr<" +
      type + ">) {\n" + loadMatrix("a", m, n, "f32") +
      loadMatrix("s", tall ? 1 : 2, tall ? 2 : 1, "i8") + "%r = " + op +
      " -> tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
      "x" + type + ">\n" + storeMatrix("r", rows, columns, type) +
      "tt.return\n}");
  std::vector<float> a(16);
  std::vector<uint8_t> s = {128, 127}, r(rows * columns);
  const std::vector<float> values = {0.6f, 1, 1.5, 2.2f, -3, 1e6, 0.25, 0.75};
  for (int i = 0; i < 16; ++i)
    a[tall ? i % 8 * 2 + i / 8 : i] = values[i % 8] * (i < 8 ? 2 : 1);
  EXPECT_TRUE(program.run({buffer(a), buffer(s), buffer(r)})) << program.errors;
  return r;
}

TEST(Downcast, DividesByTheScaleRoundsToEvenAndSaturates) {
  EXPECT_THAT(downcast("amdg.scaled_downcast_fp4 %a scale %s {axis = 1 : i32} "
                       ": tensor<2x8xf32>, tensor<2x1xi8>",
                       "i8", false, 2, 4),
              ElementsAre(0x21, 0x43, 0x7d, 0x20, 0x21, 0x43, 0x7d, 0x20));
  EXPECT_THAT(downcast("amdg.scaled_downcast_fp4 %a scale %s {axis = 0 : i32} "
                       ": tensor<8x2xf32>, tensor<1x2xi8>",
                       "i8", true, 4, 2),
              ElementsAre(0x21, 0x21, 0x43, 0x43, 0x7d, 0x7d, 0x20, 0x20));
  auto bytes =
      downcast("amdg.scaled_downcast_fp8 %a scale %s {axis = 1 : i32} : "
               "tensor<2x8xf32>, tensor<2x1xi8>",
               "f8E5M2", false, 2, 8);
  EXPECT_EQ(small(bytes[4], 5, 2), -3);
  EXPECT_EQ(small(bytes[5], 5, 2), 57344); // the largest, not an infinity
  EXPECT_EQ(small(bytes[14], 5, 2), 0.25);
}

} // namespace
