//===- AmdTest.cpp - AMD's asynchronous copies and data mover -------------===//

#include "Program.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace kernelscope::executor;
using testing::Each;
using testing::HasSubstr;

namespace {

/// A kernel whose `body` may use %p and %q, pointers to 12 rows and 40 columns
/// of i32, %in and %out, descriptors of these by blocks of 8x16, %buf and
/// %other, memory for such a block, and %at, the offsets of the first block.
std::string kernel(const std::string &body) {
  return R"(
#b = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>
#rows = #ttg.slice<{dim = 1, parent = #b}>
#columns = #ttg.slice<{dim = 0, parent = #b}>
#all = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 1], order = [0, 1]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#s1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s1, #smem, mutable>
!buffer = !ttg.memdesc<8x16xi32, #s, #smem, mutable>
!desc = !tt.tensordesc<8x16xi32, #s>
!tensor = tensor<8x16xi32, #b>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx1250", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c12 = arith.constant 12 : i32
    %c32 = arith.constant 32 : i32
    %c40 = arith.constant 40 : i32
    %row = arith.constant 40 : i64
    %one = arith.constant 1 : i64
    %in = tt.make_tensor_descriptor %p, [%c12, %c40], [%row, %one] : !tt.ptr<i32>, !desc
    %out = tt.make_tensor_descriptor %q, [%c12, %c40], [%row, %one] : !tt.ptr<i32>, !desc
    %buf = ttg.local_alloc : () -> !buffer
    %other = ttg.local_alloc : () -> !buffer
    %i = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #rows>
    %j = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #columns>
    %ie = tt.expand_dims %i {axis = 1 : i32} : tensor<8xi32, #rows> -> tensor<8x1xi32, #b>
    %je = tt.expand_dims %j {axis = 0 : i32} : tensor<16xi32, #columns> -> tensor<1x16xi32, #b>
    %width = arith.constant dense<40> : tensor<8x1xi32, #b>
    %lines = arith.muli %ie, %width : tensor<8x1xi32, #b>
    %il = tt.broadcast %lines : tensor<8x1xi32, #b> -> !tensor
    %jl = tt.broadcast %je : tensor<1x16xi32, #b> -> !tensor
    %at = arith.addi %il, %jl : !tensor
)" + body +
         R"(
    tt.return
  }
}
)";
}

constexpr int rows = 12, columns = 40;

std::vector<int32_t> run(const std::string &body) {
  Program program(kernel(body));
  std::vector<int32_t> in(rows * columns), out(rows * columns);
  std::iota(in.begin(), in.end(), 1);
  EXPECT_TRUE(program.run({buffer(in), buffer(out)})) << program.errors;
  return out;
}

std::string failure(const std::string &body) {
  Program program(kernel(body));
  std::vector<int32_t> in(rows * columns), out(rows * columns);
  EXPECT_FALSE(program.run({buffer(in), buffer(out)}));
  return program.errors;
}

int32_t input(int row, int column) {
  return row < rows && column < columns ? row * columns + column + 1 : 0;
}

/// Expects the input's block at [row, column] as the first of the output.
void expectFirstBlock(const std::vector<int32_t> &out, int row, int column) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      ASSERT_EQ(out[i * columns + j],
                i < 8 && j < 16 ? input(i + row, j + column) : 0)
          << "at " << i << ", " << j;
}

/// Stores `memory` to the first block, by loads and stores.
std::string keep(const std::string &memory = "%buf") {
  return "%kept = ttg.local_load " + memory +
         " : !buffer -> !tensor\n"
         "amdg.buffer_store %kept, %q[%at] : !tensor\n";
}

const std::string loadToLds = R"(
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x16x!tt.ptr<i32>, #b>
    %from = tt.addptr %ps, %at : tensor<8x16x!tt.ptr<i32>, #b>, !tensor
    %t0 = ttg.async_copy_global_to_local %from, %buf : tensor<8x16x!tt.ptr<i32>, #b> -> !buffer
)";
const std::string loadAnother = R"(
    %far = arith.constant dense<4> : !tensor
    %next = tt.addptr %from, %far : tensor<8x16x!tt.ptr<i32>, #b>, !tensor
    %t1 = ttg.async_copy_global_to_local %next, %other {contiguity = 4 : i32} : tensor<8x16x!tt.ptr<i32>, #b> -> !buffer
)";

TEST(Amd, ABufferLoadToLdsTakesEffectAtItsWait) {
  auto run = [](int pending) {
    std::string text =
        kernel("%t0 = amdg.buffer_load_to_local %p[%at] into %buf : "
               "!tt.ptr<i32>[!tensor] -> <8x16xi32, #s, #smem, mutable>\n"
               "%g = ttg.async_commit_group\n"
               "%w = ttg.async_wait {num = " +
               std::to_string(pending) + " : i32}\n" + keep());
    // Only these chips have such loads, and their warps have 64 lanes.
    for (auto [from, to] :
         {std::pair("hip:gfx1250", "hip:gfx950"),
          std::pair("warp\" = 32", "warp\" = 64"),
          std::pair("[8, 4]", "[16, 4]"), std::pair("[1, 32]", "[1, 64]")})
      text.replace(text.find(from), std::strlen(from), to);
    Program program(text);
    std::vector<int32_t> in(rows * columns), out(rows * columns);
    std::iota(in.begin(), in.end(), 1);
    EXPECT_TRUE(program.run({buffer(in), buffer(out)})) << program.errors;
    return out;
  };
  expectFirstBlock(run(0), 0, 0);
  EXPECT_THAT(run(1), Each(0));
}

// The first copy moves the 4 elements of a lane one by one, the second at once.
TEST(Amd, AWaitCanCountInstructions) {
  const std::string both = loadToLds + loadAnother;
  auto wait = [](int pending) {
    return "%w = amdg.async_wait {num_inst = " + std::to_string(pending) +
           " : i32}\n";
  };
  EXPECT_THAT(run(both + wait(5) + keep()), Each(0));
  expectFirstBlock(run(both + wait(4) + keep()), 0, 0);
  EXPECT_THAT(run(both + wait(1) + keep("%other")), Each(0));
  expectFirstBlock(run(both + wait(0) + keep("%other")), 0, 4);
  expectFirstBlock(run(both + "amdg.memory_counter_wait load(0)\n" + keep()), 0,
                   0);
}

TEST(Amd, ACopyFromLdsReadsItUntilItsWait) {
  const std::string store = R"(
    %ones = arith.constant dense<1> : !tensor
    %twos = arith.constant dense<2> : !tensor
    ttg.local_store %ones, %buf : !tensor -> !buffer
    %qs = tt.splat %q : !tt.ptr<i32> -> tensor<8x16x!tt.ptr<i32>, #b>
    %to = tt.addptr %qs, %at : tensor<8x16x!tt.ptr<i32>, #b>, !tensor
    %t2 = amdg.async_copy_local_to_global %buf, %to : !buffer -> tensor<8x16x!tt.ptr<i32>, #b>
)";
  const std::string wait = "%w = amdg.async_wait {num_inst = 0 : i32}\n";
  const std::string clear =
      "ttg.local_store %twos, %buf : !tensor -> !buffer\n";
  EXPECT_EQ(run(store + wait + clear).front(), 1);
  EXPECT_EQ(run(store + clear + wait).front(), 2);
  EXPECT_THAT(run(store), Each(0));
}

/// Starts to load the block of %in at `at` into `memory`.
std::string tdmLoad(const std::string &at, const std::string &memory,
                    const std::string &predicate = "%true") {
  static int number = 0;
  return "%tdm" + std::to_string(number++) +
         " = amdg.async_tdm_copy_global_to_local %in[" + at + "] into " +
         memory + ", " + predicate + " : !desc -> !buffer\n";
}

std::string tdmWait(int pending) {
  static int number = 0;
  return "%w" + std::to_string(number++) +
         " = amdg.async_tdm_wait {num = " + std::to_string(pending) +
         " : i32}\n";
}

TEST(Amd, TheDataMoverCopiesUntilItsCounterIsWaitedFor) {
  const std::string both =
      tdmLoad("%c0, %c4", "%buf") + tdmLoad("%c8, %c32", "%other");
  expectFirstBlock(run(both + tdmWait(1) + keep()), 0, 4);
  EXPECT_THAT(run(both + tdmWait(1) + keep("%other")), Each(0));
  expectFirstBlock(run(both + tdmWait(0) + keep("%other")), 8, 32);
  EXPECT_THAT(run(tdmLoad("%c0, %c0", "%buf", "%false") + tdmWait(0) + keep()),
              Each(0));
  // Both ways share the counter.
  const std::string store = "%t = amdg.async_tdm_copy_local_to_global "
                            "%out[%c0, %c0] from %buf : !buffer -> !desc\n";
  expectFirstBlock(
      run(tdmLoad("%c0, %c4", "%buf") + tdmWait(0) + store + tdmWait(0)), 0, 4);
  EXPECT_THAT(run(tdmLoad("%c0, %c4", "%buf") + tdmWait(0) + store), Each(0));
}

/// A copy of the block that `update`, of %in, points to.
std::string copyUpdated(const std::string &update) {
  return "%d = amdg.update_tensor_descriptor %in " + update +
         " : !desc\n%t = amdg.async_tdm_copy_global_to_local %d into %buf : "
         "!desc -> !buffer\n" +
         tdmWait(0) + keep();
}

TEST(Amd, ADescriptorIsMovedAndBounded) {
  expectFirstBlock(run(copyUpdated("add_offsets = [%c4, %c8]")), 4, 8);
  // The tensor's end moves along unless its bounds are clamped.
  const std::vector<int32_t> moved =
      run(copyUpdated("add_offsets = [%c0, %c32]"));
  EXPECT_EQ(moved[8], input(0, 40 - columns) + columns);
  expectFirstBlock(run(copyUpdated("add_offsets = [%c8, %c32] {clamp_bounds}")),
                   8, 32);
  const std::vector<int32_t> bounded =
      run(copyUpdated("set_bounds = [%c4, %c8]"));
  EXPECT_EQ(bounded[3 * columns + 7], input(3, 7));
  EXPECT_EQ(bounded[3 * columns + 8], 0);
  EXPECT_EQ(bounded[4 * columns], 0);
  EXPECT_THAT(run(copyUpdated("pred = %c0")), Each(0));
}

TEST(Amd, TheDataMoverGathersAndScattersRows) {
  const std::string which = R"(
    %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #ttg.slice<{dim = 1, parent = #all}>>
    %three = arith.constant dense<3> : tensor<8xi32, #ttg.slice<{dim = 1, parent = #all}>>
    %names = arith.addi %range, %three : tensor<8xi32, #ttg.slice<{dim = 1, parent = #all}>>
    %g = amdg.async_tdm_gather %in[%names] to %buf : tensor<8xi32, #ttg.slice<{dim = 1, parent = #all}>>, !buffer -> !desc
)" + tdmWait(0);
  expectFirstBlock(run(which + keep()), 3, 0);
  const std::vector<int32_t> out = run(which + R"(
    %s = amdg.async_tdm_scatter %out[%names] from %buf : tensor<8xi32, #ttg.slice<{dim = 1, parent = #all}>>, !buffer -> !desc
)" + tdmWait(0));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      ASSERT_EQ(out[i * columns + j],
                i >= 3 && i < 11 && j < 16 ? input(i, j) : 0);
}

/// A barrier for `count` arrivals.
std::string barrier(int count) {
  return "%bar = ttg.local_alloc : () -> !barrier\namdg.init_barrier %bar, " +
         std::to_string(count) + " : !barrier\n";
}

TEST(Amd, EveryThreadArrivesAtABarrierAndEveryWarpWithItsCopy) {
  const std::string copy = "%t = amdg.async_tdm_copy_global_to_local "
                           "%in[%c0, %c4] into %buf, %true, barrier = %bar : "
                           "!desc, !barrier -> !buffer\n";
  const std::string wait = "amdg.wait_barrier %bar, %c0 : !barrier\n";
  expectFirstBlock(run(barrier(1) + copy + wait + keep()), 0, 4);
  EXPECT_THAT(failure(barrier(2) + copy + wait),
              HasSubstr("still needs 1 of 2 arrivals"));
  const std::string arrive =
      "%was = amdg.arrive_barrier %bar, 1 : !barrier -> i32\n";
  run(barrier(32) + arrive + wait);
  run(barrier(32) + arrive + "amdg.wait_barrier %bar, %was : !barrier\n");
  EXPECT_THAT(failure(barrier(1) + arrive), HasSubstr("arrives 32 times"));
  expectFirstBlock(run(barrier(32) + loadToLds +
                       "amdg.async_copy_mbarrier_arrive %bar : !barrier\n" +
                       wait + keep()),
                   0, 0);
}

// Memory has pairs of 4-bit values along M, registers along K.
TEST(Amd, PairsArePackedAlongK) {
  Program program(R"(
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [1, 1], instrShape = [16, 16, 128], isTransposed = true}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>
#b = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 8], warpsPerCTA = [1, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} {
  tt.func public @k(%in: !tt.tensordesc<8x128xi8>, %out: !tt.tensordesc<16x64xi8>) {
    %c0 = arith.constant 0 : i32
    %x = tt.descriptor_load %in[%c0, %c0] : !tt.tensordesc<8x128xi8> -> tensor<8x128xi8, #b>
    %m = ttg.local_alloc %x : (tensor<8x128xi8, #b>) -> !ttg.memdesc<8x128xi8, #s, #smem>
    %y = amdg.local_load_packed_transposed %m : !ttg.memdesc<8x128xi8, #s, #smem> -> tensor<16x64xi8, #dot>
    tt.descriptor_store %out[%c0, %c0], %y : !tt.tensordesc<16x64xi8>, tensor<16x64xi8, #dot>
    tt.return
  }
})");
  constexpr int m = 16, k = 128;
  auto value = [](int row, int column) { return (row * 7 + column * 3) % 16; };
  std::vector<uint8_t> in(m / 2 * k), out(m * k / 2);
  for (int i = 0; i < m / 2; ++i)
    for (int j = 0; j < k; ++j)
      in[i * k + j] = value(2 * i, j) | value(2 * i + 1, j) << 4;
  const TensorDescriptor from{Buffer{in.data(), in.size()}, {m / 2, k}, {k, 1}};
  const TensorDescriptor to{
      Buffer{out.data(), out.size()}, {m, k / 2}, {k / 2, 1}};
  ASSERT_TRUE(program.run({from, to})) << program.errors;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < k / 2; ++j)
      ASSERT_EQ(out[i * k / 2 + j], value(i, 2 * j) | value(i, 2 * j + 1) << 4)
          << "at " << i << ", " << j;
}

} // namespace
