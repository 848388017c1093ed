//===- EditAnswers.cpp - what changes the text ----------------------------===//

#include "server/features/CodeActions.h"
#include "server/features/Completion.h"
#include "server/features/LinkedEditing.h"
#include "server/features/Rename.h"
#include "server/lsp/Answer.h"

#include <algorithm>
#include <regex>
#include <utility>

using namespace kernelscope;

static int completionKind(CompletionKind kind) {
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

Json Answer::completion() {
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

Json Answer::codeAction() {
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

Json Answer::linkedEditingRange() {
  Json list = Json::array();
  for (Span span : linkedEditing(document, offset()))
    list.push_back(range(span));
  if (list.empty())
    return nullptr;
  return {{"ranges", std::move(list)}, {"wordPattern", namePattern}};
}

Json Answer::prepareRename() {
  std::optional<RenameTarget> found =
      kernelscope::prepareRename(document, offset());
  if (!found)
    return nullptr;
  return {{"range", range(found->span)}, {"placeholder", found->name}};
}

Json Answer::rename() {
  Renaming renaming =
      kernelscope::rename(document, offset(), params.newName.value_or(""));
  if (!renaming.refusal.empty()) {
    refusal = std::move(renaming.refusal);
    return nullptr;
  }
  Json edits = Json::array();
  for (const TextEdit &change : renaming.edits)
    edits.push_back(edit(change));
  return {{"changes", {{uri, std::move(edits)}}}};
}
