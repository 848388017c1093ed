//===- FragmentRequest.cpp - what to parse for one unit -------------------===//

#include "server/analysis/FragmentRequest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace kernelscope;
using llvm::StringRef;

std::vector<size_t> FragmentRequest::places() const {
  std::vector<size_t> places;
  for (const Part &part : parts)
    if (!part.span.empty())
      places.push_back(part.span.begin);
  return places;
}

std::vector<Unit::Piece>
FragmentRequest::piecesAt(llvm::ArrayRef<size_t> places) const {
  std::vector<Unit::Piece> pieces;
  pieces.reserve(places.size());
  for (const Part &part : parts)
    if (!part.span.empty() && pieces.size() < places.size())
      pieces.push_back({part.span, places[pieces.size()]});
  return pieces;
}

size_t FragmentRequest::endOfOp(const Syntax &syntax, size_t end) const {
  auto next = llvm::partition_point(
      locations, [&](Span location) { return location.begin < end; });
  bool isNext = next != locations.end() &&
                syntax.text(Span{end, next->begin}).trim().empty();
  return isNext ? next->end : end;
}

UnitKey FragmentRequest::key(const Syntax &syntax) const {
  return hash(syntax, /*withOwn=*/true, "");
}

UnitKey FragmentRequest::surroundings(const Syntax &syntax,
                                      StringRef aliases) const {
  return hash(syntax, /*withOwn=*/false, aliases);
}

/// Where the regions of the op are, in it: where braces are missing elsewhere,
/// the indentation decides, so that the same text may nest otherwise.
static void addNesting(const Syntax &syntax, SyntaxId id,
                       llvm::SmallVectorImpl<uint64_t> &words) {
  const Statement &op = syntax.statement(id);
  for (SyntaxId regionId : op.regions) {
    const Region &region = syntax.region(regionId);
    words.append({region.body.begin - op.span.begin,
                  region.body.end - op.span.begin,
                  uint64_t(region.isOpened) * 2 + region.isClosed,
                  region.statements.size()});
    for (SyntaxId inner : region.statements)
      if (!syntax.statement(inner).regions.empty())
        addNesting(syntax, inner, words);
  }
}

UnitKey FragmentRequest::hash(const Syntax &syntax, bool withOwn,
                              StringRef aliases) const {
  llvm::SmallVector<uint64_t, 128> words = {verify};
  auto add = [&](StringRef text) {
    auto hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
    words.append({hash.low64, hash.high64});
  };
  add(aliases);
  for (const Part &part : parts) {
    if (!withOwn && part.statement == statement)
      continue;
    add(part.span.empty() ? StringRef(part.literal) : syntax.text(part.span));
    words.push_back(part.statement == statement);
  }
  if (withOwn && statement != noSyntax)
    addNesting(syntax, statement, words);
  for (Span alias : locationAliases)
    add(syntax.text(alias));
  for (const Patch &patch : patches)
    for (const Patch::Insertion &insertion : patch.insertions)
      add(insertion.text);
  auto hash =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(words.data()),
                          words.size() * sizeof(uint64_t)});
  return {hash.low64, hash.high64};
}

bool FragmentRequest::owns(const Syntax &syntax, SyntaxId id) const {
  return statement == noSyntax ||
         syntax.statement(statement).span.contains(syntax.statement(id).span);
}

std::string kernelscope::placeholderFor(StringRef alias, bool isLocation) {
  if (alias.starts_with("!"))
    return " = none";
  // As MLIR names location aliases.
  StringRef number = alias;
  if (number.consume_front("#loc") && llvm::all_of(number, llvm::isDigit))
    isLocation = true;
  return isLocation ? " = loc(unknown)" : (" = \"" + unknownValue + "\"").str();
}
