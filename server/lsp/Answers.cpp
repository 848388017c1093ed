//===- Answers.cpp - the features' results as LSP's answers ---------------===//

#include "server/lsp/Answers.h"

#include "server/features/CodeActions.h"
#include "server/features/CodeLens.h"
#include "server/features/Completion.h"
#include "server/features/Definition.h"
#include "server/features/DocumentHighlight.h"
#include "server/features/DocumentSymbols.h"
#include "server/features/FoldingRanges.h"
#include "server/features/Hover.h"
#include "server/features/InlayHints.h"
#include "server/features/LinkedEditing.h"
#include "server/features/References.h"
#include "server/features/SemanticTokens.h"
#include "server/lsp/Conversion.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <utility>

using namespace kernelscope;

namespace {

/// One request: the document it is about, the client and the parameters.
class Answer : Conversion {
public:
  Answer(const Snapshot &snapshot, const ClientOptions &client,
         const FeatureParams &params)
      : Conversion{snapshot.uri, snapshot.document->text(), client},
        document(*snapshot.document), params(params) {}

  Json hover() const;
  Json definition() const;
  Json references() const;
  Json documentHighlight() const;
  Json documentSymbol() const;
  Json completion() const;
  Json codeLens() const;
  Json codeAction() const;
  Json foldingRange() const;
  Json inlayHint() const;
  Json linkedEditingRange() const;
  Json semanticTokens() const;

private:
  Json symbol(const DocumentSymbol &symbol) const;
  void flatten(const DocumentSymbol &symbol, Json &list) const;

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
  const FeatureParams &params;
};

Json Answer::hover() const {
  std::optional<Hover> found = kernelscope::hover(document, offset());
  if (!found)
    return nullptr;
  return {{"contents", markup(found->markdown)}, {"range", range(found->span)}};
}

Json Answer::definition() const {
  std::optional<Definition> found = kernelscope::definition(document, offset());
  if (!found)
    return nullptr;
  if (!client.definitionLinks)
    return location(found->target);
  return Json::array({{{"originSelectionRange", range(found->origin)},
                       {"targetUri", uri},
                       {"targetRange", range(found->target)},
                       {"targetSelectionRange", range(found->target)}}});
}

Json Answer::references() const {
  Json list = Json::array();
  for (Span span :
       kernelscope::references(document, offset(), params.includeDeclaration))
    list.push_back(location(span));
  return list;
}

Json Answer::documentHighlight() const {
  constexpr int read = 2, write = 3;
  Json list = Json::array();
  for (const DocumentHighlight &highlight :
       kernelscope::documentHighlight(document, offset()))
    list.push_back({{"range", range(highlight.span)},
                    {"kind", highlight.isWrite ? write : read}});
  return list;
}

int symbolKind(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Module:
    return 2; // Module
  case SymbolKind::Function:
    return 12; // Function
  case SymbolKind::Loop:
  case SymbolKind::Branch:
  case SymbolKind::Region:
    return 3; // Namespace: LSP has no kind for a nested block
  }
  __builtin_unreachable();
}

Json Answer::symbol(const DocumentSymbol &from) const {
  Json children = Json::array();
  for (const DocumentSymbol &child : from.children)
    children.push_back(symbol(child));
  return {{"name", from.name},
          {"detail", from.detail},
          {"kind", symbolKind(from.kind)},
          {"range", range(from.span)},
          {"selectionRange", range(from.selection)},
          {"children", std::move(children)}};
}

void Answer::flatten(const DocumentSymbol &from, Json &list) const {
  list.push_back({{"name", from.name},
                  {"kind", symbolKind(from.kind)},
                  {"location", location(from.span)}});
  for (const DocumentSymbol &child : from.children)
    flatten(child, list);
}

Json Answer::documentSymbol() const {
  Json list = Json::array();
  for (const DocumentSymbol &top : documentSymbols(document)) {
    if (client.nestedSymbols)
      list.push_back(symbol(top));
    else
      flatten(top, list);
  }
  return list;
}

int completionKind(CompletionKind kind) {
  switch (kind) {
  case CompletionKind::Operation:
    return 3; // Function
  case CompletionKind::Dialect:
    return 9; // Module
  case CompletionKind::Value:
    return 6; // Variable
  case CompletionKind::Block:
    return 18; // Reference
  case CompletionKind::Symbol:
    return 2; // Method
  case CompletionKind::Type:
    return 7; // Class
  case CompletionKind::Attribute:
    return 10; // Property
  case CompletionKind::Alias:
    return 21; // Constant
  case CompletionKind::Keyword:
    return 14; // Keyword
  }
  __builtin_unreachable();
}

Json Answer::completion() const {
  constexpr int snippetFormat = 2;
  static const std::regex tabStop(R"(\$\{\d+:([^}]*)\}|\$\{?\d+\}?)");
  CompletionList found = kernelscope::completion(document, offset());
  Json typed = range(found.span);
  Json items = Json::array();
  for (CompletionItem &item : found.items) {
    bool snippet = item.isSnippet && client.snippets;
    std::string newText = item.isSnippet && !snippet
                              ? std::regex_replace(item.newText, tabStop, "$1")
                              : std::move(item.newText);
    Json entry = {
        {"label", item.label},
        {"kind", completionKind(item.kind)},
        {"textEdit", {{"range", typed}, {"newText", std::move(newText)}}}};
    if (!item.detail.empty())
      entry["detail"] = std::move(item.detail);
    if (!item.documentation.empty())
      entry["documentation"] = markup(item.documentation);
    if (!item.sortText.empty())
      entry["sortText"] = std::move(item.sortText);
    if (snippet)
      entry["insertTextFormat"] = snippetFormat;
    items.push_back(std::move(entry));
  }
  return {{"isIncomplete", false}, {"items", std::move(items)}};
}

Json Answer::codeLens() const {
  Json list = Json::array();
  for (const CodeLens &lens : codeLenses(document)) {
    Json argument = {{"uri", uri},
                     {"kernel", lens.kernel},
                     {"line", document.text().lineAt(lens.span.begin)}};
    if (lens.preview)
      argument["emit"] = infoOf(*lens.preview).name.str();
    const char *command =
        lens.preview ? "kernelscope.preview" : "kernelscope.run";
    list.push_back({{"range", range(lens.span)},
                    {"command",
                     {{"title", lens.title},
                      {"command", command},
                      {"arguments", Json::array({std::move(argument)})}}}});
  }
  return list;
}

Json Answer::codeAction() const {
  if (!client.codeActionLiterals)
    return Json::array();
  Json list = Json::array();
  // A kind stands for all that it begins: `source` for `source.fixAll`.
  auto isWanted = [&](const std::string &kind) {
    return !params.only ||
           std::any_of(params.only->begin(), params.only->end(),
                       [&](const std::string &wanted) {
                         // Of `source.rewriteFor` one release may be wanted.
                         return (kind + ".").starts_with(wanted + ".") ||
                                wanted.starts_with(kind + ".");
                       });
  };
  std::vector<CodeAction> actions = codeActions(document, span());
  // Rewriting takes time: only for those who ask for it.
  if (params.only && isWanted("source.rewriteFor.kernelscope"))
    llvm::append_range(actions, rewriteActions(document));
  for (const CodeAction &action : actions) {
    if (!isWanted(action.kind))
      continue;

    Json edits = Json::array();
    for (const TextEdit &change : action.edits)
      edits.push_back(edit(change));
    Json mended = Json::array();
    for (const Diagnostic &problem : action.diagnostics)
      mended.push_back(diagnostic(problem));
    list.push_back({{"title", action.title},
                    {"kind", action.kind},
                    {"diagnostics", std::move(mended)},
                    {"edit", {{"changes", {{uri, std::move(edits)}}}}}});
  }
  return list;
}

Json Answer::foldingRange() const {
  Json list = Json::array();
  for (const FoldingRange &fold : foldingRanges(document)) {
    Range lines = text.rangeAt(fold.span, client.encoding);
    list.push_back(
        {{"startLine", lines.start.line},
         {"startCharacter", lines.start.character},
         {"endLine", lines.end.line},
         {"endCharacter", lines.end.character},
         {"kind", fold.kind == FoldingKind::Comment ? "comment" : "region"}});
  }
  return list;
}

Json Answer::inlayHint() const {
  Json list = Json::array();
  for (const InlayHint &hint : inlayHints(document, span())) {
    Json entry = {
        {"position", toJson(text.positionAt(hint.offset, client.encoding))},
        {"label", hint.label},
        {"paddingLeft", true}};
    if (!hint.tooltip.empty())
      entry["tooltip"] = markup(hint.tooltip);
    list.push_back(std::move(entry));
  }
  return list;
}

Json Answer::linkedEditingRange() const {
  Json list = Json::array();
  for (Span span : linkedEditing(document, offset()))
    list.push_back(range(span));
  if (list.empty())
    return nullptr;
  return {{"ranges", std::move(list)}, {"wordPattern", namePattern}};
}

/// Five numbers a token, each place relative to the token before, as LSP packs
/// them.
Json Answer::semanticTokens() const {
  Json data = Json::array();
  Position last;
  for (const SemanticToken &token :
       kernelscope::semanticTokens(document, span())) {
    Range at = text.rangeAt(token.span, client.encoding);
    if (at.start.line != last.line)
      last = {last.line, 0};
    for (size_t number :
         {at.start.line - last.line, at.start.character - last.character,
          at.end.character - at.start.character,
          static_cast<size_t>(token.kind),
          static_cast<size_t>(token.isDefinition)})
      data.push_back(number);
    last = at.start;
  }
  return {{"data", std::move(data)}};
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

Json completionOptions() { return {{"triggerCharacters", completionTriggers}}; }

Json codeLensOptions() { return {{"resolveProvider", false}}; }

Json codeActionOptions() {
  return {{"codeActionKinds",
           {"quickfix", "source.fixAll.kernelscope",
            "source.rewriteFor.kernelscope"}}};
}

Json semanticTokensOptions() {
  // The order is that of `TokenKind`.
  Json tokenTypes = {"keyword",  "variable", "function", "label",  "type",
                     "property", "string",   "number",   "comment"};
  return {{"legend",
           {{"tokenTypes", std::move(tokenTypes)},
            {"tokenModifiers", {"definition"}}}},
          {"full", true},
          {"range", true}};
}

struct Feature {
  std::string_view method;
  Json (Answer::*answer)() const;
  const char *capability; ///< Null: another row has it.
  Json (*options)();      ///< Null: the capability is `true`.
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
    {"textDocument/semanticTokens/range", &Answer::semanticTokens, nullptr,
     nullptr},
};

const Feature *findFeature(std::string_view method) {
  return std::find_if(
      std::begin(features), std::end(features),
      [&](const Feature &feature) { return feature.method == method; });
}

} // namespace

Json kernelscope::diagnosticsOf(const Snapshot &snapshot,
                                const ClientOptions &client) {
  Conversion conversion{snapshot.uri, snapshot.document->text(), client};
  Json list = Json::array();
  for (const Diagnostic &diagnostic : snapshot.document->diagnostics())
    list.push_back(conversion.diagnostic(diagnostic));
  return list;
}

bool kernelscope::isFeature(std::string_view method) {
  return findFeature(method) != std::end(features);
}

Json kernelscope::answerOf(const Snapshot &snapshot,
                           const ClientOptions &client, std::string_view method,
                           const FeatureParams &params) {
  const Feature &feature = *findFeature(method);
  return (Answer(snapshot, client, params).*feature.answer)();
}

Json kernelscope::featureCapabilities() {
  Json capabilities = Json::object();
  for (const Feature &feature : features)
    if (feature.capability)
      capabilities[feature.capability] =
          feature.options ? feature.options() : Json(true);
  return capabilities;
}
