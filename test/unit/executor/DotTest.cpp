//===- DotTest.cpp - Matrix products in registers -------------------------===//

#include "Program.h"

using namespace kernelscope::executor;

namespace {

/// 16 products of 1 + 2^-11, which tf32 does not have, and 1.
float sumOf(const std::string &layout) {
  const std::string operand =
      layout.empty()
          ? ""
          : ", #ttg.dot_op<{opIdx = I, parent = #d" +
                std::string(layout[0] == 'n' ? ", kWidth = 1" : "") + "}>";
  auto type = [&](const char *index) {
    std::string made = "tensor<16x16xf32" + operand + ">";
    if (size_t at = made.find("= I"); at != std::string::npos)
      made.replace(at + 2, 1, index);
    return made;
  };
  const std::string result =
      "tensor<16x16xf32" + std::string(layout.empty() ? "" : ", #d") + ">";
  Program program(
      (layout.empty() ? "" : "#d = #ttg." + layout + "\n") +
      R"(module attributes {"ttg.num-warps" = 1 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<f32>) {
    %a = arith.constant dense<1.00048828125> : )" +
      type("0") + "\n%b = arith.constant dense<1.0> : " + type("1") +
      "\n%c = arith.constant dense<0.0> : " + result +
      "\n%d = tt.dot %a, %b, %c, inputPrecision = tf32 : " + type("0") + " * " +
      type("1") + " -> " + result + R"(
    %r = "tt.reduce"(%d) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      tt.reduce.return %x : f32
    }) : ()" +
      result + ") -> tensor<16xf32" +
      (layout.empty() ? "" : ", #ttg.slice<{dim = 0, parent = #d}>") + R"(>
    %s = "tt.reduce"(%r) <{axis = 0 : i32}> ({
    ^bb0(%x: f32, %y: f32):
      tt.reduce.return %x : f32
    }) : (tensor<16xf32)" +
      (layout.empty() ? "" : ", #ttg.slice<{dim = 0, parent = #d}>") +
      R"(>) -> f32
    tt.store %p, %s : !tt.ptr<f32>
    tt.return
  }
})");
  std::vector<float> r(1);
  EXPECT_TRUE(program.run({buffer(r)})) << program.errors;
  return r[0];
}

TEST(Dot, OnlyAMatrixUnitRoundsToTF32) {
  EXPECT_EQ(sumOf("nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA "
                  "= [1, 1], instrShape = [16, 8]}>"),
            16);
  EXPECT_EQ(sumOf("blocked<{sizePerThread = [2, 4], threadsPerWarp = [8, 4], "
                  "warpsPerCTA = [1, 1], order = [1, 0]}>"),
            16 * (1 + 0x1p-11f));
  // Before there are layouts a matrix unit is expected.
  EXPECT_EQ(sumOf(""), 16);
}

TEST(Dot, SignedAndUnsignedBytes) {
  auto product = [](const std::string &signs) {
    Program program(
        R"(
#d = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #d, kWidth = 4}>
#b = #ttg.dot_op<{opIdx = 1, parent = #d, kWidth = 4}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.num-ctas" = 1 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>) {
    %a = arith.constant dense<-1> : tensor<16x32xi8, #a>
    %b = arith.constant dense<-2> : tensor<32x8xi8, #b>
    %c = arith.constant dense<5> : tensor<16x8xi32, #d>
    %d = tti.dot_i8 %a, %b, %c, )" +
        signs +
        R"( : tensor<16x32xi8, #a> * tensor<32x8xi8, #b> -> tensor<16x8xi32, #d>
    %r = "tt.reduce"(%d) <{axis = 0 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      tt.reduce.return %x : i32
    }) : (tensor<16x8xi32, #d>) -> tensor<8xi32, #ttg.slice<{dim = 0, parent = #d}>>
    %s = "tt.reduce"(%r) <{axis = 0 : i32}> ({
    ^bb0(%x: i32, %y: i32):
      tt.reduce.return %x : i32
    }) : (tensor<8xi32, #ttg.slice<{dim = 0, parent = #d}>>) -> i32
    tt.store %p, %s : !tt.ptr<i32>
    tt.return
  }
})");
    std::vector<int32_t> r(1);
    EXPECT_TRUE(program.run({buffer(r)})) << program.errors;
    return r[0];
  };
  EXPECT_EQ(product("aSigned = true, bSigned = true"), 32 * 2 + 5);
  EXPECT_EQ(product("aSigned = false, bSigned = true"), 32 * 255 * -2 + 5);
}

} // namespace
