//===- Shapes.cpp - changes of spelling that are data ---------------------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Spelling.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

static std::optional<Edits> dropClause(const Site &site, StringRef keyword) {
  size_t end = site.opEnd();
  size_t key = site.find(keyword, site.at, end);
  if (key == end)
    return std::nullopt;
  return Edits{{{site.span(key - 1).end, site.span(key + 2).end}, ""}};
}

static std::optional<Edits> insertEntry(const Site &site, StringRef entry,
                                        unsigned operandsWithoutIt) {
  size_t colon = site.find(":", site.at, site.opEnd());
  size_t open = site.find("{", site.at, colon);
  auto operands = site.split(site.at + 1, open);
  if (operands.size() <= operandsWithoutIt || site.findEntry(entry))
    return std::nullopt;
  if (open < colon)
    return Edits{site.insertAfter(open, (entry + ", ").str())};
  return Edits{site.insertAfter(colon - 1, (" {" + entry + "}").str())};
}

std::optional<Edits> Rewrite::operator()(const Site &site) const {
  switch (shape) {
  case Rename:
    return Edits{older.empty() ? site.replace(site.at, today)
                               : site.replaceIn(older, today)};
  case RenameEntry:
    if (size_t key = site.findEntry(older))
      return Edits{site.replace(key, today)};
    return std::nullopt;
  case DropEntry:
    if (size_t key = site.findEntry(older))
      return Edits{site.dropEntry(key)};
    return std::nullopt;
  case DropClause:
    return dropClause(site, older);
  case DropOp:
    return Edits{site.dropOp(*site.op())};
  case InsertKeyword:
    if (site.at + 1 < site.opEnd() && site.text(site.at + 1).starts_with("%"))
      return Edits{site.insertAfter(site.at, (" " + today).str())};
    return std::nullopt;
  case InsertEntry:
    return insertEntry(site, today, operands);
  case Reprint:
    if (llvm::any_of(keys, [&](StringRef key) {
          return !key.empty() && site.findKey(key);
        }))
      return reprinted(site);
    return std::nullopt;
  case LeaveOut:
    return std::nullopt;
  case CannotSay:
    return Edits();
  case Call:
    return function(site);
  }
  return std::nullopt;
}
