//===- RunCorpusTest.cpp - The corpus kernels agree with themselves -------===//
//
// The same kernel, as TTIR and TTGIR and for every target, runs in bounds with
// the default launch and gives the same bytes.
//
//===----------------------------------------------------------------------===//

#include "CorpusRun.h"

using namespace kernelscope::run;

namespace {

class Corpus : public testing::TestWithParam<const char *> {};

TEST_P(Corpus, EveryTargetAndStageGivesTheSameBytes) {
  KS_NEEDS_CORPUS();
  std::vector<std::filesystem::path> files;
  for (const auto &target : std::filesystem::directory_iterator(corpus()))
    for (const char *stage : {".ttir", ".ttgir"}) {
      auto file = target.path() / (std::string(GetParam()) + stage);
      if (std::filesystem::exists(file))
        files.push_back(file);
    }
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());

  std::optional<Launch> start, result;
  for (const auto &file : files) {
    CorpusKernel kernel(file);
    std::optional<Launch> launch = kernel.resolve("{}");
    ASSERT_TRUE(launch) << file << ": " << kernel.errors;
    ASSERT_TRUE(kernel.run(*launch)) << file << ": " << kernel.errors;
    if (!start) {
      start = kernel.resolve("{}");
      result = std::move(launch);
      continue;
    }
    Launch same = *start;
    ASSERT_TRUE(kernel.run(same)) << file << ": " << kernel.errors;
    for (size_t i = 0; i < same.arguments.size(); ++i)
      EXPECT_EQ(same.arguments[i].bytes, result->arguments[i].bytes)
          << file << " differs from " << files.front() << " in "
          << same.arguments[i].info.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Corpus,
    testing::Values("vec_add", "vec_add_f16x8", "grid_stride_saxpy",
                    "clamp_select", "math_zoo", "integer_ops",
                    "mixed_precision_fma", "softmax_row", "softmax_row_w8",
                    "rmsnorm_residual", "column_stats", "gemv",
                    "transpose_tile", "collatz_steps", "embedding_lookup",
                    "dropout_fwd", "gl_copy", "gl_softmax", "gl_transpose"),
    [](const auto &info) { return std::string(info.param); });

} // namespace
