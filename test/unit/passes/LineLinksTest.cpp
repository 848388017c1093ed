//===- LineLinksTest.cpp - Line tables in LLVM's text ---------------------===//

#include "passes/emit/LineLinks.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

LineLink link(unsigned irLine, unsigned outputLine) {
  return {irLine, outputLine};
}

TEST(LineLinks, PtxInstructionsBelongToTheLocBefore) {
  EXPECT_THAT(
      emit::linksFromAssembly("	.reg .b32 	%r<3>;\n"
                              "	.loc	1 7 14    // k.ttgir:7:14\n"
                              "	mov.u32 	%r1, %ctaid.x;\n"
                              "$L__BB0_1:\n"
                              "	// begin inline asm\n"
                              "	@%p1 ld.global.b32 %r2, [%rd1];\n"
                              "	.loc	1 9 5\n"
                              "	ret;\n"
                              "}\n"
                              "	.section	.debug_macinfo	{	}\n"),
      ElementsAre(link(7, 3), link(7, 6), link(9, 8)));
}

TEST(LineLinks, LineZeroIsNotALine) {
  EXPECT_THAT(emit::linksFromAssembly("	.loc	1 0 0 is_stmt 0\n"
                                      "	s_branch .LBB0_0\n"),
              IsEmpty());
}

TEST(LineLinks, AmdgcnMetadataIsNotAnInstruction) {
  EXPECT_THAT(emit::linksFromAssembly("	.loc	1 3 1 prologue_end ; k:3:1\n"
                                      "	s_endpgm\n"
                                      ".Lfunc_end0:\n"
                                      "	.size	f, .Lfunc_end0-f\n"
                                      "; codeLenInByte = 4\n"
                                      "    .args:\n"
                                      "amdhsa.kernels:\n"),
              ElementsAre(link(3, 2)));
}

TEST(LineLinks, LlvmInstructionsThroughTheirDebugLocation) {
  EXPECT_THAT(
      emit::linksFromLlvm("define void @f() !dbg !4 {\n"
                          "  %1 = call i32 @g(), !dbg !7, !range !9\n"
                          "  %2 = add i32 %1, 1\n"
                          "  ret void, !dbg !8\n"
                          "}\n"
                          "!7 = !DILocation(line: 12, column: 3, scope: !4)\n"
                          "!8 = !DILocation(line: 13, column: 3, scope: !4)\n"),
      ElementsAre(link(12, 2), link(13, 4)));
}

TEST(LineLinks, SassInstructionsBelongToTheLineBefore) {
  EXPECT_THAT(emit::linksFromSass(
                  ".text.k:\n"
                  "	//## File \"k.ttgir\", line 5\n"
                  "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
                  "        /*0010*/                   EXIT ;\n"),
              ElementsAre(link(5, 3), link(5, 4)));
}

} // namespace
