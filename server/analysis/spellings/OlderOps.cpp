//===- OlderOps.cpp - ops and types as other releases write them ----------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Writing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

/// `!tt.tensordesc<64x32xf16>` was `!tt.tensordesc<tensor<64x32xf16>>`.
std::optional<Edits> spelling::writeDescriptor(const Site &site,
                                               const Writing &) {
  size_t end = site.pastBracket(site.at + 1);
  if (!end || site.text(site.at + 1) != "<" ||
      site.text(site.at + 2) == "tensor")
    return std::nullopt;
  return Edits{site.insertAfter(site.at + 1, "tensor<"),
               site.insertAfter(end - 1, ">")};
}

/// Whether `sizes` are those of barriers: `3x1xi64` for a ring of them.
static bool isBarrierRing(StringRef shape) {
  return shape.ends_with("x1xi64") && sizesOf(shape).size() == 2;
}

/// `3x1xi64` was `3xi64`.
std::optional<Edits> spelling::writeBarrierRing(const Site &site,
                                                const Writing &) {
  // Most are of other elements, and this is asked of each.
  size_t shape = site.span(site.at + 1).end;
  if (!site.syntax.text().substr(shape, 16).contains("x1xi64"))
    return std::nullopt;
  auto parts = partsOf(site);
  if (parts.size() < 3 || !isBarrierRing(site.text(parts[0])))
    return std::nullopt;
  size_t end = parts[0].end;
  return Edits{{{end - 6, end - 4}, ""}};
}

/// `ttg.memdesc_index %m[%i]` was `ttg.memdesc_subview %m[%i, %zero, %zero]`,
/// `ttg.memdesc_subslice %m[0, 16]` one with the numbers as values.
std::optional<Edits> spelling::writeSubview(const Site &site, const Writing &) {
  size_t open = site.at + 2, past = site.pastBracket(open);
  size_t colon = past ? site.find(":", past, site.opEnd()) : site.opEnd();
  if (site.text(open) != "[" || colon == site.opEnd() ||
      site.text(colon + 1) != "!ttg.memdesc")
    return std::nullopt;
  auto parts = partsOf(Site(site.syntax, site.context, colon + 1));
  if (parts.empty())
    return Edits();
  StringRef shape = site.text(parts[0]);
  bool isIndex = site.text(site.at) == "ttg.memdesc_index";
  std::string name =
      "%offset_at_" + std::to_string(site.span(site.at).begin) + "_";
  llvm::SmallVector<std::string> before, offsets;
  llvm::StringMap<std::string> constants;
  auto constant = [&](StringRef number) {
    std::string &value = constants[number];
    if (value.empty())
      value = site.constantOf(number).str();
    if (value.empty()) {
      value = name + std::to_string(before.size());
      before.push_back(value + " = arith.constant " + number.str() + " : i32");
    }
    return value;
  };
  for (auto [first, last] : site.split(open + 1, past - 1)) {
    StringRef text = site.text(site.span(first, last));
    offsets.push_back(text.starts_with("%") ? text.str() : constant(text));
  }
  // A member of a ring of barriers had the ring's rank.
  size_t rank = isBarrierRing(shape) ? 1 : sizesOf(shape).size();
  while (isIndex && offsets.size() < rank)
    offsets.push_back(constant("0"));
  Edits edits{
      site.replaceIn(isIndex ? "memdesc_index" : "memdesc_subslice",
                     "memdesc_subview"),
      site.replace(site.span(open + 1, past - 1), llvm::join(offsets, ", "))};
  if (!before.empty())
    edits.push_back(site.insertOpsBefore(before));
  return edits;
}

/// `ttg.barrier local` was `ttg.local_barrier` in 3.6. `all`, which is what
/// Triton writes for `tl.debug_barrier`, was `gpu.barrier`, as `local` was
/// until 3.5; of other memory there was none.
std::optional<Edits> spelling::writeBarrier(const Site &site,
                                            const Writing &row) {
  llvm::StringRef memory = site.text(site.at + 1);
  if ((memory != "local" && memory != "all") || site.text(site.at + 2) == "|")
    return Edits();
  const bool isLocal = memory == "local" && row.releases.last == "3.6";
  return Edits{site.replace(site.span(site.at, site.at + 2),
                            isLocal ? "ttg.local_barrier" : "gpu.barrier")};
}

/// For `/` on 32-bit floats Triton wrote `arith.divf`, which it compiled to the
/// faster division, too.
std::optional<Edits> spelling::writeDivision(const Site &site,
                                             const Writing &) {
  return Edits{site.replaceIn("tt.approx_divf", "arith.divf")};
}

/// NVIDIA's dialect had the op, and was `nvgpu` until 3.5; without the hint it
/// had none.
std::optional<Edits> spelling::writeWarpId(const Site &site,
                                           const Writing &row) {
  if (site.text(site.at + 1) == "{")
    return Edits();
  const bool isOldest = row.releases.last == "3.5";
  return Edits{site.replace(site.span(site.at),
                            isOldest ? "nvgpu.warp_id" : "nvg.warp_id")};
}

/// `ttng.cluster_barrier {relaxed = true}` was an arrival, then a wait.
std::optional<Edits> spelling::writeClusterArrival(const Site &site,
                                                   const Writing &) {
  // Until 3.7 the attribute had no default.
  return Edits{
      site.findEntry("relaxed")
          ? site.replaceIn("cluster_barrier", "cluster_arrive")
          : site.replace(site.at, "ttng.cluster_arrive {relaxed = false}"),
      site.insertOpAfter("ttng.cluster_wait")};
}

/// `tt.make_tensor_descriptor` writes the type of its descriptor from `<` on.
std::optional<Edits> spelling::writeDescriptorResult(const Site &site,
                                                     const Writing &row) {
  size_t end = site.opEnd(), colon = site.find(":", site.at, end);
  auto types = site.split(colon + 1, site.find("loc", colon, end));
  if (types.size() != 2 || site.text(types[1].first) != "<")
    return std::nullopt;
  return writeDescriptor(Site(site.syntax, site.context, types[1].first - 1),
                         row);
}

/// `ttng.tmem_copy %s, %d : A, B` was `%s, %d, : (A, B) -> ()`, and the
/// `ttng.tc_gen5_commit` behind it was its third operand.
std::optional<Edits> spelling::writeCopyTypes(const Site &site,
                                              const Writing &) {
  size_t end = site.opEnd(), colon = site.find(":", site.at, end);
  if (colon == end || site.text(colon + 1) == "(")
    return std::nullopt;
  size_t last = site.find("loc", colon, end) - 1;
  std::string barrier, type;
  Edits edits;
  Site commit(site.syntax, site.context, site.op()->endToken);
  if (commit.text(commit.at) == "ttng.tc_gen5_commit" && commit.op()) {
    size_t commitEnd = commit.opEnd();
    size_t commitColon = commit.find(":", commit.at, commitEnd);
    size_t typeEnd = commit.find("loc", commitColon, commitEnd);
    if (commitColon != commit.at + 2 || typeEnd <= commitColon + 1)
      return Edits();
    barrier = (" " + commit.text(commit.at + 1)).str();
    type = (", " + commit.text(commit.span(commitColon + 1, typeEnd))).str();
    edits.push_back(site.dropOp(*commit.op()));
  }
  edits.push_back(site.insertAfter(colon - 1, "," + barrier));
  edits.push_back({{site.span(colon).end, site.span(colon + 1).begin}, " ("});
  edits.push_back(site.insertAfter(last, type + ") -> ()"));
  return edits;
}

/// 3.4 takes the `%` that begins the next line for a token.
std::optional<Edits> spelling::writeCommitWithoutTokens(const Site &site,
                                                        const Writing &) {
  if (!site.text(site.at + 1).starts_with("%") ||
      site.at + 1 != site.op()->endToken)
    return std::nullopt;
  return Edits{site.insertAfter(site.at, " {}")};
}

/// The copy gave no token.
std::optional<Edits> spelling::writeCopyWithoutToken(const Site &site,
                                                     const Writing &) {
  if (site.at < 2 || site.text(site.at - 1) != "=")
    return std::nullopt;
  StringRef token = site.text(site.at - 2);
  for (size_t i = site.at, end = site.function().second; i < end; ++i)
    if (site.text(i) == token)
      return Edits();
  return Edits{{{site.span(site.at - 2).begin, site.span(site.at).begin}, ""}};
}

//===----------------------------------------------------------------------===//
// What 3.9 writes otherwise
//===----------------------------------------------------------------------===//

/// `cacheModifier = cg evictionPolicy = evict_first` is one entry of the
/// dictionary, `cachePolicy = #tt.cache_policy<...>`; for TMA it is one of L2,
/// `#ttng.cache_policy<...>`.
std::optional<Edits> spelling::writeCachePolicy(const Site &site,
                                                const Writing &) {
  auto isKeyword = [&](size_t token) {
    StringRef word = site.text(token);
    return (word == "cacheModifier" || word == "evictionPolicy") &&
           site.text(token + 1) == "=";
  };
  SyntaxId id = site.syntax.statementAt(site.span(site.at).begin);
  if (id == noSyntax || !isKeyword(site.at) ||
      (site.at >= 3 && isKeyword(site.at - 3)))
    return std::nullopt;
  Site op(site.syntax, site.context,
          site.syntax.tokenAfter(site.syntax.statement(id).name.begin));
  std::string modifier = "none", eviction = "evict_normal";
  size_t end = site.at;
  for (; isKeyword(end); end += 3)
    (site.text(end) == "cacheModifier" ? modifier : eviction) =
        site.text(end + 2).str();
  std::string entry =
      "cachePolicy = #tt.cache_policy<cache_modifier = " + modifier +
      ", eviction_policy = " + eviction + ">";
  if (op.text(op.at).starts_with("ttng."))
    entry = "cachePolicy = #ttng.cache_policy<l2_primary = " + eviction +
            ", l2_secondary = evict_unchanged, l2_fraction = 1.000000e+00 : "
            "f32>";
  // The dictionary stands before the types.
  size_t colon = op.find(":", op.at, op.opEnd());
  size_t open = op.find("{", op.at, colon);
  Span keywords{site.span(site.at - 1).end, site.span(end - 1).end};
  if (open < colon)
    return Edits{{keywords, ""}, site.insertAfter(open, entry + ", ")};
  return Edits{{keywords, " {" + entry + "}"}};
}

/// `amdg.buffer_load %p[%i] : tensor<...xf32>` names the pointer, too.
std::optional<Edits> spelling::writeBufferPointer(const Site &site,
                                                  const Writing &) {
  size_t end = site.opEnd(), colon = site.find(":", site.at, end);
  if (colon == end)
    return std::nullopt;
  if (site.text(site.at) == "amdg.buffer_load_to_local") {
    if (site.text(colon + 1) != "<")
      return std::nullopt;
    return Edits{
        {{site.span(colon).end, site.span(colon + 1).begin}, " !tt.ptr"}};
  }
  if (site.text(colon + 1) != "tensor")
    return std::nullopt;
  // `64x64xf32`, or `128x!tt.ptr<f32>`, whose element is a type of its own.
  size_t close = site.pastBracket(colon + 2);
  auto parts = close ? site.split(colon + 3, close - 1)
                     : llvm::SmallVector<std::pair<size_t, size_t>>();
  if (parts.empty())
    return Edits();
  StringRef element = site.text(site.span(parts[0].first, parts[0].second));
  while (!element.empty() && llvm::isDigit(element.front())) {
    element = element.drop_while(llvm::isDigit);
    element.consume_front("x");
  }
  if (element.empty())
    return Edits();
  return Edits{site.insertAfter(colon, (" !tt.ptr<" + element + "> ->").str())};
}

/// `nvvm.tcgen05.wait <store>` is `ttng.tmem_wait store`.
std::optional<Edits> spelling::writeTensorMemoryWait(const Site &site,
                                                     const Writing &) {
  if (site.text(site.at + 1) != "<" || site.text(site.at + 3) != ">")
    return std::nullopt;
  return Edits{site.replace(site.span(site.at, site.at + 4),
                            "ttng.tmem_wait " + site.text(site.at + 2).str())};
}
