//===- IntegerTest.cpp - Integer arithmetic of the executor ---------------===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::ElementsAre;

namespace {

/// Runs `%r = OP %a, %b` on four elements of type T.
template <typename T>
std::vector<T> binary(const std::string &op, const std::string &type,
                      std::vector<T> a, std::vector<T> b) {
  const std::string tensor = "tensor<4x" + type + ">";
  Program program(elementwiseKernel({type, type}, type, 4,
                                    "%r = " + op + " %a, %b : " + tensor));
  std::vector<T> r(4);
  EXPECT_TRUE(program.run({buffer(a), buffer(b), buffer(r)})) << program.errors;
  return r;
}

constexpr int32_t low32 = INT32_MIN, high32 = INT32_MAX;

TEST(Integer, WrapsAround) {
  EXPECT_THAT(
      binary<int32_t>("arith.addi", "i32", {high32, 1, -1, 0}, {1, 2, -1, 0}),
      ElementsAre(low32, 3, -2, 0));
  EXPECT_THAT(
      binary<int8_t>("arith.muli", "i8", {100, -128, 16, 3}, {3, -1, 16, 5}),
      ElementsAre(44, -128, 0, 15));
  EXPECT_THAT(
      binary<int16_t>("arith.subi", "i16", {-32768, 0, 5, 7}, {1, 1, 5, 9}),
      ElementsAre(32767, -1, 0, -2));
  EXPECT_THAT(binary<int64_t>("arith.muli", "i64",
                              {INT64_MAX, 1ll << 40, -3, 0},
                              {2, 1 << 20, 7, 9}),
              ElementsAre(-2, 1ll << 60, -21, 0));
}

TEST(Integer, DividesBySignOfTheOp) {
  EXPECT_THAT(
      binary<int32_t>("arith.divsi", "i32", {7, -7, low32, 5}, {2, 2, -1, 0}),
      ElementsAre(3, -3, low32, -1));
  EXPECT_THAT(
      binary<int32_t>("arith.remsi", "i32", {7, -7, low32, 5}, {3, 3, -1, 0}),
      ElementsAre(1, -1, 0, 5));
  EXPECT_THAT(binary<uint32_t>("arith.divui", "i32", {7, 0xfffffff9, 1, 5},
                               {2, 2, 3, 0}),
              ElementsAre(3u, 0x7ffffffcu, 0u, 0xffffffffu));
  EXPECT_THAT(
      binary<uint8_t>("arith.remui", "i8", {200, 255, 9, 5}, {7, 16, 3, 0}),
      ElementsAre(4, 15, 0, 5));
  EXPECT_THAT(
      binary<int32_t>("arith.ceildivsi", "i32", {7, -7, 6, -1}, {2, 2, 3, -2}),
      ElementsAre(4, -3, 2, 1));
  EXPECT_THAT(
      binary<int32_t>("arith.floordivsi", "i32", {7, -7, 6, 1}, {2, 2, 3, -2}),
      ElementsAre(3, -4, 2, -1));
}

TEST(Integer, Powers) {
  EXPECT_THAT(
      binary<int32_t>("math.ipowi", "i32", {3, -2, 7, 2}, {4, 31, 0, -1}),
      ElementsAre(81, low32, 1, 0));
  EXPECT_THAT(
      binary<int32_t>("math.ipowi", "i32", {-1, -1, 1, 10}, {-3, -2, -5, 9}),
      ElementsAre(-1, 1, 1, 1000000000));
}

TEST(Integer, ShiftsBeyondTheWidthAreDefined) {
  EXPECT_THAT(
      binary<int32_t>("arith.shli", "i32", {1, -1, 3, 1}, {31, 4, 32, -1}),
      ElementsAre(low32, -16, 0, 0));
  EXPECT_THAT(
      binary<int32_t>("arith.shrsi", "i32", {-8, 8, -8, 8}, {1, 1, 32, 99}),
      ElementsAre(-4, 4, -1, 0));
  EXPECT_THAT(binary<uint32_t>("arith.shrui", "i32", {0x80000000, 8, 8, 1},
                               {31, 1, 32, 0}),
              ElementsAre(1u, 4u, 0u, 1u));
  EXPECT_THAT(
      binary<int8_t>("arith.shrsi", "i8", {-128, 64, -1, 1}, {7, 3, 8, 1}),
      ElementsAre(-1, 8, -1, 0));
}

TEST(Integer, MultipliesHigh) {
  EXPECT_THAT(binary<uint32_t>("tt.mulhiui", "i32",
                               {0xffffffff, 1u << 31, 3, 0},
                               {0xffffffff, 2, 5, 1}),
              ElementsAre(0xfffffffeu, 1u, 0u, 0u));
  EXPECT_THAT(binary<uint64_t>("tt.mulhiui", "i64", {~0ull, 1ull << 63, 3, 0},
                               {~0ull, 2, 5, 1}),
              ElementsAre(~0ull - 1, 1ull, 0ull, 0ull));
}

TEST(Integer, ComparesByPredicate) {
  auto compare = [](const std::string &predicate) {
    Program program(elementwiseKernel({"i32", "i32"}, "i1", 4,
                                      "%r = arith.cmpi " + predicate +
                                          ", %a, %b : tensor<4xi32>"));
    std::vector<int32_t> a = {1, -1, 2, 0}, b = {2, 1, 2, -1};
    std::vector<uint8_t> r(4);
    EXPECT_TRUE(program.run({buffer(a), buffer(b), buffer(r)}))
        << program.errors;
    return r;
  };
  EXPECT_THAT(compare("slt"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(compare("ult"), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(compare("sge"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(compare("eq"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(compare("ne"), ElementsAre(1, 1, 0, 1));
}

TEST(Integer, ConvertsBetweenWidths) {
  Program widen(elementwiseKernel({"i8"}, "i64", 4, R"(
    %s = arith.extsi %a : tensor<4xi8> to tensor<4xi64>
    %u = arith.extui %a : tensor<4xi8> to tensor<4xi64>
    %r = arith.addi %s, %u : tensor<4xi64>)"));
  std::vector<int8_t> a = {-1, 127, -128, 0};
  std::vector<int64_t> r(4);
  ASSERT_TRUE(widen.run({buffer(a), buffer(r)})) << widen.errors;
  EXPECT_THAT(r, ElementsAre(254, 254, 0, 0));

  Program narrow(elementwiseKernel(
      {"i64"}, "i8", 4,
      "%r = arith.trunci %a : tensor<4xi64> to tensor<4xi8>"));
  std::vector<int64_t> wide = {256, -1, 511, 128};
  ASSERT_TRUE(narrow.run({buffer(wide), buffer(a)})) << narrow.errors;
  EXPECT_THAT(a, ElementsAre(0, -1, -1, -128));
}

TEST(Integer, ExtendsABooleanBySign) {
  Program program(elementwiseKernel(
      {"i1"}, "i32", 2, "%r = arith.extsi %a : tensor<2xi1> to tensor<2xi32>"));
  std::vector<uint8_t> a = {1, 0};
  std::vector<int32_t> r(2);
  ASSERT_TRUE(program.run({buffer(a), buffer(r)})) << program.errors;
  EXPECT_THAT(r, ElementsAre(-1, 0));
}

} // namespace
