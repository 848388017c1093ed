//===- AssemblyHoverTest.cpp - each instruction is explained --------------===//
//
// ptx-opcodes.txt and amdgcn-opcodes.txt have all that occur in the `.ptx` and
// `.amdgcn` files of Triton 3.6 and 3.9.
//
//===----------------------------------------------------------------------===//

#include "server/features/AssemblyHover.h"

#include "gtest/gtest.h"

#include <fstream>

using namespace kernelscope;

TEST(AssemblyHover, EachInstructionAndModifierOfTritonIsExplained) {
  std::ifstream list(KS_PTX_OPCODES);
  std::string opcode;
  size_t count = 0;
  while (std::getline(list, opcode)) {
    ++count;
    auto found = hoverPtx(Text("\t@%p1 " + opcode + " \t%r1, %r2;"), 6);
    ASSERT_TRUE(found) << opcode;
    EXPECT_EQ(found->span.begin, 6u);
    EXPECT_EQ(found->span.end, 6 + opcode.size());
    const std::string &said = found->markdown;
    EXPECT_NE(said.find("Since PTX "), std::string::npos) << opcode;
    std::string name = said.substr(2, said.find("**", 2) - 2);
    for (size_t at = opcode.find('.', name.size()); at != std::string::npos;) {
      size_t end = opcode.find('.', at + 1);
      std::string modifier = opcode.substr(at, end - at);
      EXPECT_NE(said.find("- `" + modifier + "`: "), std::string::npos)
          << modifier << " of " << opcode;
      at = end;
    }
  }
  EXPECT_GT(count, 300u);
}

TEST(AssemblyHover, EachAmdInstructionAndItsModifiersAreExplained) {
  std::ifstream list(KS_AMDGCN_OPCODES);
  std::string opcode;
  size_t count = 0;
  while (std::getline(list, opcode)) {
    ++count;
    auto found = hoverAmdgcn(Text("\t" + opcode + " v1, v2 ; note"), 3);
    ASSERT_TRUE(found) << opcode;
    EXPECT_EQ(found->span.begin, 1u);
    EXPECT_EQ(found->span.end, 1 + opcode.size());
    const std::string &said = found->markdown;
    std::string name = said.substr(2, said.find("**", 2) - 2);
    bool isDual = opcode.starts_with("v_dual_");
    for (size_t at = opcode.find('_', name.size() + (isDual ? 5 : 0));
         at != std::string::npos;) {
      size_t end = opcode.find('_', at + 1);
      std::string word = opcode.substr(at, end - at);
      EXPECT_NE(said.find("- `" + word + "`: "), std::string::npos)
          << word << " of " << opcode;
      at = end;
    }
  }
  EXPECT_GT(count, 600u);
}
