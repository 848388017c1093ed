//===- MessageTest.cpp - long strings go past the JSON library ------------===//

#include "server/ipc/Message.h"

#include "gtest/gtest.h"

#include <random>

using namespace kernelscope;

namespace {

/// Strings around the length from which one counts as long.
std::string randomString(std::mt19937 &source) {
  static const std::vector<std::string> pieces = {
      "\"",    "\\", "\\\"", "\n",      "\r\n",
      "\t",    "\b", "/",    ":",       "\": ",
      "%x = ", "é",  "𝛼",    "\x01",    "{",
      "}",     "[",  ",",    "tt.load", std::string(40, ' ')};
  std::string result(source() % 3 ? 1000 : 0, 'x');
  for (unsigned i = source() % 60; i > 0; --i)
    result += pieces[source() % pieces.size()];
  return result;
}

Json randomValue(std::mt19937 &source, int depth = 0) {
  switch (source() % (depth < 6 ? 5 : 3)) {
  case 0:
    return source() % 1000;
  case 3: {
    Json list = Json::array();
    for (unsigned i = source() % 4; i > 0; --i)
      list.push_back(randomValue(source, depth + 1));
    return list;
  }
  case 4: {
    Json object = Json::object();
    for (unsigned i = source() % 4; i > 0; --i)
      object[randomString(source)] = randomValue(source, depth + 1);
    return object;
  }
  default:
    return randomString(source);
  }
}

TEST(JsonText, ReadsWhatTheLibraryReads) {
  std::mt19937 source(1);
  for (int i = 0; i < 500; ++i) {
    Json value = randomValue(source);
    for (bool ascii : {false, true}) {
      std::string text = value.dump(source() % 2 ? 2 : -1, ' ', ascii);
      EXPECT_EQ(fromText(text), value) << text;
    }
  }
}

TEST(JsonText, RefusesWhatTheLibraryRefuses) {
  std::string text = Json({{"name", std::string(3000, '\n')}, {"x", 1}}).dump();
  for (size_t size = 0; size < text.size(); size += 7)
    EXPECT_THROW(fromText(text.substr(0, size)), Json::exception);
  // Eight bytes are looked at together.
  for (size_t shift = 0; shift < 8; ++shift)
    for (const char *bad : {"\\x", "\x01", "\n", "\xff", "\\u12", "\\ud800"}) {
      std::string broken = text;
      broken.insert(text.find("\\n") + 500, std::string(shift, 'x') + bad);
      EXPECT_THROW(fromText(broken), Json::exception) << shift << ": " << bad;
    }
}

TEST(JsonText, KeepsStringsThatLookLikeItsStandIns) {
  const Json value = {{"a", "kernelscope:long-string:7"},
                      {"b", std::string(3000, 'x')},
                      {"c", "kernelscope:long-string:0"},
                      {"d", "kernelscope:long-string:x"}};
  EXPECT_EQ(fromText(value.dump()), value);
}

TEST(JsonText, RefusesDeepNesting) {
  EXPECT_NO_THROW(fromText(std::string(200, '[') + std::string(200, ']')));
  EXPECT_THROW(fromText(std::string(1000, '[') + std::string(1000, ']')),
               std::length_error);
}

TEST(Messages, ArriveInPiecesOfAnySize) {
  std::mt19937 source(2);
  for (size_t piece : {1, 100, 1 << 20}) {
    std::vector<Json> sent, received;
    std::string stream;
    for (int i = 0; i < 100; ++i) {
      sent.push_back(randomValue(source));
      stream += packMessage(sent.back());
    }
    MessageReader reader;
    for (size_t at = 0; at < stream.size(); at += piece) {
      reader.feed(std::string_view(stream).substr(at, piece));
      while (std::optional<Json> message = reader.next())
        received.push_back(std::move(*message));
    }
    EXPECT_EQ(received, sent);
  }
}

} // namespace
