//===- Answer.h - one request, answered of a document -----------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_LSP_ANSWER_H
#define KERNELSCOPE_SERVER_LSP_ANSWER_H

#include "server/features/CallHierarchy.h"
#include "server/features/DocumentSymbols.h"
#include "server/lsp/Answers.h"
#include "server/lsp/Conversion.h"

namespace kernelscope {

/// One request: the document it is about, the client and the parameters. Each
/// method answers the request of its name.
class Answer : Conversion {
public:
  Answer(const Snapshot &snapshot, const ClientOptions &client,
         const FeatureParams &params, SentTokens &sent)
      : Conversion{snapshot.uri, snapshot.document->text(), client,
                   snapshot.sources.get()},
        document(*snapshot.document), emitted(snapshot.emitted.get()),
        archs(snapshot.archs), params(params), sent(sent) {}

  /// Why the request cannot be granted; empty if it can.
  std::string refusal;

  // NavigationAnswers.cpp
  Json definition();
  Json references();
  Json documentHighlight();
  Json documentSymbol();
  Json documentLink();
  Json sourceLines();
  Json selectionRange();

  // HierarchyAnswers.cpp
  Json prepareCallHierarchy();
  Json incomingCalls();
  Json outgoingCalls();
  Json workspaceSymbol();

  // EditAnswers.cpp
  Json completion();
  Json signatureHelp();
  Json codeAction();
  Json linkedEditingRange();
  Json formatting();
  Json onTypeFormatting();
  Json prepareRename();
  Json rename();

  // DisplayAnswers.cpp
  Json hover();
  Json codeLens();
  Json foldingRange();
  Json inlayHint();

  // LayoutAnswer.cpp
  Json layout();

  // TokenAnswers.cpp; JSON as text, since there are millions of numbers.
  std::string semanticTokens();
  std::string semanticTokensDelta();
  std::string semanticTokensRange();

private:
  Json symbol(const DocumentSymbol &symbol) const;
  Json item(const CalledFunction &function) const;
  Json calls(const std::vector<FunctionCalls> &list, const char *role) const;
  Json edits(const std::vector<TextEdit> &list) const;
  void flatten(const DocumentSymbol &symbol, Json &list) const;
  std::vector<uint32_t> packTokens() const;

  /// The position that the request is about; the start of the text if it has
  /// none.
  size_t offset() const {
    return text.offsetAt(params.position.value_or(Position{}), client.encoding);
  }
  /// The range that the request is about; the whole text if it has none.
  Span span() const {
    return params.range ? text.spanAt(*params.range, client.encoding)
                        : Span{0, text.size()};
  }

  const Document &document;
  const EmittedCode *emitted; ///< Null if it is not shown.
  const std::vector<std::string> &archs;
  const FeatureParams &params;
  SentTokens &sent;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_ANSWER_H
