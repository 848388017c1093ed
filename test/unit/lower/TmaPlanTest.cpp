//===- TmaPlanTest.cpp - Blocks of tensors as TMA moves them --------------===//
//
// Messages are carried out as the PTX ISA says ("Tensors", "Swizzling Modes"):
// each element must arrive where the layout has it, once.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttng/TmaPlan.h"
#include "dialects/Dialects.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <set>

using namespace kernelscope;
using namespace kernelscope::ttng;
using testing::ElementsAre;

namespace {

class TmaPlanTest : public testing::Test {
protected:
  TmaPlanTest() {
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
  LinearLayout nvmma(llvm::ArrayRef<int64_t> shape, unsigned swizzle,
                     unsigned bits, const std::string &more = "") {
    return layoutOf(shape, "#ttg.nvmma_shared<{swizzlingByteWidth = " +
                               std::to_string(swizzle) +
                               ", transposed = false, elementBitWidth = " +
                               std::to_string(bits) + more + "}>");
  }

  /// Plans `window` of a buffer and follows each message of CTA `cta`.
  TmaPlan follow(const LinearLayout &memory, llvm::ArrayRef<int64_t> window,
                 TmaMode mode, int32_t cta = 0) {
    std::optional<TmaPlan> plan = planTma(memory, window, mode);
    EXPECT_TRUE(plan);
    if (!plan)
      return {};
    ttg::LayoutDims names(&context);
    auto message = mlir::StringAttr::get(&context, messageDimName);
    int64_t elements = 1, inCTA = 1;
    for (int64_t size : plan->box)
      elements *= size;
    std::set<int32_t> reached;
    for (unsigned m = 0; m < plan->messages(); ++m) {
      auto begin =
          plan->places.apply({{message, int32_t(m)}, {names.block, cta}});
      int32_t start = begin.pop_back_val().second;
      for (int64_t i = 0; i < elements; ++i) {
        uint64_t address = i * mode.elementBytes, line = address / 128;
        if (mode.swizzleBytes)
          address ^= (line & (mode.swizzleBytes / 16 - 1)) * 16;
        auto offset = int32_t(start + address / mode.elementBytes);
        EXPECT_TRUE(reached.insert(offset).second) << offset;
        auto found = memory.apply({{names.offset, offset}, {names.block, cta}});
        int64_t rest = i;
        for (size_t dim = found.size(); dim-- > 0;) {
          EXPECT_EQ(found[dim].second,
                    begin[dim].second + rest % plan->box[dim])
              << "message " << m << ", element " << i << ", dimension " << dim;
          rest /= plan->box[dim];
        }
        if (HasFailure())
          return *plan;
      }
    }
    for (int64_t size : window)
      inCTA *= size;
    for (const auto &basis : memory.getBases(names.block))
      if (llvm::any_of(basis, [](int32_t value) { return value != 0; }))
        inCTA /= 2;
    EXPECT_EQ(int64_t(reached.size()), inCTA);
    return *plan;
  }

  mlir::MLIRContext context;
};

TEST_F(TmaPlanTest, OneMessageIfTheBlockIsOneSwizzleWide) {
  TmaPlan plan = follow(nvmma({128, 64}, 128, 16), {128, 64}, {2, 128});
  EXPECT_THAT(plan.box, ElementsAre(128, 64));
  EXPECT_EQ(plan.messages(), 1u);
}

TEST_F(TmaPlanTest, ASwizzleDividesRows) {
  TmaPlan plan = follow(nvmma({64, 256}, 64, 16), {64, 256}, {2, 64});
  EXPECT_THAT(plan.box, ElementsAre(64, 32));
  EXPECT_EQ(plan.messages(), 8u);
  plan = follow(nvmma({64, 64}, 128, 32), {64, 64}, {4, 128});
  EXPECT_THAT(plan.box, ElementsAre(64, 32));
  EXPECT_EQ(plan.messages(), 2u);
}

TEST_F(TmaPlanTest, ABoxHasAtMost256ElementsAlongADimension) {
  TmaPlan plan = follow(nvmma({512, 64}, 32, 8), {512, 64}, {1, 32});
  EXPECT_THAT(plan.box, ElementsAre(256, 32));
  EXPECT_EQ(plan.messages(), 4u);
  plan = follow(nvmma({16, 512}, 0, 16), {16, 512}, {2, 0});
  EXPECT_THAT(plan.box, ElementsAre(16, 256));
}

TEST_F(TmaPlanTest, MoreThanTwoDimensions) {
  LinearLayout memory = nvmma({4, 16, 128}, 128, 16, ", rank = 3");
  TmaPlan plan = follow(memory, {4, 16, 128}, {2, 128});
  EXPECT_THAT(plan.box, ElementsAre(4, 16, 64));
  EXPECT_EQ(plan.messages(), 2u);
}

TEST_F(TmaPlanTest, AWindowOfABuffer) {
  TmaPlan plan = follow(nvmma({128, 256}, 128, 16), {64, 128}, {2, 128});
  EXPECT_THAT(plan.box, ElementsAre(64, 64));
  EXPECT_EQ(plan.messages(), 2u);
}

TEST_F(TmaPlanTest, CTAsHaveTheirPartsOrShareThem) {
  LinearLayout memory =
      nvmma({128, 256}, 128, 16, ", CGALayout = [[0, 1], [0, 0]]");
  for (int32_t cta : {0, 1, 2, 3}) {
    TmaPlan plan = follow(memory, {128, 256}, {2, 128}, cta);
    EXPECT_THAT(plan.box, ElementsAre(128, 64));
    EXPECT_EQ(plan.messages(), 2u);
    EXPECT_EQ(plan.sharedCTABits, 2);
  }
}

TEST_F(TmaPlanTest, APairDividesAWindowThatOneCTAHas) {
  LinearLayout memory =
      nvmma({64, 128}, 128, 16, ", CGALayout = [[1, 0], [0, 1]]");
  std::optional<TmaPlan> plan = planTma(memory, {32, 128}, {2, 128});
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->box, ElementsAre(16, 64));
  EXPECT_EQ(plan->messages(), 1u);
  EXPECT_EQ(plan->inOneCTA, 1);
  ttg::LayoutDims names(&context);
  auto values = [&](int32_t cta) {
    std::vector<int32_t> found;
    for (auto [name, value] : plan->places.apply({{names.block, cta}}))
      found.push_back(value);
    return found;
  };
  EXPECT_THAT(values(1), ElementsAre(16, 0, 16 * 64));
  EXPECT_THAT(values(2), ElementsAre(0, 64, 0));
  // What is too small for two parts is not copied.
  EXPECT_FALSE(planTma(memory, {1, 128}, {2, 128}));
}

TEST_F(TmaPlanTest, OtherLayoutsAreNotMoved) {
  LinearLayout transposed = layoutOf(
      {64, 64}, "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = "
                "true, elementBitWidth = 16}>");
  EXPECT_FALSE(planTma(transposed, {64, 64}, {2, 128}));
  LinearLayout otherSwizzle = nvmma({64, 64}, 64, 16);
  EXPECT_FALSE(planTma(otherSwizzle, {64, 64}, {2, 128}));
}

} // namespace
