//===- HoldingsTest.cpp - who holds how much of a tensor ------------------===//

#include "dialects/layout/Holdings.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using mlir::StringAttr;

namespace {

class HoldingsTest : public testing::Test {
protected:
  LinearLayout make(llvm::ArrayRef<LinearLayout::Bases> bases,
                    llvm::ArrayRef<LinearLayout::NamedValue> outs) {
    std::string error;
    auto layout = LinearLayout::create(bases, outs, error);
    EXPECT_TRUE(layout) << error;
    return layout.value_or(LinearLayout());
  }
  StringAttr name(llvm::StringRef text) {
    return StringAttr::get(&context, text);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  StringAttr reg = name("register"), lane = name("lane"), warp = name("warp"),
             d0 = name("dim0"), d1 = name("dim1");
};

TEST_F(HoldingsTest, EachLevelHoldsMoreThanThoseInsideIt) {
  auto layout = make({{reg, {{0, 1}, {0, 2}}},
                      {lane, {{0, 4}, {1, 0}, {2, 0}}},
                      {warp, {{4, 0}}}},
                     {{d0, 8}, {d1, 8}});
  auto levels = holdings(layout);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].elements, 4);
  EXPECT_EQ(levels[1].elements, 32);
  EXPECT_EQ(levels[2].elements, 64);
  EXPECT_EQ(levels[1].extents, (llvm::SmallVector<int64_t>{4, 2}));
  for (const Holding &holding : levels)
    EXPECT_EQ(holding.copies, 1);
}

TEST_F(HoldingsTest, CopiesAreBasesThatReachNothingNew) {
  // Lane bit 1 moves nowhere; warp bit 0 goes where register bit 0 went.
  auto layout =
      make({{reg, {{1}}}, {lane, {{2}, {0}}}, {warp, {{1}, {4}}}}, {{d0, 8}});
  auto levels = holdings(layout);
  EXPECT_EQ(levels[0].copies, 1);
  EXPECT_EQ(levels[1].copies, 2);
  EXPECT_EQ(levels[1].elements, 4);
  EXPECT_EQ(levels[2].copies, 2);
  EXPECT_EQ(levels[2].elements, 8);
}

TEST_F(HoldingsTest, StepsAlongSeveralDimensionsAreDiagonal) {
  auto layout = make({{reg, {{1, 1}, {0, 1}}}, {lane, {}}}, {{d0, 2}, {d1, 2}});
  EXPECT_EQ(holdings(layout)[0].diagonal, 2);
  EXPECT_EQ(holdings(layout)[0].extents, (llvm::SmallVector<int64_t>{1, 2}));
}

TEST_F(HoldingsTest, ARunFollowsTheDimensionOfTheFirstBasis) {
  auto layout = make({{reg, {{0, 1}, {0, 2}, {1, 0}}}}, {{d0, 2}, {d1, 4}});
  EXPECT_EQ(firstRun(layout).size, 4);
  EXPECT_EQ(firstRun(layout).dim, 1u);
  auto none = make({{reg, {{0, 2}, {0, 1}}}}, {{d0, 1}, {d1, 4}});
  EXPECT_EQ(firstRun(none).size, 1);
}

} // namespace
