//===- SemanticTokens.h - the meaning of each word -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_SEMANTICTOKENS_H
#define KERNELSCOPE_SERVER_FEATURES_SEMANTICTOKENS_H

#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

/// The order is the order of the legend that the server announces.
enum class TokenKind {
  Operation,
  Value,
  Symbol,
  Block,
  Type,
  Attribute,
  String,
  Number,
  Comment
};

struct SemanticToken {
  Span span;
  TokenKind kind = TokenKind::Operation;
  bool isDefinition = false;
};

/// In the order of the text; tokens do not overlap or span lines.
std::vector<SemanticToken> semanticTokens(const Document &document, Span span);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_SEMANTICTOKENS_H
