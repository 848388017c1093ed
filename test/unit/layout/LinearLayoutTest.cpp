//===- LinearLayoutTest.cpp - the algebra of linear layouts ---------------===//

#include "dialects/layout/LinearLayout.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using mlir::StringAttr;

namespace {

class LinearLayoutTest : public testing::Test {
protected:
  StringAttr name(llvm::StringRef text) {
    return StringAttr::get(&context, text);
  }
  LinearLayout id(int32_t size, llvm::StringRef in, llvm::StringRef out) {
    return LinearLayout::identity1D(size, name(in), name(out));
  }
  LinearLayout zeros(int32_t size, llvm::StringRef in, llvm::StringRef out) {
    return LinearLayout::zeros1D(size, name(in), name(out));
  }
  LinearLayout make(llvm::ArrayRef<LinearLayout::Bases> bases,
                    llvm::ArrayRef<LinearLayout::NamedValue> outs) {
    std::string error;
    auto layout = LinearLayout::create(bases, outs, error);
    EXPECT_TRUE(layout) << error;
    return layout.value_or(LinearLayout());
  }
  std::string errorOf(llvm::ArrayRef<LinearLayout::Bases> bases,
                      llvm::ArrayRef<LinearLayout::NamedValue> outs) {
    std::string error;
    EXPECT_FALSE(LinearLayout::create(bases, outs, error));
    return error;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  StringAttr reg = name("register"), lane = name("lane"), warp = name("warp"),
             offset = name("offset"), d0 = name("dim0"), d1 = name("dim1");
};

TEST(F2Matrix, SolvesWithoutFreeColumns) {
  F2Matrix m{3, {0b001, 0b001, 0b110, 0b111}};
  EXPECT_EQ(m.rank(), 2u);
  EXPECT_EQ(m.freeColumns(), 0b1010u);
  EXPECT_EQ(m.kernel(), (llvm::SmallVector<uint64_t>{0b0011, 0b1101}));
  EXPECT_EQ(m.image(), (llvm::SmallVector<uint64_t>{0b001, 0b110}));
  EXPECT_EQ(m.solve(uint64_t(0b111)), 0b0101u);
  EXPECT_EQ(m.solve(uint64_t(0b010)), std::nullopt);
  for (uint64_t vector : m.kernel())
    EXPECT_EQ(m.apply(vector), 0u);
}

TEST(F2Matrix, InverseOfEveryInvertible3x3) {
  int invertible = 0;
  for (unsigned bits = 0; bits < 512; ++bits) {
    F2Matrix m{3, {bits & 7, bits >> 3 & 7, bits >> 6}};
    auto inverse = m.solve(F2Matrix::identity(3));
    EXPECT_EQ(inverse.has_value(), m.rank() == 3);
    if (!inverse)
      continue;
    ++invertible;
    EXPECT_EQ(m * *inverse, F2Matrix::identity(3));
    EXPECT_EQ(*inverse * m, F2Matrix::identity(3));
  }
  EXPECT_EQ(invertible, 168);
}

TEST_F(LinearLayoutTest, DirectSumPutsTheSecondAboveTheFirst) {
  LinearLayout layout = id(2, "register", "dim1") * id(4, "lane", "dim1") *
                        zeros(2, "lane", "dim0") * id(2, "register", "dim0");
  EXPECT_EQ(layout.toString(), "register: [[1, 0], [0, 1]], "
                               "lane: [[2, 0], [4, 0], [0, 0]] "
                               "-> dim1: 8, dim0: 2");
  EXPECT_EQ(layout.getInDimSize(reg), 4);
  EXPECT_EQ(layout.getInDimSize(lane), 8);
  EXPECT_EQ(layout.getOutDimSize(d1), 8);
  EXPECT_EQ(layout.getBasis(lane, 1, d1), 4);
  EXPECT_EQ(layout * LinearLayout(), layout);
  EXPECT_EQ(LinearLayout() * layout, layout);
  LinearLayout two = id(2, "lane", "dim0");
  EXPECT_EQ(two * two, id(4, "lane", "dim0"));
}

TEST_F(LinearLayoutTest, ApplyIsXorOfBases) {
  LinearLayout layout =
      make({{offset, {{0, 1}, {1, 3}, {2, 2}}}}, {{d0, 4}, {d1, 4}});
  auto at = [&](int32_t i) {
    auto result = layout.apply({{offset, i}});
    return std::pair(result[0].second, result[1].second);
  };
  EXPECT_EQ(at(0), std::pair(0, 0));
  EXPECT_EQ(at(3), std::pair(1, 2));
  EXPECT_EQ(at(7), std::pair(3, 0));
}

TEST_F(LinearLayoutTest, InverseAndComposition) {
  LinearLayout layout = make({{reg, {{1}, {3}}}, {lane, {{4}}}}, {{d0, 8}});
  EXPECT_TRUE(layout.isInvertible());
  EXPECT_EQ(layout.compose(layout.pseudoinvert()),
            id(4, "register", "register") * id(2, "lane", "lane"));
  EXPECT_EQ(layout.pseudoinvert().compose(layout), id(8, "dim0", "dim0"));
}

TEST_F(LinearLayoutTest, PseudoInverseIgnoresFreeBits) {
  LinearLayout layout = id(4, "register", "dim0") * zeros(2, "lane", "dim0") *
                        id(2, "lane", "dim0");
  EXPECT_TRUE(layout.isSurjective());
  EXPECT_FALSE(layout.isInjective());
  EXPECT_EQ(layout.pseudoinvert().toString(),
            "dim0: [[1, 0], [2, 0], [0, 2]] -> register: 4, lane: 4");
  EXPECT_EQ(layout.getFreeVariableMasks(),
            (llvm::SmallVector<LinearLayout::NamedValue>{{reg, 0}, {lane, 1}}));
}

TEST_F(LinearLayoutTest, ConversionLeavesEqualBitsWhereTheyAre) {
  // The warps hold copies in both layouts: no warp needs another's data.
  LinearLayout src = id(4, "register", "dim0") * id(4, "lane", "dim0") *
                     zeros(4, "warp", "dim0");
  LinearLayout dst = id(2, "register", "dim0") * id(4, "lane", "dim0") *
                     id(2, "register", "dim0") * zeros(4, "warp", "dim0");
  auto conversion = dst.invertAndCompose(src);
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->compose(src), dst);
  EXPECT_TRUE(conversion->isIdentityOver({warp}));
  EXPECT_FALSE(conversion->isIdentityOver({lane}));
  // No register of this one holds dim0 = 8.
  EXPECT_FALSE(
      src.invertAndCompose(id(8, "register", "dim0").resizeOut(d0, 16)));
}

TEST_F(LinearLayoutTest, Quotients) {
  LinearLayout tile = id(2, "register", "dim0") * id(4, "lane", "dim1");
  LinearLayout rest = id(4, "register", "dim1") * id(2, "warp", "dim0");
  auto right = (tile * rest).divideLeft(tile);
  ASSERT_TRUE(right);
  EXPECT_EQ(tile * *right, tile * rest);
  EXPECT_FALSE((tile * rest).divideLeft(id(4, "register", "dim0")));
}

TEST_F(LinearLayoutTest, SublayoutTransposeReshape) {
  LinearLayout layout = id(2, "register", "dim0") * id(4, "lane", "dim1");
  EXPECT_EQ(layout.sublayout({lane}, {d1}), id(4, "lane", "dim1"));
  EXPECT_TRUE(layout.sublayoutIsZero({lane}, {d0}));
  EXPECT_FALSE(layout.sublayoutIsZero({lane}, {d1}));
  EXPECT_EQ(layout.transposeIns({lane, reg}).transposeOuts({d1, d0}),
            id(4, "lane", "dim1") * id(2, "register", "dim0"));
  EXPECT_EQ(layout.flattenOuts(d0).reshapeOuts({{d0, 2}, {d1, 4}}), layout);
  EXPECT_EQ(layout.renameIn(lane, warp).renameOut(d1, name("dim2")),
            id(2, "register", "dim0") * id(4, "warp", "dim2"));
}

TEST_F(LinearLayoutTest, Resize) {
  LinearLayout layout = id(8, "register", "dim0");
  EXPECT_EQ(layout.resizeOut(d0, 2).toString(),
            "register: [[1], [0], [0]] -> dim0: 2");
  EXPECT_EQ(layout.resizeOut(d0, 2).removeZeroBases(reg),
            id(2, "register", "dim0"));
  EXPECT_EQ(layout.resizeIn(reg, 2).toString(), "register: [[1]] -> dim0: 8");
  EXPECT_EQ(layout.resizeIn(reg, 16), layout * zeros(2, "register", "dim0"));
}

TEST_F(LinearLayoutTest, UntrustedBasesAreChecked) {
  EXPECT_EQ(errorOf({{reg, {{4}}}}, {{d0, 4}}),
            "basis 0 of 'register' is 4 in 'dim0'; it must be in [0, 4)");
  EXPECT_EQ(errorOf({{reg, {{-1}}}}, {{d0, 4}}),
            "basis 0 of 'register' is -1 in 'dim0'; it must be in [0, 4)");
  EXPECT_EQ(errorOf({{reg, {{1, 2}}}}, {{d0, 4}}),
            "basis 0 of 'register' has 2 values; it needs 1, one per out-dim");
  EXPECT_EQ(errorOf({}, {{d0, 3}}),
            "size of dimension 'dim0' is 3; it must be a power of two of at "
            "most 2^30");
  EXPECT_EQ(errorOf({{reg, {}}, {reg, {}}}, {{d0, 1}}),
            "dimension 'register' is named twice");
  std::vector<std::vector<int32_t>> many(31, {0});
  EXPECT_EQ(errorOf({{reg, many}}, {{d0, 1}}),
            "'register' has 31 bases; at most 30 are possible in a dimension "
            "and 62 in all");
  std::string error;
  auto inferred = LinearLayout::create({{reg, {{1, 0}, {5, 1}}}},
                                       llvm::ArrayRef{d0, d1}, error);
  ASSERT_TRUE(inferred);
  EXPECT_EQ(inferred->getOutDimSize(d0), 8);
  EXPECT_EQ(inferred->getOutDimSize(d1), 2);
}

TEST_F(LinearLayoutTest, EqualLayoutsHashAlike) {
  EXPECT_EQ(hash_value(id(4, "lane", "dim0")),
            hash_value(id(2, "lane", "dim0") * id(2, "lane", "dim0")));
  EXPECT_NE(id(4, "lane", "dim0"), id(4, "warp", "dim0"));
}

} // namespace
