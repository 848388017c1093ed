//===- FramingTest.cpp - messages in a stream, whole and broken -----------===//

#include "server/lsp/Framing.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using testing::ElementsAre;
using testing::StartsWith;

namespace {

/// The bodies, and "error: ..." for the errors, of a stream fed in pieces.
std::vector<std::string> frames(std::string_view stream, size_t piece) {
  FrameReader reader;
  std::vector<std::string> result;
  for (; !stream.empty();
       stream.remove_prefix(std::min(piece, stream.size()))) {
    reader.feed(stream.substr(0, piece));
    while (std::optional<Frame> frame = reader.next())
      result.push_back(frame->error.empty() ? frame->body
                                            : "error: " + frame->error);
  }
  return result;
}

/// In pieces of any size the same comes out.
class Framing : public testing::TestWithParam<size_t> {
protected:
  std::vector<std::string> frames(std::string_view stream) {
    return ::frames(stream, GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(PieceSizes, Framing, testing::Values(1, 7, 1 << 20));

TEST_P(Framing, SplitsBodies) {
  EXPECT_THAT(frames(frame("{}") + frame("") + frame("[1]")),
              ElementsAre("{}", "", "[1]"));
}

TEST_P(Framing, AcceptsOtherHeadersAndAnyCase) {
  EXPECT_THAT(frames("Content-Type: x; "
                     "charset=utf-8\r\ncontent-LENGTH:2\r\nX-Y: z\r\n\r\n{}"),
              ElementsAre("{}"));
}

TEST_P(Framing, ContinuesAfterABadLength) {
  EXPECT_THAT(
      frames("Content-Length: ten\r\n\r\n{}" + frame("[1]")),
      ElementsAre("error: Content-Length is 'ten', not a number of bytes",
                  "[1]"));
}

TEST_P(Framing, ReportsBytesThatAreNotAHeaderOnce) {
  EXPECT_THAT(frames("{\"id\": 1}\n{\"id\": 2}\n" + frame("[1]")),
              ElementsAre("error: expected a Content-Length header", "[1]"));
  EXPECT_THAT(frames("hello\r\n\r\nworld" + frame("[1]")),
              ElementsAre("error: expected a Content-Length header", "[1]"));
}

TEST_P(Framing, SkipsWhatIsTooLarge) {
  FrameReader reader;
  size_t size = FrameReader::maxBody + 1;
  reader.feed("Content-Length: " + std::to_string(size) + "\r\n\r\n");
  EXPECT_THAT(reader.next()->error, StartsWith("a message of "));
  reader.feed(std::string(size - 1, 'x'));
  EXPECT_FALSE(reader.next());
  reader.feed("x" + frame("{}"));
  EXPECT_EQ(reader.next()->body, "{}");
}

TEST(Framing, AnEndlessHeaderIsAnError) {
  std::vector<std::string> found =
      frames("Content-Length: " + std::string(10000, ' '), 1 << 20);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front(), "error: a header without an end");
}

} // namespace
