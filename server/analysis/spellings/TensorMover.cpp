//===- TensorMover.cpp - AMD's copies by descriptor, spelt otherwise ------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Spellings.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

/// The type of a value, `i1` or `i32`, by the line that defines it.
static StringRef typeOf(const Site &site, StringRef value) {
  for (size_t i = site.at; i-- > 0;) {
    if (site.text(i) != value)
      continue;
    SyntaxId id = site.syntax.statementAt(site.span(i).begin);
    if (id == noSyntax)
      continue;
    const Statement &statement = site.syntax.statement(id);
    if (site.text(i + 1) == ":" && site.text(statement.name) == "tt.func")
      return site.text(i + 2);
    if (site.text(i + 1) != "=")
      continue;
    StringRef op = site.text(i + 2), first = site.text(i + 3);
    bool isBit = op == "arith.cmpi" || op == "arith.cmpf" || first == "true" ||
                 first == "false";
    if (isBit)
      return "i1";
    return site.text(site.find("loc", i + 2, statement.endToken) - 1);
  }
  return "";
}

/// The name of the descriptor that the op at `site` moves.
static std::string movedName(const Site &site) {
  return (site.text(site.at + 1) + "_at_" +
          std::to_string(site.span(site.at).begin))
      .str();
}

/// With offsets added, a descriptor keeps its bounds where they were.
static constexpr StringRef atOffsets = " {clamp_bounds} : ";

/// The block's place, and the predicate, are the descriptor's.
std::optional<Edits> spelling::tensorMover(const Site &site) {
  size_t end = site.opEnd(), open = site.at + 2;
  if (site.text(open) != "[")
    return std::nullopt;
  size_t past = site.pastBracket(open);
  size_t colon = site.find(":", past, end);
  if (!past || colon == end)
    return Edits();
  bool isLoad = site.text(past) == "into";
  Edits edits{site.replace(site.span(open, past), "")};
  std::string update =
      " = amdg.update_tensor_descriptor " + site.text(site.at + 1).str() +
      " add_offsets = " + site.text(site.span(open, past)).str();
  llvm::SmallVector<std::string, 2> before;
  if (isLoad && site.text(past + 2) == "," &&
      site.text(past + 3).starts_with("%")) {
    StringRef bit = site.text(past + 3);
    edits.push_back(site.replace(site.span(past + 2, past + 4), ""));
    std::string predicate = bit.str();
    // Until 3.6 it was a bit.
    if (typeOf(site, bit) == "i1") {
      predicate += "_as_i32_" + std::to_string(site.span(site.at).begin);
      before.push_back(predicate + " = arith.extui " + bit.str() +
                       " : i1 to i32");
    }
    update += " pred = " + predicate;
  }
  // The descriptor's type comes first in a load, last in a store.
  size_t loc = site.find("loc", colon, end);
  size_t arrow = site.find("->", colon, loc);
  if (arrow == loc)
    return Edits();
  size_t typeBegin = isLoad ? colon + 1 : arrow + 1;
  size_t typeEnd = isLoad ? site.find(",", colon, arrow) : loc;
  before.push_back(
      movedName(site) + update + atOffsets.str() +
      inOurSpelling(site.syntax, site.span(typeBegin, typeEnd), site.context));
  edits.push_back(site.replace(site.at + 1, movedName(site)));
  edits.push_back(site.insertOpsBefore(before));
  return edits;
}

/// `%d[%rows, %column]`: the column is the descriptor's.
std::optional<Edits> spelling::rowMover(const Site &site) {
  size_t end = site.opEnd(), open = site.at + 2;
  auto place = site.text(open) == "[" ? site.inside(open) : std::nullopt;
  if (!place)
    return std::nullopt;
  auto parts = site.split(place->first, place->second);
  if (parts.size() != 2)
    return std::nullopt;
  size_t colon = site.find(":", place->second + 1, end);
  size_t arrow = site.find("->", colon, end);
  if (arrow == end)
    return Edits();
  size_t loc = site.find("loc", arrow, end);
  std::string moved = movedName(site), row = moved + "_row";
  return Edits{
      site.replace(site.at + 1, moved),
      site.replace(site.span(parts[0].second, place->second), ""),
      site.insertOpsBefore(
          {row + " = arith.constant 0 : i32",
           moved + " = amdg.update_tensor_descriptor " +
               site.text(site.at + 1).str() + " add_offsets = [" + row + ", " +
               site.text(site.span(parts[1].first, parts[1].second)).str() +
               "]" + atOffsets.str() +
               inOurSpelling(site.syntax, site.span(arrow + 1, loc),
                             site.context)})};
}
