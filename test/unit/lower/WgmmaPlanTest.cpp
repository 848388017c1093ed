//===- WgmmaPlanTest.cpp - Operands of wgmma, by their layouts ------------===//
//
// Descriptors are followed as the PTX ISA says ("Strides", "Matrix Descriptor
// Format") and must arrive where the layout has each element.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/WgmmaPlan.h"
#include "dialects/Dialects.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MatrixDescriptor.h"
#include "dialects/ttg/TTG.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::lower;
using testing::ElementsAre;

namespace {

class WgmmaPlan : public testing::Test {
protected:
  WgmmaPlan() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  template <typename T> T parse(const std::string &text) {
    auto type = llvm::dyn_cast_or_null<T>(mlir::parseType(text, &context));
    EXPECT_TRUE(type) << text;
    return type;
  }

  /// The descriptor for `outerSize` by 256 bits of a memdesc that has K along
  /// `kDim`.
  std::optional<MatrixDescriptor> describe(const std::string &text,
                                           unsigned kDim, unsigned outerSize) {
    auto type = parse<ttg::MemDescType>("!ttg.memdesc<" + text +
                                        ", #ttg.shared_memory, mutable>");
    ttg::LayoutDims names(&context);
    offsetOf = ttg::toLinearLayout(type).pseudoinvert();
    offsetOf = offsetOf.sublayout(offsetOf.getInDimNames(), {names.offset});
    auto dims = ttg::tensorDims(&context, 2);
    outer = dims[1 - kDim];
    k = dims[kDim];
    bytes = tt::bytesInMemory(type.getElementType());
    size = outerSize;
    return describeOperand(offsetOf, outer, k, bytes, outerSize, 32 / bytes);
  }

  /// Where the instruction looks for an element, in bytes.
  unsigned follow(const MatrixDescriptor &mode, unsigned outerPlace,
                  unsigned kPlace) const {
    unsigned along = (mode.isKMajor ? kPlace : outerPlace) * bytes,
             across = mode.isKMajor ? outerPlace : kPlace;
    unsigned chunk = mode.swizzleBytes ? mode.swizzleBytes : 16;
    // Without a swizzle the strides are those of M or N and of K.
    unsigned nextAlong = mode.leadingBytes, nextAcross = mode.strideBytes;
    if (!mode.swizzleBytes && !mode.isKMajor)
      std::swap(nextAlong, nextAcross);
    unsigned address = along % chunk + along / chunk * nextAlong +
                       across % 8 * chunk + across / 8 * nextAcross;
    for (unsigned bit = 0; 16u << bit < mode.swizzleBytes; ++bit)
      address ^= (address >> (7 + bit) & 1) << (4 + bit);
    return address;
  }

  void expectToFollow(const std::optional<MatrixDescriptor> &mode) {
    ASSERT_TRUE(mode);
    for (unsigned i = 0; i < size; ++i)
      for (unsigned j = 0; j < 32 / bytes; ++j) {
        auto offset = offsetOf.apply({{outer, int32_t(i)}, {k, int32_t(j)}});
        ASSERT_EQ(follow(*mode, i, j), offset.front().second * bytes)
            << i << ", " << j;
      }
  }

  mlir::MLIRContext context;
  LinearLayout offsetOf;
  mlir::StringAttr outer, k;
  unsigned bytes = 0, size = 0;
};

std::string nvmma(unsigned swizzle, bool transposed, unsigned bits) {
  return "#ttg.nvmma_shared<{swizzlingByteWidth = " + std::to_string(swizzle) +
         ", transposed = " + (transposed ? "true" : "false") +
         ", elementBitWidth = " + std::to_string(bits) + "}>";
}

TEST_F(WgmmaPlan, RowsAlongK) {
  auto mode = describe("128x64xf16, " + nvmma(128, false, 16), 1, 64);
  expectToFollow(mode);
  EXPECT_TRUE(mode->isKMajor);
  EXPECT_EQ(mode->bits(), uint64_t(1) << 62 | uint64_t(1024 / 16) << 32);
  expectToFollow(describe("128x32xf16, " + nvmma(64, false, 16), 1, 64));
  expectToFollow(describe("64x16xf16, " + nvmma(32, false, 16), 1, 64));
  // Transposed, the rows of B lie along K.
  expectToFollow(describe("32x64xf32, " + nvmma(128, true, 32), 0, 64));
  expectToFollow(describe("64x128xf8E4M3FN, " + nvmma(64, true, 8), 0, 128));
}

TEST_F(WgmmaPlan, RowsAlongMOrN) {
  // Wider than a chunk: the second half comes after all of K.
  auto mode = describe("32x128xf16, " + nvmma(128, false, 16), 0, 128);
  expectToFollow(mode);
  EXPECT_FALSE(mode->isKMajor);
  EXPECT_EQ(mode->leadingBytes, 32u * 128);
  EXPECT_EQ(mode->strideBytes, 1024u);
  expectToFollow(describe("64x64xbf16, " + nvmma(128, true, 16), 1, 64));
  expectToFollow(describe("64x32xf16, " + nvmma(64, false, 16), 0, 32));
  // Part of a chunk.
  expectToFollow(describe("64x64xf16, " + nvmma(128, false, 16), 0, 16));
}

TEST_F(WgmmaPlan, WithoutASwizzle) {
  // Eight rows of 16 bytes, the next of them along K, then further rows.
  const std::string pieces =
      "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], "
      "[4, 0], [0, 8], [8, 0], [16, 0], [32, 0]]}, alignment = 16>";
  auto mode = describe("64x16xf16, " + pieces, 1, 64);
  expectToFollow(mode);
  EXPECT_TRUE(mode->isKMajor);
  EXPECT_EQ(mode->leadingBytes, 128u);
  EXPECT_EQ(mode->strideBytes, 256u);
  // Along N: K in the eight rows, and the next eight of K after all of N.
  const std::string across =
      "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], "
      "[4, 0], [0, 8], [0, 16], [8, 0]]}, alignment = 16>";
  mode = describe("16x32xf16, " + across, 0, 32);
  expectToFollow(mode);
  EXPECT_FALSE(mode->isKMajor);
  EXPECT_EQ(mode->leadingBytes, 512u);
  EXPECT_EQ(mode->strideBytes, 128u);
  // Rows of 32 bytes are no rows of pieces.
  EXPECT_FALSE(describe("64x16xf16, " + nvmma(0, false, 16), 1, 64));
}

TEST_F(WgmmaPlan, NoDescriptor) {
  // 8-bit elements have to lie along K.
  EXPECT_FALSE(describe("64x128xf8E4M3FN, " + nvmma(128, false, 8), 0, 64));
  // Rows that are not next to each other.
  EXPECT_FALSE(
      describe("64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 2, "
               "maxPhase = 4, order = [1, 0]}>",
               1, 64));
}

TEST_F(WgmmaPlan, Accumulators) {
  auto type = parse<mlir::RankedTensorType>(
      "tensor<128x32xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, "
      "warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>>");
  auto plan = planAccumulators(ttg::toLinearLayout(type), 16);
  ASSERT_TRUE(plan);
  ASSERT_EQ(plan->tiles.size(), 4u);
  for (auto place : {std::pair(0, 0), {0, 16}, {64, 0}, {64, 16}})
    EXPECT_EQ(plan->tiles.at(place).size(), 8u);
  EXPECT_THAT(plan->tiles.at({0, 0}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  // Another width cuts the same registers otherwise.
  EXPECT_EQ(planAccumulators(ttg::toLinearLayout(type), 32)->tiles.size(), 2u);
}

TEST_F(WgmmaPlan, RegistersOfA) {
  auto type = parse<mlir::RankedTensorType>(
      "tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = "
      "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = "
      "[4, 1], instrShape = [16, 64, 16]}>, kWidth = 2}>>");
  auto plan = planRegistersOfA(ttg::toLinearLayout(type), 16);
  ASSERT_TRUE(plan);
  EXPECT_THAT(plan->tiles.at({0, 0}), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(plan->tiles.at({0, 16}),
              ElementsAre(8, 9, 10, 11, 12, 13, 14, 15));
  // Lanes that hold four neighbours are those of another instruction.
  EXPECT_FALSE(planRegistersOfA(ttg::toLinearLayout(type), 8));
}

} // namespace
