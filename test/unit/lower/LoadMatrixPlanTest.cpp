//===- LoadMatrixPlanTest.cpp - Shared memory by ldmatrix -----------------===//
//
// Plans are carried out on numbered elements: every lane must get those that
// its layout says, as the PTX ISA says that the instruction hands them out.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/LoadMatrixPlan.h"
#include "dialects/Dialects.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/lower/support/ByteTiles.h"
#include "gtest/gtest.h"
#include <set>

using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

constexpr const char *mma = "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = "
                            "0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>";

class LoadMatrixPlanTest : public testing::Test {
protected:
  LoadMatrixPlanTest() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  LinearLayout layoutOf(llvm::ArrayRef<int64_t> shape,
                        const std::string &encoding) {
    std::string error;
    auto layout = ttg::toLinearLayout(
        shape, mlir::parseAttribute(encoding, &context), error);
    EXPECT_TRUE(layout) << error;
    return *layout;
  }

  /// From places of a tensor to offsets in a buffer.
  LinearLayout offsetsOf(llvm::ArrayRef<int64_t> shape,
                         const std::string &tensor, const std::string &buffer) {
    LinearLayout map =
        *layoutOf(shape, tensor).invertAndCompose(layoutOf(shape, buffer));
    return map.sublayout(map.getInDimNames(), {names.offset});
  }
  static std::string operand(unsigned index, unsigned kWidth) {
    return "#ttg.dot_op<{opIdx = " + std::to_string(index) +
           ", parent = " + mma + ", kWidth = " + std::to_string(kWidth) + "}>";
  }
  /// Rows or columns in order, `vec` elements at a time swizzled.
  static std::string swizzled(unsigned vec, const std::string &order) {
    return "#ttg.swizzled_shared<{vec = " + std::to_string(vec) +
           ", perPhase = 1, maxPhase = 4, order = " + order + "}>";
  }

  int32_t at(const LinearLayout &layout, int32_t reg, int32_t lane,
             int32_t warp) {
    return layout
        .apply({{names.reg, reg}, {names.lane, lane}, {names.warp, warp}})
        .front()
        .second;
  }

  void check(const LoadMatrixPlan &plan, const LinearLayout &offsets,
             unsigned elementBits) {
    auto inWord = static_cast<int32_t>(32 / elementBits);
    size_t filled = 0;
    for (int32_t warp = 0; warp < offsets.getInDimSize(names.warp); ++warp)
      for (auto [load, registers] : llvm::enumerate(plan.registers)) {
        ASSERT_EQ(registers.size(), plan.tiles * inWord);
        filled += warp == 0 ? registers.size() : 0;
        auto row = [&](int32_t tile, int32_t index) {
          int32_t start =
              at(plan.rows, static_cast<int32_t>(load), tile * 8 + index, warp);
          EXPECT_EQ(start * elementBits % 128, 0u);
          return start;
        };
        for (int32_t lane = 0; lane < 32; ++lane)
          for (auto [i, r] : llvm::enumerate(registers)) {
            int32_t tile = static_cast<int32_t>(i) / inWord,
                    element = static_cast<int32_t>(i) % inWord;
            int32_t found =
                plan.isTransposed
                    ? row(tile, lane % 4 * 2 + element) + lane / 4
                    : row(tile, lane / 4) + lane % 4 * inWord + element;
            ASSERT_EQ(found, at(offsets, static_cast<int32_t>(r), lane, warp));
          }
      }
    EXPECT_EQ(filled, 1u << (offsets.getInDimSizeLog2(names.reg) -
                             llvm::popcount(static_cast<unsigned>(
                                 offsets.getZeroMask(names.reg)))));
  }

  /// Of a load a tile is two words, with four rows of a column each; of a store
  /// one, with two rows of two columns.
  void checkBytes(const LoadMatrixPlan &plan, const LinearLayout &offsets,
                  bool isStore) {
    const unsigned words = isStore ? 1 : 2, rows = 8 * words;
    for (int32_t warp = 0; warp < offsets.getInDimSize(names.warp); ++warp)
      for (auto [load, registers] : llvm::enumerate(plan.registers)) {
        ASSERT_EQ(registers.size(), plan.tiles * 4);
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned i = 0; i < registers.size(); ++i) {
            const unsigned tile = i / 4 / words, word = i / 4 % words,
                           byte = i % 4;
            const unsigned row =
                isStore ? lane % 4 * 2 + byte % 2 : lane % 4 * 4 + byte;
            const unsigned column = lane / 4 + 8 * (isStore ? byte / 2 : word);
            const int32_t start =
                at(plan.rows, static_cast<int32_t>(load),
                   static_cast<int32_t>(tile * rows + row), warp);
            EXPECT_EQ(start % 16, 0);
            ASSERT_EQ(start + static_cast<int32_t>(column),
                      at(offsets, static_cast<int32_t>(registers[i]),
                         static_cast<int32_t>(lane), warp));
          }
      }
    EXPECT_EQ(plan.registers.size() * plan.tiles * 4,
              static_cast<size_t>(offsets.getInDimSize(names.reg)));
  }

  std::optional<LoadMatrixPlan> plan(const LinearLayout &offsets,
                                     unsigned elementBits) {
    return planLoadMatrix(offsets, elementBits, /*windowMask=*/0,
                          /*aligned=*/1024);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  ttg::LayoutDims names{&context};
};

TEST_F(LoadMatrixPlanTest, RowsAlongK) {
  LinearLayout offsets =
      offsetsOf({64, 32}, operand(0, 2), swizzled(8, "[1, 0]"));
  auto found = plan(offsets, 16);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->isTransposed);
  EXPECT_EQ(found->tiles, 4u);
  EXPECT_EQ(found->registers.size(), 4u);
  check(*found, offsets, 16);
}

TEST_F(LoadMatrixPlanTest, ColumnsAreTransposed) {
  LinearLayout offsets =
      offsetsOf({32, 64}, operand(1, 2), swizzled(8, "[1, 0]"));
  auto found = plan(offsets, 16);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->isTransposed);
  EXPECT_EQ(found->tiles, 4u);
  check(*found, offsets, 16);
}

// Rows along N are 256 bytes apart, all at the same banks: a tile takes
// four of one vector of columns and four of another.
TEST_F(LoadMatrixPlanTest, TilesSpreadOverBanks) {
  LinearLayout offsets =
      offsetsOf({32, 128}, operand(1, 2),
                "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, "
                "order = [1, 0]}>");
  auto banks = [&](unsigned aligned) {
    auto found = planLoadMatrix(offsets, 16, /*windowMask=*/0, aligned);
    EXPECT_TRUE(found && found->isTransposed);
    check(*found, offsets, 16);
    std::set<int32_t> reached;
    for (int32_t row = 0; row < 8; ++row)
      reached.insert(at(found->rows, 0, row, 0) % 64);
    return reached.size();
  };
  EXPECT_EQ(banks(/*aligned=*/128), 2u);
  // Gaps move the banks: the tile is as it lies.
  EXPECT_EQ(banks(/*aligned=*/8), 1u);
}

TEST_F(LoadMatrixPlanTest, SwizzleOfTma) {
  LinearLayout offsets =
      offsetsOf({64, 64}, operand(0, 2),
                "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
                "false, elementBitWidth = 16}>");
  auto found = plan(offsets, 16);
  ASSERT_TRUE(found);
  check(*found, offsets, 16);
}

TEST_F(LoadMatrixPlanTest, WordsOfOtherElements) {
  for (auto [bits, kWidth] : {std::pair(8u, 4u), {32u, 1u}}) {
    LinearLayout offsets =
        offsetsOf({64, 64}, operand(0, kWidth), swizzled(128 / bits, "[1, 0]"));
    auto found = plan(offsets, bits);
    ASSERT_TRUE(found) << bits;
    EXPECT_FALSE(found->isTransposed);
    check(*found, offsets, bits);
    // Only tiles of 16 bits are transposed on the way.
    EXPECT_FALSE(plan(
        offsetsOf({64, 64}, operand(1, kWidth), swizzled(128 / bits, "[1, 0]")),
        bits));
  }
}

TEST_F(LoadMatrixPlanTest, BytesOfColumns) {
  const std::string rowsOfWarps =
      "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, "
      "1], instrShape = [16, 8]}>";
  LinearLayout operands = offsetsOf(
      {64, 64},
      "#ttg.dot_op<{opIdx = 1, parent = " + rowsOfWarps + ", kWidth = 4}>",
      swizzled(16, "[1, 0]"));
  LinearLayout results =
      offsetsOf({64, 64}, rowsOfWarps, swizzled(16, "[0, 1]"));
  for (bool isStore : {false, true}) {
    auto bytes = [&](const LinearLayout &offsets, int32_t windowMask = 0) {
      return planByteTiles(offsets, windowMask, /*aligned=*/1024, isStore);
    };
    for (const LinearLayout &offsets : {operands, results}) {
      auto found = bytes(offsets);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->tiles, 4u);
      checkBytes(*found, offsets, isStore);
    }
    EXPECT_FALSE(bytes(operands, /*windowMask=*/8));
    // Eight columns, half a row, belong to the next warp.
    EXPECT_FALSE(
        bytes(offsetsOf({64, 64}, operand(1, 4), swizzled(16, "[1, 0]"))));
    // Rows of 16 bytes are broken up.
    EXPECT_FALSE(
        bytes(offsetsOf({64, 64}, rowsOfWarps, swizzled(8, "[0, 1]"))));
  }
}

TEST_F(LoadMatrixPlanTest, FewTiles) {
  // A warp has one register, or two.
  for (int64_t rows : {16, 32}) {
    LinearLayout offsets = offsetsOf(
        {rows, 16},
        "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], "
        "warpsPerCTA = [2, 1], order = [1, 0]}>",
        swizzled(8, "[1, 0]"));
    auto found = plan(offsets, 16);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->tiles, rows == 16 ? 2u : 4u);
    check(*found, offsets, 16);
  }
}

TEST_F(LoadMatrixPlanTest, NoTiles) {
  // More than a word of neighbours in a lane: one ordinary load takes them.
  EXPECT_FALSE(
      plan(offsetsOf({64, 64}, operand(0, 8), swizzled(8, "[1, 0]")), 16));
  // The swizzle breaks rows of 16 bytes up.
  EXPECT_FALSE(
      plan(offsetsOf({64, 32}, operand(0, 2), swizzled(4, "[1, 0]")), 16));
  // A double takes two words.
  LinearLayout offsets =
      offsetsOf({64, 32}, operand(0, 2), swizzled(8, "[1, 0]"));
  EXPECT_FALSE(plan(offsets, 64));
  // Windows and gaps that begin within a row.
  EXPECT_FALSE(planLoadMatrix(offsets, 16, /*windowMask=*/4, 1024));
  EXPECT_TRUE(planLoadMatrix(offsets, 16, /*windowMask=*/8, 1024));
  EXPECT_FALSE(planLoadMatrix(offsets, 16, 0, /*aligned=*/4));
  EXPECT_TRUE(planLoadMatrix(offsets, 16, 0, /*aligned=*/8));
}

} // namespace
