//===- DotPlanTest.cpp - Matrix products as instructions ------------------===//
//
// Plans are carried out on numbers, lane by lane, with the fragments of the
// instructions as the manuals draw them.
//
//===----------------------------------------------------------------------===//

#include "passes/analysis/DotPlan.h"
#include "dialects/Dialects.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace kernelscope;
using mlir::StringAttr;

namespace {

/// The coordinates that the set bits of a lane id and a register index map to.
/// Lanes with copies have the same.
std::map<char, unsigned> placeIn(const MatrixFragment &fragment, unsigned reg,
                                 unsigned lane) {
  std::map<char, unsigned> place{{'m', 0}, {'n', 0}, {'k', 0}};
  for (auto [bits, number] :
       {std::pair(fragment.registerBits(), reg), {fragment.laneBits(), lane}})
    for (auto [index, bit] : llvm::enumerate(bits))
      if (!bit.isCopy())
        place[bit.dim] += (number >> index & 1) << bit.log2;
  return place;
}

TEST(MatrixInstructions, FragmentsHoldEachElementOnce) {
  for (Vendor vendor : {Vendor::Nvidia, Vendor::Amd})
    for (const MatrixInstruction &row : matrixInstructionsOf(vendor)) {
      unsigned lanes = row.name.contains("mfma") ? 64 : 32;
      std::map<char, unsigned> sizes{{'m', row.m}, {'n', row.n}, {'k', row.k}};
      for (auto [fragment, dims] : {std::pair(&row.fragments.a, "mk"),
                                    {&row.fragments.b, "kn"},
                                    {&row.fragments.c, "mn"}}) {
        EXPECT_EQ(1u << fragment->laneBits().size(), lanes) << row.name.str();
        size_t copies = llvm::any_of(fragment->laneBits(),
                                     [](auto bit) { return bit.isCopy(); })
                            ? 2
                            : 1;
        std::map<std::map<char, unsigned>, size_t> seen;
        for (unsigned lane = 0; lane < lanes; ++lane)
          for (unsigned reg = 0; reg < fragment->numElements(); ++reg) {
            auto place = placeIn(*fragment, reg, lane);
            ++seen[place];
            for (auto [dim, at] : place)
              EXPECT_LT(at,
                        llvm::StringRef(dims).contains(dim) ? sizes[dim] : 1u)
                  << row.name.str();
          }
        for (auto &[place, count] : seen)
          EXPECT_EQ(count, copies) << row.name.str();
        EXPECT_EQ(seen.size(), sizes[dims[0]] * sizes[dims[1]])
            << row.name.str();
      }
    }
}

TEST(MatrixInstructions, AreFoundByChipAndTypeDeepestFirst) {
  using enum MatrixElement;
  auto names = [](llvm::StringRef arch, const MatrixQuery &query) {
    std::string text;
    for (const MatrixInstruction *row :
         findMatrixInstructions(*Target::parse(arch), query))
      text += llvm::formatv("{0}x{1}x{2} ", row->m, row->n, row->k);
    return text;
  };
  MatrixQuery half{F16, F16, F32, {}, {}, {}}, fp8{E4M3, E5M2, F32, {}, {}, {}};
  EXPECT_EQ(names("sm_80", half), "16x8x16 16x8x8 ");
  EXPECT_EQ(names("gfx90a", half), "32x32x8 16x16x16 4x64x64 ");
  EXPECT_EQ(names("gfx90a", {I8, I8, I32, {}, {}, {}}), "4x64x64 ");
  EXPECT_EQ(names("gfx942", half), "32x32x8 16x16x16 4x64x64 ");
  EXPECT_EQ(names("gfx950", half),
            "32x32x16 32x32x8 16x16x32 16x16x16 4x64x64 ");
  EXPECT_EQ(names("sm_80", fp8), "");
  EXPECT_EQ(names("sm_89", fp8), "16x8x32 ");
  EXPECT_EQ(names("gfx942", fp8), "");
  EXPECT_EQ(names("gfx1100", half), "16x16x16 ");
  EXPECT_EQ(names("gfx1100", fp8), "");
  EXPECT_EQ(names("gfx1201", fp8), "16x16x16 ");
  EXPECT_EQ(names("gfx1250", half), "16x16x32 ");
  EXPECT_EQ(names("gfx1250", fp8), "16x16x128 16x16x64 ");
  half.n = 16;
  EXPECT_EQ(names("gfx942", half), "16x16x16 ");
}

struct Product {
  const char *name;
  const char *arch;
  MatrixElement a, c;
  /// The result's layout.
  const char *parent;
  /// With the batch in front, or without.
  std::vector<int64_t> shape;
  int64_t depth;
  unsigned kWidth;
  /// What the plan must take: "16x8x16", and how often.
  const char *instruction;
  size_t steps;
};

class DotPlanTest : public testing::TestWithParam<Product> {
protected:
  DotPlanTest() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  LinearLayout layoutOf(llvm::ArrayRef<int64_t> shape,
                        const std::string &encoding) {
    std::string sizes;
    for (int64_t size : shape)
      sizes += std::to_string(size) + "x";
    mlir::Type type =
        mlir::parseType("tensor<" + sizes + "f32, " + encoding + ">", &context);
    EXPECT_TRUE(type) << encoding;
    return ttg::toLinearLayout(mlir::cast<mlir::ShapedType>(type));
  }
  std::string operand(const Product &product, unsigned index) {
    return llvm::formatv(
        "#ttg.dot_op<{{opIdx = {0}, parent = {1}{2}}>", index, product.parent,
        product.kWidth ? ", kWidth = " + std::to_string(product.kWidth) : "");
  }

  using Element = std::vector<int32_t>;
  Element at(const LinearLayout &layout, unsigned reg, unsigned lane,
             unsigned warp) {
    Element place;
    for (auto [dim, value] : layout.apply(
             {{names.reg, reg}, {names.lane, lane}, {names.warp, warp}}))
      place.push_back(value);
    return place;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  ttg::LayoutDims names{&context};
};

TEST_P(DotPlanTest, GivesTheProduct) {
  const Product &product = GetParam();
  std::vector<int64_t> shape = product.shape, aShape = shape, bShape = shape;
  aShape.back() = bShape[bShape.size() - 2] = product.depth;
  LinearLayout a = layoutOf(aShape, operand(product, 0)),
               b = layoutOf(bShape, operand(product, 1)),
               c = layoutOf(shape, product.parent);
  // Single products ask for no instruction.
  std::string found = "1x1x1";
  unsigned rows = 1, columns = 1, depth = 1;
  MatrixFragments fragments;
  std::optional<DotPlan> plan = planDot(fragments, a, b, c);
  for (bool padsDepth : {false, true})
    for (const MatrixInstruction *row : findMatrixInstructions(
             *Target::parse(product.arch),
             {product.a, product.a, product.c, {}, {}, {}})) {
      if (plan)
        break;
      plan = planDot(row->fragments, a, b, c, padsDepth);
      fragments = row->fragments;
      rows = row->m, columns = row->n, depth = row->k;
      found = llvm::formatv("{0}x{1}x{2}", rows, columns, depth);
    }
  ASSERT_TRUE(plan);
  EXPECT_EQ(found, product.instruction);
  EXPECT_EQ(plan->steps.size(), product.steps);

  // Small numbers, so that sums are exact.
  auto valueOf = [](const Element &place, unsigned operand) {
    unsigned hash = operand + 1;
    for (int32_t index : place)
      hash = hash * 31 + static_cast<unsigned>(index) * 7 + (hash >> 3);
    return static_cast<int64_t>(hash % 17) - 8;
  };
  auto expected = [&](Element place) {
    int64_t sum = 0;
    Element left = place, right = place;
    for (int32_t k = 0; k < product.depth; ++k) {
      left.back() = right[right.size() - 2] = k;
      sum += valueOf(left, 0) * valueOf(right, 1);
    }
    return sum;
  };

  auto lanes = static_cast<unsigned>(c.getInDimSize(names.lane));
  unsigned fragmentLanes = 1u << fragments.a.laneBits().size();
  // Where each lane's registers lie in a fragment of rowSize, and what they
  // hold.
  auto placesIn = [&](const MatrixFragment &fragment, char row, char column,
                      unsigned rowSize) {
    std::vector<unsigned> places;
    for (unsigned l = 0; l < fragmentLanes; ++l)
      for (unsigned i = 0; i < fragment.numElements(); ++i) {
        auto place = placeIn(fragment, i, l);
        places.push_back(place[row] * rowSize + place[column]);
      }
    return places;
  };
  std::vector<unsigned> leftPlaces = placesIn(fragments.a, 'm', 'k', depth),
                        rightPlaces = placesIn(fragments.b, 'n', 'k', depth),
                        sumPlaces = placesIn(fragments.c, 'm', 'n', columns);
  auto held = [&](const LinearLayout &layout, unsigned operand, unsigned warp) {
    std::vector<int64_t> values;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r)
        values.push_back(valueOf(at(layout, r, lane, warp), operand));
      values.push_back(0); // what is beyond the end of K
    }
    return values;
  };
  for (int32_t warp = 0; warp < c.getInDimSize(names.warp); ++warp) {
    std::vector<std::vector<int64_t>> sums(
        lanes, std::vector<int64_t>(c.getInDimSize(names.reg)));
    std::vector<int64_t> aValues = held(a, 0, warp), bValues = held(b, 1, warp);
    for (const DotStep &step : plan->steps)
      // Without fragments each lane is alone.
      for (unsigned first = 0; first < lanes; first += fragmentLanes) {
        std::vector<int64_t> left(rows * depth), right(columns * depth);
        auto fill = [&](std::vector<int64_t> &side,
                        const std::vector<unsigned> &places, bool fromA) {
          const auto &registers = fromA ? step.a : step.b;
          const auto &values = fromA ? aValues : bValues;
          size_t perLane = values.size() / lanes;
          ASSERT_EQ(registers.size() * fragmentLanes, places.size());
          for (unsigned l = 0, at = 0; l < fragmentLanes; ++l)
            for (unsigned r : registers)
              side[places[at++]] = values[(first + l) * perLane + r];
        };
        // Which tensor fills which side of the instruction.
        fill(left, leftPlaces, !plan->isTransposed);
        fill(right, rightPlaces, plan->isTransposed);
        std::vector<int64_t> product(rows * columns);
        for (unsigned i = 0; i < rows; ++i)
          for (unsigned j = 0; j < columns; ++j)
            for (unsigned l = 0; l < depth; ++l)
              product[i * columns + j] +=
                  left[i * depth + l] * right[j * depth + l];
        for (unsigned l = 0; l < fragmentLanes; ++l)
          for (auto [i, r] : llvm::enumerate(step.c))
            // Registers that hold copies are written twice with one value.
            if (std::find(step.c.begin(), step.c.begin() + i, r) ==
                step.c.begin() + i)
              sums[first + l][r] += product[sumPlaces[l * step.c.size() + i]];
      }
    for (unsigned l = 0; l < lanes; ++l)
      for (auto [r, source] : llvm::enumerate(plan->sources))
        ASSERT_EQ(sums[l][source], expected(at(c, r, l, warp)))
            << "register " << r << " of lane " << l << " in warp " << warp;
  }
}

using enum MatrixElement;

#define MMA(warps, shape)                                                      \
  "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = " warps  \
  ", instrShape = " shape "}>"
#define MFMA(version, warps, shape, rest)                                      \
  "#ttg.amd_mfma<{version = " version ", warpsPerCTA = " warps                 \
  ", instrShape = " shape ", " rest "}>"

#define WMMA(version, warps, transposed, rest)                                 \
  "#ttg.amd_wmma<{version = " version ", isTranspose = " transposed            \
  ", warpsPerCTA = " warps rest "}>"

INSTANTIATE_TEST_SUITE_P(
    Layouts, DotPlanTest,
    testing::Values(
        Product{"MmaF16",
                "sm_80",
                F16,
                F32,
                MMA("[2, 2]", "[16, 8]"),
                {64, 64},
                32,
                2,
                "16x8x16",
                16},
        Product{"MmaOfConvertedFp8",
                "sm_80",
                F16,
                F32,
                MMA("[2, 2]", "[16, 8]"),
                {64, 32},
                64,
                4,
                "16x8x16",
                16},
        Product{"MmaOfConvertedFp4",
                "sm_80",
                BF16,
                F32,
                MMA("[1, 4]", "[16, 8]"),
                {16, 64},
                128,
                8,
                "16x8x16",
                16},
        Product{"MmaShallow",
                "sm_80",
                F16,
                F32,
                MMA("[4, 1]", "[16, 8]"),
                {64, 16},
                8,
                2,
                "16x8x8",
                2},
        Product{"MmaSmallerThanTheWarps",
                "sm_80",
                F16,
                F16,
                MMA("[1, 4]", "[16, 8]"),
                {16, 16},
                32,
                2,
                "16x8x16",
                2},
        Product{"MmaBatch",
                "sm_90",
                F16,
                F32,
                MMA("[4, 1, 1]", "[1, 16, 8]"),
                {8, 32, 16},
                16,
                2,
                "16x8x16",
                8},
        Product{"MmaTf32",
                "sm_80",
                TF32,
                F32,
                MMA("[2, 2]", "[16, 8]"),
                {32, 32},
                16,
                1,
                "16x8x8",
                4},
        Product{"MmaI8",
                "sm_80",
                I8,
                I32,
                MMA("[2, 2]", "[16, 8]"),
                {32, 32},
                64,
                4,
                "16x8x32",
                4},
        Product{"MmaFp8",
                "sm_89",
                E5M2,
                F32,
                MMA("[2, 2]", "[16, 8]"),
                {32, 32},
                64,
                4,
                "16x8x32",
                4},
        Product{"MmaF64",
                "sm_80",
                F64,
                F64,
                MMA("[2, 2]", "[16, 8]"),
                {32, 32},
                16,
                1,
                "8x8x4",
                16},
        Product{"MmaF64Deep",
                "sm_90",
                F64,
                F64,
                MMA("[2, 2]", "[16, 8]"),
                {32, 32},
                16,
                1,
                "16x8x16",
                2},
        Product{"MfmaOfFourColumns",
                "gfx942",
                F16,
                F32,
                MFMA("3", "[2, 1]", "[64, 4, 64]", "isTransposed = true"),
                {128, 8},
                64,
                4,
                "4x64x64",
                2},
        Product{"MfmaOfFourRows",
                "gfx950",
                F32,
                F32,
                MFMA("4", "[1, 2]", "[4, 64, 16]", "isTransposed = false"),
                {4, 128},
                32,
                1,
                "4x64x16",
                2},
        Product{"Mfma32",
                "gfx942",
                F16,
                F32,
                MFMA("3", "[2, 2]", "[32, 32, 8]", "isTransposed = false"),
                {64, 128},
                32,
                4,
                "32x32x8",
                8},
        Product{"Mfma32Transposed",
                "gfx942",
                BF16,
                F32,
                MFMA("3", "[2, 2]", "[32, 32, 8]", "isTransposed = true"),
                {64, 128},
                32,
                4,
                "32x32x8",
                8},
        Product{"Mfma16",
                "gfx942",
                F16,
                F32,
                MFMA("3", "[4, 1]", "[16, 16, 16]", "isTransposed = false"),
                {64, 32},
                32,
                4,
                "16x16x16",
                4},
        Product{"Mfma16WideLoads",
                "gfx942",
                F16,
                F32,
                MFMA("3", "[1, 4]", "[16, 16, 16]", "isTransposed = true"),
                {16, 64},
                64,
                8,
                "16x16x16",
                4},
        Product{"MfmaTilesPerWarp",
                "gfx942",
                F16,
                F32,
                MFMA("3", "[2, 2]", "[16, 16, 16]",
                     "isTransposed = true, tilesPerWarp = [2, 2]"),
                {128, 64},
                32,
                4,
                "16x16x16",
                16},
        Product{"MfmaBatch",
                "gfx942",
                F16,
                F32,
                MFMA("3", "[4, 1, 1]", "[32, 32, 8]", "isTransposed = true"),
                {4, 32, 32},
                32,
                4,
                "32x32x8",
                4},
        Product{"MfmaF32",
                "gfx950",
                F32,
                F32,
                MFMA("4", "[2, 2]", "[32, 32, 2]", "isTransposed = true"),
                {64, 64},
                8,
                1,
                "32x32x2",
                4},
        Product{"MfmaXf32",
                "gfx942",
                TF32,
                F32,
                MFMA("3", "[2, 2]", "[32, 32, 4]", "isTransposed = true"),
                {64, 64},
                8,
                2,
                "32x32x4",
                2},
        Product{"MfmaF64",
                "gfx942",
                F64,
                F64,
                MFMA("3", "[2, 2]", "[16, 16, 4]",
                     "isTransposed = true, elementBitWidth = 64"),
                {32, 32},
                16,
                1,
                "16x16x4",
                4},
        Product{"MfmaFp8",
                "gfx942",
                E4M3FNUZ,
                F32,
                MFMA("3", "[2, 2]", "[32, 32, 16]", "isTransposed = true"),
                {64, 64},
                64,
                8,
                "32x32x16",
                4},
        Product{"MfmaDeep",
                "gfx950",
                F16,
                F32,
                MFMA("4", "[2, 2]", "[32, 32, 16]", "isTransposed = true"),
                {64, 64},
                32,
                8,
                "32x32x16",
                2},
        Product{"MfmaDeepOfNarrowLoads",
                "gfx950",
                F16,
                F32,
                MFMA("4", "[4, 1]", "[32, 32, 16]", "isTransposed = true"),
                {128, 32},
                32,
                4,
                "32x32x16",
                2},
        Product{"MfmaShallowOnANewerChip",
                "gfx950",
                BF16,
                F32,
                MFMA("4", "[1, 4]", "[16, 16, 16]", "isTransposed = true"),
                {16, 128},
                16,
                4,
                "16x16x16",
                2},
        Product{"MfmaI8",
                "gfx950",
                I8,
                I32,
                MFMA("4", "[2, 2]", "[32, 32, 32]", "isTransposed = true"),
                {64, 64},
                64,
                16,
                "32x32x32",
                2},
        Product{"MfmaF8f6f4",
                "gfx950",
                E4M3,
                F32,
                MFMA("4", "[2, 2]", "[32, 32, 64]", "isTransposed = true"),
                {64, 64},
                128,
                16,
                "32x32x64",
                2},
        Product{"MfmaF8f6f4Small",
                "gfx950",
                E5M2,
                F32,
                MFMA("4", "[2, 2]", "[16, 16, 128]", "isTransposed = false"),
                {32, 32},
                128,
                16,
                "16x16x128",
                1},
        Product{"WmmaF16",
                "gfx1100",
                F16,
                F32,
                WMMA("1", "[2, 2]", "false", ""),
                {32, 32},
                32,
                16,
                "16x16x16",
                2},
        Product{"WmmaTransposed",
                "gfx1100",
                I8,
                I32,
                WMMA("1", "[2, 2]", "true", ""),
                {64, 64},
                16,
                16,
                "16x16x16",
                4},
        Product{"WmmaOfRdna4",
                "gfx1201",
                BF16,
                F32,
                WMMA("2", "[4, 1]", "true", ""),
                {64, 32},
                32,
                8,
                "16x16x16",
                4},
        Product{"WmmaBatchOfRdna4",
                "gfx1201",
                E4M3,
                F32,
                WMMA("2", "[4, 1, 1]", "true", ""),
                {8, 16, 32},
                32,
                8,
                "16x16x16",
                8},
        Product{"WmmaOfGfx1250",
                "gfx1250",
                F16,
                F32,
                WMMA("3", "[2, 2]", "true", ", instrShape = [16, 16, 32]"),
                {64, 32},
                64,
                8,
                "16x16x32",
                4},
        Product{"WmmaDeeperThanTheTensors",
                "gfx1250",
                BF16,
                F32,
                WMMA("3", "[1, 4]", "true", ", instrShape = [16, 16, 32]"),
                {16, 128},
                16,
                8,
                "16x16x32",
                2},
        Product{"WmmaF32",
                "gfx1250",
                F32,
                F32,
                WMMA("3", "[2, 2]", "false", ", instrShape = [16, 16, 4]"),
                {32, 32},
                8,
                2,
                "16x16x4",
                2},
        Product{"WmmaShallowFp8",
                "gfx1250",
                E5M2,
                F32,
                WMMA("3", "[2, 2]", "true", ", instrShape = [16, 16, 64]"),
                {32, 32},
                64,
                8,
                "16x16x64",
                1},
        Product{"Fma",
                "sm_80",
                F32,
                F32,
                "#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [4, "
                "8], warpsPerCTA = [2, 2], order = [1, 0]}>",
                {16, 64},
                8,
                0,
                "1x1x1",
                64}),
    [](const auto &info) { return std::string(info.param.name); });

class NoDotPlanTest : public DotPlanTest {};

// The two halves of K would be summed up twice.
TEST_P(NoDotPlanTest, FitsNoInstruction) {
  const Product &product = GetParam();
  int64_t depth = product.depth;
  LinearLayout a = layoutOf({product.shape[0], depth}, operand(product, 0)),
               b = layoutOf({depth, product.shape[1]}, operand(product, 1)),
               c = layoutOf(product.shape, product.parent);
  for (const MatrixInstruction *row :
       findMatrixInstructions(*Target::parse(product.arch),
                              {product.a, product.a, product.c, {}, {}, {}}))
    EXPECT_FALSE(planDot(row->fragments, a, b, c)) << row->name.str();
  EXPECT_FALSE(planDot({}, a, b, c));
}

INSTANTIATE_TEST_SUITE_P(Layouts, NoDotPlanTest,
                         testing::Values(Product{"Shallow",
                                                 "sm_80",
                                                 I8,
                                                 I32,
                                                 MMA("[2, 2]", "[16, 8]"),
                                                 {32, 32},
                                                 16,
                                                 4,
                                                 "",
                                                 0},
                                         Product{"OtherLanes",
                                                 "sm_80",
                                                 TF32,
                                                 F32,
                                                 MMA("[2, 2]", "[16, 8]"),
                                                 {32, 32},
                                                 4,
                                                 1,
                                                 "",
                                                 0}),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST_F(DotPlanTest, WarpsOfOperandsMustAgree) {
  Product product{"",       "sm_80", F16, F32, MMA("[2, 2]", "[16, 8]"),
                  {64, 64}, 32,      2,   "",  0};
  LinearLayout a = layoutOf({64, 32}, operand(product, 0)),
               b = layoutOf({32, 64}, operand(product, 1)),
               c = layoutOf({64, 64}, MMA("[4, 1]", "[16, 8]"));
  const MatrixInstruction *row = findMatrixInstructions(
      *Target::parse("sm_80"), {F16, F16, F32, {}, {}, {}})[0];
  EXPECT_FALSE(planDot(row->fragments, a, b, c));
}

} // namespace
