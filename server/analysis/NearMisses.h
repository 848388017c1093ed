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

/// Says of a parse error with MLIR's words about a type, an attribute, a word
/// of a list or a value of another type what was found and what is needed, and
/// offers the nearest.
void describeMisspelling(Diagnostic &diagnostic, const Syntax &syntax);

/// Offers the nearest value that the statement `around` defines before a use of
/// one that nothing defines.
void suggestValue(Diagnostic &diagnostic, const Syntax &syntax,
                  SyntaxId around);

/// Offers the attribute that an op lacks in place of one that it has.
void suggestAttribute(Diagnostic &diagnostic, const Syntax &syntax);

/// Adds a hint if `word`, the key of an attribute, is nearly one that Triton's
/// passes read: to them a misspelt one is not there.
void suggestMark(std::vector<Diagnostic> &diagnostics, const Token &word,
                 const Syntax &syntax);

/// Offers the nearest alias for one that nothing defines.
void suggestAlias(Diagnostic &diagnostic, const Syntax &syntax);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_NEARMISSES_H
