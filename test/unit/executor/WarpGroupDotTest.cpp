//===- WarpGroupDotTest.cpp - Products of warp groups, and their waits ----===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::Each;

namespace {

/// A kernel whose `body` may use %a and %b, memory with the 64x64 matrices of
/// f16 at %pa and %pb, %left, the first in registers, %zero and %ones,
/// accumulators of 64x64 in f32; it defines %r, which is stored to %pr.
std::string kernel(const std::string &body) {
  return R"(
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#dot = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!memory = !ttg.memdesc<64x64xf16, #s, #smem, mutable>
!matrix = tensor<64x64xf16, #b>
!sum = tensor<64x64xf32, #mma>
!desc = !tt.tensordesc<64x64xf16, #s>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%da: !desc, %db: !desc, %dr: !tt.tensordesc<64x64xf32>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %zero = arith.constant dense<0.0> : !sum
    %ones = arith.constant dense<1.0> : !sum
    %va = tt.descriptor_load %da[%c0, %c0] : !desc -> !matrix
    %vb = tt.descriptor_load %db[%c0, %c0] : !desc -> !matrix
    %a = ttg.local_alloc %va : (!matrix) -> !memory
    %b = ttg.local_alloc %vb : (!matrix) -> !memory
    %left = ttg.local_load %a : !memory -> tensor<64x64xf16, #dot>
)" + body +
         R"(
    tt.descriptor_store %dr[%c0, %c0], %r : !tt.tensordesc<64x64xf32>, !sum
    tt.return
  }
}
)";
}

constexpr int n = 64;

struct Matrices {
  std::vector<F16> a, b;
  Matrices() {
    for (int i = 0; i < n * n; ++i) {
      a.push_back(F16::encode(i % 7 - 3));
      b.push_back(F16::encode(i % 5 - 2));
    }
  }
  /// times * (a * b) + start; exact, since all is small integers.
  std::vector<float> product(float times = 1, float start = 0) const {
    std::vector<float> sum(n * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k)
          sum[i * n + j] += a[i * n + k].decode() * b[k * n + j].decode();
        sum[i * n + j] = times * sum[i * n + j] + start;
      }
    return sum;
  }
};

/// The result; the errors go to `errors`, if there is one, and are failures
/// otherwise.
std::vector<float> run(const std::string &body, std::string *errors = nullptr) {
  Matrices in;
  std::vector<float> out(n * n);
  Program program(kernel(body));
  Options options;
  options.sanitize = errors;
  auto describe = [](auto &memory) {
    return TensorDescriptor{
        Buffer{memory.data(), memory.size() * sizeof(memory[0])},
        {n, n},
        {n, 1}};
  };
  const bool done =
      program.run({describe(in.a), describe(in.b), describe(out)}, {}, options);
  EXPECT_TRUE(done || errors) << program.errors;
  if (errors)
    *errors = program.errors;
  return out;
}

/// %NAME = A * %b + ACCUMULATOR.
std::string dot(const std::string &name, const std::string &accumulator,
                bool isAsync = true, bool fromRegisters = false,
                const std::string &useC = "%true") {
  return "%" + name + " = ttng.warp_group_dot " +
         (fromRegisters ? "%left" : "%a") + ", %b, %" + accumulator + ", " +
         useC + " {isAsync = " + (isAsync ? "true" : "false") +
         "} : " + (fromRegisters ? "tensor<64x64xf16, #dot>" : "!memory") +
         " * !memory -> !sum\n";
}

std::string wait(const std::string &name, const std::string &input,
                 int pending = 0) {
  return "%" + name + " = ttng.warp_group_dot_wait %" + input +
         " {pendings = " + std::to_string(pending) + " : i32} : !sum\n";
}

/// Overwrites the factors in memory.
const std::string clear = R"(
    %none = arith.constant dense<0.0> : !matrix
    ttg.local_store %none, %b : !matrix -> !memory
)";

/// What the sanitizer finds.
std::string findings(const std::string &body) {
  std::string errors;
  run("ttng.fence_async_shared {bCluster = false}\n" + body, &errors);
  return errors;
}

TEST(WarpGroupDot, TheSanitizerFindsAResultThatIsUsedEarly) {
  const std::string two = dot("x", "zero") + dot("y", "ones");
  const std::string first =
      two + wait("d", "x", 1) + "%r = arith.addf %d, %ones : !sum\n";
  EXPECT_THAT(findings(first), testing::IsEmpty());
  // The wait leaves the second in flight.
  EXPECT_THAT(
      findings(two + wait("d", "y", 1) + "%r = arith.addf %d, %ones : !sum\n"),
      testing::HasSubstr(
          "uses the result of an asynchronous product that may be in flight; a "
          "'ttng.warp_group_dot_wait' that covers it"));
  // A product may add to one that is in flight.
  EXPECT_THAT(findings(dot("x", "zero") + dot("y", "x") + wait("r", "y")),
              testing::IsEmpty());
  EXPECT_THAT(findings(dot("x", "zero") + clear + wait("r", "x")),
              testing::HasSubstr("writes shared memory while an asynchronous "
                                 "read of it may be in flight"));
}

TEST(WarpGroupDot, AProductIsAvailableAtOnceOrAfterItsWait) {
  const Matrices in;
  EXPECT_EQ(run(dot("r", "ones", false)), in.product(1, 1));
  EXPECT_EQ(run(dot("r", "ones", false, true)), in.product(1, 1));
  EXPECT_EQ(run(dot("r", "ones", false, false, "%false")), in.product());
  EXPECT_EQ(run(dot("d", "ones") + wait("r", "d")), in.product(1, 1));
  EXPECT_EQ(run(dot("d", "ones", true, true) + wait("r", "d")),
            in.product(1, 1));
}

TEST(WarpGroupDot, AResultReadBeforeItsWaitIsNaN) {
  auto expectNone = [](const std::vector<float> &out) {
    // The first elements say whose result is awaited.
    for (size_t i = 4; i < out.size(); ++i)
      ASSERT_TRUE(std::isnan(out[i])) << "at " << i;
  };
  expectNone(run(dot("r", "ones")));
  expectNone(run(dot("d", "ones") + wait("r", "d", 1)));
}

TEST(WarpGroupDot, OperandsInMemoryAreReadUntilTheWait) {
  const Matrices in;
  EXPECT_EQ(run(dot("d", "ones") + wait("r", "d") + clear), in.product(1, 1));
  EXPECT_THAT(run(dot("d", "ones") + clear + wait("r", "d")), Each(1));
}

TEST(WarpGroupDot, ProductsInFlightAccumulate) {
  const Matrices in;
  EXPECT_EQ(run(dot("d", "zero") + dot("e", "d") + wait("r", "e")),
            in.product(2));
  // The older of two is done.
  EXPECT_EQ(run(dot("d", "ones") + dot("e", "zero") + wait("r", "d", 1)),
            in.product(1, 1));
  EXPECT_EQ(run(dot("d", "ones") + dot("r", "d", false)), in.product(2, 1));
}

TEST(WarpGroupDot, ALoopCarriesAProductInFlight) {
  const Matrices in;
  EXPECT_EQ(run("%l = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero)"
                " -> (!sum) : i32 {\n" +
                dot("d", "acc") + wait("w", "d", 1) +
                "scf.yield %w : !sum\n}\n" + wait("r", "l")),
            in.product(3));
}

} // namespace
