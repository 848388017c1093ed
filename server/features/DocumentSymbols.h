//===- DocumentSymbols.h - the outline of a file -------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_DOCUMENTSYMBOLS_H
#define KERNELSCOPE_SERVER_FEATURES_DOCUMENTSYMBOLS_H

#include "server/analysis/Document.h"

#include <string>
#include <vector>

namespace kernelscope {

enum class SymbolKind { Module, Function, Loop, Branch, Region };

struct DocumentSymbol {
  std::string name;   ///< `softmax_row`, `module`, `scf.for`
  std::string detail; ///< The op, or a function's signature.
  SymbolKind kind = SymbolKind::Region;
  Span span;      ///< The whole statement.
  Span selection; ///< Its name; inside `span`.
  std::vector<DocumentSymbol> children;
};

/// Modules, functions, and in these the ops that have regions.
std::vector<DocumentSymbol> documentSymbols(const Syntax &syntax);
inline std::vector<DocumentSymbol> documentSymbols(const Document &document) {
  return documentSymbols(document.syntax());
}

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_DOCUMENTSYMBOLS_H
