//===- HierarchyAnswers.cpp - functions, and who calls whom ---------------===//

#include "server/features/CallHierarchy.h"
#include "server/lsp/Answer.h"

#include <algorithm>
#include <cctype>
#include <utility>

using namespace kernelscope;

static constexpr int functionKind = 12;

Json Answer::item(const CalledFunction &function) const {
  return {{"name", function.name},
          {"kind", functionKind},
          {"detail", function.detail},
          {"uri", uri},
          {"range", range(function.span)},
          {"selectionRange", range(function.selection)}};
}

Json Answer::prepareCallHierarchy() {
  std::optional<CalledFunction> found = functionAt(document, offset());
  return found ? Json::array({item(*found)}) : Json();
}

Json Answer::calls(const std::vector<FunctionCalls> &list,
                   const char *role) const {
  Json answer = Json::array();
  for (const FunctionCalls &calls : list) {
    Json ranges = Json::array();
    for (Span place : calls.places)
      ranges.push_back(range(place));
    answer.push_back(
        {{role, item(calls.function)}, {"fromRanges", std::move(ranges)}});
  }
  return answer;
}

Json Answer::incomingCalls() {
  return calls(callersOf(document, offset()), "from");
}

Json Answer::outgoingCalls() {
  return calls(calleesOf(document, offset()), "to");
}

/// Whether the letters of `query` come in `name` in this order.
static bool isSubsequence(const std::string &query, const std::string &name) {
  auto lower = [](char c) {
    return std::tolower(static_cast<unsigned char>(c));
  };
  auto at = name.begin();
  for (char wanted : query) {
    at = std::find_if(at, name.end(),
                      [&](char c) { return lower(c) == lower(wanted); });
    if (at == name.end())
      return false;
    ++at;
  }
  return true;
}

/// The functions of this document, and modules that have a name.
Json Answer::workspaceSymbol() {
  Json list = Json::array();
  auto add = [&](auto &&self, const DocumentSymbol &from,
                 const std::string &container) -> void {
    if (from.kind == SymbolKind::Function &&
        isSubsequence(params.query.value_or(""), from.name))
      list.push_back({{"name", from.name},
                      {"kind", functionKind},
                      {"location", location(from.selection)},
                      {"containerName", container}});
    if (from.kind == SymbolKind::Module)
      for (const DocumentSymbol &child : from.children)
        self(self, child, from.name == "module" ? container : from.name);
  };
  std::string file = document.path().substr(document.path().rfind('/') + 1);
  for (const DocumentSymbol &top : documentSymbols(document))
    add(add, top, file);
  return list;
}
