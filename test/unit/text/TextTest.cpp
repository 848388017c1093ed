//===- TextTest.cpp - offsets, positions and edits ------------------------===//

#include "server/text/Text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>

using namespace kernelscope;

namespace {

constexpr auto UTF8 = PositionEncoding::UTF8;
constexpr auto UTF16 = PositionEncoding::UTF16;
constexpr auto UTF32 = PositionEncoding::UTF32;

TEST(Text, CountsLinesByEachKindOfLineEnd) {
  Text text("a\nb\r\nc\rd");
  EXPECT_EQ(text.lineCount(), 4u);
  EXPECT_EQ(text.lineSpan(1), (Span{2, 3}));
  EXPECT_EQ(text.lineSpan(2), (Span{5, 6}));
  EXPECT_EQ(text.lineAt(4), 1u);
  EXPECT_EQ(text.lineAt(7), 3u);
}

TEST(Text, AnEmptyTextHasOneLine) {
  EXPECT_EQ(Text().lineCount(), 1u);
  EXPECT_EQ(Text().positionAt(0, UTF16), (Position{0, 0}));
  EXPECT_EQ(Text("a\n").lineCount(), 2u);
}

// "é" is 2 bytes and 1 unit, "𝛼" is 4 bytes and 2 UTF-16 units.
TEST(Text, ConvertsNonAsciiInEachEncoding) {
  Text text("// é𝛼x\n%0");
  size_t x = text.str().find('x');
  EXPECT_EQ(text.positionAt(x, UTF8), (Position{0, 9}));
  EXPECT_EQ(text.positionAt(x, UTF16), (Position{0, 6}));
  EXPECT_EQ(text.positionAt(x, UTF32), (Position{0, 5}));
  EXPECT_EQ(text.offsetAt({0, 9}, UTF8), x);
  EXPECT_EQ(text.offsetAt({0, 6}, UTF16), x);
  EXPECT_EQ(text.offsetAt({0, 5}, UTF32), x);
}

TEST(Text, APlaceInsideACharacterIsTheCharacter) {
  Text text("𝛼x");
  EXPECT_EQ(text.offsetAt({0, 1}, UTF16), 0u);
  EXPECT_EQ(text.offsetAt({0, 3}, UTF8), 0u);
  EXPECT_EQ(text.positionAt(2, UTF16), (Position{0, 0}));
}

TEST(Text, InvalidUtf8CountsByByte) {
  Text text("\xff\xc3(\xe2\x82");
  EXPECT_EQ(text.positionAt(5, UTF16), (Position{0, 5}));
  EXPECT_EQ(text.offsetAt({0, 3}, UTF32), 3u);
}

TEST(Text, ClampsPositionsOutsideTheText) {
  Text text("ab\r\ncd");
  EXPECT_EQ(text.offsetAt({0, 99}, UTF16), 2u);
  EXPECT_EQ(text.offsetAt({99, 0}, UTF16), 6u);
  EXPECT_EQ(text.positionAt(99, UTF16), (Position{1, 2}));
  EXPECT_EQ(text.positionAt(3, UTF16), (Position{0, 2}))
      << "between \\r and \\n is the end of the line";
  EXPECT_EQ(text.spanAt({{1, 1}, {0, 0}}, UTF16), (Span{5, 5}));
}

TEST(Text, EditsJoinAndSplitLineEnds) {
  Text text("a\r\nb");
  text.replace({2, 3}, "");
  EXPECT_EQ(text.str(), "a\rb");
  EXPECT_EQ(text.lineCount(), 2u);
  text.replace({2, 2}, "\n");
  EXPECT_EQ(text.lineCount(), 2u);
  text.replace({2, 2}, "x");
  EXPECT_EQ(text.lineCount(), 3u);
}

TEST(Text, EditsKeepTheIndexTrue) {
  std::mt19937 random(7);
  const char *pieces[] = {"", "\r", "\n", "\r\n", "é", "𝛼", "abc", "x\ny\r"};
  Text text("module {\r\n}\n");
  for (int step = 0; step < 2000; ++step) {
    size_t begin = random() % (text.size() + 1);
    size_t end = std::min(text.size(), begin + random() % 4);
    text.replace({begin, end}, pieces[random() % std::size(pieces)]);
    Text fresh(text.str());
    ASSERT_EQ(text.lineCount(), fresh.lineCount()) << "step " << step;
    for (size_t line = 0; line < fresh.lineCount(); ++line)
      ASSERT_EQ(text.lineSpan(line), fresh.lineSpan(line)) << "step " << step;
  }
}

TEST(Text, CountsTheUnitsOfAPartOfALine) {
  Text text("a\xC3\xA9\xF0\x9F\x98\x80z\n");
  for (auto [encoding, units] : {std::pair(PositionEncoding::UTF8, 8u),
                                 {PositionEncoding::UTF16, 5u},
                                 {PositionEncoding::UTF32, 4u}}) {
    EXPECT_EQ(text.units({0, 8}, encoding), units);
    EXPECT_EQ(text.units({7, 8}, encoding), 1u);
    EXPECT_EQ(text.units({3, 3}, encoding), 0u);
  }
}

} // namespace
