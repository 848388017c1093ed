//===- OlderLayouts.cpp - layouts as older releases write them ------------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Writing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

using Basis = llvm::SmallVector<int64_t, 4>;

/// The vectors of `[[1, 0], [0, 2]]`; none if it is not of that form.
static std::optional<std::vector<Basis>> basesAt(const Site &site,
                                                 size_t open) {
  auto list = site.text(open) == "[" ? site.inside(open) : std::nullopt;
  if (!list)
    return std::nullopt;
  std::vector<Basis> bases;
  for (auto [first, last] : site.split(list->first, list->second)) {
    auto vector = site.text(first) == "[" ? site.inside(first) : std::nullopt;
    if (!vector)
      return std::nullopt;
    Basis &basis = bases.emplace_back();
    for (auto [begin, end] : site.split(vector->first, vector->second))
      if (site.text(begin).getAsInteger(10, basis.emplace_back()))
        return std::nullopt;
    if (basis.empty() || basis.size() != bases.front().size())
      return std::nullopt;
  }
  return bases;
}

/// The dimension that a basis goes along; the rank for one that stays.
static std::optional<size_t> dimensionOf(const Basis &basis) {
  size_t found = basis.size();
  for (auto [dimension, step] : llvm::enumerate(basis)) {
    if (step == 0)
      continue;
    if (found != basis.size())
      return std::nullopt;
    found = dimension;
  }
  return found;
}

static std::string listOf(llvm::ArrayRef<int64_t> numbers) {
  std::string list;
  for (int64_t number : numbers)
    list += (list.empty() ? "" : ", ") + std::to_string(number);
  return "[" + list + "]";
}

/// CTAs, how they split a tensor, and the order of its dimensions.
namespace {
struct Ctas {
  llvm::SmallVector<int64_t> perCga, split, order;
};
} // namespace

static std::optional<Ctas> ctasOf(llvm::ArrayRef<Basis> bases) {
  Ctas ctas;
  size_t rank = bases.front().size();
  ctas.perCga.assign(rank, 1);
  ctas.split.assign(rank, 1);
  auto visit = [&](size_t dimension) {
    if (!llvm::is_contained(ctas.order, int64_t(dimension)))
      ctas.order.push_back(int64_t(dimension));
  };
  for (size_t i = 0; i < bases.size(); ++i) {
    std::optional<size_t> dimension = dimensionOf(bases[i]);
    if (!dimension)
      return std::nullopt;
    if (*dimension < rank) {
      visit(*dimension);
      ctas.perCga[*dimension] *= 2;
      ctas.split[*dimension] *= 2;
      continue;
    }
    // CTAs with the same data: along a dimension that no CTA splits.
    size_t same = 0;
    while (same < rank &&
           llvm::any_of(
               bases, [&](const Basis &basis) { return basis[same] != 0; }))
      ++same;
    same = std::min(same, rank - 1);
    visit(same);
    ctas.perCga[same] *= 2;
  }
  for (size_t dimension = rank; dimension-- > 0;)
    visit(dimension);
  return ctas;
}

/// `CGALayout = [[1, 0]]` was `CTAsPerCGA`, `CTASplitNum` and `CTAOrder`.
std::optional<Edits> spelling::writeCtas(const Site &site, const Writing &) {
  size_t value = site.findKey("CGALayout");
  if (!value)
    return std::nullopt;
  auto bases = basesAt(site, value);
  if (!bases)
    return Edits();
  if (bases->empty())
    return Edits{site.dropEntry(value - 2)};
  std::optional<Ctas> ctas = ctasOf(*bases);
  if (!ctas)
    return Edits();
  return Edits{site.replace(site.span(value - 2, site.pastBracket(value)),
                            "CTAsPerCGA = " + listOf(ctas->perCga) +
                                ", CTASplitNum = " + listOf(ctas->split) +
                                ", CTAOrder = " + listOf(ctas->order))};
}

/// `instrShape = [32, 32, 8]` was `[32, 32]`.
std::optional<Edits> spelling::writeMfmaWithoutK(const Site &site,
                                                 const Writing &) {
  size_t shape = site.findKey("instrShape");
  auto sizes = shape ? site.inside(shape) : std::nullopt;
  if (!sizes)
    return std::nullopt;
  auto parts = site.split(sizes->first, sizes->second);
  if (parts.size() != 3)
    return std::nullopt;
  return Edits{
      {{site.span(parts[1].second - 1).end, site.span(sizes->second).begin},
       ""}};
}

/// `version = 3` was `versionMajor = 3, versionMinor = 0`.
std::optional<Edits> spelling::writeMfmaVersion(const Site &site,
                                                const Writing &) {
  size_t version = site.findKey("version");
  if (!version)
    return std::nullopt;
  return Edits{site.replace(site.span(version - 2, version + 1),
                            "versionMajor = " + site.text(version).str() +
                                ", versionMinor = 0")};
}

/// `ctaLayout = {register = [...], warp = [...]}` was `tilesPerWarp` and
/// `warpsPerCTA`.
std::optional<Edits> spelling::writeWmmaWarps(const Site &site,
                                              const Writing &) {
  size_t value = site.findKey("ctaLayout");
  size_t end = value ? site.pastBracket(value) : 0;
  if (!end)
    return std::nullopt;
  llvm::SmallVector<int64_t> warps(2, 1), tiles(2, 1);
  for (auto [first, last] : site.split(value + 1, end - 1)) {
    bool isOfWarps = site.text(first) == "warp";
    auto bases = basesAt(site, first + 2);
    if (!bases || (!isOfWarps && site.text(first) != "register"))
      return Edits();
    for (const Basis &basis : *bases) {
      std::optional<size_t> dimension = dimensionOf(basis);
      if (!dimension || *dimension >= basis.size())
        return Edits();
      auto &counts = isOfWarps ? warps : tiles;
      counts.resize(basis.size(), 1);
      counts[*dimension] *= 2;
    }
  }
  tiles.resize(warps.size(), 1);
  std::string older = "warpsPerCTA = " + listOf(warps);
  if (llvm::any_of(tiles, [](int64_t count) { return count != 1; }))
    older = "tilesPerWarp = " + listOf(tiles) + ", " + older;
  return Edits{site.replace(site.span(value - 2, end), older)};
}

/// Until 3.5 there was no third version, and only the second was transposed:
/// nothing can be said for such a layout.
std::optional<Edits> spelling::writeWmmaVersion(const Site &site,
                                                const Writing &) {
  size_t version = site.findKey("version"),
         transposed = site.findKey("isTranspose");
  if (!transposed)
    transposed = site.findKey("isTransposed");
  bool isTransposed = transposed && site.text(transposed) == "true";
  if (site.text(version) == "3" || (site.text(version) == "1" && isTransposed))
    return Edits();
  return std::nullopt;
}

/// Until 3.5 a padding fitted any shape, and could not permute elements.
std::optional<Edits> spelling::writePaddingWithoutShape(const Site &site,
                                                        const Writing &) {
  size_t end = site.pastBracket(site.at + 1);
  size_t braces = end ? site.find("{", site.at + 2, end - 1) : 0;
  auto keys = braces && braces < end - 1 ? site.inside(braces) : std::nullopt;
  if (!keys)
    return std::nullopt;
  for (auto [first, last] : site.split(keys->first, keys->second))
    if (site.text(first) == "shape")
      return Edits{site.dropEntry(first)};
    else if (site.text(first) == "offset")
      return Edits();
  return std::nullopt;
}

/// A column was 32 bits: one without a gap held unpacked elements.
std::optional<Edits> spelling::writeTensorMemoryStride(const Site &site,
                                                       const Writing &) {
  size_t stride = site.findKey("colStride");
  if (!stride)
    return std::nullopt;
  // With a stride of one, 32-bit elements fill a column and smaller ones share.
  StringRef shape = shapeOfUse(site);
  bool isUnpacked = site.text(stride) != "1" || shape.ends_with("32");
  return Edits{
      site.replace(site.span(stride - 2, stride + 1),
                   isUnpacked ? "unpacked = true" : "unpacked = false")};
}

/// `CGALayout = [[1, 0]]` was `CTASplitM = 2`.
std::optional<Edits> spelling::writeTensorMemorySplit(const Site &site,
                                                      const Writing &) {
  size_t value = site.findKey("CGALayout");
  if (!value)
    return std::nullopt;
  auto bases = basesAt(site, value);
  if (!bases)
    return Edits();
  if (bases->empty())
    return Edits{site.dropEntry(value - 2)};
  std::optional<Ctas> ctas = ctasOf(*bases);
  if (!ctas || ctas->split.size() != 2)
    return Edits();
  std::string older;
  for (auto [key, count] : llvm::zip(StringRef("MN"), ctas->split))
    if (count != 1)
      older += (older.empty() ? "CTASplit" : ", CTASplit") +
               std::string(1, key) + " = " + std::to_string(count);
  if (older.empty())
    return Edits{site.dropEntry(value - 2)};
  return Edits{
      site.replace(site.span(value - 2, site.pastBracket(value)), older)};
}
