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

/// A place among the parameters of a type or a layout.
struct TypeSlot {
  llvm::StringRef owner; ///< `tensor`, `ttg.memdesc`, `ttg.slice`, ...
  unsigned commas = 0;   ///< Between its `<` and the cursor.
  llvm::StringRef typed; ///< From its `<` to the word at the cursor.

  bool isTensor() const { return owner == "tensor"; }
  bool isBuffer() const { return owner == "ttg.memdesc"; }
  bool isDescriptor() const { return owner == "tt.tensordesc"; }
};

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
  /// The innermost type or layout whose `<` is open before the cursor.
  std::optional<TypeSlot> typeSlot() const;
  /// The key whose value is due: after `axis =` in a dictionary; else empty.
  llvm::StringRef keyBefore() const;
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
  Span span;              ///< The part of a word that was typed so far.
  char sigil = '\0';      ///< `%`, `#`, ... before the word.
  llvm::StringRef prefix; ///< What was typed of the word, its sigil included.
  llvm::StringRef before; ///< The line up to the word.
  bool isQuoted = false;  ///< The word is the name of an op in quotes.
  /// The word is a key of a dictionary, or the value of one, in quotes.
  bool isQuotedKey = false, isQuotedValue = false;
  bool isInElement = false; ///< After the shape of a tensor.

private:
  void findWord();
  bool findQuotedWord();
  bool isQuoteOfOperation(size_t begin) const;
  llvm::StringRef ownerName() const;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_COMPLETIONPLACE_H
