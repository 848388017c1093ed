//===- LaneSwapPlanTest.cpp - Conversions by lanes that trade -------------===//
//
// Plans are carried out on numbered elements: every lane must end up with those
// that the result's layout says.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/LaneSwapPlan.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class LaneSwapPlanTest : public testing::Test {
protected:
  using Bits = llvm::ArrayRef<uint64_t>;
  /// The elements that the bits of the register's and the lane id step.
  LinearLayout layoutOf(Bits registers, Bits lanes) {
    llvm::SmallVector<uint64_t> columns(registers);
    columns.append(lanes.begin(), lanes.end());
    return LinearLayout::fromColumns(
        {{names.reg, 1 << registers.size()},
         {names.lane, 1 << lanes.size()},
         {names.warp, 1},
         {names.block, 1}},
        {{mlir::StringAttr::get(&context, "dim0"), 1024}}, columns);
  }

  std::optional<LaneSwapPlan> plan(const LinearLayout &source,
                                   const LinearLayout &result,
                                   unsigned swapped = 16 | 32) {
    return planLaneSwaps(*planConversion(source, result), swapped);
  }

  /// Elements by lane and register.
  using Held = std::vector<std::vector<int32_t>>;
  Held heldIn(const LinearLayout &layout) {
    Held held(layout.getInDimSize(names.lane));
    for (auto [lane, values] : llvm::enumerate(held))
      for (int32_t r = 0; r < layout.getInDimSize(names.reg); ++r)
        values.push_back(layout
                             .apply({{names.reg, r},
                                     {names.lane, static_cast<int32_t>(lane)}})
                             .front()
                             .second);
    return held;
  }

  void check(const LinearLayout &source, const LinearLayout &result,
             size_t swaps) {
    auto found = plan(source, result);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->swaps.size(), swaps);
    Held held = heldIn(source), expected = heldIn(result);
    for (auto [registerBit, laneBit] : found->swaps)
      for (size_t lane = 0; lane < held.size(); ++lane)
        for (size_t r = 0; r < held[lane].size(); ++r)
          if (!(lane >> laneBit & 1) && r >> registerBit & 1)
            std::swap(held[lane][r],
                      held[lane | 1u << laneBit][r ^ 1u << registerBit]);
    for (size_t lane = 0; lane < held.size(); ++lane)
      for (size_t r = 0; r < expected[lane].size(); ++r)
        ASSERT_EQ(held[lane][found->registers[r]], expected[lane][r]);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  ttg::LayoutDims names{&context};
};

TEST_F(LaneSwapPlanTest, OneBit) {
  check(layoutOf({1, 2, 8, 16}, {32, 64, 128, 256, 512, 4}),
        layoutOf({1, 2, 4, 16}, {32, 64, 128, 256, 512, 8}), 1);
  // Registers in another order, and copies of some.
  check(layoutOf({1, 2, 8, 16}, {32, 64, 128, 256, 512, 4}),
        layoutOf({16, 4, 1, 0, 2}, {32, 64, 128, 256, 512, 8}), 1);
}

TEST_F(LaneSwapPlanTest, BothBits) {
  // One after the other, each with a register bit of its own, or in a ring.
  check(layoutOf({1, 2, 4, 8}, {32, 64, 128, 256, 16, 512}),
        layoutOf({1, 16, 512, 8}, {32, 64, 128, 256, 2, 4}), 2);
  check(layoutOf({1, 2, 4, 8}, {32, 64, 128, 256, 16, 512}),
        layoutOf({1, 16, 4, 8}, {32, 64, 128, 256, 512, 2}), 2);
}

TEST_F(LaneSwapPlanTest, NoPlan) {
  const LinearLayout source =
      layoutOf({1, 2, 8, 16}, {32, 64, 128, 256, 512, 4});
  const LinearLayout result =
      layoutOf({1, 2, 4, 16}, {32, 64, 128, 256, 512, 8});
  // Chips without the instruction, or without that of this bit.
  EXPECT_FALSE(plan(source, result, 0));
  EXPECT_FALSE(plan(source, result, 16));
  // Nothing to do; a bit that is none of a row's; two lanes; a sum of bits.
  EXPECT_FALSE(plan(source, source));
  EXPECT_FALSE(
      plan(source, layoutOf({1, 2, 32, 16}, {8, 64, 128, 256, 512, 4})));
  EXPECT_FALSE(
      plan(source, layoutOf({1, 2, 8, 16}, {32, 64, 128, 256, 4, 512})));
  EXPECT_FALSE(
      plan(source, layoutOf({1, 2, 4, 16}, {32, 64, 128, 256, 512, 9})));
}

} // namespace
