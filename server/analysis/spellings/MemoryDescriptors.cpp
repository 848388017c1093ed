//===- MemoryDescriptors.cpp - their types and views, spelt otherwise -----===//

#include "server/analysis/spellings/Rewrites.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

llvm::SmallVector<StringRef> spelling::sizesOf(StringRef shape) {
  llvm::SmallVector<StringRef> sizes;
  while (!shape.empty() && llvm::isDigit(shape.front())) {
    sizes.push_back(shape.take_while(llvm::isDigit));
    shape = shape.drop_front(sizes.back().size());
    shape.consume_front("x");
  }
  return sizes;
}

llvm::SmallVector<Span> spelling::partsOf(const Site &site) {
  llvm::SmallVector<Span> parts;
  if (size_t end = site.pastBracket(site.at + 1))
    for (auto [first, last] : site.split(site.at + 2, end - 1))
      if (first < last)
        parts.push_back(site.span(first, last));
  return parts;
}

/// `!tt.tensordesc<tensor<64x32xf16>>` is `!tt.tensordesc<64x32xf16>`.
std::optional<Edits> spelling::descriptor(const Site &site) {
  if (site.text(site.at + 1) != "<" || site.text(site.at + 2) != "tensor" ||
      site.text(site.at + 3) != "<")
    return std::nullopt;
  size_t end = site.pastBracket(site.at + 3);
  if (!end)
    return std::nullopt;
  return Edits{site.replace(site.span(site.at + 2, site.at + 4), ""),
               site.replace(end - 1, "")};
}

/// A ring of barriers was one row, `3xi64`.
std::optional<Edits> spelling::barrierRing(const Site &site) {
  if (site.text(site.at + 3) != "xi64" || site.text(site.at + 2) == "1")
    return std::nullopt;
  auto parts = partsOf(site);
  if (parts.size() != 4)
    return std::nullopt;
  StringRef count = site.text(parts[0]);
  // `2xi64` is today's barrier of a cluster of two CTAs, unless this is a text
  // of Triton 3.4.
  if (!count.consume_back("xi64") || !llvm::all_of(count, llvm::isDigit) ||
      !site.syntax.text().contains("ttg.memdesc_subview"))
    return std::nullopt;
  size_t behind = parts[0].begin + count.size();
  return Edits{{{behind, behind}, "x1"}};
}

/// Whether a ring's allocation at `site` is one that an aref hands out, as it
/// does today: the function has arefs, and no view that gave one otherwise.
static bool isOfAref(const Site &site) {
  auto [begin, end] = site.function();
  bool hasAref = false;
  for (size_t i = begin; i < end; ++i) {
    StringRef word = site.text(i);
    hasAref |= word.starts_with("nvws.aref.");
    if (word == "ttg.memdesc_subview")
      return false;
    if (word != "ttg.memdesc_index")
      continue;
    Site view(site.syntax, site.context, i);
    size_t arrow = site.find("->", i, view.opEnd());
    if (partsOf(Site(site.syntax, site.context, arrow + 1)).size() > 4)
      return false;
  }
  return hasAref;
}

bool spelling::mayHaveAllocation(const Site &site) {
  StringRef inside = site.syntax.text()
                         .drop_front(site.span(site.at).end)
                         .ltrim("< ")
                         .split('>')
                         .first;
  StringRef last = inside.substr(inside.rfind(',') + 1).ltrim();
  return inside.contains('<') || (!last.empty() && llvm::isDigit(last.front()));
}

/// A member of a ring had the ring's shape as that of its allocation.
std::optional<Edits> spelling::ringAllocation(const Site &site) {
  if (!mayHaveAllocation(site))
    return std::nullopt;
  auto parts = partsOf(site);
  if (parts.size() < 4)
    return std::nullopt;
  auto sizes = sizesOf(site.text(parts[0]));
  auto allocation = sizesOf(site.text(parts.back()));
  bool isBarrier = site.text(parts[0]) == "1xi64" && allocation.size() == 1 &&
                   allocation[0] != "1";
  if (!isBarrier && (allocation.size() <= sizes.size() || isOfAref(site)))
    return std::nullopt;
  auto own = llvm::ArrayRef(allocation).take_back(sizes.size());
  if (isBarrier || own == llvm::ArrayRef(sizes))
    return Edits{{{parts[parts.size() - 2].end, parts.back().end}, ""}};
  return Edits{site.replace(parts.back(), llvm::join(own, "x"))};
}

/// `!nvws.aref<[...], 1>` told how many leading dimensions are the ring's.
std::optional<Edits> spelling::arefBatch(const Site &site) {
  size_t end = site.pastBracket(site.at + 1);
  if (!end)
    return std::nullopt;
  auto parts = site.split(site.at + 2, end - 1);
  if (parts.size() != 2)
    return std::nullopt;
  return Edits{
      {{site.span(parts[0].second).begin, site.span(end - 1).begin}, ""}};
}

/// `ttg.memdesc_index %a, %i` is `... %a[%i]`.
std::optional<Edits> spelling::bracketedIndex(const Site &site) {
  if (site.text(site.at + 2) != ",")
    return std::nullopt;
  return Edits{
      {{site.span(site.at + 1).end, site.span(site.at + 3).begin}, "["},
      site.insertAfter(site.at + 3, "]")};
}

/// The number of dimensions of `!ttg.memdesc<3x64x64xf16, ...>`.
static size_t rankOf(const Site &site, size_t type) {
  if (site.text(type) != "!ttg.memdesc")
    return 0;
  auto parts = partsOf(Site(site.syntax, site.context, type));
  return parts.empty() ? 0 : sizesOf(site.text(parts[0])).size();
}

/// One member of a ring is `ttg.memdesc_index %a[%i]`, a window that stands at
/// known places `ttg.memdesc_subslice %a[0, 16]`.
std::optional<Edits> spelling::subview(const Site &site) {
  size_t open = site.at + 2, end = site.opEnd();
  size_t past = site.pastBracket(open);
  if (!past)
    return Edits();
  size_t colon = site.find(":", past, end);
  size_t arrow = site.find("->", colon, end);
  if (arrow == end)
    return Edits();
  size_t from = rankOf(site, colon + 1), to = rankOf(site, arrow + 1);
  auto offsets = site.split(open + 1, past - 1);
  if (!to || to > from || offsets.size() != from)
    return Edits();
  llvm::SmallVector<std::string> numbers;
  for (auto [first, last] : llvm::ArrayRef(offsets).drop_front(from - to)) {
    std::optional<int64_t> number = site.constant(site.text(first));
    numbers.push_back(number ? std::to_string(*number) : "");
  }
  auto all = [&](StringRef number) {
    return llvm::all_of(numbers, [&](StringRef n) { return n == number; });
  };
  // A ring of barriers: its members have its rank.
  StringRef element =
      site.text(site.span(colon + 3, site.find(",", colon + 3, arrow)));
  bool isRing = from == 1 && to == 1 && element.ends_with("xi64");
  if (isRing && element != "1xi64")
    return Edits{site.replaceIn("subview", "index")};
  if (from == to + 1 && all("0"))
    return Edits{
        site.replaceIn("subview", "index"),
        {{site.span(offsets[0].second - 1).end, site.span(past - 1).begin},
         ""}};
  if (isRing || (from == to && !llvm::is_contained(numbers, "")))
    return Edits{site.replaceIn("subview", "subslice"),
                 site.replace(site.span(open + 1, past - 1),
                              isRing ? "0" : llvm::join(numbers, ", "))};
  return Edits();
}
