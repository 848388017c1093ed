//===- TensorCorePlanTest.cpp - Tensor memory and its instructions --------===//
//
// Messages are followed as PTX draws them ("Data Movement Shape") and must move
// each register to where the layout of the memory has its element.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/TensorCorePlan.h"
#include "dialects/Dialects.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

class TensorCorePlan : public testing::Test {
protected:
  TensorCorePlan() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  LinearLayout layoutOf(llvm::ArrayRef<int64_t> shape,
                        const std::string &text) {
    auto encoding = mlir::parseAttribute(text, &context);
    std::string error;
    auto layout = ttg::toLinearLayout(shape, encoding, error);
    EXPECT_TRUE(layout) << error;
    return *layout;
  }

  /// Row and column of word `r` of lane `lane`.
  static std::pair<unsigned, unsigned> follow(const TensorMemoryPlan &plan,
                                              unsigned lane, unsigned r) {
    if (plan.shape == ".32x32b")
      return {lane, r};
    if (plan.shape == ".16x64b")
      return {lane / 4 + 8 * (lane % 2), lane / 2 % 2 + 2 * r};
    if (plan.shape == ".16x128b")
      return {lane / 4 + 8 * (r % 2), lane % 4 + 4 * (r / 2)};
    if (plan.shape == ".16x256b")
      return {lane / 4 + 8 * (r / 2 % 2), 2 * (lane % 4) + r % 2 + 8 * (r / 4)};
    return {lane % 16, r + lane / 16 * *plan.halfOffset};
  }

  /// Plans `registers` to `memory`, and checks where everything goes.
  std::optional<TensorMemoryPlan> plan(llvm::ArrayRef<int64_t> shape,
                                       unsigned bits,
                                       const std::string &registers,
                                       const std::string &memory,
                                       unsigned limit = 0) {
    LinearLayout from = layoutOf(shape, registers),
                 to = layoutOf(shape, memory);
    TensorMemoryMap map(to, bits);
    auto plan = planTensorMemory(from, map, limit);
    if (!plan)
      return plan;
    ttg::LayoutDims names(&context);
    for (int32_t warp = 0; warp < from.getInDimSize(names.warp); ++warp) {
      TensorMemoryPlace moved{warp % 4 * 32, 0};
      for (auto [bit, place] : llvm::enumerate(plan->warpBits))
        if (warp >> bit & 1)
          moved = moved ^ place;
      for (const auto &message : plan->messages)
        for (int32_t lane = 0; lane < 32; ++lane)
          for (size_t i = 0; i < message.registers.size(); ++i) {
            size_t inWord = plan->bitsOfElements.size();
            auto [row, column] = follow(*plan, lane, i / inWord);
            unsigned bit = plan->bitsOfElements[i % inWord];
            if (plan->isPacked) {
              column = 2 * column + bit / 16;
              bit = 0;
            }
            TensorMemoryPlace place =
                moved ^ message.place ^
                TensorMemoryPlace{int32_t(row), int32_t(column)};
            llvm::SmallVector<int32_t> expected;
            for (auto [name, value] :
                 from.apply({{names.reg, int32_t(message.registers[i])},
                             {names.lane, lane},
                             {names.warp, warp}}))
              expected.push_back(value);
            EXPECT_EQ(map.indicesAt(place, bit / bits), expected)
                << "warp " << warp << " lane " << lane << " register "
                << message.registers[i];
          }
    }
    return plan;
  }

  mlir::MLIRContext context;
};

std::string linear(const std::string &reg, const std::string &lane,
                   const std::string &warp) {
  return "#ttg.linear<{register = " + reg + ", lane = " + lane +
         ", warp = " + warp + ", block = []}>";
}
std::string tmem(unsigned m, unsigned n, unsigned stride = 1) {
  return "#ttng.tensor_memory_encoding<blockM = " + std::to_string(m) +
         ", blockN = " + std::to_string(n) +
         ", colStride = " + std::to_string(stride) + ">";
}

const std::string rows = "[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]",
                  quads = "[[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]",
                  fours = "[[32, 0], [64, 0]]";

TEST_F(TensorCorePlan, ShapesByTheirLanes) {
  auto found =
      plan({128, 32}, 32,
           linear("[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]", rows, fours),
           tmem(128, 32));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, ".32x32b");
  EXPECT_EQ(found->repeat, 32u);
  // Registers in any order; a step of columns that is missing ends a message.
  found = plan({128, 32}, 32,
               linear("[[0, 16], [0, 2], [0, 1], [0, 8]]", rows,
                      "[[32, 0], [64, 0], [0, 4]]"),
               tmem(128, 32));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->repeat, 4u);
  EXPECT_EQ(found->messages.size(), 4u);
  found =
      plan({128, 32}, 32,
           linear("[[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]]", quads, fours),
           tmem(128, 32));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, ".16x256b");
  EXPECT_EQ(found->repeat, 4u);
  EXPECT_EQ(found->messages[1].place.bits(), 16 << 16);
  found = plan({128, 16}, 32,
               linear("[[8, 0], [0, 4], [0, 8], [16, 0]]",
                      "[[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]", fours),
               tmem(128, 16));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, ".16x128b");
  found = plan({128, 8}, 32,
               linear("[[0, 2], [0, 4], [16, 0]]",
                      "[[8, 0], [0, 1], [1, 0], [2, 0], [4, 0]]", fours),
               tmem(128, 8));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, ".16x64b");
  // Lanes along columns have no shape.
  EXPECT_FALSE(plan({128, 32}, 32,
                    linear("[[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]",
                           "[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]", fours),
                    tmem(128, 32)));
}

TEST_F(TensorCorePlan, MessagesLeaveHalfOfTheRegisters) {
  auto repeatOf = [&](int64_t columns, unsigned limit) {
    std::string reg;
    for (int64_t bit = 1; bit < columns; bit *= 2)
      reg += (bit > 1 ? ", [0, " : "[0, ") + std::to_string(bit) + "]";
    auto found = plan({128, columns}, 32, linear("[" + reg + "]", rows, fours),
                      tmem(128, columns), limit);
    EXPECT_EQ(found->messages.size() * found->repeat, columns);
    return found->repeat;
  };
  EXPECT_EQ(repeatOf(128, 0), 128u);
  EXPECT_EQ(repeatOf(256, 0), 64u);
  EXPECT_EQ(repeatOf(128, 256), 128u);
  EXPECT_EQ(repeatOf(128, 168), 64u);
  EXPECT_EQ(repeatOf(128, 120), 32u);
  EXPECT_EQ(repeatOf(128, 24), 8u);
  EXPECT_EQ(repeatOf(8, 24), 8u);
}

TEST_F(TensorCorePlan, BlocksOf64Rows) {
  const std::string half = "[[1, 0], [2, 0], [4, 0], [8, 0], [0, 16]]";
  auto found = plan(
      {64, 32}, 32,
      linear("[[0, 1], [0, 2], [0, 4], [0, 8]]", half, "[[16, 0], [32, 0]]"),
      tmem(64, 32));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, ".16x32bx2");
  EXPECT_EQ(found->halfOffset, 16);
  // Two blocks of columns share the lanes.
  found = plan({64, 64}, 32,
               linear("[[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]",
                      "[[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]]",
                      "[[16, 0], [32, 0]]"),
               tmem(64, 32));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, ".32x32b");
}

TEST_F(TensorCorePlan, NarrowElements) {
  // Neighbours in a column.
  auto found = plan({128, 16}, 16,
                    linear("[[0, 1], [0, 2], [0, 4], [0, 8]]", rows, fours),
                    tmem(128, 16));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->repeat, 8u);
  EXPECT_THAT(found->bitsOfElements, testing::ElementsAre(0, 16));
  // A column each: two go to a register.
  found = plan({128, 16}, 16,
               linear("[[0, 1], [0, 2], [0, 4], [0, 8]]", rows, fours),
               tmem(128, 16, 2));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->isPacked);
  EXPECT_EQ(found->repeat, 8u);
  // Not where a thread has only every other column.
  found = plan(
      {128, 16}, 16,
      linear("[[0, 2], [0, 4], [0, 8]]", rows, "[[32, 0], [64, 0], [0, 1]]"),
      tmem(128, 16, 2));
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->isPacked);
  // Half of a column.
  EXPECT_FALSE(plan(
      {128, 16}, 16,
      linear("[[0, 2], [0, 4], [0, 8]]", rows, "[[32, 0], [64, 0], [0, 1]]"),
      tmem(128, 16)));
}

TEST_F(TensorCorePlan, ScalesAreInAllWarps) {
  auto found = plan({128, 8}, 8,
                    linear("[[0, 1], [0, 2], [32, 0], [64, 0], [0, 4]]", rows,
                           "[[0, 0], [0, 0]]"),
                    "#ttng.tensor_memory_scales_encoding<>");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape, ".32x32b");
  EXPECT_EQ(found->repeat, 8u);
  EXPECT_THAT(found->bitsOfElements, testing::ElementsAre(0, 8, 16, 24));
}

TEST_F(TensorCorePlan, ScalesOfAnInstruction) {
  auto memory = [&](std::vector<int64_t> shape, const std::string &order) {
    return TensorMemoryMap(
        layoutOf(shape, "#ttng.tensor_memory_scales_encoding<" + order + ">"),
        8);
  };
  EXPECT_TRUE(hasScalesOf(memory({256, 8}, ""), 256, 2));
  // All of K comes before the second block of rows.
  EXPECT_FALSE(
      hasScalesOf(memory({256, 8}, "blockRepOrder = kThenMn"), 256, 2));
  EXPECT_TRUE(hasScalesOf(memory({256, 8}, "blockRepOrder = kThenMn"), 128, 4));
  EXPECT_FALSE(hasScalesOf(memory({128, 2}, ""), 128, 4));
}

TEST_F(TensorCorePlan, InstructionDescriptors) {
  TensorCoreProduct product{.kind = "f16",
                            .a = MatrixElement::F16,
                            .b = MatrixElement::BF16,
                            .d = MatrixElement::F32,
                            .m = 128,
                            .n = 128,
                            .k = 16,
                            .isNMajor = true};
  EXPECT_EQ(product.descriptor(),
            1u << 4 | 0u << 7 | 1u << 10 | 1u << 16 | 16u << 17 | 8u << 24);
  product = {.kind = "i8",
             .a = MatrixElement::I8,
             .b = MatrixElement::I8,
             .d = MatrixElement::I32,
             .m = 64,
             .n = 256,
             .k = 32};
  EXPECT_EQ(product.descriptor(),
            2u << 4 | 1u << 7 | 1u << 10 | 32u << 17 | 4u << 24);
  product.isUnsigned = true;
  EXPECT_EQ(product.descriptor(), 2u << 4 | 32u << 17 | 4u << 24);
  product = {.kind = "mxf8f6f4",
             .a = MatrixElement::E4M3,
             .b = MatrixElement::E2M1,
             .d = MatrixElement::F32,
             .m = 256,
             .n = 64,
             .k = 32,
             .blockSize = 32};
  EXPECT_EQ(product.descriptor(1, 3),
            3u << 4 | 5u << 10 | 8u << 17 | 1u << 23 | 2u << 27 | 1u << 29);
  product = {.kind = "mxf4nvf4",
             .a = MatrixElement::E2M1,
             .b = MatrixElement::E2M1,
             .d = MatrixElement::F32,
             .m = 128,
             .n = 128,
             .k = 64,
             .blockSize = 16,
             .hasExponentScales = false};
  EXPECT_EQ(product.scalesPerRow(), 4u);
  EXPECT_EQ(product.descriptor(), 1u << 7 | 1u << 10 | 16u << 17 | 1u << 27);
}

TEST_F(TensorCorePlan, ReceiversShareAnOperand) {
  // Of four CTAs, which lie in two rows: A along one, B along the other.
  EXPECT_EQ(receiversOf(0, 4, {1, 2}), 0b0111u);
  EXPECT_EQ(receiversOf(3, 4, {1, 2}), 0b1110u);
  // Pairs have bit 0 in common whatever they share.
  EXPECT_EQ(receiversOf(2, 4, {1}), 0b1100u);
  EXPECT_EQ(receiversOf(1, 2, {0}), 0b10u);
}

} // namespace
