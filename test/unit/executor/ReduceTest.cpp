//===- ReduceTest.cpp - Reductions, scans, histograms, maps ---------------===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::ElementsAre;

namespace {

/// A kernel that loads %x, a 2x4 f32 tensor, runs `body` and stores its %r of
/// `count` elements of `type`.
std::string kernel2x4(const std::string &type, int count,
                      const std::string &body) {
  const std::string n = std::to_string(count);
  return R"(
tt.func public @k(%px: !tt.ptr<f32>, %pr: !tt.ptr<)" +
         type + R"(>) {
  %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32>
  %xs = tt.splat %px : !tt.ptr<f32> -> tensor<8x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<8x!tt.ptr<f32>>, tensor<8xi32>
  %flat = tt.load %xp : tensor<8x!tt.ptr<f32>>
  %x = tt.reshape %flat : tensor<8xf32> -> tensor<2x4xf32>
  )" + body +
         R"(
  %j = tt.make_range {start = 0 : i32, end = )" +
         n + R"( : i32} : tensor<)" + n + R"(xi32>
  %rs = tt.splat %pr : !tt.ptr<)" +
         type + "> -> tensor<" + n + "x!tt.ptr<" + type + R"(>>
  %rp = tt.addptr %rs, %j : tensor<)" +
         n + "x!tt.ptr<" + type + ">>, tensor<" + n + R"(xi32>
  tt.store %rp, %r : tensor<)" +
         n + "x!tt.ptr<" + type + R"(>>
  tt.return
})";
}

template <typename T> std::vector<T> run(const std::string &text, int count) {
  Program program(text);
  std::vector<float> x = {1, 2, 3, 4, 10, 20, 30, 40};
  std::vector<T> r(count);
  EXPECT_TRUE(program.run({buffer(x), buffer(r)})) << program.errors;
  return r;
}

TEST(Reduce, AlongEachAxis) {
  const std::string sum = R"(({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<2x4xf32>) -> )";
  EXPECT_THAT(
      run<float>(kernel2x4("f32", 2,
                           "%r = \"tt.reduce\"(%x) <{axis = 1 : i32}> " + sum +
                               "tensor<2xf32>"),
                 2),
      ElementsAre(10, 100));
  EXPECT_THAT(
      run<float>(kernel2x4("f32", 4,
                           "%r = \"tt.reduce\"(%x) <{axis = 0 : i32}> " + sum +
                               "tensor<4xf32>"),
                 4),
      ElementsAre(11, 22, 33, 44));
}

TEST(Reduce, KeepsTheOrderOfOperands) {
  // p * 2 + q in a tree of neighbours: ((1*2+2)*2 + (3*2+4)) = 18.
  EXPECT_THAT(run<float>(kernel2x4("f32", 2,
                                   R"(%r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %two = arith.constant 2.0 : f32
      %t = arith.mulf %p, %two : f32
      %s = arith.addf %t, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<2x4xf32>) -> tensor<2xf32>)"),
                         2),
              ElementsAre(18, 180));
}

TEST(Reduce, SeveralValuesAtOnce) {
  EXPECT_THAT(run<int32_t>(kernel2x4("i32", 2, R"(
    %c = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
    %row = tt.expand_dims %c {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
    %at = tt.broadcast %row : tensor<1x4xi32> -> tensor<2x4xi32>
    %best, %r = "tt.reduce"(%x, %at) <{axis = 1 : i32}> ({
    ^bb0(%v: f32, %i0: i32, %w: f32, %i1: i32):
      %gt = arith.cmpf ogt, %v, %w : f32
      %m = arith.select %gt, %v, %w : f32
      %k = arith.select %gt, %i0, %i1 : i32
      tt.reduce.return %m, %k : f32, i32
    }) : (tensor<2x4xf32>, tensor<2x4xi32>) -> (tensor<2xf32>, tensor<2xi32>))"),
                           2),
              ElementsAre(3, 3));
}

TEST(Reduce, ARegionWithBranchesRunsElementByElement) {
  EXPECT_THAT(run<float>(kernel2x4("f32", 2,
                                   R"(%r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %gt = arith.cmpf ogt, %p, %q : f32
      %s = scf.if %gt -> f32 {
        scf.yield %p : f32
      } else {
        scf.yield %q : f32
      }
      tt.reduce.return %s : f32
    }) : (tensor<2x4xf32>) -> tensor<2xf32>)"),
                         2),
              ElementsAre(4, 40));
}

TEST(Scan, ForwardAndReverse) {
  auto scan = [](const std::string &axis, const std::string &reverse) {
    return run<float>(kernel2x4("f32", 8,
                                "%s = \"tt.scan\"(%x) <{axis = " + axis +
                                    " : i32, reverse = " + reverse + R"(}> ({
    ^bb0(%p: f32, %q: f32):
      %t = arith.addf %p, %q : f32
      tt.scan.return %t : f32
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %r = tt.reshape %s : tensor<2x4xf32> -> tensor<8xf32>)"),
                      8);
  };
  EXPECT_THAT(scan("1", "false"), ElementsAre(1, 3, 6, 10, 10, 30, 60, 100));
  EXPECT_THAT(scan("1", "true"), ElementsAre(10, 9, 7, 4, 100, 90, 70, 40));
  EXPECT_THAT(scan("0", "false"), ElementsAre(1, 2, 3, 4, 11, 22, 33, 44));
}

TEST(Histogram, CountsWhatIsInRange) {
  EXPECT_THAT(run<int32_t>(kernel2x4("i32", 4, R"(
    %k = arith.fptosi %flat : tensor<8xf32> to tensor<8xi32>
    %r = tt.histogram %k : tensor<8xi32> -> tensor<4xi32>)"),
                           4),
              ElementsAre(0, 1, 1, 1));
}

TEST(Gather, PicksAlongTheAxis) {
  EXPECT_THAT(run<float>(kernel2x4("f32", 4, R"(
    %k = arith.constant dense<[[3, 0], [1, 1]]> : tensor<2x2xi32>
    %g = tt.gather %x[%k] {axis = 1 : i32} : (tensor<2x4xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    %r = tt.reshape %g : tensor<2x2xf32> -> tensor<4xf32>)"),
                         4),
              ElementsAre(4, 1, 20, 20));
}

TEST(Shape, TransposesJoinsAndSplits) {
  EXPECT_THAT(run<float>(kernel2x4("f32", 8, R"(
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<2x4xf32> -> tensor<4x2xf32>
    %r = tt.reshape %t : tensor<4x2xf32> -> tensor<8xf32>)"),
                         8),
              ElementsAre(1, 10, 2, 20, 3, 30, 4, 40));
  EXPECT_THAT(run<float>(kernel2x4("f32", 4, R"(
    %q = tt.reshape %x : tensor<2x4xf32> -> tensor<4x2xf32>
    %l, %h = tt.split %q : tensor<4x2xf32> -> tensor<4xf32>
    %r = arith.subf %h, %l : tensor<4xf32>)"),
                         4),
              ElementsAre(1, 1, 10, 10));
  EXPECT_THAT(
      run<float>(kernel2x4("f32", 16, R"(
    %q = tt.join %flat, %flat : tensor<8xf32> -> tensor<8x2xf32>
    %r = tt.reshape %q : tensor<8x2xf32> -> tensor<16xf32>)"),
                 16),
      ElementsAre(1, 1, 2, 2, 3, 3, 4, 4, 10, 10, 20, 20, 30, 30, 40, 40));
}

TEST(Dot, MultipliesMatrices) {
  EXPECT_THAT(run<float>(kernel2x4("f32", 4, R"(
    %zero = arith.constant dense<1.0> : tensor<2x2xf32>
    %t = tt.trans %x {order = array<i32: 1, 0>} : tensor<2x4xf32> -> tensor<4x2xf32>
    %d = tt.dot %x, %t, %zero : tensor<2x4xf32> * tensor<4x2xf32> -> tensor<2x2xf32>
    %r = tt.reshape %d : tensor<2x2xf32> -> tensor<4xf32>)"),
                         4),
              ElementsAre(31, 301, 301, 3001));
}

} // namespace
