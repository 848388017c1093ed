//===- TransposingReadPlanTest.cpp - LDS by transposing reads -------------===//
//
// Plans are carried out on numbered elements: every lane must get those that
// its layout says, as TransposingRead says that the instruction hands them out.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/TransposingReadPlan.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class TransposingReadPlanTest : public testing::Test {
protected:
  static const TransposingRead &readOf(const char *arch, unsigned bits) {
    return *findTransposingRead(*Target::parse(arch), bits);
  }

  /// Offsets of `registers` and `lanes`, a column for each bit, in one warp.
  LinearLayout offsetsOf(llvm::ArrayRef<uint64_t> registers,
                         llvm::ArrayRef<uint64_t> lanes) {
    llvm::SmallVector<uint64_t> columns(registers);
    columns.append(lanes.begin(), lanes.end());
    return LinearLayout::fromColumns({{names.reg, 1 << registers.size()},
                                      {names.lane, 1 << lanes.size()},
                                      {names.warp, 1},
                                      {names.block, 1}},
                                     {{names.offset, 1024}}, columns);
  }

  int32_t at(const LinearLayout &layout, unsigned reg, unsigned lane) {
    return layout
        .apply({{names.reg, static_cast<int32_t>(reg)},
                {names.lane, static_cast<int32_t>(lane)}})
        .front()
        .second;
  }

  void check(const TransposingRead &read, const LinearLayout &offsets) {
    auto plan = planTransposingRead(read, offsets, /*windowMask=*/0,
                                    /*aligned=*/1024);
    ASSERT_TRUE(plan);
    const unsigned elements = 1u << read.elementsLog2;
    const llvm::SmallVector<TransposedBit> bits = read.pieceBits();
    for (auto [i, registers] : llvm::enumerate(plan->registers)) {
      ASSERT_EQ(registers.size(), elements);
      for (int32_t lane = 0; lane < offsets.getInDimSize(names.lane); ++lane)
        for (auto [element, r] : llvm::enumerate(registers)) {
          unsigned from = lane >> bits.size() << bits.size();
          for (auto [to, bit] : llvm::enumerate(bits))
            from |= ((bit.isOfElement ? element : lane) >> bit.bit & 1) << to;
          const int32_t piece =
              at(plan->pieces, static_cast<unsigned>(i), from);
          EXPECT_EQ(piece % elements, 0u);
          ASSERT_EQ(piece + lane % elements, at(offsets, r, lane));
        }
    }
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  ttg::LayoutDims names{&context};
};

TEST_F(TransposingReadPlanTest, EachInstruction) {
  // Columns of 32 rows of 32 elements, half of K in the highest lane.
  check(readOf("gfx950", 16),
        offsetsOf({32, 64, 128, 512}, {1, 2, 4, 8, 16, 256}));
  check(readOf("gfx950", 8),
        offsetsOf({32, 64, 128, 512}, {1, 2, 4, 8, 16, 256}));
  check(readOf("gfx950", 4),
        offsetsOf({32, 64, 128, 512}, {1, 2, 4, 8, 16, 256}));
  check(readOf("gfx1250", 16), offsetsOf({16, 32, 64, 256}, {1, 2, 4, 8, 128}));
  check(readOf("gfx1250", 8), offsetsOf({16, 32, 64, 256}, {1, 2, 4, 8, 128}));
}

TEST_F(TransposingReadPlanTest, CopiesAreReadOnce) {
  const LinearLayout offsets = offsetsOf({0, 32, 64, 0}, {1, 2, 4, 8, 16, 0});
  check(readOf("gfx950", 16), offsets);
  EXPECT_EQ(planTransposingRead(readOf("gfx950", 16), offsets, 0, 4)
                ->registers.size(),
            1u);
}

TEST_F(TransposingReadPlanTest, NoPlan) {
  const TransposingRead &read = readOf("gfx950", 16);
  const LinearLayout good = offsetsOf({32, 64}, {1, 2, 4, 8, 16, 128});
  EXPECT_TRUE(planTransposingRead(read, good, /*windowMask=*/4, /*aligned=*/4));
  // Windows and gaps that begin within a piece.
  EXPECT_FALSE(planTransposingRead(read, good, /*windowMask=*/2, 4));
  EXPECT_FALSE(planTransposingRead(read, good, 0, /*aligned=*/2));
  // Neighbours in registers, or in other lanes; too few registers.
  for (const LinearLayout &offsets :
       {offsetsOf({1, 32}, {2, 4, 8, 16, 64, 128}),
        offsetsOf({32, 64}, {4, 8, 1, 2, 16, 128}),
        offsetsOf({32, 64}, {1, 2, 4, 8, 16, 130}),
        offsetsOf({32}, {1, 2, 4, 8, 16, 64})})
    EXPECT_FALSE(planTransposingRead(read, offsets, 0, 1024));
  // Only chips that have such an instruction.
  EXPECT_FALSE(findTransposingRead(*Target::parse("gfx942"), 16));
  EXPECT_FALSE(findTransposingRead(*Target::parse("gfx1250"), 32));
}

} // namespace
