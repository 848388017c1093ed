//===- PatchedText.h - a text with edits, and the way back ------*- C++ -*-===//
//
// Recovery parses a changed copy of the text; this maps each byte of the copy
// to where it came from.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_PATCHEDTEXT_H
#define KERNELSCOPE_SERVER_ANALYSIS_PATCHEDTEXT_H

#include "server/text/Span.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

/// A change to make: `span` is replaced by `insertions`, one after the other.
struct Patch {
  struct Insertion {
    std::string text;   ///< Used if `copy` is empty.
    Span copy = {0, 0}; ///< A part of the source.
  };
  Span span;
  std::vector<Insertion> insertions;
  /// Among patches at one offset, the smallest comes first.
  int order = 0;
};

/// A word that takes the place of a longer text.
struct ShortForm {
  Span span;
  llvm::StringRef word;
};

/// A blank in the place of each span.
std::vector<ShortForm> asBlanks(llvm::ArrayRef<Span> spans);

class PatchedText {
public:
  /// Appends a copy of `span` of `source`.
  void copy(llvm::StringRef source, Span span);
  /// The same with `patches` made, which are sorted; of two that overlap the
  /// first counts.
  void copy(llvm::StringRef source, Span span,
            llvm::ArrayRef<const Patch *> patches);
  /// Appends bytes that come from nowhere.
  void insert(llvm::StringRef literal) { buffer += literal; }

  /// Puts each word in the place of what was copied from its span. The spans
  /// are sorted; of two that overlap the first counts. Nothing is appended
  /// after that.
  void shorten(llvm::ArrayRef<ShortForm> forms);

  /// Takes the places of `other`, whose text is the same.
  void comeFrom(const PatchedText &other);

  const std::string &str() const { return buffer; }

  /// Where the byte at `offset` came from; for inserted bytes, or the end of
  /// the buffer, the end of what was copied before.
  size_t toSource(size_t offset) const;
  /// Where the word at `span` came from; a part of it may be inserted.
  Span toSource(Span span) const;
  /// Where the source's byte lies in the buffer, if it was copied.
  std::optional<size_t> fromSource(size_t offset) const;
  /// Whether the byte at `offset` is a copy.
  bool isCopy(size_t offset) const;

private:
  struct Piece {
    size_t begin;  ///< In the buffer before it was shortened.
    size_t source; ///< In the source.
    size_t length;
  };
  /// A word, and what it stands for in the buffer before it was shortened.
  struct Cut {
    Span word, whole;
  };
  const Piece *pieceBefore(size_t offset) const;
  using Cuts = std::vector<Cut>;
  Cuts::const_iterator cutAfter(size_t offset) const;
  /// The offset before the buffer was shortened; within a word, the end of what
  /// it stands for.
  size_t toWhole(size_t offset) const {
    return toWhole(offset, cutAfter(offset));
  }
  size_t toWhole(size_t offset, Cuts::const_iterator after) const;
  /// Where the byte came from; the offset is before the buffer was shortened.
  size_t wholeToSource(size_t offset) const;
  /// The way back; within what a word stands for, the word.
  size_t toShort(size_t offset) const;

  std::string buffer;
  std::vector<Piece> pieces; ///< Ascending in the buffer.
  Cuts cuts;                 ///< Ascending.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_PATCHEDTEXT_H
