//===- InstructionsTest.cpp - what ops become on a target -----------------===//

#include "dialects/target/Instructions.h"
#include "dialects/Dialects.h"

#include "gtest/gtest.h"

using namespace kernelscope;

TEST(Instructions, AreOfOpsThatExist) {
  for (llvm::ArrayRef<Instructions> rows : allInstructions())
    for (const Instructions &row : rows)
      EXPECT_TRUE(findDoc(DocKind::Op, row.op)) << row.op.str();
}

TEST(Instructions, HaveASection) {
  for (llvm::ArrayRef<Instructions> rows : allInstructions())
    for (const Instructions &row : rows) {
      EXPECT_FALSE(row.text.empty()) << row.op.str();
      EXPECT_FALSE(row.section.empty()) << row.op.str();
    }
}

TEST(Instructions, DependOnTheTarget) {
  auto textOf = [](llvm::StringRef op, llvm::StringRef target) {
    std::optional<Target> chip = Target::ofModule(target);
    auto rows = findInstructions(op, chip ? &*chip : nullptr);
    return rows.empty() ? "" : rows.front()->text.str();
  };
  EXPECT_EQ(textOf("ttg.async_wait", "cuda:80"), "cp.async.wait_group");
  EXPECT_EQ(textOf("ttg.async_wait", "hip:gfx942"), "s_waitcnt vmcnt");
  EXPECT_EQ(textOf("ttg.async_wait", "hip:gfx1250"), "s_wait_asynccnt");
  EXPECT_NE(textOf("ttng.warp_group_dot", "cuda:90"), "");
  EXPECT_EQ(textOf("ttng.warp_group_dot", "cuda:80"), "");
  EXPECT_EQ(textOf("ttng.warp_group_dot", "cuda:100"), "");
  EXPECT_NE(textOf("ttng.tc_gen5_mma", "cuda:103"), "");
  EXPECT_EQ(textOf("ttng.tc_gen5_mma", "hip:gfx950"), "");
  EXPECT_EQ(textOf("tt.dot", "hip:gfx1201"), "v_wmma_f32_16x16x16_f16");
  EXPECT_EQ(textOf("tt.dot", "hip:gfx1250"), "v_wmma_f32_16x16x32_f16");
  EXPECT_EQ(findInstructions("ttg.async_wait", nullptr).size(), 3u);
  // Without async copies there is nothing to wait for, without tensor memory no
  // product in it.
  EXPECT_EQ(textOf("ttg.async_wait", "cuda:75"), "");
  EXPECT_EQ(textOf("ttg.async_wait", "hip:gfx1100"), "");
  EXPECT_EQ(textOf("ttng.tc_gen5_mma", "cuda:120"), "");
  EXPECT_NE(textOf("tt.load", "hip:gfx1030"), "");
  EXPECT_EQ(textOf("amdg.buffer_load", "hip:gfx1030"), "");
}
