//===- LayoutPictureTest.cpp - which thread holds which element, drawn ----===//

#include "dialects/layout/LayoutPicture.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using mlir::StringAttr;

namespace {

class LayoutPictureTest : public testing::Test {
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
             offset = name("offset"), d0 = name("dim0"), d1 = name("dim1");
};

TEST_F(LayoutPictureTest, RegistersOfAThreadShareACell) {
  auto picture =
      drawLayout(make({{reg, {{0, 1}}}, {lane, {{0, 2}}}, {warp, {{1, 0}}}},
                      {{d0, 2}, {d1, 4}}));
  ASSERT_TRUE(picture);
  EXPECT_TRUE(picture->isWhole);
  EXPECT_EQ(picture->text, "T0:0-1  T1:0-1\n"
                           "T2:0-1  T3:0-1\n");
}

TEST_F(LayoutPictureTest, ASwizzleKeepsItsGroups) {
  // Rows of four, the second with its pairs swapped.
  auto picture = drawLayout(
      make({{offset, {{0, 1}, {0, 2}, {1, 2}}}}, {{d0, 2}, {d1, 4}}));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->text, "0-1  2-3\n"
                           "6-7  4-5\n");
}

TEST_F(LayoutPictureTest, ALargeTensorIsCropped) {
  auto layout = LinearLayout::identity1D(1 << 15, reg, d1) *
                LinearLayout::identity1D(1 << 14, lane, d1) *
                LinearLayout::zeros1D(4, warp, d1);
  auto picture = drawLayout(layout, 2, 3);
  ASSERT_TRUE(picture);
  EXPECT_FALSE(picture->isWhole);
  EXPECT_LE(picture->rows, 2);
}

TEST_F(LayoutPictureTest, ElementsWithoutAPlaceCannotBeDrawn) {
  EXPECT_FALSE(drawLayout(make({{reg, {{2}}}}, {{d0, 4}})));
}

} // namespace
