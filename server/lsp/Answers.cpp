//===- Answers.cpp - the features' results as LSP's answers ---------------===//
//
// The table of methods; what answers each is in the files named after what the
// answers are about.
//
//===----------------------------------------------------------------------===//

#include "server/lsp/Answers.h"

#include "server/features/Completion.h"
#include "server/features/Formatting.h"
#include "server/features/SignatureHelp.h"
#include "server/lsp/Answer.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <variant>

using namespace kernelscope;

namespace {

Json completionOptions(const ClientOptions &) {
  return {{"triggerCharacters", completionTriggers}};
}

Json signatureOptions(const ClientOptions &) {
  return {{"triggerCharacters", signatureTriggers}};
}

Json linkOptions(const ClientOptions &) { return {{"resolveProvider", false}}; }

Json onTypeOptions(const ClientOptions &) {
  auto [first, second] = formatTriggers;
  return {{"firstTriggerCharacter", first}, {"moreTriggerCharacter", {second}}};
}

Json codeLensOptions(const ClientOptions &) {
  return {{"resolveProvider", false}};
}

Json codeActionOptions(const ClientOptions &) {
  return {{"codeActionKinds",
           {"quickfix", "refactor.extract", "refactor.inline",
            "refactor.rewrite", "source.removeUnused.kernelscope",
            "source.fixAll.kernelscope", "source.rewriteFor.kernelscope"}}};
}

Json semanticTokensOptions(const ClientOptions &) {
  // The order is that of `TokenKind`.
  Json tokenTypes = {"keyword",  "variable", "function", "label",  "type",
                     "property", "string",   "number",   "comment"};
  return {{"legend",
           {{"tokenTypes", std::move(tokenTypes)},
            {"tokenModifiers", {"definition"}}}},
          {"full", {{"delta", true}}},
          {"range", true}};
}

Json renameOptions(const ClientOptions &client) {
  // Only clients that announce it may get more than the fact that the feature
  // exists.
  return client.preparesRename ? Json{{"prepareProvider", true}} : Json(true);
}

struct Feature {
  std::string_view method;
  /// One that gives JSON, or JSON as text.
  std::variant<Json (Answer::*)(), std::string (Answer::*)()> answer;
  const char *capability; ///< Null: another row has it.
  /// Null: the capability is `true`.
  Json (*options)(const ClientOptions &client);
};

constexpr Feature features[] = {
    {"textDocument/hover", &Answer::hover, "hoverProvider", nullptr},
    {"textDocument/definition", &Answer::definition, "definitionProvider",
     nullptr},
    {"textDocument/references", &Answer::references, "referencesProvider",
     nullptr},
    {"textDocument/documentHighlight", &Answer::documentHighlight,
     "documentHighlightProvider", nullptr},
    {"textDocument/documentSymbol", &Answer::documentSymbol,
     "documentSymbolProvider", nullptr},
    {"textDocument/completion", &Answer::completion, "completionProvider",
     completionOptions},
    {"textDocument/signatureHelp", &Answer::signatureHelp,
     "signatureHelpProvider", signatureOptions},
    {"textDocument/documentLink", &Answer::documentLink, "documentLinkProvider",
     linkOptions},
    {"textDocument/selectionRange", &Answer::selectionRange,
     "selectionRangeProvider", nullptr},
    {"textDocument/prepareCallHierarchy", &Answer::prepareCallHierarchy,
     "callHierarchyProvider", nullptr},
    {"callHierarchy/incomingCalls", &Answer::incomingCalls, nullptr, nullptr},
    {"callHierarchy/outgoingCalls", &Answer::outgoingCalls, nullptr, nullptr},
    {"textDocument/formatting", &Answer::formatting,
     "documentFormattingProvider", nullptr},
    {"textDocument/rangeFormatting", &Answer::formatting,
     "documentRangeFormattingProvider", nullptr},
    {"textDocument/onTypeFormatting", &Answer::onTypeFormatting,
     "documentOnTypeFormattingProvider", onTypeOptions},
    {workspaceSymbolMethod, &Answer::workspaceSymbol, "workspaceSymbolProvider",
     nullptr},
    {"textDocument/codeLens", &Answer::codeLens, "codeLensProvider",
     codeLensOptions},
    {"textDocument/codeAction", &Answer::codeAction, "codeActionProvider",
     codeActionOptions},
    {"textDocument/foldingRange", &Answer::foldingRange, "foldingRangeProvider",
     nullptr},
    {"textDocument/inlayHint", &Answer::inlayHint, "inlayHintProvider",
     nullptr},
    {"textDocument/linkedEditingRange", &Answer::linkedEditingRange,
     "linkedEditingRangeProvider", nullptr},
    {"textDocument/semanticTokens/full", &Answer::semanticTokens,
     "semanticTokensProvider", semanticTokensOptions},
    {"textDocument/semanticTokens/full/delta", &Answer::semanticTokensDelta,
     nullptr, nullptr},
    {"textDocument/semanticTokens/range", &Answer::semanticTokensRange, nullptr,
     nullptr},
    {"kernelscope/layout", &Answer::layout, nullptr, nullptr},
    {"kernelscope/sourceLines", &Answer::sourceLines, nullptr, nullptr},
    {"textDocument/prepareRename", &Answer::prepareRename, nullptr, nullptr},
    {"textDocument/rename", &Answer::rename, "renameProvider", renameOptions},
};

const Feature *findFeature(std::string_view method) {
  return std::find_if(
      std::begin(features), std::end(features),
      [&](const Feature &feature) { return feature.method == method; });
}

} // namespace

Json kernelscope::diagnosticsOf(const Snapshot &snapshot,
                                const ClientOptions &client) {
  Conversion conversion{snapshot.uri, snapshot.document->text(), client,
                        snapshot.sources.get()};
  Json list = Json::array();
  for (const Diagnostic &diagnostic : snapshot.document->diagnostics())
    list.push_back(conversion.diagnostic(diagnostic));
  return list;
}

bool kernelscope::isFeature(std::string_view method) {
  return findFeature(method) != std::end(features);
}

Response kernelscope::answerOf(const Snapshot &snapshot,
                               const ClientOptions &client,
                               std::string_view method,
                               const FeatureParams &params, SentTokens &sent) {
  Answer answer(snapshot, client, params, sent);
  Response response;
  std::visit(
      [&](auto function) {
        auto result = (answer.*function)();
        if constexpr (std::is_same_v<decltype(result), Json>)
          response.text = toText(result);
        else
          response.text = std::move(result);
      },
      findFeature(method)->answer);
  if (!answer.refusal.empty())
    response.error = {ErrorCode::RequestFailed, answer.refusal, {}};
  return response;
}

Json kernelscope::featureCapabilities(const ClientOptions &client) {
  Json capabilities = Json::object();
  for (const Feature &feature : features)
    if (feature.capability)
      capabilities[feature.capability] =
          feature.options ? feature.options(client) : Json(true);
  return capabilities;
}
