//===- MeaningTest.cpp - The corpus's kernels mean what they say ----------===//
//
// Each kernel on the CPU against what it is meant to compute, written here from
// its source, not from its IR.
//
//===----------------------------------------------------------------------===//

#include "CorpusRun.h"
#include <cmath>
#include <numeric>

using namespace kernelscope;
using namespace kernelscope::run;

namespace {

/// A kernel for cuda-90, as TTIR and as TTGIR where there are both, run on
/// `spec`.
class Meaning : public testing::Test {
protected:
  /// Calls `check(before, after)` for each stage.
  void
  expect(const std::string &kernelName, const std::string &spec,
         const std::function<void(const Launch &, const Launch &)> &check) {
    KS_NEEDS_CORPUS();
    int stages = 0;
    for (const char *stage : {".ttir", ".ttgir"}) {
      const std::string file = "cuda-90/" + kernelName + stage;
      if (!std::filesystem::exists(corpus() / file))
        continue;
      expectFile(file, spec, check);
      ++stages;
    }
    EXPECT_GT(stages, 0);
  }

  /// As above, for a file of any target.
  void
  expectFile(const std::string &file, const std::string &spec,
             const std::function<void(const Launch &, const Launch &)> &check) {
    KS_NEEDS_CORPUS();
    SCOPED_TRACE(file);
    const std::filesystem::path path = corpus() / file;
    if (!std::filesystem::exists(path.parent_path()))
      return; // not unpacked for sanitizers
    CorpusKernel kernel(path);
    std::optional<Launch> launch = kernel.resolve(spec);
    ASSERT_TRUE(launch) << kernel.errors;
    const Launch before = *launch;
    ASSERT_TRUE(kernel.run(*launch)) << kernel.errors;
    check(before, *launch);
  }

  static void near(const std::vector<double> &found,
                   const std::vector<double> &expected, double absolute,
                   double relative) {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], expected[i],
                  absolute + relative * std::abs(expected[i]))
          << "at " << i;
  }
};

float f16(double x) { return executor::F16::encode(x).decode(); }
float bf16(double x) { return executor::BF16::encode(x).decode(); }

TEST_F(Meaning, VecAdd) {
  expect("vec_add", R"({"grid": 3, "arguments": {"n": 2064}})",
         [](auto &before, auto &after) {
           auto a = elements<float>(before, "a"),
                b = elements<float>(before, "b");
           auto out = elements<float>(after, "out");
           ASSERT_EQ(out.size(), 2064u);
           for (size_t i = 0; i < out.size(); ++i)
             ASSERT_EQ(out[i], a[i] + b[i]);
         });
}

TEST_F(Meaning, VecAddF16) {
  expect("vec_add_f16x8", R"({"grid": 2, "arguments": {"n": 4000}})",
         [](auto &before, auto &after) {
           auto a = elements<float>(before, "a"),
                b = elements<float>(before, "b");
           auto out = elements<float>(after, "out");
           ASSERT_EQ(out.size(), 4000u);
           for (size_t i = 0; i < out.size(); ++i)
             ASSERT_EQ(out[i], f16(double(a[i]) + b[i]));
         });
}

TEST_F(Meaning, GridStrideSaxpy) {
  expect("grid_stride_saxpy", R"({"grid": 3, "arguments": {"n": 16000}})",
         [](auto &before, auto &after) {
           auto x = elements<float>(before, "x"),
                y = elements<float>(before, "y");
           auto out = elements<float>(after, "y");
           ASSERT_EQ(out.size(), 16000u);
           for (size_t i = 0; i < out.size(); ++i) {
             const float product = 2.5f * x[i];
             ASSERT_EQ(out[i], product + y[i]);
           }
         });
}

TEST_F(Meaning, ClampSelect) {
  expect("clamp_select",
         R"({"grid": 4, "arguments": {"n": 1000, "lo": -0.5, "hi": 0.75}})",
         [](auto &before, auto &after) {
           auto v = elements<float>(before, "src"),
                out = elements<float>(after, "dst");
           for (size_t i = 0; i < v.size(); ++i) {
             const float clamped = std::min(std::max(v[i], -0.5f), 0.75f);
             const float other = std::max(std::min(v[i], clamped), -0.25f);
             ASSERT_EQ(out[i], std::max(other, clamped));
           }
         });
}

TEST_F(Meaning, MathZoo) {
  expect("math_zoo", R"({"grid": 4, "arguments": {"n": 2000, "scale": 0.75}})",
         [](auto &before, auto &after) {
           std::vector<double> expected;
           for (double v : elements<double>(before, "src")) {
             const double wave = std::sin(v) * std::cos(v * 0.75),
                          size = std::abs(v);
             const double growth = std::exp(-size) + std::exp2(v * 0.25);
             const double logs = std::log(size + 1) - std::log2(size + 2);
             const double gelu = 0.5 * v * (1 + std::erf(v * M_SQRT1_2));
             const double roots = std::sqrt(size) + 1 / std::sqrt(size + 1e-6) +
                                  std::sqrt(size + 3);
             const double steps = std::floor(v) - std::ceil(v * 1.5);
             expected.push_back(wave / (growth + 1) + gelu / (roots + 1) +
                                logs + steps + 1 / (1 + std::exp(-v)));
           }
           near(elements<double>(after, "dst"), expected, 2e-6, 2e-6);
         });
}

TEST_F(Meaning, IntegerOps) {
  expect("integer_ops", R"({"grid": 2, "arguments": {"n": 1000,
      "a": {"fill": {"kind": "uniform", "low": -100000, "high": 100000}},
      "b": {"fill": {"kind": "uniform", "low": 0, "high": 40}},
      "w": {"fill": {"kind": "uniform", "low": -200, "high": 200}}}})",
         [](auto &before, auto &after) {
           auto a = elements<int32_t>(before, "a");
           auto b = elements<uint32_t>(before, "b");
           auto w = elements<int64_t>(before, "w");
           auto out = elements<int64_t>(after, "out");
           ASSERT_EQ(out.size(), 1000u);
           for (size_t i = 0; i < out.size(); ++i) {
             const int32_t s = a[i];
             const uint32_t u = b[i];
             const uint32_t high = (uint64_t{u} * 2654435769u) >> 32;
             const int32_t mixed =
                 (int32_t(uint32_t(s) << 3) ^ (s >> 2)) | (s & 255);
             const uint32_t unsignedPart = u / 7 + u % 5;
             const int32_t signedPart = s / 7 - s % 5;
             int64_t total = w[i] * 3 + mixed + int64_t{high} +
                             int64_t{unsignedPart} + signedPart;
             const bool both = (s > 3 && w[i] < 100) || u == 9;
             total = both ? -total : ~total;
             ASSERT_EQ(out[i], total + (1000 + 511) / 512) << i;
           }
         });
}

TEST_F(Meaning, MixedPrecisionFma) {
  expect("mixed_precision_fma", R"({"grid": 2, "arguments": {"n": 1008}})",
         [](auto &before, auto &after) {
           auto h = elements<float>(before, "h"),
                g = elements<float>(before, "g");
           auto d = elements<double>(before, "d");
           auto out = elements<float>(after, "out"),
                out16 = elements<float>(after, "out16");
           for (size_t i = 0; i < d.size(); ++i) {
             const float sum = std::fma(h[i], g[i], float(d[i]));
             ASSERT_EQ(out[i], float(double(sum) * d[i]));
             ASSERT_EQ(out16[i], bf16(sum));
           }
         });
}

/// Each of `rows` rows of `columns` elements, `stride` apart, sums to 1 after.
std::vector<double> softmax(const std::vector<double> &x, size_t rows,
                            size_t columns, size_t stride) {
  std::vector<double> result = x;
  for (size_t r = 0; r < rows; ++r) {
    double peak = -INFINITY, sum = 0;
    for (size_t c = 0; c < columns; ++c)
      peak = std::max(peak, x[r * stride + c]);
    for (size_t c = 0; c < columns; ++c)
      sum += std::exp(x[r * stride + c] - peak);
    for (size_t c = 0; c < columns; ++c)
      result[r * stride + c] = std::exp(x[r * stride + c] - peak) / sum;
  }
  return result;
}

TEST_F(Meaning, SoftmaxRow) {
  for (auto [name, columns] :
       {std::pair("softmax_row", 1008), std::pair("softmax_row_w8", 4000)})
    expect(name,
           R"({"grid": 5, "arguments": {"row_stride": )" +
               std::to_string(columns) + R"(, "cols": )" +
               std::to_string(columns) + "}}",
           [columns](auto &before, auto &after) {
             near(elements<double>(after, "y"),
                  softmax(elements<double>(before, "x"), 5, columns, columns),
                  1e-7, 1e-3);
           });
}

TEST_F(Meaning, GluonSoftmax) {
  expect("gl_softmax", R"({"grid": 2, "arguments": {"n": 112}})",
         [](auto &before, auto &after) {
           near(elements<double>(after, "y"),
                softmax(elements<double>(before, "x"), 32, 112, 112), 1e-8,
                1e-5);
         });
}

TEST_F(Meaning, RmsnormResidual) {
  expect(
      "rmsnorm_residual",
      R"({"grid": 3, "arguments": {"stride": 2048, "cols": 2000, "eps": 1e-5}})",
      [](auto &before, auto &after) {
        auto x = elements<float>(before, "x"), w = elements<float>(before, "w");
        auto residual = elements<float>(before, "res"),
             newResidual = elements<float>(after, "res");
        auto y = elements<double>(after, "y");
        for (size_t r = 0; r < 3; ++r) {
          double squares = 0;
          for (size_t c = 0; c < 2000; ++c) {
            const float v = x[r * 2048 + c] + residual[r * 2048 + c];
            squares += double(v) * v;
            ASSERT_EQ(newResidual[r * 2048 + c], bf16(v));
          }
          const double scale = 1 / std::sqrt(squares / 2000 + 1e-5);
          for (size_t c = 0; c < 2000; ++c) {
            const double v = double(x[r * 2048 + c]) + residual[r * 2048 + c];
            const double expected = v * scale * w[c];
            ASSERT_NEAR(y[r * 2048 + c], expected, std::abs(expected) * 0x1p-8)
                << r << " " << c;
          }
        }
      });
}

TEST_F(Meaning, ColumnStats) {
  expect("column_stats",
         R"({"grid": 2, "arguments": {"rows": 100, "cols": 112}})",
         [](auto &before, auto &after) {
           auto x = elements<double>(before, "x");
           std::vector<double> sums(112), peaks(112, 0), lows(112, 0);
           // Rows beyond the last count as zero, in the peaks and lows too.
           for (size_t i = 0; i < x.size(); ++i) {
             sums[i % 112] += x[i];
             peaks[i % 112] = std::max(peaks[i % 112], x[i]);
             lows[i % 112] = std::min(lows[i % 112], x[i]);
           }
           near(elements<double>(after, "sums"), sums, 1e-5, 1e-5);
           near(elements<double>(after, "peaks"), peaks, 0, 0);
           near(elements<double>(after, "lows"), lows, 0, 0);
         });
}

TEST_F(Meaning, Gemv) {
  expect("gemv", R"({"grid": 3, "arguments": {"rows": 45, "cols": 720}})",
         [](auto &before, auto &after) {
           auto w = elements<double>(before, "w"),
                x = elements<double>(before, "x");
           std::vector<double> y(45);
           for (size_t i = 0; i < w.size(); ++i)
             y[i / 720] += w[i] * x[i % 720];
           near(elements<double>(after, "y"), y, 1e-4, 1e-5);
         });
}

TEST_F(Meaning, Transposes) {
  for (auto [name, from, to, rows, columns] :
       {std::tuple("transpose_tile", "x", "y", "rows", "cols"),
        std::tuple("gl_transpose", "src", "dst", "nr", "nc")})
    expect(name,
           std::string(R"({"grid": [2, 3], "arguments": {")") + rows +
               R"(": 128, ")" + columns + R"(": 192}})",
           [from = from, to = to](auto &before, auto &after) {
             auto x = elements<float>(before, from),
                  y = elements<float>(after, to);
             ASSERT_EQ(y.size(), 128u * 192u);
             for (size_t i = 0; i < y.size(); ++i)
               ASSERT_EQ(y[i], x[i % 128 * 192 + i / 128]);
           });
}

TEST_F(Meaning, GluonCopy) {
  expect("gl_copy", R"({"grid": 2, "arguments": {"n": 2000}})",
         [](auto &before, auto &after) {
           EXPECT_EQ(argument(after, "dst").bytes,
                     argument(before, "src").bytes);
         });
}

TEST_F(Meaning, CollatzSteps) {
  expect("collatz_steps", R"({"grid": 2, "arguments": {"n": 200, "limit": 60,
      "seeds": {"fill": {"kind": "uniform", "low": 1, "high": 1000}}}})",
         [](auto &before, auto &after) {
           auto seeds = elements<int32_t>(before, "seeds"),
                steps = elements<int32_t>(after, "steps");
           ASSERT_EQ(steps.size(), 200u);
           for (size_t i = 0; i < steps.size(); ++i) {
             int32_t count = 0;
             for (int64_t v = seeds[i]; v > 1 && count < 60; ++count)
               v = v % 2 ? 3 * v + 1 : v / 2;
             ASSERT_EQ(steps[i], count) << seeds[i];
           }
         });
}

TEST_F(Meaning, EmbeddingLookup) {
  expect(
      "embedding_lookup", R"({"grid": 50, "arguments": {"dim": 304, "vocab": 20,
      "ids": {"fill": {"kind": "uniform", "low": -3, "high": 25}}, "table": {"shape": [20, 304]}}})",
      [](auto &before, auto &after) {
        auto ids = elements<int64_t>(before, "ids");
        auto table = elements<float>(before, "table"),
             out = elements<float>(after, "out");
        ASSERT_EQ(out.size(), 50u * 304u);
        for (size_t i = 0; i < out.size(); ++i) {
          const int64_t id = ids[i / 304];
          ASSERT_EQ(out[i], id >= 0 && id < 20 ? table[id * 304 + i % 304] : 0)
              << i;
        }
      });
}

/// The first word that Philox 4x32-10 returns for a counter and a key of 64
/// bits.
uint32_t philox(uint32_t counter, uint64_t key) {
  uint32_t c[4] = {counter, 0, 0, 0};
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xd2511f53} * c[0],
                   b = uint64_t{0xcd9e8d57} * c[2];
    const uint32_t next[4] = {uint32_t(b >> 32) ^ c[1] ^ k0, uint32_t(b),
                              uint32_t(a >> 32) ^ c[3] ^ k1, uint32_t(a)};
    std::copy(std::begin(next), std::end(next), c);
    k0 += 0x9e3779b9;
    k1 += 0xbb67ae85;
  }
  return c[0];
}

TEST_F(Meaning, DropoutForward) {
  expect("dropout_fwd",
         R"({"grid": 2, "arguments": {"n": 2000, "p": 0.25, "seed": -7}})",
         [](auto &before, auto &after) {
           auto src = elements<float>(before, "src"),
                dst = elements<float>(after, "dst");
           auto keep = elements<uint8_t>(after, "keep");
           ASSERT_EQ(dst.size(), 2000u);
           size_t kept = 0;
           for (size_t i = 0; i < dst.size(); ++i) {
             int32_t word = int32_t(philox(uint32_t(i), uint64_t(int64_t{-7})));
             if (word < 0)
               word = -word - 1;
             const bool stays = float(word) * 4.6566126e-10f > 0.25f;
             kept += stays;
             ASSERT_EQ(keep[i], stays) << i;
             ASSERT_EQ(dst[i], stays ? src[i] / 0.75f : 0) << i;
           }
           EXPECT_NEAR(double(kept) / 2000, 0.75, 0.05);
         });
}

/// A product in f16: the tile of c at `row`, `column`, `size` square, is a * b,
/// of `depth`, rounded once. `a`, `b` and `c` have rows of the strides given.
struct Matmul {
  std::vector<double> a, b, c;
  size_t strideA, strideB, strideC;
  size_t rows, columns, depth;
  size_t computed = 0;

  void checkTile(size_t row, size_t column, size_t size) {
    for (size_t i = row; i < std::min(row + size, rows); ++i)
      for (size_t j = column; j < std::min(column + size, columns); ++j) {
        double sum = 0;
        for (size_t k = 0; k < depth; ++k)
          sum += a[i * strideA + k] * b[k * strideB + j];
        ASSERT_NEAR(c[i * strideC + j], sum, 1e-3 + 1e-3 * std::abs(sum))
            << i << ", " << j;
        ++computed;
      }
  }
};

TEST_F(Meaning, MatmulOfF16) {
  for (const char *file :
       {"cuda-80/matmul_f16.ttgir", "cuda-100/matmul_f16.ttgir",
        "hip-gfx942/matmul_f16.ttgir"})
    expectFile(file, "{}", [](auto &before, auto &after) {
      Matmul product{
          elements<double>(before, "a"), elements<double>(before, "b"),
          elements<double>(after, "c"),  size_t(number(before, "sam")),
          size_t(number(before, "sbk")), size_t(number(before, "scm")),
          size_t(number(before, "M")),   size_t(number(before, "N")),
          size_t(number(before, "K"))};
      // Programs go through tiles of 128 x 128 in groups of 8 rows of tiles.
      const size_t tilesM = (product.rows + 127) / 128,
                   tilesN = (product.columns + 127) / 128;
      for (size_t program = 0; program < before.grid.x; ++program) {
        const size_t first = program / (8 * tilesN) * 8,
                     at = program % (8 * tilesN);
        const size_t rows = std::min<size_t>(tilesM - first, 8);
        product.checkTile((first + at % rows) * 128, at / rows * 128, 128);
      }
      EXPECT_GT(product.computed, 128u * 128u);
    });
}

TEST_F(Meaning, MatmulByMma) {
  for (const char *file : {"cuda-80/nv_mma_v2_matmul_f16.ttgir",
                           "cuda-90/nv_mma_v2_matmul_f16.ttgir"})
    expectFile(file, "{}", [](auto &before, auto &after) {
      const size_t n = number(before, "N"), k = number(before, "K");
      Matmul product{elements<double>(before, "a"),
                     elements<double>(before, "b"),
                     elements<double>(after, "c"),
                     k,
                     n,
                     n,
                     before.grid.x * size_t{64},
                     n,
                     k};
      for (size_t x = 0; x < before.grid.x; ++x)
        for (size_t y = 0; y < before.grid.y; ++y)
          product.checkTile(x * 64, y * 64, 64);
      EXPECT_GT(product.computed, 64u * 64u);
    });
}

TEST_F(Meaning, WarpSpecializeWithResults) {
  expect("nv_ws_results", "{}", [](auto &before, auto &after) {
    auto src = elements<double>(before, "src"),
         out = elements<double>(after, "out");
    const size_t n = number(before, "n");
    // Lanes of 256 add up what is theirs; their sum and their peak are stored.
    std::vector<double> lanes(256);
    for (size_t i = 0; i < n; ++i)
      lanes[i % 256] += src[i];
    EXPECT_NEAR(out[0], std::accumulate(lanes.begin(), lanes.end(), 0.0), 1e-3);
    EXPECT_NEAR(out[1], *std::max_element(lanes.begin(), lanes.end()), 1e-5);
    // Partitions of 128 and 256 lanes count themselves below n.
    auto start = elements<int32_t>(before, "hits"),
         hits = elements<int32_t>(after, "hits");
    ASSERT_EQ(hits.size(), std::min<size_t>(n, 256));
    for (size_t i = 0; i < hits.size(); ++i)
      EXPECT_EQ(hits[i] - start[i], (i < 128 ? 2 : 1) * int(before.grid.x))
          << i;
  });
}

} // namespace
