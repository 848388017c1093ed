//===- EditAnswers.cpp - what changes the text ----------------------------===//

#include "server/features/CodeActions.h"
#include "server/features/Completion.h"
#include "server/features/Formatting.h"
#include "server/features/LinkedEditing.h"
#include "server/features/OpSnippet.h"
#include "server/features/Refactorings.h"
#include "server/features/Rename.h"
#include "server/features/SignatureHelp.h"
#include "server/lsp/Answer.h"

#include <algorithm>
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
  CompletionList found = kernelscope::completion(document, offset());
  Json typed = range(found.span);
  Json items = Json::array();
  for (CompletionItem &item : found.items) {
    bool snippet = item.isSnippet && client.snippets;
    std::string newText = item.isSnippet && !snippet
                              ? textOfSnippet(item.newText)
                              : std::move(item.newText);
    Json entry = {
        {"label", item.label},
        {"kind", completionKind(item.kind)},
        {"textEdit", {{"range", typed}, {"newText", std::move(newText)}}}};
    // What is typed so far has the quote of an op's name, its label has not.
    if (text.str().substr(found.span.begin, 1) == "\"")
      entry["filterText"] = "\"" + item.label;
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
  return {{"isIncomplete", found.mayGrow}, {"items", std::move(items)}};
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
  llvm::append_range(actions, refactorings(document, span()));
  // These take time: only for those who ask for them.
  if (params.only && isWanted("source.removeUnused.kernelscope"))
    if (CodeAction action = removeUnused(document); !action.edits.empty())
      actions.push_back(std::move(action));
  if (params.only && isWanted("source.rewriteFor.kernelscope"))
    llvm::append_range(actions, rewriteActions(document));
  for (const CodeAction &action : actions) {
    if (!isWanted(action.kind))
      continue;

    Json mended = Json::array();
    for (const Diagnostic &problem : action.diagnostics)
      mended.push_back(diagnostic(problem));
    list.push_back({{"title", action.title},
                    {"kind", action.kind},
                    {"diagnostics", std::move(mended)},
                    {"edit", {{"changes", {{uri, edits(action.edits)}}}}}});
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
  return {{"changes", {{uri, edits(renaming.edits)}}}};
}

Json Answer::edits(const std::vector<TextEdit> &list) const {
  Json json = Json::array();
  for (const TextEdit &change : list)
    json.push_back(edit(change));
  return json;
}

Json Answer::formatting() { return edits(format(document, span())); }

Json Answer::onTypeFormatting() {
  return edits(formatTyped(document, offset()));
}

/// A parameter is an interval of the label, in units of UTF-16.
Json Answer::signatureHelp() {
  std::optional<SignatureHelp> found =
      kernelscope::signatureHelp(document, offset());
  if (!found)
    return nullptr;
  Json parameters = Json::array();
  for (const SignatureHelp::Parameter &parameter : found->parameters) {
    Json entry = {{"label", {parameter.span.begin, parameter.span.end}}};
    if (!parameter.constraint.empty())
      entry["documentation"] = parameter.constraint;
    parameters.push_back(std::move(entry));
  }
  // If no parameter is at the cursor, none: a number past the end means that to
  // clients before LSP 3.18.
  size_t active = found->active.value_or(found->parameters.size());
  return {{"signatures",
           {{{"label", found->label},
             {"documentation", found->documentation},
             {"parameters", std::move(parameters)}}}},
          {"activeSignature", 0},
          {"activeParameter", active}};
}
