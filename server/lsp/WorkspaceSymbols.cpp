//===- WorkspaceSymbols.cpp - functions by name ---------------------------===//

#include "server/lsp/WorkspaceSymbols.h"

#include "server/features/DocumentSymbols.h"

#include <algorithm>
#include <cctype>

using namespace kernelscope;

bool kernelscope::matchesQuery(const std::string &query,
                               const std::string &name) {
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

Json kernelscope::workspaceSymbols(const Syntax &syntax,
                                   const Conversion &convert,
                                   const std::string &query) {
  constexpr int functionKind = 12;
  Json list = Json::array();
  auto add = [&](auto &&self, const DocumentSymbol &from,
                 const std::string &container) -> void {
    if (from.kind == SymbolKind::Function && matchesQuery(query, from.name)) {
      list.push_back({{"name", from.name},
                      {"kind", functionKind},
                      {"location", convert.location(from.selection)}});
      // An editor shows the file by itself.
      if (!container.empty())
        list.back()["containerName"] = container;
    }
    if (from.kind == SymbolKind::Module)
      for (const DocumentSymbol &child : from.children)
        self(self, child, from.name == "module" ? container : from.name);
  };
  for (const DocumentSymbol &top : documentSymbols(syntax))
    add(add, top, "");
  return list;
}
