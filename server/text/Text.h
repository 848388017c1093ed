//===- Text.h - a document's text and its coordinates -----------*- C++ -*-===//
//
// The one place that converts between byte offsets and (line, character).
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_TEXT_TEXT_H
#define KERNELSCOPE_SERVER_TEXT_TEXT_H

#include "server/text/Span.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelscope {

/// What one unit of `Position::character` counts: bytes, UTF-16 code units or
/// code points.
enum class PositionEncoding { UTF8, UTF16, UTF32 };

/// A place in a text; both numbers count from zero, `character` in units of a
/// `PositionEncoding`.
struct Position {
  size_t line = 0;
  size_t character = 0;
  friend bool operator==(const Position &, const Position &) = default;
};

/// From `start` up to and without `end`.
struct Range {
  Position start;
  Position end;
  friend bool operator==(const Range &, const Range &) = default;
};

/// UTF-8 text with an index of its lines that follows each edit. Lines end with
/// "\n", "\r\n" or "\r". A byte that is not valid UTF-8 counts as one
/// character. Positions and spans outside the text are clamped to it as LSP
/// says: a character past the end of its line means the end of the line, a line
/// past the end the end of the text.
class Text {
public:
  Text() : Text(std::string()) {}
  explicit Text(std::string text);

  const std::string &str() const { return text; }
  size_t size() const { return text.size(); }

  size_t lineCount() const { return lineStarts.size(); }
  /// The line, from zero, that holds `offset`.
  size_t lineAt(size_t offset) const;
  /// The bytes of a line without its end-of-line characters.
  Span lineSpan(size_t line) const;

  /// An offset inside a character is the position of that character.
  Position positionAt(size_t offset, PositionEncoding encoding) const;
  /// A position inside a character (the second half of a surrogate pair) is the
  /// offset of that character.
  size_t offsetAt(Position position, PositionEncoding encoding) const;

  /// How many units of `Position::character` the bytes of a span have that is
  /// in one line and begins at a character.
  size_t units(Span span, PositionEncoding encoding) const;

  Range rangeAt(Span span, PositionEncoding encoding) const;
  /// A range whose end lies before its start is empty, at its start.
  Span spanAt(Range range, PositionEncoding encoding) const;

  /// Puts `replacement` in the place of `span`. Costs the edit's size, plus one
  /// addition for each line after it.
  void replace(Span span, std::string_view replacement);

private:
  bool startsLine(size_t offset) const;

  std::string text;
  std::vector<size_t> lineStarts; ///< Ascending; the first is 0.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_TEXT_TEXT_H
