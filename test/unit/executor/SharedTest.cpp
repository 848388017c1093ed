//===- SharedTest.cpp - Shared memory and its views -----------------------===//

#include "Program.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace kernelscope::executor;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A ttgir kernel whose `body` makes %r, a tensor<4x8xi32>, from %x, another.
std::string kernel4x8(const std::string &body) {
  return R"(
#b1 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#st = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>) {
    %rows = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #b}>>
    %cols = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #b}>>
    %r0 = tt.expand_dims %rows {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<4x1xi32, #b>
    %c0 = tt.expand_dims %cols {axis = 0 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x8xi32, #b>
    %ten = arith.constant dense<10> : tensor<4x1xi32, #b>
    %eight = arith.constant dense<8> : tensor<4x1xi32, #b>
    %r1 = arith.muli %r0, %ten : tensor<4x1xi32, #b>
    %r2 = tt.broadcast %r1 : tensor<4x1xi32, #b> -> tensor<4x8xi32, #b>
    %c2 = tt.broadcast %c0 : tensor<1x8xi32, #b> -> tensor<4x8xi32, #b>
    %x = arith.addi %r2, %c2 : tensor<4x8xi32, #b>
)" + body +
         R"(
    %o0 = arith.muli %r0, %eight : tensor<4x1xi32, #b>
    %o1 = tt.broadcast %o0 : tensor<4x1xi32, #b> -> tensor<4x8xi32, #b>
    %o = arith.addi %o1, %c2 : tensor<4x8xi32, #b>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<4x8x!tt.ptr<i32>, #b>
    %q = tt.addptr %ps, %o : tensor<4x8x!tt.ptr<i32>, #b>, tensor<4x8xi32, #b>
    tt.store %q, %r : tensor<4x8x!tt.ptr<i32>, #b>
    tt.return
  }
})";
}

std::vector<int32_t> run(const std::string &body) {
  Program program(kernel4x8(body));
  std::vector<int32_t> r(32);
  EXPECT_TRUE(program.run({buffer(r)})) << program.errors;
  return r;
}

TEST(Shared, StoresAndLoadsThroughATransposedView) {
  auto r = run(R"(
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> !ttg.memdesc<8x4xi32, #st, #smem, mutable>
    %v = ttg.local_load %t : !ttg.memdesc<8x4xi32, #st, #smem, mutable> -> tensor<8x4xi32, #b>
    %w = tt.trans %v {order = array<i32: 1, 0>} : tensor<8x4xi32, #b> -> tensor<4x8xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>>
    %r = ttg.convert_layout %w : tensor<4x8xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>> -> tensor<4x8xi32, #b>)");
  EXPECT_EQ(r[8], 10);
  EXPECT_EQ(r[31], 37);
}

TEST(Shared, ARingOfBuffersKeepsItsSlots) {
  auto r = run(R"(
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %twice = arith.addi %x, %x : tensor<4x8xi32, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x4x8xi32, #s, #smem, mutable>
    %m0 = ttg.memdesc_index %m[%i0] : !ttg.memdesc<2x4x8xi32, #s, #smem, mutable> -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %m1 = ttg.memdesc_index %m[%i1] : !ttg.memdesc<2x4x8xi32, #s, #smem, mutable> -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    ttg.local_store %x, %m0 : tensor<4x8xi32, #b> -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    ttg.local_store %twice, %m1 : tensor<4x8xi32, #b> -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %r = ttg.local_load %m0 : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> tensor<4x8xi32, #b>)");
  EXPECT_EQ(r[31], 37);
}

TEST(Shared, AsyncCopiesFillMaskedElementsWithZero) {
  Program program(kernel4x8(R"(
    %n = arith.constant dense<2> : tensor<4x8xi32, #b>
    %live = arith.cmpi slt, %c2, %n : tensor<4x8xi32, #b>
    %from = tt.splat %p : !tt.ptr<i32> -> tensor<4x8x!tt.ptr<i32>, #b>
    %at = tt.addptr %from, %c2 : tensor<4x8x!tt.ptr<i32>, #b>, tensor<4x8xi32, #b>
    %m = ttg.local_alloc : () -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    ttg.local_store %x, %m : tensor<4x8xi32, #b> -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %t0 = ttg.async_copy_global_to_local %at, %m mask %live : tensor<4x8x!tt.ptr<i32>, #b> -> <4x8xi32, #s, #smem, mutable>
    %t1 = ttg.async_commit_group tokens %t0
    %t2 = ttg.async_wait %t1 {num = 0 : i32}
    %r = ttg.local_load %m token %t2 : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> tensor<4x8xi32, #b>)"));
  std::vector<int32_t> r(32, 5);
  r[1] = 6;
  ASSERT_TRUE(program.run({buffer(r)})) << program.errors;
  EXPECT_THAT(std::vector<int32_t>(r.begin() + 8, r.begin() + 12),
              ElementsAre(5, 6, 0, 0));
}

/// Two copies into one buffer, of the result's first elements and of every
/// other one, in a group each; then `wait`, and the first elements of a load.
std::vector<int32_t> copiesAfterWait(const std::string &wait) {
  Program program(kernel4x8(R"(
    %from = tt.splat %p : !tt.ptr<i32> -> tensor<4x8x!tt.ptr<i32>, #b>
    %at = tt.addptr %from, %c2 : tensor<4x8x!tt.ptr<i32>, #b>, tensor<4x8xi32, #b>
    %next = tt.addptr %at, %c2 : tensor<4x8x!tt.ptr<i32>, #b>, tensor<4x8xi32, #b>
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %t0 = ttg.async_copy_global_to_local %at, %m : tensor<4x8x!tt.ptr<i32>, #b> -> <4x8xi32, #s, #smem, mutable>
    %g0 = ttg.async_commit_group tokens %t0
    %t1 = ttg.async_copy_global_to_local %next, %m : tensor<4x8x!tt.ptr<i32>, #b> -> <4x8xi32, #s, #smem, mutable>
    %g1 = ttg.async_commit_group tokens %t1
)" + wait + R"(
    %r = ttg.local_load %m : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> tensor<4x8xi32, #b>)"));
  std::vector<int32_t> r(32);
  std::iota(r.begin(), r.end(), 100);
  EXPECT_TRUE(program.run({buffer(r)})) << program.errors;
  r.resize(3);
  return r;
}

TEST(Shared, AsyncCopiesTakeEffectAtTheWaitThatOrdersThem) {
  EXPECT_THAT(copiesAfterWait(""), ElementsAre(0, 1, 2));
  EXPECT_THAT(copiesAfterWait("ttg.async_wait {num = 2 : i32}"),
              ElementsAre(0, 1, 2));
  EXPECT_THAT(copiesAfterWait("ttg.async_wait {num = 1 : i32}"),
              ElementsAre(100, 101, 102));
  EXPECT_THAT(copiesAfterWait("ttg.async_wait {num = 0 : i32}"),
              ElementsAre(100, 102, 104));
}

TEST(Shared, GathersAndScattersAlongAnAxis) {
  // Columns in reverse; then each row's elements to the next row.
  auto r = run(R"(
    %seven = arith.constant dense<7> : tensor<4x8xi32, #b>
    %four = arith.constant dense<4> : tensor<4x8xi32, #b>
    %one = arith.constant dense<1> : tensor<4x8xi32, #b>
    %last = arith.subi %seven, %c2 : tensor<4x8xi32, #b>
    %rows2 = tt.broadcast %r0 : tensor<4x1xi32, #b> -> tensor<4x8xi32, #b>
    %below = arith.addi %rows2, %one : tensor<4x8xi32, #b>
    %row = arith.remui %below, %four : tensor<4x8xi32, #b>
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %v = ttg.local_gather %m[%last] {axis = 1 : i32} : !ttg.memdesc<4x8xi32, #s, #smem, mutable>, tensor<4x8xi32, #b> -> tensor<4x8xi32, #b>
    ttg.local_scatter %m[%row], %v {axis = 0 : i32} : !ttg.memdesc<4x8xi32, #s, #smem, mutable>, tensor<4x8xi32, #b>, tensor<4x8xi32, #b>
    %r = ttg.local_load %m : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> tensor<4x8xi32, #b>)");
  EXPECT_EQ(r[8], 7);  // row 0's last
  EXPECT_EQ(r[0], 37); // row 3's last
  EXPECT_EQ(r[3 * 8 + 1], 26);
}

TEST(Shared, AtomicsAtComputedPositions) {
  auto r = run(R"(
    %zero = arith.constant dense<0> : tensor<4x8xi32, #b>
    %n = arith.constant dense<2> : tensor<4x8xi32, #b>
    %live = arith.cmpi slt, %c2, %n : tensor<4x8xi32, #b>
    %m = ttg.local_alloc %zero : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %old = ttg.local_atomic_scatter_rmw add, %m[%zero], %x, %live {axis = 1 : i32} : (!ttg.memdesc<4x8xi32, #s, #smem, mutable>, tensor<4x8xi32, #b>, tensor<4x8xi32, #b>, tensor<4x8xi1, #b>) -> tensor<4x8xi32, #b>
    %r = ttg.local_load %m : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> tensor<4x8xi32, #b>)");
  EXPECT_EQ(r[0], 0 + 1);
  EXPECT_EQ(r[24], 30 + 31);
  EXPECT_EQ(r[1], 0);
}

TEST(Shared, AnIndexOutsideTheAxisIsAnError) {
  Program program(kernel4x8(R"(
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %r = ttg.local_gather %m[%x] {axis = 1 : i32} : !ttg.memdesc<4x8xi32, #s, #smem, mutable>, tensor<4x8xi32, #b> -> tensor<4x8xi32, #b>)"));
  std::vector<int32_t> r(32);
  EXPECT_FALSE(program.run({buffer(r)}));
  EXPECT_THAT(program.errors,
              HasSubstr("element [1, 0]: index 10 is outside of dimension 1, "
                        "which has 8 elements"));
}

TEST(Shared, AnIndexOutsideTheRingIsAnError) {
  Program program(kernel4x8(R"(
    %i2 = arith.constant 2 : i32
    %m = ttg.local_alloc : () -> !ttg.memdesc<2x4x8xi32, #s, #smem, mutable>
    %m2 = ttg.memdesc_index %m[%i2] : !ttg.memdesc<2x4x8xi32, #s, #smem, mutable> -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %r = ttg.local_load %m2 : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> tensor<4x8xi32, #b>)"));
  std::vector<int32_t> r(32);
  EXPECT_FALSE(program.run({buffer(r)}));
  EXPECT_THAT(program.errors,
              HasSubstr("index 2 is outside the 2 buffers of the memdesc"));
}

TEST(Shared, BytesAreReadAsAnotherType) {
  // Each i32 is its value in the first of four bytes.
  const std::vector<int32_t> bytes = run(R"(
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %raw = ttg.memdesc_reinterpret %m : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> !ttg.memdesc<4x32xi8, #s, #smem, mutable>
    %some = ttg.memdesc_subslice %raw[0, 8] : !ttg.memdesc<4x32xi8, #s, #smem, mutable> -> !ttg.memdesc<4x8xi8, #s, #smem, mutable, 4x32>
    %v = ttg.local_load %some : !ttg.memdesc<4x8xi8, #s, #smem, mutable, 4x32> -> tensor<4x8xi8, #b>
    %r = arith.extsi %v : tensor<4x8xi8, #b> to tensor<4x8xi32, #b>)");
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 8; ++column)
      EXPECT_EQ(bytes[row * 8 + column],
                column % 4 ? 0 : row * 10 + 2 + column / 4);
}

TEST(Shared, AnotherTypeHasTheBytesThatTheLayoutPlaced) {
  // Column by column in memory: the rows of the 8 x 4 are the columns of %x.
  auto r = run(R"(
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #st, #smem, mutable>
    %t = ttg.memdesc_reinterpret %m : !ttg.memdesc<4x8xi32, #st, #smem, mutable> -> !ttg.memdesc<8x4xi32, #s, #smem, mutable>
    %v = ttg.local_load %t : !ttg.memdesc<8x4xi32, #s, #smem, mutable> -> tensor<8x4xi32, #b>
    %w = tt.trans %v {order = array<i32: 1, 0>} : tensor<8x4xi32, #b> -> tensor<4x8xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>>
    %r = ttg.convert_layout %w : tensor<4x8xi32, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [0, 1]}>> -> tensor<4x8xi32, #b>)");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(r[i], i / 8 * 10 + i % 8) << i;
}

TEST(Shared, AnotherTypeWhoseBytesAreSwizzledHasThemByTheByte) {
  auto r = run(R"(
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>, #smem, mutable>
    %t = ttg.memdesc_reinterpret %m : !ttg.memdesc<4x8xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>, #smem, mutable> -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %r = ttg.local_load %t : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> tensor<4x8xi32, #b>)");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(r[i], i / 8 * 10 + (i % 8 ^ i / 8)) << i;
}

TEST(Shared, WhatIsStoredAsAnotherTypeIsInTheSwizzledBytes) {
  // Row 1 has its neighbours swapped, and row 2 its pairs; a pair of i32 is an
  // i64 whose halves are apart in row-major order of columns.
  auto r = run(R"(
    %m = ttg.local_alloc : () -> !ttg.memdesc<4x8xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [0, 1]}>, #smem, mutable>
    %t = ttg.memdesc_reinterpret %m : !ttg.memdesc<4x8xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [0, 1]}>, #smem, mutable> -> !ttg.memdesc<2x8xi64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>, #smem, mutable>
    %twelve = arith.constant dense<12884901890> : tensor<2x8xi64, #b>
    ttg.local_store %twelve, %t : tensor<2x8xi64, #b> -> !ttg.memdesc<2x8xi64, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>, #smem, mutable>
    %r = ttg.local_load %m : !ttg.memdesc<4x8xi32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [0, 1]}>, #smem, mutable> -> tensor<4x8xi32, #b>)");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(r[i], (i / 8 ^ i % 8 % 4) % 2 ? 3 : 2) << i;
}

TEST(Shared, AWindowIsReinterpretedFromItsFirstByte) {
  auto r = run(R"(
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #st, #smem, mutable>
    %w = ttg.memdesc_subslice %m[0, 4] : !ttg.memdesc<4x8xi32, #st, #smem, mutable> -> !ttg.memdesc<4x4xi32, #st, #smem, mutable, 4x8>
    %t = ttg.memdesc_reinterpret %w : !ttg.memdesc<4x4xi32, #st, #smem, mutable, 4x8> -> !ttg.memdesc<2x8xi32, #s, #smem, mutable>
    %zero = arith.constant dense<0> : tensor<2x8xi32, #b>
    ttg.local_store %zero, %t : tensor<2x8xi32, #b> -> !ttg.memdesc<2x8xi32, #s, #smem, mutable>
    %r = ttg.local_load %m : !ttg.memdesc<4x8xi32, #st, #smem, mutable> -> tensor<4x8xi32, #b>)");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(r[i], i % 8 < 4 ? i / 8 * 10 + i % 8 : 0) << i;
}

TEST(Shared, AShapeThatNoStridesDescribeIsAnImage) {
  // A transposed 8 x 4 in one dimension, and that in two.
  auto r = run(R"(
    %m = ttg.local_alloc %x : (tensor<4x8xi32, #b>) -> !ttg.memdesc<4x8xi32, #s, #smem, mutable>
    %t = ttg.memdesc_trans %m {order = array<i32: 1, 0>} : !ttg.memdesc<4x8xi32, #s, #smem, mutable> -> !ttg.memdesc<8x4xi32, #st, #smem, mutable>
    %f = ttg.memdesc_reshape %t : !ttg.memdesc<8x4xi32, #st, #smem, mutable> -> !ttg.memdesc<32xi32, #ttg.shared_linear<{offset = [[4], [8], [16], [1], [2]]}, alignment = 16>, #smem, mutable>
    %g = ttg.memdesc_reshape %f : !ttg.memdesc<32xi32, #ttg.shared_linear<{offset = [[4], [8], [16], [1], [2]]}, alignment = 16>, #smem, mutable> -> !ttg.memdesc<4x8xi32, #ttg.shared_linear<{offset = [[0, 4], [1, 0], [2, 0], [0, 1], [0, 2]]}, alignment = 16>, #smem, mutable>
    %r = ttg.local_load %g : !ttg.memdesc<4x8xi32, #ttg.shared_linear<{offset = [[0, 4], [1, 0], [2, 0], [0, 1], [0, 2]]}, alignment = 16>, #smem, mutable> -> tensor<4x8xi32, #b>)");
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(r[i], i % 4 * 10 + i / 4) << i;
}

} // namespace
