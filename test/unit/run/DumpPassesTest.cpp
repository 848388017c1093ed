//===- DumpPassesTest.cpp - what each pass of a dump did ------------------===//

#include "server/run/DumpPasses.h"

#include <gtest/gtest.h>

using namespace kernelscope::run;

namespace {

/// Before each pass, as Triton dumps them: a section without IR says that
/// nothing has changed since the last one.
constexpr const char *dump = R"(
// -----// IR Dump Before Inliner (inline) ('builtin.module' operation) //----- //
#loc = loc("kernel.py":1:0)
#loc2 = loc("kernel.py":12:3)
#loc3 = loc("sum"(#loc2))
module {
  tt.func @k(%a: i32) {
    %0 = arith.constant 1 : i32 loc(#loc)
    %1 = arith.addi %a, %0 : i32 loc(#loc3)
  }
}
// -----// IR Dump Before CSE (cse) ('builtin.module' operation) //----- //


// -----// IR Dump Before Canonicalizer (canonicalize) ('builtin.module' operation) //----- //
#loc = loc("kernel.py":12:3)
#loc1 = loc("sum"(#loc))
module {
  tt.func @k(%a: i32) {
    %x = arith.addi %a, %a : i32 loc(#loc1)
  }
}
// -----// IR Dump Before Last (last) ('builtin.module' operation) //----- //
#loc7 = loc("kernel.py":12:3)
#loc8 = loc("sum"(#loc7))
module {
  tt.func @k(%a: i32) {
    %5 = arith.addi %a, %a : i32 loc(#loc8)
  }
}
)";

/// `CSE +1 -2 at 20 22` for each pass; `*` where the followed op changes.
std::string show(const DumpHistory &history) {
  std::string text;
  for (const DumpPass &pass : history.passes) {
    text += pass.name;
    if (!pass.after)
      text += " open";
    if (pass.added + pass.removed)
      text += " +" + std::to_string(pass.added) + " -" +
              std::to_string(pass.removed);
    for (size_t line : pass.followed)
      text += " at " + std::to_string(line);
    text += pass.changesFollowed ? " *\n" : "\n";
  }
  return text;
}

TEST(DumpPasses, OnlyPassesThatChangeMoreThanNamesAreMarked) {
  DumpHistory history = historyOf(dump, std::nullopt);
  EXPECT_EQ(show(history), "Inliner\n"
                           "CSE +1 -2\n"
                           "Canonicalizer\n"
                           "Last open\n");
  EXPECT_EQ(history.what, "");
  ASSERT_EQ(history.states.size(), 3u);
  EXPECT_EQ(history.states[1].line, 14u);
  EXPECT_EQ(history.states[1].text.find("loc("), std::string::npos);
}

TEST(DumpPasses, AnOpIsFollowedByItsLocationWhateverItsName) {
  DumpHistory history = historyOf(dump, 8);
  EXPECT_EQ(history.what, "kernel.py:12:3");
  EXPECT_EQ(show(history), "Inliner at 8\n"
                           "CSE +1 -2 at 19 *\n"
                           "Canonicalizer at 27\n"
                           "Last open\n");
}

TEST(DumpPasses, ASectionWithoutLocationsHasNoLineForAFollowedLocation) {
  std::string half = dump;
  size_t last = half.find("#loc7");
  half.erase(last, half.find("module", last) - last);
  half.erase(half.find(" loc(#loc8)"), 11);
  EXPECT_EQ(show(historyOf(half, 8)), "Inliner at 8\n"
                                      "CSE +1 -2 at 19 *\n"
                                      "Canonicalizer\n"
                                      "Last open\n");
}

TEST(DumpPasses, WithoutALocationByTheNameOfItsResult) {
  std::string bare = dump;
  for (size_t at = bare.find(" loc(#"); at != std::string::npos;
       at = bare.find(" loc(#"))
    bare.erase(at, bare.find('\n', at) - at);
  DumpHistory history = historyOf(bare, 7);
  EXPECT_EQ(history.what, "%0");
  EXPECT_EQ(show(history), "Inliner at 7\n"
                           "CSE +1 -2 *\n"
                           "Canonicalizer\n"
                           "Last open\n");
  EXPECT_EQ(historyOf(bare, 2).what, "");
}

TEST(DumpPasses, BeforeAndAfterOneFunctionAreOnePassOfThatFunction) {
  DumpHistory history = historyOf(R"(
// -----// IR Dump Before CSE (cse) ('tt.func' operation: @a) //----- //
tt.func @a() {
  %0 = arith.constant 1 : i32
}
// -----// IR Dump After CSE (cse) ('tt.func' operation: @a) //----- //
tt.func @a() {
}
// -----// IR Dump Before CSE (cse) ('tt.func' operation: @b) //----- //
tt.func @b() {
}
// -----// IR Dump After CSE (cse) ('tt.func' operation: @b) //----- //
tt.func @b() {
}
// -----// IR Dump After SymbolDCE (symbol-dce) ('tt.func' operation: @a) //----- //
tt.func @a() {
  tt.return
}
)",
                                  std::nullopt);
  EXPECT_EQ(show(history), "CSE +0 -1\nCSE\nSymbolDCE +1 -0\n");
}

TEST(DumpPasses, AFileThatIsNotADumpHasNoPasses) {
  EXPECT_TRUE(historyOf("module {\n}\n", 1).passes.empty());
}

} // namespace
