//===- Symbols.h - the names of functions and the like ----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SYMBOLS_H
#define KERNELSCOPE_SERVER_ANALYSIS_SYMBOLS_H

#include "server/analysis/Syntax.h"

#include <string>
#include <utility>

namespace kernelscope {

/// `@"name"` as it is without its quotes.
std::string plainSymbol(llvm::StringRef symbol);

/// The name, with its `@`, that an op defines, and where; empty if none.
std::pair<std::string, Span> definedSymbol(const Syntax &syntax,
                                           const Statement &statement);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_SYMBOLS_H
