//===- SpellingsTest.cpp - the table of spellings -------------------------===//

#include "server/analysis/spellings/Spelling.h"

#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

namespace {

std::string replacedLast(StringRef word, StringRef from, StringRef to) {
  auto [before, after] = word.rsplit(from);
  return (before + to + after).str();
}

TEST(Spellings, EachRowHasTheFieldsOfItsKind) {
  for (const Spelling &row : allSpellings()) {
    SCOPED_TRACE(row.word.str() + " " + row.what.str());
    char first = row.word.front();
    EXPECT_EQ(first == '!', row.place == Place::Type);
    EXPECT_EQ(first == '#',
              row.place == Place::Attribute || row.place == Place::Attributes);
    for (StringRef release : {row.releases.first, row.releases.last})
      EXPECT_TRUE(release.empty() || (release >= "3.4" && release <= "3.9"));
    bool hasHint =
        !row.releases.last.empty() && row.rewrite.shape != Rewrite::LeaveOut;
    EXPECT_EQ(hasHint, !row.today.empty());
    EXPECT_EQ(row.rewrite.shape == Rewrite::Call,
              row.rewrite.function != nullptr);
  }
}

TEST(Spellings, ARenamingIsReversible) {
  unsigned count = 0;
  for (const Spelling &row : allSpellings()) {
    const Rewrite &rewrite = row.rewrite;
    if (rewrite.shape != Rewrite::Rename || rewrite.older.empty())
      continue;
    SCOPED_TRACE(row.word.str());
    ASSERT_TRUE(row.word.contains(rewrite.older));
    std::string today = replacedLast(row.word, rewrite.older, rewrite.today);
    EXPECT_EQ(replacedLast(today, rewrite.today, rewrite.older), row.word);
    EXPECT_TRUE(rewrite.isReversible());
    ++count;
  }
  EXPECT_GT(count, 0u);
}

} // namespace
