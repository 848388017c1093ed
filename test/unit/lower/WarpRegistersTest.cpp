//===- WarpRegistersTest.cpp - Registers moved between warps --------------===//

#include "passes/lower/nvidia/WarpRegisters.h"
#include <gtest/gtest.h>

using namespace kernelscope::lower;

namespace {

TEST(WarpRegisters, LaunchSharesTheRegisterFile) {
  EXPECT_EQ(WarpRegisters(4, 8).launched(), 256u);
  // 65536 / 384 is 170 and a bit.
  EXPECT_EQ(WarpRegisters(4, 12).launched(), 168u);
  EXPECT_EQ(WarpRegisters(4, 32).launched(), 64u);
  EXPECT_EQ(WarpRegisters(4, 8, 168).launched(), 168u);
}

TEST(WarpRegisters, DefaultWarpsHaveWhatTheyCanUseBetweenPartitions) {
  WarpRegisters three(4, 12);
  EXPECT_EQ(three.defaultIdle(), 256u);
  EXPECT_EQ(three.extraIdle(), 120u);
  // 168 * 8 warps, less 256 * 4 of the default's.
  WarpRegisters two(4, 8, 168);
  EXPECT_EQ(two.defaultIdle(), 256u);
  EXPECT_EQ(two.extraIdle(), 80u);
  // Enough is left for the others to run at all.
  WarpRegisters many(4, 32);
  EXPECT_GE(many.extraIdle(), 24u);
  EXPECT_LE(many.defaultIdle() * 4 + many.extraIdle() * 28, 64u * 32);
}

TEST(WarpRegisters, TheDefaultRegionGetsWhatPartitionsLeave) {
  WarpRegisters registers(4, 12);
  auto beside = [&](unsigned first, unsigned second) {
    RegisterGroup groups[] = {{4, 4, first, {}}, {8, 4, second, {}}};
    return registers.defaultBeside(groups);
  };
  EXPECT_EQ(beside(232, 232), 40u);
  EXPECT_EQ(beside(24, 24), 256u);
  EXPECT_EQ(beside(256, 240), std::nullopt);
}

TEST(WarpRegisters, PartitionsThatSpanGroupsOfFourJoinThem) {
  // Eight warps, then two and one that share a group.
  ExecutionScope partitions[] = {
      {12, 2, 2, false}, {4, 8, 3, false}, {14, 1, 0, false}};
  auto groups = groupsFor(partitions, 4, 20);
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[0].firstWarp, 4u);
  EXPECT_EQ(groups[0].warps, 8u);
  EXPECT_EQ(groups[0].partitions, llvm::SmallVector<unsigned>({1}));
  EXPECT_EQ(groups[1].firstWarp, 12u);
  EXPECT_EQ(groups[1].partitions, llvm::SmallVector<unsigned>({0, 2}));
  EXPECT_EQ(groups[2].end(), 20u);
  EXPECT_TRUE(groups[2].partitions.empty());
}

TEST(WarpRegisters, RequestsAreMultiplesOfEightInRange) {
  EXPECT_EQ(WarpRegisters::rounded(0), 24u);
  EXPECT_EQ(WarpRegisters::rounded(41), 48u);
  EXPECT_EQ(WarpRegisters::rounded(232), 232u);
  EXPECT_EQ(WarpRegisters::rounded(-5), 24u);
  EXPECT_EQ(WarpRegisters::rounded(100000), 256u);
}

} // namespace
