//===- MemoryTest.cpp - Loads, stores, atomics, bounds --------------------===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr const char *maskedCopy = R"(
tt.func public @copy(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
  %other = arith.constant dense<-1.0> : tensor<4xf32>
  %c4 = arith.constant 4 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c4 : i32
  %range = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
  %base = tt.splat %first : i32 -> tensor<4xi32>
  %i = arith.addi %base, %range : tensor<4xi32>
  %bound = tt.splat %n : i32 -> tensor<4xi32>
  %live = arith.cmpi slt, %i, %bound : tensor<4xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  %v = tt.load %xp, %live, %other : tensor<4x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %i : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
  tt.store %yp, %v : tensor<4x!tt.ptr<f32>>
  tt.return
}
)";

TEST(Memory, MaskedLanesReadOtherAndAccessNothing) {
  Program program(maskedCopy);
  std::vector<float> x = {1, 2, 3, 4, 5}, y(8);
  ASSERT_TRUE(program.run({buffer(x), buffer(y), scalar(5)}, {2, 1, 1}))
      << program.errors;
  EXPECT_THAT(y, ElementsAre(1, 2, 3, 4, 5, -1, -1, -1));
}

TEST(Memory, AnAccessOutOfBoundsNamesProgramElementAndOffset) {
  Program program(maskedCopy);
  std::vector<float> x = {1, 2, 3, 4, 5}, y(8);
  EXPECT_FALSE(program.run({buffer(x), buffer(y), scalar(7)}, {2, 1, 1}));
  EXPECT_EQ(
      program.errors,
      "program (1, 0, 0), element [1] is out of bounds: 4 bytes at offset 20 "
      "of argument 0, whose buffer has 20 bytes\n");
}

TEST(Memory, AnAccessOutOfBoundsNamesTheArgument) {
  Program program(maskedCopy);
  std::vector<float> x = {1, 2, 3, 4, 5}, y(8);
  Argument source = buffer(x);
  std::get<Buffer>(source).name = "source";
  EXPECT_FALSE(program.run({source, buffer(y), scalar(7)}, {2, 1, 1}));
  EXPECT_EQ(
      program.errors,
      "program (1, 0, 0), element [1] is out of bounds: 4 bytes at offset 20 "
      "of argument 'source', whose buffer has 20 bytes\n");
}

TEST(Memory, MeasuringFindsTheExtents) {
  Program program(maskedCopy);
  std::vector<Extent> extents;
  Options options;
  options.measure = &extents;
  ASSERT_TRUE(program.run({Buffer(), Buffer(), scalar(9)}, {3, 1, 1}, options));
  EXPECT_EQ(extents[0].end, 36);
  EXPECT_TRUE(extents[0].loaded && !extents[0].stored);
  EXPECT_EQ(extents[1].end, 48);
  EXPECT_TRUE(!extents[1].loaded && extents[1].stored);
}

TEST(Memory, ArgumentsMustFitTheSignature) {
  Program program(maskedCopy);
  std::vector<float> x(4);
  EXPECT_FALSE(program.run({buffer(x), scalar(1), scalar(1)}));
  EXPECT_THAT(program.errors, HasSubstr("argument 1 of kernel 'copy'"));
}

TEST(Memory, PointersConvertToIntegersAndBack) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>) {
      %c8 = arith.constant 8 : i64
      %a = tt.ptr_to_int %p : !tt.ptr<i32> -> i64
      %b = arith.addi %a, %c8 : i64
      %q = tt.int_to_ptr %b : i64 -> !tt.ptr<i32>
      %v = tt.load %q : !tt.ptr<i32>
      tt.store %p, %v : !tt.ptr<i32>
      tt.return
    })");
  std::vector<int32_t> x = {1, 2, 3};
  ASSERT_TRUE(program.run({buffer(x)})) << program.errors;
  EXPECT_THAT(x, ElementsAre(3, 2, 3));
}

TEST(Memory, AtomicsReturnTheOldValue) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>, %old: !tt.ptr<i32>) {
      %one = arith.constant dense<1> : tensor<4xi32>
      %i = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32>
      %ps = tt.splat %p : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
      %v = tt.atomic_rmw add, acq_rel, gpu, %ps, %one : (tensor<4x!tt.ptr<i32>>, tensor<4xi32>) -> tensor<4xi32>
      %os = tt.splat %old : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
      %op = tt.addptr %os, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
      tt.store %op, %v : tensor<4x!tt.ptr<i32>>
      tt.return
    })");
  std::vector<int32_t> count = {10}, old(4);
  ASSERT_TRUE(program.run({buffer(count), buffer(old)}, {2, 1, 1}))
      << program.errors;
  EXPECT_THAT(count, ElementsAre(18));
  EXPECT_THAT(old, ElementsAre(14, 15, 16, 17));
}

TEST(Memory, CompareAndSwapStoresWhereEqual) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>) {
      %a = arith.constant 5 : i32
      %b = arith.constant 7 : i32
      %v = tt.atomic_cas acq_rel, gpu, %p, %a, %b : (!tt.ptr<i32>, i32, i32) -> i32
      %w = tt.atomic_cas acq_rel, gpu, %p, %a, %a : (!tt.ptr<i32>, i32, i32) -> i32
      tt.return
    })");
  std::vector<int32_t> x = {5};
  ASSERT_TRUE(program.run({buffer(x)})) << program.errors;
  EXPECT_THAT(x, ElementsAre(7));
}

TEST(Memory, BufferAccessesAddOffsetsToABase) {
  Program program(R"(
    module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} {
    tt.func public @k(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>) {
      %one = arith.constant dense<1> : tensor<64xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>>
      %two = arith.constant dense<2> : tensor<64xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>>
      %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>>
      %m = arith.cmpi slt, %i, %two : tensor<64xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>>
      %j = arith.addi %i, %one : tensor<64xi32, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>>
      %v = amdg.buffer_load %x[%j], %m : tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>>
      amdg.buffer_store %v, %y[%i], %m : tensor<64xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [64], warpsPerCTA = [1], order = [0]}>>
      tt.return
    }})");
  auto x = encode<F16>({1, 2, 3}), y = encode<F16>({0, 0});
  ASSERT_TRUE(program.run({buffer(x), buffer(y)})) << program.errors;
  EXPECT_THAT(decode(y), ElementsAre(2, 3));
}

TEST(Memory, AtomicLoadsStoresAndPolls) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %long = arith.constant 100 : i64
      tt.atomic_store release, gpu, %p, %one : !tt.ptr<i32>
      %yes = tt.atomic_poll acquire, gpu, %p, %one : !tt.ptr<i32>, i32 -> i1
      %no = tt.atomic_poll acquire, gpu, %p, %two timeout %long : !tt.ptr<i32>, i32 -> i1
      %v = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i32>) -> i32
      %y = arith.extui %yes : i1 to i32
      %n = arith.extui %no : i1 to i32
      %y2 = arith.shli %y, %one : i32
      %sum = arith.addi %y2, %n : i32
      %all = arith.addi %sum, %v : i32
      tt.store %q, %all : !tt.ptr<i32>
      tt.return
    })");
  std::vector<int32_t> p(1), q(1);
  ASSERT_TRUE(program.run({buffer(p), buffer(q)})) << program.errors;
  EXPECT_EQ(p[0], 1);
  EXPECT_EQ(q[0], 3);
}

TEST(Memory, APollForAValueThatIsNeverStoredIsADeadlock) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>) {
      %one = arith.constant 1 : i32
      %yes = tt.atomic_poll acquire, gpu, %p, %one : !tt.ptr<i32>, i32 -> i1
      tt.return
    })");
  std::vector<int32_t> p(1);
  EXPECT_FALSE(program.run({buffer(p)}));
  EXPECT_NE(program.errors.find("deadlock: it waits for a value in memory"),
            std::string::npos)
      << program.errors;
}

TEST(Memory, APollWaitsForALaterProgram) {
  Program program(R"(
    tt.func public @k(%flag: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %pid = tt.get_program_id x : i32
      %last = arith.cmpi eq, %pid, %two : i32
      scf.if %last {
        tt.atomic_store release, gpu, %flag, %one : !tt.ptr<i32>
      }
      %yes = tt.atomic_poll acquire, gpu, %flag, %one : !tt.ptr<i32>, i32 -> i1
      %found = arith.extui %yes : i1 to i32
      %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
      tt.store %to, %found : !tt.ptr<i32>
      tt.return
    })");
  std::vector<int32_t> flag(1), out(3);
  ASSERT_TRUE(program.run({buffer(flag), buffer(out)}, {3})) << program.errors;
  EXPECT_EQ(out, (std::vector<int32_t>{1, 1, 1}));
}

// A ticket that each program draws is that of its place in the grid.
TEST(Memory, AtomicsThatChangeMemoryKeepTheOrderOfPrograms) {
  Program program(R"(
    tt.func public @k(%counter: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
      %one = arith.constant 1 : i32
      %yes = arith.constant true
      %pid = tt.get_program_id x : i32
      %ticket = tt.atomic_rmw add, acq_rel, gpu, %counter, %one, %yes : (!tt.ptr<i32>, i32, i1) -> i32
      %to = tt.addptr %out, %pid : !tt.ptr<i32>, i32
      tt.store %to, %ticket : !tt.ptr<i32>
      tt.return
    })");
  std::vector<int32_t> counter(1), out(4);
  ASSERT_TRUE(program.run({buffer(counter), buffer(out)}, {4}))
      << program.errors;
  EXPECT_EQ(out, (std::vector<int32_t>{0, 1, 2, 3}));
}

} // namespace
