//===- CoverageTest.cpp - Which ops have a lowering -----------------------===//

#include "passes/lower/Coverage.h"
#include "dialects/Dialects.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <fstream>
#include <map>
#include <sstream>

using namespace kernelscope;
using lower::hasLowering;

namespace {

Target chip(llvm::StringRef name) {
  return llvm::cantFail(Target::parse(name));
}

TEST(Coverage, PatternsPassesAndRegionsCountAsALowering) {
  EXPECT_TRUE(hasLowering("tt.load", chip("sm_80"), true));
  EXPECT_TRUE(hasLowering("scf.for", chip("sm_80"), true));
  EXPECT_TRUE(hasLowering("tt.reduce.return", chip("gfx942"), true));
  EXPECT_TRUE(hasLowering("ttng.tmem_alloc", chip("sm_100a"), true));
  EXPECT_FALSE(hasLowering("ttng.tmem_alloc", chip("sm_90a"), true));
  EXPECT_FALSE(hasLowering("tt.unknown", chip("sm_90a"), true));
}

TEST(Coverage, SomeOpsAreRewrittenOnlyInTtir) {
  EXPECT_TRUE(hasLowering("tt.make_tensor_ptr", chip("sm_80"), false));
  EXPECT_FALSE(hasLowering("tt.make_tensor_ptr", chip("sm_80"), true));
  EXPECT_TRUE(hasLowering("tt.dot_scaled", chip("gfx942"), false));
  EXPECT_FALSE(hasLowering("tt.dot_scaled", chip("gfx942"), true));
}

TEST(Coverage, SaysWhetherTheChipOrTheLoweringLacksTheOp) {
  EXPECT_EQ(lower::describeGap("proton.record", chip("sm_90a")),
            "no lowering for 'proton.record' on sm_90a yet");
  EXPECT_EQ(lower::describeGap("ttng.tc_gen5_mma", chip("sm_90a")),
            "'ttng.tc_gen5_mma' has no instruction on sm_90a; it has one on "
            "sm_100a, sm_103a");
}

/// The table of docs/lowering.md: which ops of Triton's dialects have none.
std::string table() {
  std::map<std::string, std::vector<std::string>> byChips;
  for (const Doc &doc : getDocs()) {
    llvm::StringRef dialect = doc.name.split('.').first;
    if (doc.kind != DocKind::Op ||
        llvm::is_contained({"llvm", "nvvm", "rocdl", "gpu", "func", "builtin"},
                           dialect))
      continue;
    std::vector<llvm::StringRef> archs;
    size_t chips = 0;
    for (const Target &target : knownArchs()) {
      if (!target.canCompile)
        continue;
      ++chips;
      // In TTGIR or, before that, in TTIR.
      if (!hasLowering(doc.name, target, true) &&
          !hasLowering(doc.name, target, false))
        archs.push_back(target.arch);
    }
    if (!archs.empty())
      byChips[archs.size() == chips ? "all" : llvm::join(archs, ", ")]
          .push_back(("`" + doc.name + "`").str());
  }
  std::string text = "| chips | ops without a lowering |\n|---|---|\n";
  for (auto &[chips, ops] : byChips)
    text += "| " + chips + " | " + llvm::join(ops, ", ") + " |\n";
  return text;
}

/// UPDATE_EXPECT=1 writes it.
TEST(Coverage, MatchesTheTableInTheDocs) {
  const char *const path = KS_DOCS "/lowering.md";
  std::stringstream page;
  page << std::ifstream(path).rdbuf();
  std::string text = page.str(), expected = table();
  size_t begin = std::min(text.find("| chips |"), text.size());
  if (std::getenv("UPDATE_EXPECT"))
    std::ofstream(path) << text.substr(0, begin) << expected;
  else
    EXPECT_EQ(text.substr(begin), expected);
}

} // namespace
