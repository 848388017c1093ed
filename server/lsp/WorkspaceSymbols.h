//===- WorkspaceSymbols.h - functions by name -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_LSP_WORKSPACESYMBOLS_H
#define KERNELSCOPE_SERVER_LSP_WORKSPACESYMBOLS_H

#include "server/lsp/Conversion.h"

#include <string>

namespace kernelscope {

class Syntax;

/// Whether `query` is part of `name` with other letters between its own;
/// lower and upper case are the same.
bool matchesQuery(const std::string &query, const std::string &name);

/// The functions of a text, also those in its modules, whose names match
/// `query`: a list of LSP's `SymbolInformation`.
Json workspaceSymbols(const Syntax &syntax, const Conversion &convert,
                      const std::string &query);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_WORKSPACESYMBOLS_H
