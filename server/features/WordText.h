//===- WordText.h - what a word of an op or a layout says -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_WORDTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_WORDTEXT_H

#include "server/analysis/Document.h"
#include "server/analysis/Syntax.h"
#include "server/features/Name.h"

#include <string>

namespace kernelscope {

/// What the word means where it stands, as Markdown: a key of a layout, a
/// predicate, a number in hexadecimal, a partition; empty for any other.
std::string describeWord(const Document &document, const Statement &statement,
                         size_t token);

/// What the module says of its kernels: chip, warps, functions.
std::string describeModule(const Document &document,
                           const Statement &statement);

/// Of a block: its arguments, and the lines that branch to it.
std::string describeBlock(const Document &document, const Name &name);

/// The sentences of an op's description about its attribute `name`; empty if
/// there are none.
std::string sentencesAbout(llvm::StringRef description, llvm::StringRef name);

/// The first paragraph of a description that is longer than a hover should be.
std::string inShort(llvm::StringRef description);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_WORDTEXT_H
