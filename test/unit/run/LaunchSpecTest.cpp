//===- LaunchSpecTest.cpp - Launch specs and their errors -----------------===//

#include "server/run/LaunchSpec.h"
#include "gmock/gmock.h"

using namespace kernelscope::run;
using testing::ElementsAre;

namespace {

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<LaunchSpec> spec = parseLaunchSpec(text, "dir/k.launch.json");
  return spec ? "" : llvm::toString(spec.takeError());
}

TEST(LaunchSpec, ReadsEveryField) {
  llvm::Expected<LaunchSpec> spec = parseLaunchSpec(R"({
    "kernel": "add", "grid": [4, 2], "warmup": 1, "repeat": 0, "seed": 7,
    "arguments": {
      "x": {"shape": [8, 16], "dtype": "f16", "fill": {"kind": "uniform", "low": -1, "high": 1, "seed": 3}},
      "y": {"fill": {"file": "../y.npy"}, "output": true},
      "z": {"shape": 3, "fill": {"constant": 2.5}},
      "n": 128, "eps": 1e-5  // comments are allowed
    },
    "tolerance": {"f16": {"absolute": 0.5, "relative": 0.25}}
  })",
                                                    "dir/k.launch.json");
  ASSERT_TRUE(bool(spec)) << llvm::toString(spec.takeError());
  EXPECT_EQ(spec->kernel, "add");
  EXPECT_THAT(*spec->grid, ElementsAre(4, 2, 1));
  EXPECT_EQ(spec->repeat, 0u);
  EXPECT_THAT(*spec->arguments["x"].shape, ElementsAre(8, 16));
  EXPECT_EQ(spec->arguments["x"].fill->kind, Fill::Kind::Uniform);
  EXPECT_EQ(spec->arguments["x"].fill->low, -1);
  EXPECT_EQ(spec->arguments["y"].fill->file, "y.npy") << "relative to the spec";
  EXPECT_EQ(spec->arguments["y"].output, true);
  EXPECT_EQ(spec->arguments["z"].fill->value, 2.5);
  EXPECT_EQ(std::get<int64_t>(spec->arguments["n"].value), 128);
  EXPECT_EQ(std::get<double>(spec->arguments["eps"].value), 1e-5);
  EXPECT_EQ(spec->tolerance["f16"].relative, 0.25);
}

TEST(LaunchSpec, ArgumentsMayBeInOrder) {
  llvm::Expected<LaunchSpec> spec =
      parseLaunchSpec(R"({"grid": 3, "arguments": [{"shape": 4}, 5]})", "k");
  ASSERT_TRUE(bool(spec)) << llvm::toString(spec.takeError());
  EXPECT_THAT(*spec->arguments["0"].shape, ElementsAre(4));
  EXPECT_EQ(std::get<int64_t>(spec->arguments["1"].value), 5);
}

TEST(LaunchSpec, ErrorsNameTheField) {
  EXPECT_EQ(
      errorOf(R"({"grid": 0})"),
      "dir/k.launch.json: 'grid' must be sizes from 1 to 2147483647, not 0");
  EXPECT_EQ(errorOf(R"({"arguments": {"x": {"shape": [4, -1]}}})"),
            "dir/k.launch.json: 'arguments.x.shape' must be an integer of "
            "at least 0, not -1");
  EXPECT_EQ(errorOf(R"({"arguments": {"x": {"fill": "random"}}})"),
            "dir/k.launch.json: 'arguments.x.fill' must be zeros, ones, "
            "arange, ascending, normal, uniform, or an "
            "object with one of kind, constant and file, not \"random\"");
  EXPECT_EQ(
      errorOf(
          R"({"arguments": {"x": {"fill": {"kind": "uniform", "low": 3}}}})"),
      "dir/k.launch.json: 'arguments.x.fill.high' must be more than 'low', "
      "3.0, not 1.0");
  EXPECT_EQ(
      errorOf(
          R"({"arguments": {"x": {"fill": {"kind": "ascending", "high": -1}}}})"),
      "dir/k.launch.json: 'arguments.x.fill.high' must be at least 0, not "
      "-1.0");
  EXPECT_EQ(errorOf(R"({"arguments": {"n": "ten"}})"),
            "dir/k.launch.json: 'arguments.n' must be a number, not \"ten\"");
  EXPECT_EQ(
      errorOf(R"({"girds": 1})"),
      "dir/k.launch.json: 'launch spec' has no field 'girds'; it has "
      "$schema, kernel, grid, "
      "arguments, tolerance, warmup, repeat, seed, cooperative, schedule, "
      "sanitize, maxSteps");
  EXPECT_THAT(errorOf("{"), testing::HasSubstr("dir/k.launch.json: "));
}

} // namespace
