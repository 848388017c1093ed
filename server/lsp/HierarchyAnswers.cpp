//===- HierarchyAnswers.cpp - functions, and who calls whom ---------------===//

#include "server/features/CallHierarchy.h"
#include "server/lsp/Answer.h"
#include "server/lsp/WorkspaceSymbols.h"

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

Json Answer::workspaceSymbol() {
  return workspaceSymbols(document.syntax(), *this, params.query.value_or(""));
}
