//===- Text.cpp - a document's text and its coordinates -------------------===//

#include "server/text/Text.h"

#include <algorithm>
#include <utility>

using namespace kernelscope;

namespace {

bool isContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Bytes of the character that starts at `text[0]`; 1 if it is not valid UTF-8.
size_t characterBytes(std::string_view text) {
  auto lead = static_cast<unsigned char>(text.front());
  size_t bytes = lead >= 0xF0 && lead < 0xF8   ? 4
                 : lead >= 0xE0 && lead < 0xF0 ? 3
                 : lead >= 0xC2 && lead < 0xE0 ? 2
                                               : 1;
  if (bytes == 1)
    return 1;
  if (bytes > text.size() ||
      !std::all_of(text.begin() + 1, text.begin() + bytes, isContinuation))
    return 1;
  return bytes;
}

/// Units that a character of `bytes` bytes of UTF-8 has in `encoding`.
size_t characterUnits(size_t bytes, PositionEncoding encoding) {
  switch (encoding) {
  case PositionEncoding::UTF8:
    return bytes;
  case PositionEncoding::UTF16:
    return bytes == 4 ? 2 : 1;
  case PositionEncoding::UTF32:
    return 1;
  }
  __builtin_unreachable();
}

} // namespace

Text::Text(std::string initial) : text(std::move(initial)), lineStarts{0} {
  bool hasReturns = text.find('\r') != std::string::npos;
  for (size_t offset = 0;;) {
    offset = hasReturns ? text.find_first_of("\r\n", offset)
                        : text.find('\n', offset);
    if (offset == std::string::npos)
      return;
    if (startsLine(++offset))
      lineStarts.push_back(offset);
  }
}

bool Text::startsLine(size_t offset) const {
  char before = text[offset - 1];
  return before == '\n' ||
         (before == '\r' && (offset == text.size() || text[offset] != '\n'));
}

size_t Text::lineAt(size_t offset) const {
  return std::upper_bound(lineStarts.begin(), lineStarts.end(), offset) -
         lineStarts.begin() - 1;
}

Span Text::lineSpan(size_t line) const {
  if (line >= lineStarts.size())
    return {text.size(), text.size()};
  size_t begin = lineStarts[line];
  size_t end =
      line + 1 < lineStarts.size() ? lineStarts[line + 1] : text.size();
  if (end > begin && text[end - 1] == '\n')
    --end;
  if (end > begin && text[end - 1] == '\r')
    --end;
  return {begin, end};
}

Position Text::positionAt(size_t offset, PositionEncoding encoding) const {
  size_t line = lineAt(std::min(offset, text.size()));
  Span span = lineSpan(line);
  return {line, units({span.begin, std::min(offset, span.end)}, encoding)};
}

size_t Text::units(Span span, PositionEncoding encoding) const {
  std::string_view rest = std::string_view(text).substr(span.begin);
  size_t wanted = std::min(span.size(), rest.size());
  size_t units = 0;
  for (size_t at = 0; at < wanted;) {
    size_t bytes = characterBytes(rest.substr(at));
    if (at + bytes > wanted)
      break;
    at += bytes;
    units += characterUnits(bytes, encoding);
  }
  return units;
}

size_t Text::offsetAt(Position position, PositionEncoding encoding) const {
  Span span = lineSpan(position.line);
  std::string_view rest =
      std::string_view(text).substr(span.begin, span.size());
  size_t at = 0;
  for (size_t units = 0; at < rest.size();) {
    size_t bytes = characterBytes(rest.substr(at));
    units += characterUnits(bytes, encoding);
    if (units > position.character)
      break;
    at += bytes;
  }
  return span.begin + at;
}

Range Text::rangeAt(Span span, PositionEncoding encoding) const {
  return {positionAt(span.begin, encoding), positionAt(span.end, encoding)};
}

Span Text::spanAt(Range range, PositionEncoding encoding) const {
  size_t begin = offsetAt(range.start, encoding);
  return {begin, std::max(begin, offsetAt(range.end, encoding))};
}

void Text::replace(Span span, std::string_view replacement) {
  size_t begin = std::min(span.begin, text.size());
  size_t end = std::clamp(span.end, begin, text.size());
  text.replace(begin, end - begin, replacement);

  // Whether a line starts at an offset depends on the byte before it and, for
  // "\r\n", on the byte at it.
  size_t first = std::max<size_t>(begin, 1);
  auto staleBegin =
      std::lower_bound(lineStarts.begin(), lineStarts.end(), first);
  auto staleEnd = std::upper_bound(staleBegin, lineStarts.end(), end);
  for (auto it = staleEnd; it != lineStarts.end(); ++it)
    *it = *it - end + begin + replacement.size();
  std::vector<size_t> fresh;
  for (size_t offset = first; offset <= begin + replacement.size(); ++offset)
    if (startsLine(offset))
      fresh.push_back(offset);
  auto at = lineStarts.erase(staleBegin, staleEnd);
  lineStarts.insert(at, fresh.begin(), fresh.end());

  constexpr size_t keptCapacity = 1 << 20;
  if (text.capacity() > keptCapacity && text.capacity() / 4 > text.size()) {
    text.shrink_to_fit();
    lineStarts.shrink_to_fit();
  }
}
