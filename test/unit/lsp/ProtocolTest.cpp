//===- ProtocolTest.cpp - values of LSP to and from JSON ------------------===//

#include "server/lsp/Protocol.h"
#include "server/lsp/Requests.h"

#include "gtest/gtest.h"

using namespace kernelscope;

namespace {

TEST(Uri, PathsRoundTrip) {
  for (const char *path : {"/tmp/a.ttgir", "/a b/é%.mlir", "/#1?/x+y"}) {
    EXPECT_EQ(pathOf(uriOf(path)), path);
  }
  EXPECT_EQ(uriOf("/a b"), "file:///a%20b");
  EXPECT_EQ(pathOf("file://localhost/a"), "/a");
  EXPECT_EQ(pathOf("file:///a%2"), "/a%2");
  EXPECT_EQ(pathOf("untitled:Untitled-1"), "untitled:Untitled-1");
}

TEST(Positions, ReadsWhatAClientCanSend) {
  EXPECT_EQ(positionFrom({{"line", 3}, {"character", 4}}), (Position{3, 4}));
  EXPECT_EQ(positionFrom({{"line", -3}, {"character", 4}}), (Position{0, 4}));
  EXPECT_EQ(positionFrom({{"line", 3}}), std::nullopt);
  EXPECT_EQ(positionFrom({{"line", "3"}, {"character", 4}}), std::nullopt);
  EXPECT_EQ(positionFrom(nullptr), std::nullopt);
}

TEST(ClientOptions, OddCapabilitiesAreIgnored) {
  ClientOptions options = ClientOptions::of(
      {{"capabilities", {{"general", 7}, {"textDocument", Json::array()}}}});
  EXPECT_EQ(options.encoding, PositionEncoding::UTF16);
  EXPECT_FALSE(options.markdown);
  EXPECT_EQ(ClientOptions::of(nullptr).encoding, PositionEncoding::UTF16);
}

} // namespace
