//===- ForeignMeaningTest.cpp - Microscaled products and foreign code -----===//
//
// Kernels whose TTIR and TTGIR differ a lot from target to target: products
// that are native on some chips and decomposed on others, and functions that
// each vendor names in its own way. Each against its meaning, written here.
//
//===----------------------------------------------------------------------===//

#include "CorpusRun.h"
#include <cmath>

using namespace kernelscope;
using namespace kernelscope::run;

namespace {

/// Runs each stage of `kernelName` of each target that has it, at least
/// `least` files, and calls `check(before, after)`.
void expectEverywhere(
    const std::string &kernelName, const std::string &spec, int least,
    const std::function<void(const Launch &, const Launch &)> &check) {
  int files = 0;
  for (const auto &target : std::filesystem::directory_iterator(corpus()))
    for (const char *stage : {".ttir", ".ttgir"}) {
      const auto file = target.path() / (kernelName + stage);
      if (!std::filesystem::exists(file))
        continue;
      SCOPED_TRACE(file.string());
      ++files;
      CorpusKernel kernel(file);
      std::optional<Launch> launch = kernel.resolve(spec);
      ASSERT_TRUE(launch) << kernel.errors;
      const Launch before = *launch;
      ASSERT_TRUE(kernel.run(*launch)) << kernel.errors;
      check(before, *launch);
    }
  EXPECT_GE(files, least);
}

/// Scales of 1/128 to 1, for the kernels' blocks of 128 x 128 x 128.
const std::string scaledSpec = R"({"grid": [1, 2], "arguments": {
  "M": 128, "N": 256, "K": 256,
  "sa": {"fill": {"kind": "uniform", "low": 120, "high": 127}},
  "sb": {"fill": {"kind": "uniform", "low": 120, "high": 127}}}})";

/// c = a * b with a scale for each 32 elements of K; b has K in its columns.
void expectScaledProduct(const Launch &before, const Launch &after,
                         const std::vector<double> &a,
                         const std::vector<double> &b) {
  const auto sa = elements<uint8_t>(before, "sa"),
             sb = elements<uint8_t>(before, "sb");
  const auto c = elements<double>(after, "c");
  const size_t k = 256, n = 256;
  ASSERT_EQ(c.size(), 128 * n);
  for (size_t i = 0; i < 128; i += 3)
    for (size_t j = 0; j < n; j += 5) {
      double sum = 0, size = 0;
      for (size_t x = 0; x < k; ++x) {
        const int scale =
            sa[i * (k / 32) + x / 32] + sb[j * (k / 32) + x / 32] - 2 * 127;
        const double term = std::ldexp(a[i * k + x] * b[j * k + x], scale);
        sum += term;
        size += std::fabs(term);
      }
      ASSERT_NEAR(c[i * n + j], sum, 1e-6 * size) << i << ", " << j;
    }
}

std::vector<double> unpackFp4(const std::vector<uint8_t> &bytes) {
  const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  std::vector<double> made;
  for (const uint8_t byte : bytes)
    for (const unsigned bits : {byte % 16u, byte / 16u})
      made.push_back(bits & 8 ? -values[bits & 7] : values[bits]);
  return made;
}

TEST(ForeignMeaning, MicroscaledFp4) {
  KS_NEEDS_CORPUS();
  expectEverywhere("matmul_scaled_mxfp4", scaledSpec, 10,
                   [](const Launch &before, const Launch &after) {
                     expectScaledProduct(
                         before, after,
                         unpackFp4(elements<uint8_t>(before, "a")),
                         unpackFp4(elements<uint8_t>(before, "b")));
                   });
}

TEST(ForeignMeaning, MicroscaledFp8) {
  KS_NEEDS_CORPUS();
  expectEverywhere("matmul_scaled_mxfp8", scaledSpec, 8,
                   [](const Launch &before, const Launch &after) {
                     expectScaledProduct(before, after,
                                         elements<double>(before, "a"),
                                         elements<double>(before, "b"));
                   });
}

TEST(ForeignMeaning, LibraryFunctions) {
  KS_NEEDS_CORPUS();
  expectEverywhere(
      "libdevice_mix", R"({"grid": 4, "arguments": {"n": 992}})", 10,
      [](const Launch &before, const Launch &after) {
        const auto a = elements<double>(before, "a"),
                   b = elements<double>(before, "b"),
                   out = elements<double>(after, "out");
        ASSERT_EQ(out.size(), 992u);
        for (size_t i = 0; i < out.size(); ++i) {
          const double x = a[i], y = b[i];
          const double sum = std::tanh(x) + std::pow(std::fabs(x) + 0.1, y) +
                             (std::log1p(std::fabs(y)) - std::expm1(x)) +
                             std::atan2(x, y) * std::hypot(x, y);
          const double expected =
              std::copysign(sum, y) + std::fmod(x, std::fabs(y) + 1);
          ASSERT_NEAR(out[i], expected, 1e-5 + 1e-6 * std::fabs(expected)) << i;
        }
      });
}

TEST(ForeignMeaning, InlinePtx) {
  KS_NEEDS_CORPUS();
  expectEverywhere(
      "inline_ptx", R"({"grid": 2, "arguments": {"n": 1024}})", 8,
      [](const Launch &before, const Launch &after) {
        const auto a = elements<int32_t>(before, "a"),
                   b = elements<int32_t>(before, "b"),
                   out = elements<int32_t>(after, "out"),
                   hi = elements<int32_t>(after, "hi");
        for (size_t i = 0; i < out.size(); ++i) {
          // a ^ b ^ a, times b; and the bytes of four neighbours in reverse.
          const int64_t product = int64_t{b[i]} * b[i];
          const auto byte = static_cast<int8_t>(a[i / 4 * 4 + 3 - i % 4]);
          ASSERT_EQ(out[i], int32_t(uint32_t(product) + uint32_t(byte))) << i;
          ASSERT_EQ(hi[i], int32_t(product >> 32)) << i;
        }
      });
}

} // namespace
