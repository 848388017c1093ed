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
#include "server/features/References.h"
#include "server/features/SemanticTokens.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <utility>

using namespace kernelscope;

namespace {

/// One request: the document it is about, the client and the parameters, in the
/// document's coordinates.
class Answer {
public:
  Answer(const Snapshot &snapshot, const ClientOptions &client,
         const Json &params)
      : snapshot(snapshot), document(*snapshot.document), text(document.text()),
        client(client), params(params) {}

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
  Json semanticTokens() const;
  Json diagnostic(const Diagnostic &diagnostic) const;

private:
  Json range(Span span) const {
    return toJson(text.rangeAt(span, client.encoding));
  }
  Json location(Span span) const {
    return {{"uri", snapshot.uri}, {"range", range(span)}};
  }
  Json edit(const TextEdit &edit) const {
    return {{"range", range(edit.span)}, {"newText", edit.newText}};
  }
  Json symbol(const DocumentSymbol &symbol) const;
  void flatten(const DocumentSymbol &symbol, Json &list) const;

  /// The position that the request is about; the start of the text if it has
  /// none.
  size_t offset() const {
    return text.offsetAt(
        positionFrom(member(params, "position")).value_or(Position{}),
        client.encoding);
  }
  /// The range that the request is about; the whole text if it has none.
  Span span() const {
    std::optional<Range> range = rangeFrom(member(params, "range"));
    return range ? text.spanAt(*range, client.encoding) : Span{0, text.size()};
  }
  Json markup(const std::string &markdown) const {
    return {{"kind", client.markdown ? "markdown" : "plaintext"},
            {"value", markdown}};
  }

  const Snapshot &snapshot;
  const Document &document;
  const Text &text;
  const ClientOptions &client;
  const Json &params;
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
                       {"targetUri", snapshot.uri},
                       {"targetRange", range(found->target)},
                       {"targetSelectionRange", range(found->target)}}});
}

Json Answer::references() const {
  const Json &include = member(member(params, "context"), "includeDeclaration");
  Json list = Json::array();
  for (Span span : kernelscope::references(
           document, offset(), include.is_boolean() && include.get<bool>()))
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
    Json argument = {{"uri", snapshot.uri},
                     {"kernel", lens.kernel},
                     {"line", document.text().lineAt(lens.span.begin)}};
    if (lens.action == LensAction::PreviewPTX)
      argument["emit"] = "ptx";
    if (lens.action == LensAction::PreviewAMDGCN)
      argument["emit"] = "amdgcn";
    const char *command = lens.action == LensAction::Run
                              ? "kernelscope.run"
                              : "kernelscope.preview";
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
  const Json &only = member(member(params, "context"), "only");
  // A kind stands for all that it begins: `source` for `source.fixAll`.
  auto isWanted = [&](const std::string &kind) {
    return !only.is_array() ||
           std::any_of(only.begin(), only.end(), [&](const Json &wanted) {
             return wanted.is_string() &&
                    (kind + ".").starts_with(wanted.get<std::string>() + ".");
           });
  };
  for (const CodeAction &action : codeActions(document, span())) {
    if (!isWanted(action.kind))
      continue;

    Json edits = Json::array();
    for (const TextEdit &change : action.edits)
      edits.push_back(edit(change));
    Json mended = Json::array();
    for (const Diagnostic &problem : action.diagnostics)
      mended.push_back(diagnostic(problem));
    list.push_back(
        {{"title", action.title},
         {"kind", action.kind},
         {"diagnostics", std::move(mended)},
         {"edit", {{"changes", {{snapshot.uri, std::move(edits)}}}}}});
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

int severityOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return 1;
  case Severity::Warning:
    return 2;
  case Severity::Information:
    return 3;
  case Severity::Hint:
    return 4;
  }
  __builtin_unreachable();
}

Json Answer::diagnostic(const Diagnostic &from) const {
  Json related = Json::array();
  for (const RelatedInformation &information : from.related) {
    std::string message = information.message;
    Json place = location(information.span.value_or(from.span));
    if (const std::optional<SourcePlace> &source = information.source) {
      size_t line = source->line ? source->line - 1 : 0;
      size_t column = source->column ? source->column - 1 : 0;
      Position position{line, column};
      if (source->file.starts_with('/'))
        place = {{"uri", uriOf(source->file)},
                 {"range", toJson(Range{position, position})}};
      else
        message +=
            " (" + source->file + ":" + std::to_string(source->line) + ")";
    }
    related.push_back(
        {{"location", std::move(place)}, {"message", std::move(message)}});
  }
  Json result = {{"range", range(from.span)},
                 {"severity", severityOf(from.severity)},
                 {"code", from.code},
                 {"source", "kernelscope"},
                 {"message", from.message}};
  if (!related.empty())
    result["relatedInformation"] = std::move(related);
  return result;
}

using Feature = Json (Answer::*)() const;

constexpr std::pair<std::string_view, Feature> features[] = {
    {"textDocument/hover", &Answer::hover},
    {"textDocument/definition", &Answer::definition},
    {"textDocument/references", &Answer::references},
    {"textDocument/documentHighlight", &Answer::documentHighlight},
    {"textDocument/documentSymbol", &Answer::documentSymbol},
    {"textDocument/completion", &Answer::completion},
    {"textDocument/codeLens", &Answer::codeLens},
    {"textDocument/codeAction", &Answer::codeAction},
    {"textDocument/foldingRange", &Answer::foldingRange},
    {"textDocument/inlayHint", &Answer::inlayHint},
    {"textDocument/semanticTokens/full", &Answer::semanticTokens},
    {"textDocument/semanticTokens/range", &Answer::semanticTokens},
};

const std::pair<std::string_view, Feature> *
findFeature(std::string_view method) {
  return std::find_if(std::begin(features), std::end(features),
                      [&](const auto &entry) { return entry.first == method; });
}

} // namespace

Json kernelscope::diagnosticsOf(const Snapshot &snapshot,
                                const ClientOptions &client) {
  const Json none;
  Answer answer(snapshot, client, none);
  Json list = Json::array();
  for (const Diagnostic &diagnostic : snapshot.document->diagnostics())
    list.push_back(answer.diagnostic(diagnostic));
  return list;
}

bool kernelscope::isFeature(std::string_view method) {
  return findFeature(method) != std::end(features);
}

Json kernelscope::answerOf(const Snapshot &snapshot,
                           const ClientOptions &client, std::string_view method,
                           const Json &params) {
  Feature feature = findFeature(method)->second;
  return {{"result", (Answer(snapshot, client, params).*feature)()}};
}
