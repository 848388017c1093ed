//===- OddCharacters.h - characters that IR does not have -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_ODDCHARACTERS_H
#define KERNELSCOPE_SERVER_ANALYSIS_ODDCHARACTERS_H

#include "server/analysis/Diagnostic.h"

#include "llvm/ADT/StringRef.h"

namespace kernelscope {

/// Names the character that MLIR's "unexpected character" at the beginning of
/// `diagnostic` is about, and offers what it looks like: text from a web page
/// or a chat has spaces, dashes and quotes of its own. All other messages stay.
void describeCharacter(Diagnostic &diagnostic, llvm::StringRef text);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_ODDCHARACTERS_H
