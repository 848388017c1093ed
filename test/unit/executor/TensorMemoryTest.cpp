//===- TensorMemoryTest.cpp - Tensor memory, and the tensor core ----------===//

#include "Matrix.h"
#include "gmock/gmock.h"
#include <cmath>
#include <numeric>

using namespace kernelscope::executor;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A kernel of one CTA for sm_100 that stores %r, `rows` x `columns` of `type`,
/// to its first argument; %x has the 128x64 numbers from 0 on, in f32.
std::string kernel(const std::string &body, int rows, int columns,
                   const std::string &type, const std::string &arguments = "") {
  return R"(
#blocks = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#wide = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>
#rows64 = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#tmem = #ttng.tensor_memory
#smem = #ttg.shared_memory
#one = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#mma = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#mma32 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#mma32t = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 32}>
#mma8 = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#padded = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 8, fp4Padded = true}>
#unswizzled = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 8}>
!cells = !ttg.memdesc<128x64xf32, #blocks, #tmem, mutable>
!a = !ttg.memdesc<128x16xf16, #mma, #smem, mutable>
!b = !ttg.memdesc<16x64xf16, #mma, #smem, mutable>
!bar = !ttg.memdesc<1xi64, #one, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%pr: !tt.ptr<)" +
         type + ">" + arguments + R"() {
    %true = arith.constant true
    %false = arith.constant false
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %numbers = tt.make_range {start = 0 : i32, end = 8192 : i32} : tensor<8192xi32>
    %matrix = tt.reshape %numbers : tensor<8192xi32> -> tensor<128x64xi32>
    %x = arith.sitofp %matrix : tensor<128x64xi32> to tensor<128x64xf32>
)" + body +
         storeMatrix("r", rows, columns, type) + "tt.return\n}\n}";
}

template <typename T = float>
std::vector<T> run(const std::string &body, int rows = 128, int columns = 64,
                   const std::string &type = "f32") {
  Program program(kernel(body, rows, columns, type));
  std::vector<T> r(size_t(rows) * columns);
  EXPECT_TRUE(program.run({buffer(r)})) << program.errors;
  return r;
}

TEST(TensorMemory, KeepsWhatIsStored) {
  auto r = run(R"(
    %m = ttng.tmem_alloc %x : (tensor<128x64xf32>) -> !cells
    %v = ttng.tmem_load %m : !cells -> tensor<128x64xf32>
    %w = arith.addf %v, %v : tensor<128x64xf32>
    ttng.tmem_store %w, %m, %true : tensor<128x64xf32> -> !cells
    ttng.tmem_store %x, %m, %false : tensor<128x64xf32> -> !cells
    %r = ttng.tmem_load %m : !cells -> tensor<128x64xf32>
)");
  for (size_t i = 0; i < r.size(); ++i)
    ASSERT_EQ(r[i], 2.0f * i);
}

TEST(TensorMemory, RowsOf64AreSpreadOverAllLanes) {
  auto r = run(R"(
    %half = tt.reshape %x : tensor<128x64xf32> -> tensor<64x128xf32>
    %m = ttng.tmem_alloc %half : (tensor<64x128xf32>) -> !ttg.memdesc<64x128xf32, #rows64, #tmem, mutable>
    %r = ttng.tmem_load %m : !ttg.memdesc<64x128xf32, #rows64, #tmem, mutable> -> tensor<64x128xf32>
)",
               64, 128);
  for (size_t i = 0; i < r.size(); ++i)
    ASSERT_EQ(r[i], float(i));
}

TEST(TensorMemory, AWindowIsPartOfItsAllocation) {
  auto r = run(R"(
    %m = ttng.tmem_alloc %x : (tensor<128x64xf32>) -> !cells
    %w = ttng.tmem_subslice %m {offset = 32 : i32} : !cells -> !ttg.memdesc<128x16xf32, #blocks, #tmem, mutable, 128x64>
    %r = ttng.tmem_load %w : !ttg.memdesc<128x16xf32, #blocks, #tmem, mutable, 128x64> -> tensor<128x16xf32>
)",
               128, 16);
  EXPECT_EQ(r[0], 32);
  EXPECT_EQ(r[16], 64 + 32);
  EXPECT_EQ(r[127 * 16 + 15], 127 * 64 + 47);
}

TEST(TensorMemory, ARingHasABufferForEachIndex) {
  const std::string ring =
      "!ttg.memdesc<2x128x64xf32, #blocks, #tmem, mutable>";
  auto r = run("%m = ttng.tmem_alloc : () -> " + ring +
               "\n%m0 = ttg.memdesc_index %m[%i0] : " + ring +
               " -> !cells\n%m1 = ttg.memdesc_index %m[%i1] : " + ring +
               " -> !cells" + R"(
    %twice = arith.addf %x, %x : tensor<128x64xf32>
    ttng.tmem_store %x, %m0, %true : tensor<128x64xf32> -> !cells
    ttng.tmem_store %twice, %m1, %true : tensor<128x64xf32> -> !cells
    %v0 = ttng.tmem_load %m0 : !cells -> tensor<128x64xf32>
    %v1 = ttng.tmem_load %m1 : !cells -> tensor<128x64xf32>
    %r = arith.addf %v0, %v1 : tensor<128x64xf32>
)");
  EXPECT_EQ(r[8191], 3 * 8191);
}

// The halves of each f32 are two f16 next to each other.
TEST(TensorMemory, ReinterpretingSeesTheSameCells) {
  auto r = run<uint16_t>(R"(
    %m = ttng.tmem_alloc %x : (tensor<128x64xf32>) -> !cells
    %h = ttg.memdesc_reinterpret %m : !cells -> !ttg.memdesc<128x128xi16, #wide, #tmem, mutable>
    %r = ttng.tmem_load %h : !ttg.memdesc<128x128xi16, #wide, #tmem, mutable> -> tensor<128x128xi16>
)",
                         128, 128, "i16");
  for (auto [row, column] : {std::pair(0, 5), {3, 63}, {127, 0}}) {
    const auto bits = std::bit_cast<uint32_t>(float(row * 64 + column));
    EXPECT_EQ(r[row * 128 + 2 * column], bits & 0xffff);
    EXPECT_EQ(r[row * 128 + 2 * column + 1], bits >> 16);
  }
}

TEST(TensorMemory, ALoadReducesRows) {
  auto reduced = [](const std::string &modifiers) {
    Program program(
        kernel(R"(
    %c = arith.constant dense<100.0> : tensor<128x64xf32>
    %shifted = arith.subf %x, %c : tensor<128x64xf32>
    %m = ttng.tmem_alloc %shifted : (tensor<128x64xf32>) -> !cells
    %v, %red = ttng.tmem_load %m {)" +
                   modifiers +
                   R"(} : !cells -> tensor<128x64xf32>, tensor<128xf32>
    %r = tt.reshape %red : tensor<128xf32> -> tensor<128x1xf32>
)",
               128, 1, "f32"));
    std::vector<float> r(128);
    EXPECT_TRUE(program.run({buffer(r)})) << program.errors;
    r.resize(3);
    return r;
  };
  EXPECT_THAT(reduced("redOp = #ttng.redOp<max>"), ElementsAre(-37, 27, 91));
  EXPECT_THAT(reduced("redOp = #ttng.redOp<min>"), ElementsAre(-100, -36, 28));
  EXPECT_THAT(reduced("redOp = #ttng.redOp<min>, abs = true"),
              ElementsAre(37, 0, 28));
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Operands %a, 128x16 of row % 4 + k % 3, and %b, 16x64 of k - column % 5, the
/// accumulator %d full of tens, and a barrier %bar for one arrival.
const std::string operands = R"(
    %an = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>
    %ai = tt.reshape %an : tensor<2048xi32> -> tensor<128x16xi32>
    %bn = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32>
    %bi = tt.reshape %bn : tensor<1024xi32> -> tensor<16x64xi32>
    %c16 = arith.constant dense<16> : tensor<128x16xi32>
    %c4 = arith.constant dense<4> : tensor<128x16xi32>
    %c3 = arith.constant dense<3> : tensor<128x16xi32>
    %c64 = arith.constant dense<64> : tensor<16x64xi32>
    %c5 = arith.constant dense<5> : tensor<16x64xi32>
    %arow = arith.divui %ai, %c16 : tensor<128x16xi32>
    %ak = arith.remui %ai, %c16 : tensor<128x16xi32>
    %arow4 = arith.remui %arow, %c4 : tensor<128x16xi32>
    %ak3 = arith.remui %ak, %c3 : tensor<128x16xi32>
    %as = arith.addi %arow4, %ak3 : tensor<128x16xi32>
    %av = arith.sitofp %as : tensor<128x16xi32> to tensor<128x16xf16>
    %bk = arith.divui %bi, %c64 : tensor<16x64xi32>
    %bcol = arith.remui %bi, %c64 : tensor<16x64xi32>
    %bcol5 = arith.remui %bcol, %c5 : tensor<16x64xi32>
    %bs = arith.subi %bk, %bcol5 : tensor<16x64xi32>
    %bv = arith.sitofp %bs : tensor<16x64xi32> to tensor<16x64xf16>
    %a = ttg.local_alloc %av : (tensor<128x16xf16>) -> !a
    %b = ttg.local_alloc %bv : (tensor<16x64xf16>) -> !b
    %tens = arith.constant dense<10.0> : tensor<128x64xf32>
    %d = ttng.tmem_alloc %tens : (tensor<128x64xf32>) -> !cells
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
)";
const std::string load = "%r = ttng.tmem_load %d : !cells -> "
                         "tensor<128x64xf32>\n",
                  wait = "ttng.wait_barrier %bar, %i0, %true : !bar\n";

float product(int row, int column) {
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += float(row % 4 + k % 3) * float(k - column % 5);
  return sum;
}

void expectProduct(const std::vector<float> &r, float start, float times = 1) {
  for (int i = 0; i < 128; ++i)
    for (int j = 0; j < 64; ++j)
      ASSERT_EQ(r[i * 64 + j], start + times * product(i, j)) << i << ", " << j;
}

TEST(TensorCore, AddsToItsAccumulatorOrOverwritesIt) {
  const std::string types = " : !a, !b, !cells, !bar\n";
  expectProduct(run(operands +
                    "ttng.tc_gen5_mma %a, %b, %d, %true, %true, "
                    "%bar[%true] {is_async}" +
                    types + wait + load),
                10);
  expectProduct(run(operands +
                    "ttng.tc_gen5_mma %a, %b, %d, %false, %true, "
                    "%bar[%true] {is_async}" +
                    types + wait + load),
                0);
}

TEST(TensorCore, AProductThatIsNotAsynchronousCompletesAtOnce) {
  expectProduct(run(operands +
                    "ttng.tc_gen5_mma %a, %b, %d, %true, %true : "
                    "!a, !b, !cells\n" +
                    load),
                10);
}

TEST(TensorCore, AProductTakesEffectWhenItsBarrierIsWaitedFor) {
  const std::string issue = "ttng.tc_gen5_mma %a, %b, %d, %true, %true, "
                            "%bar[%true] {is_async} : !a, !b, !cells, !bar\n";
  // Too early: the accumulator is what it was.
  EXPECT_EQ(run(operands + issue + load)[1], 10);
  // Operands that are overwritten before are read too late.
  auto r = run(operands + issue + R"(
    %zero = arith.constant dense<0.0> : tensor<128x16xf16>
    ttg.local_store %zero, %a : tensor<128x16xf16> -> !a
)" + wait + load);
  EXPECT_EQ(r[1], 10);
}

TEST(TensorCore, ACommitArrivesAfterAllEarlierProducts) {
  const std::string issue = "ttng.tc_gen5_mma %a, %b, %d, %true, %true "
                            "{is_async} : !a, !b, !cells\n";
  expectProduct(run(operands + issue + issue +
                    "ttng.tc_gen5_commit %bar : !bar\n" + wait + load),
                10, 2);
  expectProduct(run(operands + issue + "ttng.tc_gen5_commit %bar : !bar\n" +
                    issue + wait + load),
                10, 1);
}

TEST(TensorCore, AnInvalidatedBarrierIsNotSignalled) {
  // Triton invalidates what its partitions have waited for, then waits for the
  // commit of all products.
  expectProduct(run(operands + R"(
    %early = ttg.local_alloc : () -> !bar
    ttng.init_barrier %early, 1 : !bar
    ttng.tc_gen5_mma %a, %b, %d, %true, %true, %early[%true] {is_async} : !a, !b, !cells, !bar
    ttng.tc_gen5_commit %bar : !bar
    ttng.inval_barrier %early : !bar
)" + wait + load),
                10, 1);
}

TEST(TensorCore, PredicatesOfTheProductAndOfItsBarriers) {
  const std::string types = " : !a, !b, !cells, !bar\n";
  // What does not happen arrives nowhere.
  for (const char *predicates :
       {"%false, %bar[%true]", "%true, %bar[%false]"}) {
    Program program(kernel(operands + "ttng.tc_gen5_mma %a, %b, %d, %true, " +
                               predicates + " {is_async}" + types + wait + load,
                           128, 64, "f32"));
    std::vector<float> r(128 * 64);
    EXPECT_FALSE(program.run({buffer(r)}));
    EXPECT_THAT(program.errors,
                HasSubstr("deadlock: it waits for phase 0 of the barrier, "
                          "which still needs 1 of 1 arrivals"));
  }
}

TEST(TensorCore, TheLeftOperandCanBeInTensorMemory) {
  expectProduct(run(operands + R"(
    %ta = ttng.tmem_alloc %av : (tensor<128x16xf16>) -> !ttg.memdesc<128x16xf16, #blocks, #tmem, mutable>
    ttng.tc_gen5_mma %ta, %b, %d, %true, %true : !ttg.memdesc<128x16xf16, #blocks, #tmem, mutable>, !b, !cells
)" + load),
                10);
}

TEST(TensorCore, F32OperandsAreReadAsTF32) {
  auto r = run(R"(
    %av = arith.constant dense<1.0004883> : tensor<128x64xf32>
    %bv = arith.constant dense<1.0> : tensor<64x64xf32>
    %a = ttg.local_alloc %av : (tensor<128x64xf32>) -> !ttg.memdesc<128x64xf32, #mma32, #smem, mutable>
    %b = ttg.local_alloc %bv : (tensor<64x64xf32>) -> !ttg.memdesc<64x64xf32, #mma32t, #smem, mutable>
    %d = ttng.tmem_alloc : () -> !cells
    ttng.tc_gen5_mma %a, %b, %d, %false, %true : !ttg.memdesc<128x64xf32, #mma32, #smem, mutable>, !ttg.memdesc<64x64xf32, #mma32t, #smem, mutable>, !cells
)" + load);
  EXPECT_EQ(r[0], 64);
}

TEST(TensorCore, MicroscaledProducts) {
  auto r = run(R"(
    %av = arith.constant dense<1.5> : tensor<128x128xf8E4M3FN>
    %bv = arith.constant dense<0x62> : tensor<64x64xi8>
    %sav = arith.constant dense<128> : tensor<128x4xi8>
    %sbv = arith.constant dense<126> : tensor<64x4xi8>
    %a = ttg.local_alloc %av : (tensor<128x128xf8E4M3FN>) -> !ttg.memdesc<128x128xf8E4M3FN, #mma8, #smem, mutable>
    %b = ttg.local_alloc %bv : (tensor<64x64xi8>) -> !ttg.memdesc<64x64xi8, #padded, #smem, mutable>
    %sa = ttng.tmem_alloc %sav : (tensor<128x4xi8>) -> !ttg.memdesc<128x4xi8, #scales, #tmem, mutable>
    %sb = ttng.tmem_alloc %sbv : (tensor<64x4xi8>) -> !ttg.memdesc<64x4xi8, #scales, #tmem, mutable>
    %d = ttng.tmem_alloc : () -> !cells
    ttng.tc_gen5_mma_scaled %a, %b, %d, %sa, %sb, %false, %true lhs = e4m3 rhs = e2m1 : !ttg.memdesc<128x128xf8E4M3FN, #mma8, #smem, mutable>, !ttg.memdesc<64x64xi8, #padded, #smem, mutable>, !cells, !ttg.memdesc<128x4xi8, #scales, #tmem, mutable>, !ttg.memdesc<64x4xi8, #scales, #tmem, mutable>
)" + load);
  // 64 pairs of 1 and 4 by 1.5, with scales 2 and 1/2.
  EXPECT_EQ(r[0], 64 * (1 + 4) * 1.5f);
  EXPECT_EQ(r[8191], 64 * (1 + 4) * 1.5f);
}

TEST(TensorCore, ACopyOfScalesReachesAllFourGroupsOfRows) {
  Program program(kernel(R"(
    %n = tt.make_range {start = 0 : i32, end = 512 : i32} : tensor<512xi32>
    %w = arith.trunci %n : tensor<512xi32> to tensor<512xi8>
    %s = tt.reshape %w : tensor<512xi8> -> tensor<32x16xi8>
    %m = ttg.local_alloc %s : (tensor<32x16xi8>) -> !ttg.memdesc<32x16xi8, #unswizzled, #smem, mutable>
    %bar = ttg.local_alloc : () -> !bar
    ttng.init_barrier %bar, 1 : !bar
    %t = ttng.tmem_alloc : () -> !ttg.memdesc<128x4xi8, #scales, #tmem, mutable>
    ttng.tmem_copy %m, %t : !ttg.memdesc<32x16xi8, #unswizzled, #smem, mutable>, !ttg.memdesc<128x4xi8, #scales, #tmem, mutable>
    ttng.tc_gen5_commit %bar : !bar
    ttng.wait_barrier %bar, %i0, %true : !bar
    %bytes = ttg.memdesc_reinterpret %t : !ttg.memdesc<128x4xi8, #scales, #tmem, mutable> -> !ttg.memdesc<128x16xi8, #blocks, #tmem, mutable>
    %r = ttng.tmem_load %bytes : !ttg.memdesc<128x16xi8, #blocks, #tmem, mutable> -> tensor<128x16xi8>
)",
                         128, 16, "i8"));
  std::vector<uint8_t> r(128 * 16);
  ASSERT_TRUE(program.run({buffer(r)})) << program.errors;
  for (int row = 0; row < 128; ++row)
    for (int column = 0; column < 16; ++column)
      ASSERT_EQ(r[row * 16 + column], uint8_t(row % 32 * 16 + column))
          << row << ", " << column;
}

} // namespace
