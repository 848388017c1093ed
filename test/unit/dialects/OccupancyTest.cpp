//===- OccupancyTest.cpp - CTAs that fit on a multiprocessor --------------===//

#include "dialects/target/Occupancy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using testing::ElementsAre;

namespace {

Occupancy occupancy(llvm::StringRef arch, CtaResources cta) {
  return occupancyOf(llvm::cantFail(Target::parse(arch)), cta)
      .value_or(Occupancy());
}

TEST(Occupancy, IsLimitedByTheScarcestResource) {
  Occupancy found = occupancy("sm_90a", {4, 168, 73760});
  EXPECT_EQ(found.ctas, 3u);
  EXPECT_EQ(found.warps, 12u);
  EXPECT_EQ(found.maxWarps, 64u);
  EXPECT_THAT(found.limits, ElementsAre("registers", "shared memory"));

  EXPECT_THAT(occupancy("sm_90a", {4, 32, 0}).limits,
              ElementsAre("registers", "warps"));
  EXPECT_THAT(occupancy("sm_90a", {1, 16, 0}).limits, ElementsAre("CTAs"));
}

TEST(Occupancy, RegistersGoToWarpsOfFourParts) {
  // 65,536 registers are enough for 15 warps of 4,352, but not each part of
  // 16,384 for four.
  EXPECT_EQ(occupancy("sm_90a", {1, 136, 0}).warps, 12u);
  EXPECT_EQ(occupancy("sm_90a", {1, 129, 0}).warps, 12u);
  EXPECT_EQ(occupancy("sm_90a", {1, 128, 0}).warps, 16u);
}

TEST(Occupancy, TheSystemReservesAKibibytePerCtaSinceAmpere) {
  EXPECT_EQ(occupancy("sm_80", {4, 32, 81 * 1024}).ctas, 2u);
  EXPECT_EQ(occupancy("sm_80", {4, 32, 82 * 1024}).ctas, 1u);
  EXPECT_EQ(occupancy("sm_120a", {4, 32, 49 * 1024}).ctas, 2u);
}

TEST(Occupancy, OnAmdRegistersLimitTheWaves) {
  Occupancy found = occupancy("gfx942", {4, 132, 16 * 1024, 3});
  EXPECT_EQ(found.ctas, 3u);
  EXPECT_EQ(found.warps, 12u);
  EXPECT_EQ(found.maxWarps, 32u);
  EXPECT_THAT(found.limits, ElementsAre("registers"));
  EXPECT_THAT(occupancy("gfx942", {4, 64, 40 * 1024, 8}).limits,
              ElementsAre("shared memory"));
  // A workgroup processor of RDNA has the LDS of two compute units.
  EXPECT_EQ(occupancy("gfx1100", {4, 96, 64 * 1024, 16}).ctas, 2u);
}

TEST(Occupancy, NoneIfOneCtaIsTooLarge) {
  EXPECT_FALSE(occupancyOf(llvm::cantFail(Target::parse("sm_90a")),
                           {4, 64, 228 * 1024}));
  EXPECT_FALSE(
      occupancyOf(llvm::cantFail(Target::parse("gfx942")), {4, 64, 0}));
}

} // namespace
