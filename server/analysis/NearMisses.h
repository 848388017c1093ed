//===- NearMisses.h - what a misspelt name may have meant -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_NEARMISSES_H
#define KERNELSCOPE_SERVER_ANALYSIS_NEARMISSES_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Syntax.h"

namespace kernelscope {

/// How many slips of the keyboard make `b` of `a`: a letter more, less or
/// other, or, if it is the only one, two neighbours swapped. Above `most` not
/// exact.
unsigned countSlips(llvm::StringRef a, llvm::StringRef b, unsigned most);

/// The nearest of `names` to `word`; empty if none is near, or `word` is too
/// short to tell.
llvm::StringRef nearestOf(llvm::ArrayRef<llvm::StringRef> names,
                          llvm::StringRef word);

/// Says that the word at `place` may mean `nearest`, and offers that; nothing
/// if it is empty.
void suggest(Diagnostic &diagnostic, Span place, llvm::StringRef nearest,
             bool isToBeChecked = false);

/// Whether the words differ in underscores only: `%v9` and `%v_9`.
bool differInUnderscores(llvm::StringRef a, llvm::StringRef b);

/// The statements of aliases, but for those of locations.
std::vector<const Statement *> aliasesOf(const Syntax &syntax);

/// Says of a parse error with MLIR's words about a type, an attribute, a word
/// of a list or a value of another type what was found and what is needed, and
/// offers the nearest.
void describeMisspelling(Diagnostic &diagnostic, const Syntax &syntax);

/// Offers the nearest value that the statement `around` defines before a use of
/// one that nothing defines.
void suggestValue(Diagnostic &diagnostic, const Syntax &syntax,
                  SyntaxId around);

/// Offers the nearest function for one that is called and nothing defines.
void suggestFunction(Diagnostic &diagnostic, const Syntax &syntax);

/// Offers the attribute that an op lacks in place of one that it has.
void suggestAttribute(Diagnostic &diagnostic, const Syntax &syntax);

/// Offers the type that the operands give for the one that the result has, from
/// the message in plain words.
void suggestResultType(Diagnostic &diagnostic, const Syntax &syntax);

/// Adds a hint if `word`, the key of an attribute, is nearly one that Triton's
/// passes read: to them a misspelt one is not there.
void suggestMark(std::vector<Diagnostic> &diagnostics, const Token &word,
                 const Syntax &syntax);

/// Offers the nearest alias for one that nothing defines.
void suggestAlias(Diagnostic &diagnostic, const Syntax &syntax);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_NEARMISSES_H
