//===- SharedBanksTest.cpp - how accesses meet the banks ------------------===//
//
// Textbook cases. test/oracle/banks.py compares random ones with real Triton.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/SharedBanks.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using mlir::StringAttr;

namespace {

class SharedBanksTest : public testing::Test {
protected:
  /// Registers and lanes to offsets, each by its bases.
  LinearLayout offsets(std::vector<int32_t> registers,
                       std::vector<int32_t> lanes) {
    auto basesOf = [](llvm::ArrayRef<int32_t> values) {
      std::vector<std::vector<int32_t>> bases;
      for (int32_t value : values)
        bases.push_back({value});
      return bases;
    };
    std::string error;
    auto layout = LinearLayout::create(
        {{reg, basesOf(registers)}, {lane, basesOf(lanes)}, {warp, {}}},
        {{offset, 1 << 16}}, error);
    EXPECT_TRUE(layout) << error;
    return layout.value_or(LinearLayout());
  }
  StringAttr name(llvm::StringRef text) {
    return StringAttr::get(&context, text);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  StringAttr reg = name("register"), lane = name("lane"), warp = name("warp"),
             offset = name("offset");
  SharedBanks nvidia;
  SharedBanks gfx942{32, 128, {1, 2, 20}};
  SharedBanks gfx950{64, 128, {1, 2, 12, 20}};
};

TEST_F(SharedBanksTest, ARowOfWordsTakesOneWavefront) {
  auto cost = accessCost(offsets({}, {1, 2, 4, 8, 16}), {}, 32, nvidia, true);
  EXPECT_EQ(cost.instructions, 1u);
  EXPECT_EQ(cost.wavefronts, 1u);
  EXPECT_EQ(cost.ways(), 1u);
}

TEST_F(SharedBanksTest, AColumnOf32WordsIsServedLaneByLane) {
  auto column = offsets({}, {32, 64, 128, 256, 512});
  EXPECT_EQ(accessCost(column, {}, 32, nvidia, true).ways(), 32u);
  // One word of padding after each row is the textbook's cure.
  std::pair<unsigned, unsigned> gaps[] = {{32, 1}};
  EXPECT_EQ(accessCost(column, gaps, 32, nvidia, true).ways(), 1u);
  // So is a swizzle.
  auto swizzled = offsets({}, {33, 66, 132, 264, 528});
  EXPECT_EQ(accessCost(swizzled, {}, 32, nvidia, true).ways(), 1u);
}

TEST_F(SharedBanksTest, LanesThatReadOneWordDoNotConflict) {
  EXPECT_EQ(
      accessCost(offsets({}, {0, 0, 0, 0, 0}), {}, 32, nvidia, true).wavefronts,
      1u);
  // Two halves of a word neither.
  EXPECT_EQ(accessCost(offsets({}, {1, 2, 4, 8, 16}), {}, 16, nvidia, true)
                .wavefronts,
            1u);
}

TEST_F(SharedBanksTest, WideAccessesAreServedInParts) {
  auto cost =
      accessCost(offsets({1, 2}, {4, 8, 16, 32, 64}), {}, 32, nvidia, true);
  EXPECT_EQ(cost.vectorElements, 4u);
  EXPECT_EQ(cost.instructions, 1u);
  EXPECT_EQ(cost.fewest, 4u);
  EXPECT_EQ(cost.wavefronts, 4u);
}

TEST_F(SharedBanksTest, AVectorNeedsItsPlacesToItself) {
  // A lane steps within what would be the vector.
  EXPECT_EQ(vectorBits(offsets({1, 2}, {3, 8}), reg, 4, {}).size(), 0u);
  EXPECT_EQ(vectorBits(offsets({2, 1}, {4}), reg, 4, {}),
            (llvm::SmallVector<unsigned>{1, 0}));
  // Gaps of two elements leave vectors of two aligned.
  std::pair<unsigned, unsigned> gaps[] = {{64, 2}};
  EXPECT_EQ(vectorBits(offsets({1, 2}, {4}), reg, 4, gaps).size(), 1u);
}

TEST_F(SharedBanksTest, AWaveOf64LanesTakesTwoWavefrontsOf32Banks) {
  auto row = offsets({}, {1, 2, 4, 8, 16, 32});
  EXPECT_EQ(accessCost(row, {}, 32, gfx942, true).wavefronts, 2u);
  EXPECT_EQ(accessCost(row, {}, 32, gfx950, true).wavefronts, 1u);
}

TEST_F(SharedBanksTest, WideLoadsOfAmdServeLanesThatAreApart) {
  // Lanes 0-3 and 20-23 go together, so that lanes 4 and 16 apart in one bank
  // are harmless, but the same for a store of neighbours is not.
  auto spread = offsets({1, 2}, {4, 8, 256, 512, 16, 1024});
  EXPECT_EQ(accessCost(spread, {}, 32, gfx942, true).ways(), 1u);
  EXPECT_EQ(accessCost(spread, {}, 32, gfx942, false).ways(), 2u);
}

TEST_F(SharedBanksTest, ManyRegistersAreBounded) {
  std::vector<int32_t> registers;
  for (int bit = 5; bit < 16; ++bit)
    registers.push_back(1 << bit);
  auto cost =
      accessCost(offsets(registers, {1, 2, 4, 8, 16}), {}, 32, nvidia, true);
  EXPECT_EQ(cost.instructions, 1u << 11);
  EXPECT_EQ(cost.wavefronts, 1u);
}

} // namespace
