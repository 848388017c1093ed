//===- Framing.cpp - LSP's messages in a stream of bytes ------------------===//

#include "server/lsp/Framing.h"

#include <algorithm>
#include <cctype>
#include <charconv>

using namespace kernelscope;

namespace {

constexpr std::string_view lengthHeader = "content-length:";

/// A header block is a few dozen bytes; more without its end is none.
constexpr size_t maxHeader = 4096;

/// The room for a message that is larger is given back.
constexpr size_t keptCapacity = size_t(1) << 20;

size_t findLengthHeader(std::string_view text) {
  auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  return std::search(text.begin(), text.end(), lengthHeader.begin(),
                     lengthHeader.end(), same) -
         text.begin();
}

} // namespace

std::optional<Frame> FrameReader::next() {
  if (toSkip) {
    size_t skipped = std::min(toSkip, buffer.size());
    buffer.erase(0, skipped);
    toSkip -= skipped;
    if (toSkip)
      return std::nullopt;
  }

  // Another header may stand before the length, as `Content-Type` does;
  // anything else there is an error.
  size_t start = findLengthHeader(buffer);
  std::string_view before = std::string_view(buffer).substr(0, start);
  bool found = start < buffer.size();
  bool looksLikeHeaders =
      before.empty() || (before.size() < maxHeader &&
                         std::isalpha(static_cast<unsigned char>(before[0])) &&
                         before.find("\r\n\r\n") == std::string_view::npos);
  if (!found && looksLikeHeaders)
    return std::nullopt;
  bool isHeader =
      looksLikeHeaders && (before.empty() || before.ends_with("\r\n"));
  if (!isHeader) {
    // What is left may be the beginning of the next header.
    buffer.erase(0, found ? start
                          : buffer.size() - std::min(buffer.size(),
                                                     lengthHeader.size() - 1));
    if (lost)
      return found ? next() : std::nullopt;
    lost = true;
    return Frame{{}, "expected a Content-Length header"};
  }

  std::string_view rest = std::string_view(buffer).substr(start);
  size_t blank = rest.find("\r\n\r\n");
  if (blank == std::string_view::npos) {
    if (rest.size() < maxHeader)
      return std::nullopt;
    buffer.erase(0, start + lengthHeader.size());
    lost = true;
    return Frame{{}, "a header without an end"};
  }
  lost = false;
  std::string_view value =
      rest.substr(lengthHeader.size(), rest.find("\r\n") - lengthHeader.size());
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  size_t length = 0;
  auto [end, problem] =
      std::from_chars(value.data(), value.data() + value.size(), length);
  size_t bodyAt = start + blank + 4;
  if (problem != std::errc() || end != value.data() + value.size()) {
    std::string message = "Content-Length is '" +
                          std::string(value.substr(0, 40)) +
                          "', not a number of bytes";
    buffer.erase(0, bodyAt);
    lost = true;
    return Frame{{}, message};
  }
  if (length > maxBody) {
    buffer.erase(0, bodyAt);
    toSkip = length;
    return Frame{{},
                 "a message of " + std::to_string(length) +
                     " bytes; the limit is " + std::to_string(maxBody)};
  }
  if (buffer.size() - bodyAt < length)
    return std::nullopt;
  Frame result{buffer.substr(bodyAt, length), {}};
  buffer.erase(0, bodyAt + length);
  if (buffer.empty() && length > keptCapacity)
    buffer.shrink_to_fit();
  return result;
}

std::string kernelscope::frame(std::string_view body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}
