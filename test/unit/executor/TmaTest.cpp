//===- TmaTest.cpp - Bulk copies, and barriers that count their bytes -----===//

#include "Program.h"
#include "executor/PixelWalk.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace kernelscope::executor;
using testing::Each;
using testing::HasSubstr;

namespace {

/// A kernel whose `body` may use %p and %q, pointers to i32, %in and %out, a
/// tensor of 12 rows and 40 columns at each, by blocks of 8 rows and 32
/// columns, %buf, memory for such a block, and %bar, a barrier for one arrival.
std::string kernel(const std::string &body) {
  return R"(
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
!buffer = !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
!desc = !tt.tensordesc<8x32xi32, #tma>
!tensor = tensor<8x32xi32, #b>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c12 = arith.constant 12 : i32
    %c32 = arith.constant 32 : i32
    %c40 = arith.constant 40 : i32
    %row = arith.constant 40 : i64
    %one = arith.constant 1 : i64
    %ones = arith.constant dense<1> : !tensor
    %in = tt.make_tensor_descriptor %p, [%c12, %c40], [%row, %one] : !tt.ptr<i32>, !desc
    %out = tt.make_tensor_descriptor %q, [%c12, %c40], [%row, %one] : !tt.ptr<i32>, !desc
    %buf = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
)" + body +
         R"(
    tt.return
  }
}
)";
}

/// Starts to load the block at `at` into %buf; its bytes are counted at %bar.
std::string load(const std::string &at) {
  return "ttng.async_tma_copy_global_to_local %in[" + at +
         "] %buf, %bar, %true : !desc, !barrier -> !buffer\n";
}
const std::string expect = "ttng.barrier_expect %bar, 1024, %true : !barrier\n";
const std::string wait = "ttng.wait_barrier %bar, %c0 : !barrier\n";
/// Stores %buf to the block at `at` by loads and stores of threads.
std::string keep(const std::string &at) {
  static int number = 0;
  const std::string value = "%kept" + std::to_string(number++);
  return value + " = ttg.local_load %buf : !buffer -> !tensor\n" +
         "tt.descriptor_store %out[" + at + "], " + value +
         " : !desc, !tensor\n";
}

constexpr int rows = 12, columns = 40;

/// The tensor at %q after a run with 1, 2, 3, ... at %p and zeros at %q.
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

/// What `run` has at a row and column of the input; zero outside.
int32_t input(int row, int column) {
  return row < rows && column < columns ? row * columns + column + 1 : 0;
}

/// Expects a tensor whose block at [row, column] is `block(i, j)` and the rest
/// zero.
void expectBlock(const std::vector<int32_t> &out, int row, int column,
                 const std::function<int32_t(int, int)> &block) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const bool inside =
          i >= row && i < row + 8 && j >= column && j < column + 32;
      ASSERT_EQ(out[i * columns + j], inside ? block(i - row, j - column) : 0)
          << "at " << i << ", " << j;
    }
}

TEST(Tma, ALoadTakesEffectWhenItsBarrierIsWaitedFor) {
  expectBlock(run(expect + load("%c0, %c8") + wait + keep("%c0, %c0")), 0, 0,
              [](int i, int j) { return input(i, j + 8); });
  // Too early, memory is as it was.
  EXPECT_THAT(run(expect + load("%c0, %c8") + keep("%c0, %c0") + wait),
              Each(0));
}

TEST(Tma, ElementsOutsideTheTensorAreZeroAndNotStored) {
  const std::vector<int32_t> out =
      run(expect + load("%c8, %c32") + wait + keep("%c0, %c0"));
  expectBlock(out, 0, 0, [](int i, int j) { return input(i + 8, j + 32); });
  expectBlock(run(expect + load("%c0, %c0") + wait + keep("%c8, %c32")), 8, 32,
              [](int i, int j) { return input(i, j); });
}

TEST(Tma, APhaseEndsWithItsArrivalsAndItsBytes) {
  EXPECT_EQ(failure("ttng.barrier_expect %bar, 1040, %true : !barrier\n" +
                    load("%c0, %c0") + wait),
            "program (0, 0, 0): deadlock: it waits for phase 0 of the barrier, "
            "which still needs 0 of 1 arrivals and 16 bytes\n");
  EXPECT_EQ(failure("ttng.barrier_expect %bar, 1008, %true : !barrier\n" +
                    load("%c0, %c0") + wait),
            "program (0, 0, 0): copies 1024 bytes that complete on a barrier "
            "whose phase 0 needs only 0 of 1 arrivals and 1008 bytes\n");
  EXPECT_EQ(failure(load("%c0, %c0") + wait),
            "program (0, 0, 0): deadlock: it waits for phase 0 of the barrier, "
            "which still needs 1 of 1 arrivals and got 1024 bytes that nothing "
            "expected\n");
  // Two copies, announced together; a copy whose predicate is false is none.
  expectBlock(run("ttng.barrier_expect %bar, 2048, %true : !barrier\n" +
                  load("%c0, %c0") + load("%c0, %c8") +
                  "ttng.async_tma_copy_global_to_local %in[%c0, %c0] %buf, "
                  "%bar, %false : !desc, !barrier -> !buffer\n" +
                  wait + keep("%c0, %c0")),
              0, 0, [](int i, int j) { return input(i, j + 8); });
}

TEST(Tma, ACopyToABarrierThatIsNotInitialisedIsAnError) {
  EXPECT_THAT(
      failure("ttng.inval_barrier %bar : !barrier\n" + load("%c0, %c0")),
      HasSubstr("the barrier is not initialised"));
}

const std::string fill = "ttg.local_store %ones, %buf : !tensor -> !buffer\n";
const std::string store = "ttng.async_tma_copy_local_to_global %out[%c0, %c0] "
                          "%buf : !desc, !buffer\n";
const std::string clear = "%twos = arith.addi %ones, %ones : !tensor\n"
                          "ttg.local_store %twos, %buf : !tensor -> !buffer\n";

/// A wait that leaves `pending` stores; with `reads` for their reads alone.
std::string storeWait(int pending, bool reads = false) {
  return "ttng.async_tma_store_wait {pendings = " + std::to_string(pending) +
         " : i32" + (reads ? ", read_only}\n" : "}\n");
}

TEST(Tma, AStoreTakesEffectAtTheWaitThatOrdersIt) {
  auto block = [](int value) { return [=](int, int) { return value; }; };
  expectBlock(run(fill + store + storeWait(0)), 0, 0, block(1));
  // Its source may be overwritten only after a wait.
  expectBlock(run(fill + store + storeWait(0) + clear), 0, 0, block(1));
  expectBlock(run(fill + store + clear + storeWait(0)), 0, 0, block(2));
  expectBlock(run(fill + store + storeWait(0, true) + clear), 0, 0, block(1));
  // One that nothing waits for may find its source gone.
  EXPECT_THAT(run(fill + store), Each(0));
  EXPECT_THAT(run(fill + store + storeWait(1)), Each(0));
}

TEST(Tma, AReductionCombinesWithMemory) {
  auto reduce = [](const std::string &kind) {
    return "ttng.async_tma_reduce " + kind +
           ", %out[%c0, %c0] %buf : !desc, !buffer\n";
  };
  expectBlock(run(fill + store + reduce("add") + reduce("add") + storeWait(0)),
              0, 0, [](int, int) { return 3; });
  expectBlock(run(expect + load("%c0, %c0") + wait + store + storeWait(0) +
                  fill + reduce("xor") + storeWait(0)),
              0, 0, [](int i, int j) { return input(i, j) ^ 1; });
  expectBlock(run(expect + load("%c0, %c0") + wait + store + storeWait(0) +
                  fill + reduce("min") + storeWait(0)),
              0, 0, [](int, int) { return 1; });
}

TEST(Tma, DescriptorReductionsAreTheSameWithoutLayouts) {
  auto reduce = [](const std::string &kind) {
    return "tt.descriptor_reduce " + kind +
           ", %out[%c0, %c0], %ones : !desc, !tensor\n";
  };
  expectBlock(run(reduce("add") + reduce("max") + reduce("add")), 0, 0,
              [](int, int) { return 2; });
  // Memory counts up to the value, and starts again.
  expectBlock(run(reduce("inc")), 0, 0, [](int, int) { return 1; });
  EXPECT_THAT(run(reduce("inc") + reduce("inc")), Each(0));
  expectBlock(run(reduce("dec")), 0, 0, [](int, int) { return 1; });
}

TEST(Tma, RowsAreGatheredAndScattered) {
  // Row i of the block is row 11 - 2i; there are none before row 0.
  const std::string gather = R"(
    %rows = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #ttg.slice<{dim = 0, parent = #rowsAt}>>
    %two = arith.constant dense<-2> : tensor<8xi32, #ttg.slice<{dim = 0, parent = #rowsAt}>>
    %last = arith.constant dense<11> : tensor<8xi32, #ttg.slice<{dim = 0, parent = #rowsAt}>>
    %back = arith.muli %rows, %two : tensor<8xi32, #ttg.slice<{dim = 0, parent = #rowsAt}>>
    %at = arith.addi %back, %last : tensor<8xi32, #ttg.slice<{dim = 0, parent = #rowsAt}>>
    %line = tt.make_tensor_descriptor %p, [%c12, %c40], [%row, %one] : !tt.ptr<i32>, !tt.tensordesc<1x32xi32, #tma>
    %to = tt.make_tensor_descriptor %q, [%c12, %c40], [%row, %one] : !tt.ptr<i32>, !tt.tensordesc<1x32xi32, #tma>
    ttng.async_tma_gather %line[%at, %c8] %buf, %bar, %true : !tt.tensordesc<1x32xi32, #tma>, tensor<8xi32, #ttg.slice<{dim = 0, parent = #rowsAt}>>, i32, !barrier, !buffer, i1
)";
  const std::string layout =
      "#rowsAt = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, "
      "1], warpsPerCTA = [1, 4], order = [1, 0]}>\n";
  auto run = [&](const std::string &body) {
    Program program(layout + kernel(expect + gather + wait + body));
    std::vector<int32_t> in(rows * columns), out(rows * columns);
    std::iota(in.begin(), in.end(), 1);
    EXPECT_TRUE(program.run({buffer(in), buffer(out)})) << program.errors;
    return out;
  };
  expectBlock(run(keep("%c0, %c0")), 0, 0, [](int i, int j) {
    return i < 6 ? input(11 - 2 * i, j + 8) : 0;
  });
  const std::vector<int32_t> scattered =
      run("ttng.async_tma_scatter %to[%at, %c8] %buf : !tt.tensordesc<1x32xi32,"
          " #tma>, tensor<8xi32, #ttg.slice<{dim = 0, parent = #rowsAt}>>, "
          "i32, !buffer\n" +
          storeWait(0));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      ASSERT_EQ(scattered[i * columns + j],
                i % 2 == 1 && j >= 8 ? input(i, j) : 0);
}

/// Scratch memory with a descriptor of the tensor at %p.
const std::string onDevice = R"(
    %scratch = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %bytes = arith.constant 160 : i64
    ttng.tensormap_create %scratch, %p, [%c32, %c8], [%c40, %c12], [%bytes], [%c1, %c1] {elem_type = 3 : i32, fill_mode = 0 : i32, interleave_layout = 0 : i32, swizzle_mode = 3 : i32} : (!tt.ptr<i8>, !tt.ptr<i32>, i32, i32, i32, i32, i64, i32, i32) -> ()
    ttng.tensormap_fenceproxy_acquire %scratch : !tt.ptr<i8>
    %made = ttng.reinterpret_tensor_descriptor %scratch : !tt.ptr<i8> to !desc
)";

TEST(Tma, ADescriptorIsCreatedOnTheDevice) {
  expectBlock(run(onDevice + expect +
                  "ttng.async_tma_copy_global_to_local %made[%c8, %c8] %buf, "
                  "%bar, %true : !desc, !barrier -> !buffer\n" +
                  wait + keep("%c0, %c0")),
              0, 0, [](int i, int j) { return input(i + 8, j + 8); });
}

TEST(Tma, MemoryWithoutADescriptorIsAnError) {
  EXPECT_THAT(failure(R"(
    %scratch = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 128 : i32} : !tt.ptr<i8>
    %made = ttng.reinterpret_tensor_descriptor %scratch : !tt.ptr<i8> to !desc
)"),
              HasSubstr("no ttng.tensormap_create has written a descriptor"));
}

TEST(Tma, CopiesOfThreadsArriveWhenTheyComplete) {
  const std::string copy = R"(
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x32x!tt.ptr<i32>, #b>
    %token = ttg.async_copy_global_to_local %ps, %buf : tensor<8x32x!tt.ptr<i32>, #b> -> !buffer
    ttng.async_copy_mbarrier_arrive %bar : !barrier
    ttng.arrive_barrier %bar, 1 : !barrier
)";
  expectBlock(run(copy + wait + keep("%c0, %c0")), 0, 0,
              [](int, int) { return 1; });
  EXPECT_THAT(run(copy + keep("%c0, %c0") + wait), Each(0));
}

TEST(Tma, ArrivalsOfCopiesThatTheCountHasAreAllThreads) {
  const std::string arrive =
      "ttng.async_copy_mbarrier_arrive %all {noIncrement} : !barrier\n"
      "ttng.wait_barrier %all, %c0 : !barrier\n";
  auto barrier = [](const std::string &count) {
    return "%all = ttg.local_alloc : () -> !barrier\n"
           "ttng.init_barrier %all, " +
           count + " : !barrier\n";
  };
  run(barrier("128") + arrive);
  EXPECT_THAT(failure(barrier("64") + arrive), HasSubstr("arrives 128 times"));
}

// The arrival signals when they are done, not the agent that started them.
TEST(Tma, CopiesThatSignalABarrierOutliveTheirPartition) {
  for (Schedule schedule : {Schedule{}, Schedule{Schedule::Kind::Eager},
                            Schedule{Schedule::Kind::Seeded, 1}}) {
    Program program(R"(
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#w = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
!buffer = !ttg.memdesc<128xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %buf = ttg.local_alloc : () -> !buffer
    %full = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %full, 32 : !barrier
    ttg.warp_specialize(%p, %buf, %full)
    default {
      %c0 = arith.constant 0 : i32
      ttng.wait_barrier %full, %c0 : !barrier
      %v = ttg.local_load %buf : !buffer -> tensor<128xi32, #w>
      %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #w>
      %outs = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #w>
      %to = tt.addptr %outs, %i : tensor<128x!tt.ptr<i32>, #w>, tensor<128xi32, #w>
      tt.store %to, %v : tensor<128x!tt.ptr<i32>, #w>
      ttg.warp_yield
    }
    partition0(%from: !tt.ptr<i32>, %to: !buffer, %bar: !barrier) num_warps(1) {
      %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
      %ps = tt.splat %from : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
      %at = tt.addptr %ps, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
      %token = ttg.async_copy_global_to_local %at, %to : tensor<128x!tt.ptr<i32>, #b> -> !buffer
      ttng.async_copy_mbarrier_arrive %bar {noIncrement} : !barrier
      ttg.warp_return
    } : (!tt.ptr<i32>, !buffer, !barrier) -> ()
    tt.return
  }
})");
    std::vector<int32_t> in(128, 7), out(128);
    Options options;
    options.schedule = schedule;
    ASSERT_TRUE(program.run({buffer(in), buffer(out)}, {}, options))
        << program.errors;
    EXPECT_THAT(out, Each(7));
  }
}

TEST(Tma, PaddingCanBeNaN) {
  Program program(R"(
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
!buffer = !ttg.memdesc<8x64xf16, #tma, #smem, mutable>
!desc = !tt.tensordesc<8x64xf16, #tma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%in: !desc, %out: !desc) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c60 = arith.constant 60 : i32
    %buf = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 1024, %true : !barrier
    ttng.async_tma_copy_global_to_local %in[%c0, %c60] %buf, %bar, %true : !desc, !barrier -> !buffer
    ttng.wait_barrier %bar, %c0 : !barrier
    ttng.async_tma_copy_local_to_global %out[%c0, %c0] %buf : !desc, !buffer
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
})");
  std::vector<F16> in(8 * 64, F16::encode(2)), out(8 * 64);
  auto describe = [](std::vector<F16> &memory) {
    return TensorDescriptor{
        Buffer{memory.data(), memory.size() * sizeof(F16)}, {8, 64}, {64, 1}};
  };
  TensorDescriptor padded = describe(in);
  padded.padWithNan = true;
  ASSERT_TRUE(program.run({padded, describe(out)})) << program.errors;
  for (size_t i = 0; i < out.size(); ++i) {
    if (i % 64 < 4)
      ASSERT_EQ(out[i].decode(), 2.0f);
    else
      ASSERT_TRUE(std::isnan(out[i].decode()));
  }
  TensorDescriptor flat = describe(in);
  flat.shape = {512};
  EXPECT_FALSE(program.run({flat, describe(out)}));
  EXPECT_THAT(program.errors,
              HasSubstr("a tensor of 1 sizes and 2 strides; it needs 2"));
}

// A convolution's window over an image of 1 x 5 x 6 pixels of 64 channels, with
// one pixel of padding at each side: the block at window (r, s) has the pixels
// (y + r - 1, x + s - 1), line by line.
TEST(Tma, AnIm2colCopyHasThePixelsOfAWindow) {
  Program program(R"(
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
!buffer = !ttg.memdesc<32x64xi16, #tma, #smem, mutable>
!desc = !ttng.tensordesc_im2col<32x64xi16, #tma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%image: !desc, %out: !tt.tensordesc<32x64xi16, #tma>, %r: i16, %s: i16) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %before = arith.constant -1 : i32
    %buf = ttg.local_alloc : () -> !buffer
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    ttng.barrier_expect %bar, 4096, %true : !barrier
    ttng.async_tma_copy_global_to_local %image[%c0, %before, %before, %c0] offsets = [%r, %s] %buf, %bar, %true : !desc, !barrier -> !buffer
    ttng.wait_barrier %bar, %c0 : !barrier
    ttng.async_tma_copy_local_to_global %out[%c0, %c0] %buf : !tt.tensordesc<32x64xi16, #tma>, !buffer
    ttng.async_tma_store_wait {pendings = 0 : i32}
    tt.return
  }
})");
  constexpr int height = 5, width = 6, channels = 64;
  std::vector<int16_t> image(height * width * channels), out(32 * channels);
  std::iota(image.begin(), image.end(), 1);
  const TensorDescriptor to{
      Buffer{out.data(), out.size() * 2}, {32, channels}, {channels, 1}};
  TensorDescriptor from{
      Buffer{image.data(), image.size() * 2},
      {1, height, width, channels},
      {height * width * channels, width * channels, channels, 1}};
  from.lower = {-1, -1};
  from.upper = {-1, -1}; // Windows of 3 x 3 end with the padding.
  for (int r = 0; r < 3; ++r)
    for (int s = 0; s < 3; ++s) {
      ASSERT_TRUE(
          program.run({from, to, scalar<int16_t>(r), scalar<int16_t>(s)}))
          << program.errors;
      // There are 5 x 6 places of the window; the next are of the next image.
      for (int pixel = 0; pixel < 32; ++pixel)
        for (int channel = 0; channel < channels; ++channel) {
          const int y = pixel / width + r - 1, x = pixel % width + s - 1;
          const bool inside = pixel < height * width && y >= 0 && y < height &&
                              x >= 0 && x < width;
          ASSERT_EQ(out[pixel * channels + channel],
                    inside ? image[(y * width + x) * channels + channel] : 0)
              << r << s << " pixel " << pixel;
        }
    }
}

// Lines from 0 to 5 by 2: a walk that starts outside of them begins there.
TEST(Tma, AWalkOverPixelsGoesOnWithTheNextLine) {
  using Place = std::pair<int64_t, int64_t>;
  auto walk = [](int64_t start, int64_t steps) {
    const int64_t at = kernelscope::walkPixels(start, 0, 5, 2, steps);
    return Place(at, steps);
  };
  EXPECT_EQ(walk(2, 0), Place(2, 0));
  EXPECT_EQ(walk(2, 1), Place(4, 0));
  EXPECT_EQ(walk(2, 2), Place(0, 1));
  EXPECT_EQ(walk(2, 5), Place(0, 2));
  EXPECT_EQ(walk(-4, 4), Place(4, 0));
  EXPECT_EQ(walk(-4, 5), Place(0, 1));
  EXPECT_EQ(walk(9, 0), Place(9, 0));
  EXPECT_EQ(walk(9, 1), Place(0, 1));
}

} // namespace
