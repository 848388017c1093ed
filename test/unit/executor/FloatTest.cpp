//===- FloatTest.cpp - Floating point arithmetic of the executor ----------===//

#include "Program.h"
#include "gmock/gmock.h"
#include <cmath>
#include <limits>

using namespace kernelscope::executor;
using testing::ElementsAre;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float nan = std::nanf("");

template <typename T, typename R = T>
std::vector<R> apply(const std::string &type, const std::string &body,
                     std::vector<std::vector<T>> inputs,
                     const std::string &output = "") {
  const std::string to = output.empty() ? type : output;
  Program program(elementwiseKernel(std::vector(inputs.size(), type), to,
                                    static_cast<int>(inputs[0].size()), body));
  std::vector<R> r(inputs[0].size());
  std::vector<Argument> arguments;
  for (auto &input : inputs)
    arguments.push_back(buffer(input));
  arguments.push_back(buffer(r));
  EXPECT_TRUE(program.run(arguments)) << program.errors;
  return r;
}

TEST(SmallFloat, RoundsToNearestEven) {
  EXPECT_EQ(F16::encode(1.0).bits, 0x3c00);
  EXPECT_EQ(F16::encode(65504.0).bits, 0x7bff);
  EXPECT_EQ(F16::encode(65519.9).bits, 0x7bff);
  EXPECT_EQ(F16::encode(65520.0).bits, 0x7c00);
  EXPECT_EQ(F16::encode(0x1p-24).bits, 0x0001);
  EXPECT_EQ(F16::encode(0x1p-25).bits, 0x0000);
  EXPECT_EQ(F16::encode(0x1.8p-25).bits, 0x0001);
  EXPECT_EQ(F16::encode(-0.0).bits, 0x8000);
  EXPECT_EQ(BF16::encode(1.00390625).bits, 0x3f80); // half way, to even
  EXPECT_EQ(BF16::encode(1.01171875).bits, 0x3f82);
  EXPECT_EQ(F16::encode(1.0 + 0x1p-10 * 0.99, Rounding::TowardZero).bits,
            0x3c00);
}

TEST(SmallFloat, EightBitFormats) {
  EXPECT_EQ(F8E4M3FN::encode(448.0).bits, 0x7e);
  EXPECT_EQ(F8E4M3FN::encode(1e9).bits, 0x7e) << "saturates";
  EXPECT_EQ(F8E4M3FN::encode(nan).bits & 0x7f, 0x7f);
  EXPECT_EQ(F8E5M2::encode(57344.0).bits, 0x7b);
  EXPECT_EQ(F8E5M2::encode(1e9).bits, 0x7c);
  EXPECT_EQ(F8E5M2::encode(nan).bits & 0x7f, 0x7f) << "as an H100 has it";
  EXPECT_EQ(F8E4M3FNUZ::encode(nan).bits, 0x80);
  EXPECT_EQ(F8E4M3FNUZ::encode(-0.0).bits, 0x00);
  EXPECT_EQ(F8E4M3FNUZ::encode(240.0).bits, 0x7f);
}

/// Encoding what a value decodes to returns the value, for every value.
template <typename T> void expectRoundTrip(unsigned count) {
  for (unsigned bits = 0; bits < count; ++bits) {
    T value;
    value.bits = static_cast<decltype(value.bits)>(bits);
    const float decoded = value.decode();
    if (!std::isnan(decoded)) {
      EXPECT_EQ(T::encode(decoded).bits, value.bits) << bits;
    }
  }
}

TEST(SmallFloat, RoundTrips) {
  expectRoundTrip<F16>(1 << 16);
  expectRoundTrip<BF16>(1 << 16);
  expectRoundTrip<F8E5M2>(256);
  expectRoundTrip<F8E4M3FN>(256);
  expectRoundTrip<F8E5M2FNUZ>(256);
  expectRoundTrip<F8E4M3FNUZ>(256);
}

TEST(Float, EachOpRoundsToItsOwnType) {
  // 2048 + 1 is half way between two f16 values: each sum goes back to 2048.
  auto r = decode(apply<F16>("f16", R"(
    %s = arith.addf %a, %b : tensor<2xf16>
    %r = arith.addf %s, %b : tensor<2xf16>)",
                             {encode<F16>({2048, 1}), encode<F16>({1, 1})}));
  EXPECT_THAT(r, ElementsAre(2048, 3));
  auto b = decode(apply<BF16>(
      "bf16", "%r = arith.mulf %a, %b : tensor<2xbf16>",
      {encode<BF16>({1.0078125, 3}), encode<BF16>({1.0078125, 7})}));
  EXPECT_THAT(b, ElementsAre(1.015625, 21));
}

TEST(Float, FusedMultiplyAddRoundsOnce) {
  const float x = 1 + 0x1p-12f;
  auto r = apply<float>("f32", "%r = math.fma %a, %a, %b : tensor<1xf32>",
                        {{x}, {-1 - 0x1p-11f}});
  EXPECT_THAT(r, ElementsAre(0x1p-24f));
  auto unfused = apply<float>("f32", R"(
    %p = arith.mulf %a, %a : tensor<1xf32>
    %r = arith.addf %p, %b : tensor<1xf32>)",
                              {{x}, {-1 - 0x1p-11f}});
  EXPECT_THAT(unfused, ElementsAre(0));
}

TEST(Float, NanLosesInMaxnumAndWinsInMaximum) {
  const std::vector<float> a = {1, nan, -0.0f, nan}, b = {nan, 2, 0.0f, nan};
  auto number =
      apply<float>("f32", "%r = arith.maxnumf %a, %b : tensor<4xf32>", {a, b});
  EXPECT_EQ(number[0], 1);
  EXPECT_EQ(number[1], 2);
  EXPECT_FALSE(std::signbit(number[2]));
  EXPECT_TRUE(std::isnan(number[3]));
  auto any =
      apply<float>("f32", "%r = arith.minimumf %a, %b : tensor<4xf32>", {a, b});
  EXPECT_TRUE(std::isnan(any[0]) && std::isnan(any[1]));
  EXPECT_TRUE(std::signbit(any[2]));
}

TEST(Float, ClampPassesOrDropsNan) {
  const std::vector<std::vector<float>> inputs = {
      {nan, 5, -5, 0.5}, {-1, -1, -1, -1}, {1, 1, 1, 1}};
  auto drop = apply<float>(
      "f32", "%r = tt.clampf %a, %b, %c, propagateNan = none : tensor<4xf32>",
      inputs);
  EXPECT_THAT(drop, ElementsAre(-1, 1, -1, 0.5));
  auto pass = apply<float>(
      "f32", "%r = tt.clampf %a, %b, %c, propagateNan = all : tensor<4xf32>",
      inputs);
  EXPECT_TRUE(std::isnan(pass[0]));
}

TEST(Float, ClampfDropsNan) {
  auto r =
      apply<float>("f32", "%r = math.clampf %a to [%b, %c] : tensor<4xf32>",
                   {{nan, 5, -5, 0.5}, {-1, -1, -1, -1}, {1, 1, 1, 1}});
  EXPECT_THAT(r, ElementsAre(-1, 1, -1, 0.5));
}

TEST(Float, NormalNumbersHaveTheFullPrecisionOfTheirType) {
  auto r = apply<float, uint8_t>(
      "f32", "%r = math.isnormal %a : tensor<8xf32>",
      {{0, 0x1p-126f, 0x1p-127f, -1, inf, nan, -inf, 0x1p127f}}, "i1");
  EXPECT_THAT(r, ElementsAre(0, 1, 0, 1, 0, 0, 0, 1));
}

TEST(Float, SincosHasTwoResults) {
  const float x = 0.75f;
  auto sine =
      apply<float>("f32", "%r, %c = math.sincos %a : tensor<1xf32>", {{x}});
  EXPECT_THAT(sine, ElementsAre(static_cast<float>(std::sin(double(x)))));
  auto cosine =
      apply<float>("f32", "%s, %r = math.sincos %a : tensor<1xf32>", {{x}});
  EXPECT_THAT(cosine, ElementsAre(static_cast<float>(std::cos(double(x)))));
}

TEST(Float, OrderedAndUnorderedComparisons) {
  auto compare = [](const std::string &predicate) {
    return apply<float, uint8_t>(
        "f32", "%r = arith.cmpf " + predicate + ", %a, %b : tensor<4xf32>",
        {{1, 2, nan, 3}, {2, 2, 1, 2}}, "i1");
  };
  EXPECT_THAT(compare("olt"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(compare("ult"), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(compare("une"), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(compare("one"), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(compare("uno"), ElementsAre(0, 0, 1, 0));
}

TEST(Float, FunctionsRoundOnce) {
  auto r = apply<float>("f32", "%r = math.exp %a : tensor<4xf32>",
                        {{0, 1, -inf, inf}});
  EXPECT_THAT(r, ElementsAre(1, static_cast<float>(std::exp(1.0)), 0, inf));
  auto s = apply<float>("f32", "%r = math.rsqrt %a : tensor<2xf32>", {{4, 2}});
  EXPECT_THAT(s, ElementsAre(0.5, static_cast<float>(1 / std::sqrt(2.0))));
}

TEST(Float, ConvertsToIntegersWithinTheirRange) {
  auto r = apply<float, int32_t>(
      "f32", "%r = arith.fptosi %a : tensor<4xf32> to tensor<4xi32>",
      {{-1.9f, 3e9f, -inf, nan}}, "i32");
  EXPECT_THAT(r, ElementsAre(-1, INT32_MAX, INT32_MIN, 0));
  auto u = apply<float, uint8_t>(
      "f32", "%r = arith.fptoui %a : tensor<4xf32> to tensor<4xi8>",
      {{-1, 255.9f, 300, nan}}, "i8");
  EXPECT_THAT(u, ElementsAre(0, 255, 255, 0));
}

TEST(Float, NarrowingUsesTheGivenRounding) {
  const std::vector<std::vector<float>> x = {{1.0f + 0x1p-8f * 1.5f, 500}};
  auto nearest = apply<float, BF16>(
      "f32", "%r = arith.truncf %a : tensor<2xf32> to tensor<2xbf16>", x,
      "bf16");
  EXPECT_EQ(nearest[0].bits, 0x3f81);
  auto toZero = apply<float, BF16>(
      "f32",
      "%r = tt.fp_to_fp %a, rounding = rtz : tensor<2xf32> -> tensor<2xbf16>",
      x, "bf16");
  EXPECT_EQ(toZero[0].bits, 0x3f80);
  auto small = apply<float, F8E4M3FN>("f32",
                                      "%r = tt.fp_to_fp %a, rounding = rtne : "
                                      "tensor<2xf32> -> tensor<2xf8E4M3FN>",
                                      x, "f8E4M3FN");
  EXPECT_EQ(small[1].bits, 0x7e);
}

TEST(Float, PackedArithmetic) {
  const std::vector<std::vector<float>> x = {
      {3, nan}, {1 + 0x1p-12f, 2}, {-3, -inf}};
  auto packed = [&](const std::string &operation, const std::string &operands,
                    const std::string &types,
                    const std::string &prepared = "") {
    return apply<float>("f32",
                        prepared + "%r = ttng.packed_arith " + operation + " " +
                            operands + " : (" + types + ") -> tensor<2xf32>",
                        x);
  };
  const std::string f32 = "tensor<2xf32>";
  const std::string two = f32 + ", " + f32, three = two + ", " + f32;
  // Rounded once: the product alone would lose its low bits.
  EXPECT_EQ(packed("fma", "%b, %b, %c", three)[0],
            std::fma(1 + 0x1p-12f, 1 + 0x1p-12f, -3.0f));
  EXPECT_THAT(packed("sub", "%b, %c", two), ElementsAre(4 + 0x1p-12f, inf));
  EXPECT_THAT(packed("mul", "%b, %c", two),
              ElementsAre(-3 - 3 * 0x1p-12f, -inf));
  // An operand of f16 counts as it is.
  EXPECT_EQ(
      packed("add", "%h, %b", "tensor<2xf16>, " + f32,
             "%h = arith.truncf %a : tensor<2xf32> to tensor<2xf16>\n")[0],
      4 + 0x1p-12f);
}

TEST(Float, CallsLibraryFunctionsByName) {
  auto r = apply<float>(
      "f32",
      R"(%r = tt.extern_elementwise %a {libname = "", libpath = "", pure = true,
      symbol = "__nv_sinf"} : (tensor<2xf32>) -> tensor<2xf32>)",
      {{0, 1}});
  EXPECT_THAT(r, ElementsAre(0, static_cast<float>(std::sin(1.0))));
}

TEST(Extern, BytePermSelectsSingleBytes) {
  // The nibble 9 chooses byte 1; prmt would copy its sign.
  auto r = apply<uint32_t>(
      "i32",
      R"(%r = tt.extern_elementwise %a, %b, %c {libname = "", libpath = "",
      pure = true, symbol = "__nv_byte_perm"} :
      (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>)",
      {{0x44332211}, {0x88776655}, {0x0097}});
  EXPECT_THAT(r, ElementsAre(0x11112288));
}

/// `symbol` of `inputs`, whose type is `type`.
template <typename T, typename R = T>
R call(const std::string &symbol, const std::string &type,
       std::vector<T> inputs, const std::string &to = "") {
  const std::string tensor = "tensor<1x" + type + ">",
                    result = to.empty() ? tensor : "tensor<1x" + to + ">";
  std::string names, types;
  std::vector<std::vector<T>> sources;
  for (size_t i = 0; i < inputs.size(); ++i) {
    names += std::string(i ? ", " : "") + "%" + char('a' + i);
    types += (i ? ", " : "") + tensor;
    sources.push_back({inputs[i]});
  }
  return apply<T, R>(type,
                     "%r = tt.extern_elementwise " + names +
                         R"( {libname = "", libpath = "", pure = true,
      symbol = ")" + symbol +
                         "\"} : (" + types + ") -> " + result,
                     sources, to)[0];
}

TEST(Extern, FunctionsOfIntegers) {
  EXPECT_EQ(call<int32_t>("__nv_ffs", "i32", {0}), 0);
  EXPECT_EQ(call<int32_t>("__nv_ffs", "i32", {INT32_MIN}), 32);
  EXPECT_EQ((call<int64_t, int32_t>("__nv_ffsll", "i64", {8}, "i32")), 4);
  EXPECT_EQ(call<int32_t>("__nv_hadd", "i32", {-3, 0}), -2);
  EXPECT_EQ(call<int32_t>("__nv_rhadd", "i32", {-3, 0}), -1);
  EXPECT_EQ(call<uint32_t>("__nv_uhadd", "i32", {~0u, 2}), 0x80000000);
  EXPECT_EQ(call<uint32_t>("__nv_urhadd", "i32", {~0u, 2}), 0x80000001);
}

TEST(Extern, FunctionsThatDependOnTheirType) {
  const float tiny = 0x1p-40f;
  EXPECT_EQ(call<float>("__nv_fmaf_ieee_ru", "f32", {1, 1, tiny}),
            1 + 0x1p-23f);
  EXPECT_EQ(call<float>("__nv_fmaf_ieee_rn", "f32", {1, 1, tiny}), 1);
  EXPECT_EQ(call<float>("__ocml_add_rtp_f32", "f32", {1, tiny}), 1 + 0x1p-23f);
  EXPECT_EQ(call<float>("__ocml_sub_rtz_f32", "f32", {1, tiny}), 1 - 0x1p-24f);
  EXPECT_EQ(call<F16>("__ocml_mul_rtn_f16", "f16",
                      {F16::encode(-0x1.004p0), F16::encode(0x1.004p0)})
                .bits,
            F16::encode(-0x1.00cp0).bits);
  EXPECT_EQ(call<F16>("__ocml_add_rtn_f16", "f16",
                      {F16::encode(1), F16::encode(-0x1p-20)})
                .bits,
            F16::encode(1 - 0x1p-11).bits);
  EXPECT_EQ(call<double>("__ocml_succ_f64", "f64", {1}), 1 + 0x1p-52);
  EXPECT_EQ(call<float>("__ocml_pred_f32", "f32", {1}), 1 - 0x1p-24f);
  EXPECT_EQ(
      (call<float, int32_t>("__ocml_isnormal_f32", "f32", {0x1p-130f}, "i32")),
      0);
  EXPECT_EQ((call<float, int32_t>("__ocml_fpclassify_f32", "f32", {0x1p-130f},
                                  "i32")),
            3);
  EXPECT_EQ(
      (call<float, F16>("__ocml_cvtrtp_f16_f32", "f32", {1 + 0x1p-20f}, "f16")
           .bits),
      F16::encode(1 + 0x1p-10).bits);
  EXPECT_EQ(call<float>("__ocml_maxmag_f32", "f32", {-3, 2}), -3);
  EXPECT_EQ(call<float>("__ocml_acospi_f32", "f32", {-1}), 1);
}

} // namespace
