//===- ReportTest.cpp - Fills and comparisons -----------------------------===//

#include "server/run/Report.h"
#include "gmock/gmock.h"
#include <atomic>
#include <cmath>
#include <cstring>

using namespace kernelscope::run;
using kernelscope::executor::Element;

namespace {

ArgumentValue floats(std::vector<float> values) {
  ArgumentValue argument;
  argument.info.name = "y";
  argument.info.isPointer = true;
  argument.info.element = Element::F32;
  argument.info.dtype = "f32";
  argument.shape = {static_cast<int64_t>(values.size())};
  argument.bytes.resize(values.size() * sizeof(float));
  std::memcpy(argument.bytes.data(), values.data(), argument.bytes.size());
  return argument;
}

TEST(Report, AResultWithinItsToleranceMatches) {
  ArgumentValue found = floats({1.0f, 100.0f, NAN, INFINITY});
  ArgumentValue expected = floats({1.5f, 101.0f, NAN, INFINITY});
  OutputReport report = reportOutput(found, &expected, {0.5, 0.01});
  EXPECT_EQ(report.comparison->outside, 0u);
  EXPECT_EQ(report.comparison->maxAbsolute, 1.0);
  EXPECT_EQ(report.nans, 1u);
}

TEST(Report, StatisticsIgnoreNaNs) {
  OutputReport report = reportOutput(floats({4, NAN, -2, 1}), nullptr, {});
  EXPECT_EQ(report.statistics->minimum, -2);
  EXPECT_EQ(report.statistics->maximum, 4);
  EXPECT_EQ(report.statistics->mean, 1);
  EXPECT_FALSE(reportOutput(floats({NAN}), nullptr, {}).statistics);
  // Nothing was compared: nothing matches, or does not.
  RunReport run;
  run.outputs.push_back(report);
  EXPECT_FALSE(toJson(run).contains("matches"));
  EXPECT_NE(toText(run).find("minimum -2, maximum 4, mean 1"),
            std::string::npos);
}

TEST(Report, IntegersHaveASign) {
  ArgumentValue bytes;
  bytes.info.isPointer = true;
  bytes.info.element = Element::I8;
  bytes.shape = {2};
  bytes.bytes = {-5, 3};
  OutputReport report = reportOutput(bytes, nullptr, {});
  EXPECT_THAT(report.first, testing::ElementsAre("-5", "3"));
  EXPECT_EQ(report.statistics->minimum, -5);
  EXPECT_EQ(report.statistics->mean, -1);
}

TEST(Report, WorkOnALargeBufferReportsProgress) {
  std::atomic<uint64_t> done = 0;
  std::vector<uint64_t> told;
  const uint64_t count = 100'000'001;
  forEachPiece(
      count, [&](size_t begin, size_t end) { done += end - begin; },
      [&](uint64_t now, uint64_t all) {
        EXPECT_EQ(now, done);
        EXPECT_EQ(all, count);
        told.push_back(now);
      });
  EXPECT_GT(told.size(), 2u);
  EXPECT_EQ(told.back(), count);
}

TEST(Report, InfinitiesAreCountedSeparately) {
  OutputReport report = reportOutput(floats({4, INFINITY, -2}), nullptr, {});
  EXPECT_EQ(report.infinities, 1u);
  EXPECT_EQ(report.statistics->maximum, 4);
}

TEST(Report, TheMapShowsWhereItDiffers) {
  ArgumentValue found = floats({0, 0, 0, 0, 0, 3, 0, NAN});
  ArgumentValue expected = floats({0, 0, 0, 0, 0, 1, 0, 0});
  found.shape = expected.shape = {2, 4};
  OutputReport report = reportOutput(found, &expected, {1, 0});
  EXPECT_EQ(report.errors->columns, 4u);
  EXPECT_THAT(report.errors->cells,
              testing::ElementsAre(0, 0, 0, 0, 0, 2, 0, INFINITY));
  EXPECT_FALSE(reportOutput(found, &found, {1, 0}).errors);

  // A one-dimensional one is split into rows, and many elements share a cell.
  std::vector<float> many(1 << 16);
  ArgumentValue zeros = floats(many);
  many[(1 << 8) * 255 + 3] = 1;
  report = reportOutput(floats(many), &zeros, {0.5, 0});
  EXPECT_EQ(report.errors->rowLength, 256u);
  EXPECT_EQ(report.errors->rowsPerCell, 4u);
  EXPECT_EQ(report.errors->cells.size(), 64u * 64);
  EXPECT_EQ(report.errors->cells[size_t(63) * 64], 2);
}

TEST(Report, RatesAreShownWithTheLimitsOfTheDevice) {
  RunReport run;
  run.threads = 128;
  run.microseconds = 10;
  run.bytes = 20'000'000;
  run.peakGigabytesPerSecond = 4000;
  run.operations = 1e9;
  run.peakTeraflops = 1000;
  std::string text = toText(run);
  EXPECT_NE(text.find("2000.0 GB/s (50.0% of the device's 4000)"),
            std::string::npos);
  EXPECT_NE(text.find("100.0 TFLOP/s (10.0% of the device's 1000)"),
            std::string::npos);
  EXPECT_EQ(toJson(run)["teraflops"], 100);
}

TEST(Report, ToleranceGrowsWithWhatIsExpected) {
  double small = defaultTolerance(floats({0.1f, 0.2f})).absolute;
  EXPECT_EQ(defaultTolerance(floats({30, -40, INFINITY, NAN})).absolute,
            small * std::sqrt(1250));
  EXPECT_EQ(defaultTolerance(floats({NAN})).absolute, small);
  // Where the device's sums keep few bits.
  EXPECT_EQ(defaultTolerance(floats({30, -40}), /*least=*/0.05).absolute,
            0.05 * std::sqrt(1250));
  EXPECT_EQ(defaultTolerance(floats({0.1f}), /*least=*/1e-7).absolute, small);
  ArgumentValue bytes;
  bytes.info.element = Element::I8;
  bytes.shape = {1};
  bytes.bytes = {100};
  EXPECT_EQ(defaultTolerance(bytes, /*least=*/0.05).absolute, 0);
}

TEST(Report, TheFirstElementOutsideIsNamed) {
  ArgumentValue found = floats({1, 2, 4, NAN});
  ArgumentValue expected = floats({1, 2, 3, 4});
  OutputReport report = reportOutput(found, &expected, {0.1, 0});
  EXPECT_EQ(report.comparison->outside, 2u);
  EXPECT_EQ(report.comparison->firstOutside, 2u);
  EXPECT_EQ(report.comparison->found, "4");
  EXPECT_EQ(report.comparison->expected, "3");
  RunReport run;
  run.outputs.push_back(report);
  EXPECT_FALSE(run.matches());
}

TEST(Report, AnElementIsNamedByRowAndColumn) {
  EXPECT_EQ(indexText({64, 1008}, 10384), "10, 304");
  EXPECT_EQ(indexText({8}, 5), "5");
}

TEST(Fill, ALongerBufferStartsLikeAShorterOne) {
  Fill normal;
  normal.kind = Fill::Kind::Normal;
  std::vector<char> few(40), many(4000);
  fillElements(Element::F32, normal, 1, few);
  fillElements(Element::F32, normal, 1, many);
  EXPECT_EQ(std::memcmp(few.data(), many.data(), few.size()), 0);
  double sum = 0, squares = 0;
  for (size_t i = 0; i < 1000; ++i) {
    const double value = elementValue(Element::F32, many.data(), i);
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 1000, 0, 0.15);
  EXPECT_NEAR(squares / 1000, 1, 0.2);
}

TEST(Fill, UniformStaysInItsRange) {
  Fill uniform;
  uniform.kind = Fill::Kind::Uniform;
  uniform.low = -3;
  uniform.high = 4;
  std::vector<char> bytes(1000);
  fillElements(Element::I8, uniform, 5, bytes);
  EXPECT_EQ(*std::min_element(bytes.begin(), bytes.end()), -3);
  EXPECT_EQ(*std::max_element(bytes.begin(), bytes.end()), 3);
}

} // namespace
