//===- DefaultsTest.cpp - Launches worked out from the IR -----------------===//
//
// Descriptors of the host as arguments, and default strides with which programs
// do not meet in memory.
//
//===----------------------------------------------------------------------===//

#include "CorpusRun.h"

using namespace kernelscope::run;

namespace {

/// The default launch of a file of the corpus.
class Defaults : public testing::Test {
protected:
  std::optional<Launch> resolve(const std::string &file,
                                const std::string &spec = "{}") {
    kernel = std::make_unique<CorpusKernel>(corpus() / file);
    std::optional<Launch> launch = kernel->resolve(spec);
    EXPECT_TRUE(launch) << file << ": " << kernel->errors;
    return launch;
  }
  /// Each element that a run of `launch` leaves in `name`.
  std::vector<float> run(Launch &launch, const std::string &name) {
    EXPECT_TRUE(kernel->run(launch)) << kernel->errors;
    return elements<float>(launch, name);
  }

  std::unique_ptr<CorpusKernel> kernel;
};

TEST_F(Defaults, RowsDoNotOverlap) {
  KS_NEEDS_CORPUS();
  for (const char *target : {"cuda-80", "cuda-90", "hip-gfx942", "hip-gfx1201"})
    for (const char *stage : {".ttir", ".ttgir"}) {
      SCOPED_TRACE(std::string(target) + stage);
      auto launch = resolve(std::string(target) + "/layernorm_fwd" + stage);
      ASSERT_TRUE(launch);
      EXPECT_GE(number(*launch, "stride"), number(*launch, "cols"));
    }
}

TEST_F(Defaults, HeadsDoNotOverlap) {
  KS_NEEDS_CORPUS();
  for (const char *stage : {".ttir", ".ttgir"}) {
    auto launch = resolve(std::string("cuda-80/flash_fwd_causal") + stage);
    ASSERT_TRUE(launch);
    EXPECT_GE(number(*launch, "stride_t"), 64);
    EXPECT_GE(number(*launch, "stride_h"),
              number(*launch, "stride_t") * (number(*launch, "T") - 1) + 64);
  }
}

TEST_F(Defaults, MatricesHaveRowsAsLongAsTheirSides) {
  KS_NEEDS_CORPUS();
  for (const char *target : {"cuda-80", "cuda-90", "hip-gfx1201"}) {
    auto launch = resolve(std::string(target) + "/matmul_f16.ttgir");
    ASSERT_TRUE(launch);
    EXPECT_GE(number(*launch, "sam"), number(*launch, "K"));
    EXPECT_GE(number(*launch, "sbk"), number(*launch, "N"));
    EXPECT_GE(number(*launch, "scm"), number(*launch, "N"));
  }
}

TEST_F(Defaults, TimedRunsAreLargerUnlessSizesAreGiven) {
  KS_NEEDS_CORPUS();
  auto small = resolve("cuda-90/vec_add.ttgir");
  ASSERT_TRUE(small);
  auto large = kernel->toTime("{}", *small);
  ASSERT_TRUE(large);
  EXPECT_GE(large->grid.x, 8 * small->grid.x);
  EXPECT_GE(number(*large, "n"), 8 * number(*small, "n"));
  EXPECT_EQ(argument(*large, "a").bytes.size(),
            sizeof(float) * number(*large, "n"));
  EXPECT_NE(describeDifference(*large, *small).find(", n "), std::string::npos);
  EXPECT_FALSE(kernel->toTime(R"({"arguments": {"n": 100}})", *small));
  EXPECT_FALSE(kernel->toTime(R"({"grid": 2})", *small));
}

TEST_F(Defaults, TimedRunsOfKernelsThatPrintAreNotLarger) {
  KS_NEEDS_CORPUS();
  auto small = resolve("cuda-90/print_and_assert.ttgir");
  ASSERT_TRUE(small);
  EXPECT_FALSE(kernel->toTime("{}", *small));
}

// c = a + b on 64 rows for each program, through TMA with two buffers in turn.
TEST_F(Defaults, ADescriptorIsAnArgument) {
  KS_NEEDS_CORPUS();
  const std::string spec = R"({"grid": 2, "arguments": {
    "da": {"shape": [100, 200]}, "db": {"shape": [100, 200]},
    "dc": {"shape": [100, 200]}, "nc": 200}})";
  for (const char *file :
       {"cuda-90/nv_tma_add.ttgir", "cuda-100/nv_tma_add.ttgir",
        "cuda-120/nv_tma_add.ttgir"}) {
    SCOPED_TRACE(file);
    auto launch = resolve(file, spec);
    ASSERT_TRUE(launch);
    EXPECT_EQ(number(*launch, "da.shape.1"), 200);
    EXPECT_EQ(number(*launch, "da.stride.0"), 200);
    const auto a = elements<float>(*launch, "da"),
               b = elements<float>(*launch, "db");
    const std::vector<float> c = run(*launch, "dc");
    ASSERT_EQ(c.size(), 100u * 200);
    for (size_t i = 0; i < c.size(); ++i)
      ASSERT_EQ(c[i], a[i] + b[i]) << "at " << i;
  }
}

/// Expects `c` to be a * b, of m x k and k x n, within `error`.
void expectProduct(const std::vector<float> &a, const std::vector<float> &b,
                   const std::vector<float> &c, int m, int n, int k,
                   double error) {
  ASSERT_EQ(c.size(), size_t(m) * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int at = 0; at < k; ++at)
        sum += double(a[i * k + at]) * b[at * n + j];
      ASSERT_NEAR(c[i * n + j], sum, error) << "at " << i << ", " << j;
    }
}

// Products whose operands come by TMA and whose waits come late: while one is
// in flight, with the left factor in registers, and between partitions.
TEST_F(Defaults, AMatrixProductByDescriptors) {
  KS_NEEDS_CORPUS();
  for (const char *name : {"nv_wgmma_async", "nv_wgmma_async_lhs_regs"}) {
    SCOPED_TRACE(name);
    auto launch = resolve("cuda-90/" + std::string(name) + ".ttgir", R"({
      "grid": [2, 1, 1], "arguments": {"K": 144, "da": {"shape": [80, 144]},
      "db": {"shape": [144, 96]}, "dc": {"shape": [80, 96]}}})");
    ASSERT_TRUE(launch);
    const auto a = elements<float>(*launch, "da"),
               b = elements<float>(*launch, "db");
    expectProduct(a, b, run(*launch, "dc"), 80, 96, 144, 1e-4);
  }
}

TEST_F(Defaults, ADescriptorsShapeHasItsRank) {
  KS_NEEDS_CORPUS();
  CorpusKernel kernel(corpus() / "cuda-90/nv_tma_add.ttgir");
  EXPECT_FALSE(kernel.resolve(R"({"arguments": {"da": {"shape": [100]}}})"));
  EXPECT_EQ(kernel.errors, "launch spec: argument 'da' is a tensor descriptor "
                           "of f32 with 2 dimensions, but its shape has 1\n");
}

} // namespace
