//===- NavigationAnswers.cpp - where things are ---------------------------===//

#include "server/features/Definition.h"
#include "server/features/DocumentHighlight.h"
#include "server/features/DocumentSymbols.h"
#include "server/features/References.h"
#include "server/features/SelectionRanges.h"
#include "server/features/SourceLines.h"
#include "server/lsp/Answer.h"

#include <map>
#include <utility>

using namespace kernelscope;

Json Answer::definition() {
  if (std::optional<SourceLink> source = sourceLinkAt(document, offset())) {
    Json target = location(source->place);
    if (target.is_null() || !client.definitionLinks)
      return target;
    return Json::array({{{"originSelectionRange", range(source->span)},
                         {"targetUri", target["uri"]},
                         {"targetRange", target["range"]},
                         {"targetSelectionRange", target["range"]}}});
  }
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

Json Answer::references() {
  Json list = Json::array();
  for (Span span :
       kernelscope::references(document, offset(), params.includeDeclaration))
    list.push_back(location(span));
  return list;
}

Json Answer::documentHighlight() {
  constexpr int read = 2, write = 3;
  Json list = Json::array();
  for (const DocumentHighlight &highlight :
       kernelscope::documentHighlight(document, offset()))
    list.push_back({{"range", range(highlight.span)},
                    {"kind", highlight.isWrite ? write : read}});
  return list;
}

static int symbolKind(SymbolKind kind) {
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

Json Answer::documentSymbol() {
  Json list = Json::array();
  for (const DocumentSymbol &top : documentSymbols(document)) {
    if (client.nestedSymbols)
      list.push_back(symbol(top));
    else
      flatten(top, list);
  }
  return list;
}

/// Only those whose file is found.
Json Answer::documentLink() {
  Json list = Json::array();
  if (!sources)
    return list;
  for (const SourceLink &link : sourceLinks(document))
    if (std::string target = sources->link(link.place); !target.empty())
      list.push_back({{"range", range(link.span)}, {"target", target}});
  return list;
}

/// The files once, with where they are on this machine; places name them by
/// their index.
Json Answer::sourceLines() {
  Json files = Json::array(), lines = Json::array();
  std::map<std::string, size_t> indices;
  for (const SourceLine &line : kernelscope::sourceLines(document)) {
    Json places = Json::array();
    for (const SourcePlace &place : line.places) {
      auto [index, isNew] = indices.try_emplace(place.file, files.size());
      if (isNew) {
        std::string path = sources ? sources->find(place.file) : "";
        files.push_back({{"name", place.file},
                         {"uri", path.empty() ? Json() : Json(uriOf(path))}});
      }
      places.push_back({index->second, std::max(place.line, 1u) - 1,
                        std::max(place.column, 1u) - 1});
    }
    lines.push_back(
        {{"line", text.lineAt(line.offset)}, {"places", std::move(places)}});
  }
  return {{"files", std::move(files)}, {"lines", std::move(lines)}};
}

/// A chain for each position, from the inside out.
Json Answer::selectionRange() {
  Json list = Json::array();
  for (Position position : params.positions) {
    Json chain;
    std::vector<Span> spans =
        selectionRanges(document, text.offsetAt(position, client.encoding));
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
      Json outer = std::move(chain);
      chain = {{"range", range(*span)}};
      if (!outer.is_null())
        chain["parent"] = std::move(outer);
    }
    list.push_back(std::move(chain));
  }
  return list;
}
