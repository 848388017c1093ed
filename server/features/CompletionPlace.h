//===- CompletionPlace.h - where something is typed -------------*- C++ -*-===//
//
// The line at the cursor is half-typed, so only the words around it tell.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_FEATURES_COMPLETIONPLACE_H
#define KERNELSCOPE_SERVER_FEATURES_COMPLETIONPLACE_H

#include "dialects/Dialects.h"
#include "server/analysis/Document.h"
#include "server/analysis/Marks.h"
#include "server/analysis/Syntax.h"

#include <optional>
#include <string>

namespace kernelscope {

/// Whether `c` may be in a word that completion replaces.
bool isWordPart(char c);

struct CompletionPlace {
  CompletionPlace(const Document &document, size_t offset);

  bool isInsideTextOrComment() const;
  /// Whether an op name is expected: at the start of a line or a region, or
  /// after `%x =`.
  bool isAtOperation() const;
  /// Whether what looks like an open region is the dictionary of an op that has
  /// no region, or of `attributes`.
  bool isInOpenDictionary() const;
  /// The last brace of a dictionary that is open on this line, or `npos`.
  size_t openBrace() const;
  bool isInDictionary() const { return openBrace() != llvm::StringRef::npos; }
  /// Whether the layout of a tensor or a buffer is due: after its first comma.
  bool isAtLayout() const;
  bool isAtType() const;
  /// The layout whose `<{` is open before the cursor.
  const Doc *enclosingLayout() const;
  /// The op that the cursor is in or after, and what is known about it.
  SyntaxId currentStatement() const;
  const Doc *operationDoc() const;
  /// What has the dictionary at the cursor, if it is one for marks.
  std::optional<Mark::Place> markPlace() const;
  /// Whether a location is due: in `loc(`, and there behind `at` and brackets.
  bool isAtLocation() const;
  /// What is due of the op, or whose type is, if that is known.
  std::optional<SignatureEntry> due() const;

  const Document &document;
  const Syntax &syntax;
  llvm::StringRef text;
  size_t offset;
  Span span;                ///< The part of a word that was typed so far.
  char sigil = '\0';        ///< `%`, `#`, ... before the word.
  llvm::StringRef prefix;   ///< What was typed of the word, its sigil included.
  llvm::StringRef before;   ///< The line up to the word.
  bool isQuoted = false;    ///< The word is the name of an op in quotes.
  bool isInElement = false; ///< After the shape of a tensor.

private:
  void findWord();
  bool isQuoteOfOperation(size_t begin) const;
  llvm::StringRef ownerName() const;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_COMPLETIONPLACE_H
