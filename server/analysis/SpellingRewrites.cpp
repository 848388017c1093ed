//===- SpellingRewrites.cpp - how to write it today -----------------------===//

#include "server/analysis/SpellingRewrites.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>

using namespace kernelscope;
using llvm::StringRef;

using Site = SpellingSite;
using Edits = std::vector<TextEdit>;

/// The whole attribute, as our printer writes it.
static std::optional<Edits> reprint(const Site &site) {
  size_t end = site.pastBracket(site.at + 1);
  if (!end)
    return std::nullopt;
  mlir::ScopedDiagnosticHandler quiet(
      &site.context, [](mlir::Diagnostic &) { return mlir::success(); });
  Span whole = site.span(site.at, end);
  mlir::Attribute attribute =
      mlir::parseAttribute(site.text(whole), &site.context);
  if (!attribute)
    return Edits();
  std::string today;
  llvm::raw_string_ostream(today) << attribute;
  return Edits{site.replace(whole, today)};
}

template <typename... Keys>
static std::optional<Edits> reprintIfAny(const Site &site, Keys... keys) {
  if (!(site.findKey(keys) || ...))
    return std::nullopt;
  return reprint(site);
}

std::optional<Edits> respell::cluster(const Site &site) {
  return reprintIfAny(site, "CTAsPerCGA", "CTASplitNum", "CTAOrder");
}
std::optional<Edits> respell::wmmaWarps(const Site &site) {
  return reprintIfAny(site, "warpsPerCTA", "tilesPerWarp");
}
std::optional<Edits> respell::mfmaVersion(const Site &site) {
  return reprintIfAny(site, "versionMajor", "versionMinor");
}
std::optional<Edits> respell::mfmaElement(const Site &site) {
  return reprintIfAny(site, "elementType");
}
std::optional<Edits> respell::mfmaWithoutK(const Site &site) {
  size_t shape = site.findKey("instrShape");
  auto sizes = shape ? site.inside(shape) : std::nullopt;
  if (!sizes || site.split(sizes->first, sizes->second).size() != 2)
    return std::nullopt;
  return reprint(site);
}
/// The sizes of `3x64x64xf16` or `3x64x64`.
static llvm::SmallVector<StringRef> sizesOf(StringRef shape) {
  llvm::SmallVector<StringRef> sizes;
  while (!shape.empty() && llvm::isDigit(shape.front())) {
    sizes.push_back(shape.take_while(llvm::isDigit));
    shape = shape.drop_front(sizes.back().size());
    shape.consume_front("x");
  }
  return sizes;
}

/// The shape and element of a memory descriptor, its layout, and the rest.
static llvm::SmallVector<Span> partsOf(const Site &site) {
  llvm::SmallVector<Span> parts;
  if (size_t end = site.pastBracket(site.at + 1))
    for (auto [first, last] : site.split(site.at + 2, end - 1))
      if (first < last)
        parts.push_back(site.span(first, last));
  return parts;
}

/// The shape and element of the first descriptor whose layout is the alias that
/// this attribute defines; empty if there is none.
static StringRef shapeOfUse(const Site &site) {
  if (site.at < 2 || site.text(site.at - 1) != "=")
    return "";
  StringRef alias = site.text(site.at - 2);
  for (size_t i = site.at; i + 1 < site.syntax.tokens().size(); ++i) {
    if (site.text(i) != "!ttg.memdesc")
      continue;
    auto parts = partsOf(Site(site.syntax, site.context, i));
    if (parts.size() >= 2 && site.text(parts[1]) == alias)
      return site.text(parts[0]);
  }
  return "";
}

/// An element that was unpacked had a column of 32 bits.
static std::optional<Edits> tensorMemory(const Site &site) {
  std::optional<Edits> edits = reprint(site);
  if (!edits || edits->empty() || site.text(site.findKey("unpacked")) != "true")
    return edits;
  StringRef element = shapeOfUse(site).rsplit('x').second;
  unsigned bits = 32;
  element = element.drop_while(llvm::isAlpha);
  if (element.consumeInteger(10, bits) || !bits)
    bits = 32;
  StringRef today = edits->front().newText, packed = "colStride = 1";
  size_t place = today.find(packed);
  if (place != StringRef::npos)
    edits->front().newText.replace(place + packed.size() - 1, 1,
                                   std::to_string(std::max(1U, 32 / bits)));
  return edits;
}
std::optional<Edits> respell::tensorMemoryStride(const Site &site) {
  return site.findKey("unpacked") ? tensorMemory(site) : std::nullopt;
}
std::optional<Edits> respell::tensorMemoryCluster(const Site &site) {
  if (!site.findKey("CTASplitM") && !site.findKey("CTASplitN"))
    return std::nullopt;
  return tensorMemory(site);
}

/// `#ttg.padded_shared<[256:+8] {order = [1, 0]}>` fitted any shape; today's
/// has the one of the descriptors that have it.
std::optional<Edits> respell::paddedShape(const Site &site) {
  size_t end = site.pastBracket(site.at + 1);
  size_t braces = end ? site.find("{", site.at + 2, end - 1) : 0;
  if (!braces || braces == end - 1 || site.text(braces + 1) != "order")
    return std::nullopt;
  auto keys = site.inside(braces), order = site.inside(braces + 3);
  if (!keys || !order)
    return std::nullopt;
  size_t close = keys->second;
  for (auto [first, last] : site.split(braces + 1, close))
    if (site.text(first) == "shape")
      return std::nullopt;
  size_t rank = site.split(order->first, order->second).size();
  auto sizes = sizesOf(shapeOfUse(site));
  if (sizes.size() < rank)
    return Edits();
  auto shape = llvm::ArrayRef(sizes).take_back(rank);
  return Edits{site.insertAfter(close - 1,
                                ", shape = [" + llvm::join(shape, ", ") + "]")};
}

/// `!tt.tensordesc<tensor<64x32xf16>>` is `!tt.tensordesc<64x32xf16>`.
std::optional<Edits> respell::descriptor(const Site &site) {
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
std::optional<Edits> respell::barrierRing(const Site &site) {
  auto parts = partsOf(site);
  if (parts.size() != 4)
    return std::nullopt;
  StringRef count = site.text(parts[0]);
  // `2xi64` is today's barrier of a cluster of two CTAs, unless this is a text
  // of Triton 3.4.
  if (!count.consume_back("xi64") || count == "1" ||
      !llvm::all_of(count, llvm::isDigit) ||
      !site.syntax.text().contains("ttg.memdesc_subview"))
    return std::nullopt;
  size_t behind = parts[0].begin + count.size();
  return Edits{{{behind, behind}, "x1"}};
}

/// A member of a ring had the ring's shape as that of its allocation.
std::optional<Edits> respell::ringAllocation(const Site &site) {
  auto parts = partsOf(site);
  if (parts.size() < 4)
    return std::nullopt;
  auto sizes = sizesOf(site.text(parts[0]));
  auto allocation = sizesOf(site.text(parts.back()));
  bool isBarrier = site.text(parts[0]) == "1xi64" && allocation.size() == 1 &&
                   allocation[0] != "1";
  if (!isBarrier && allocation.size() <= sizes.size())
    return std::nullopt;
  auto own = llvm::ArrayRef(allocation).take_back(sizes.size());
  if (isBarrier || own == llvm::ArrayRef(sizes))
    return Edits{{{parts[parts.size() - 2].end, parts.back().end}, ""}};
  return Edits{site.replace(parts.back(), llvm::join(own, "x"))};
}

/// `!nvws.aref<[...], 1>` told how many leading dimensions are the ring's.
std::optional<Edits> respell::arefBatch(const Site &site) {
  size_t end = site.pastBracket(site.at + 1);
  if (!end)
    return std::nullopt;
  auto parts = site.split(site.at + 2, end - 1);
  if (parts.size() != 2)
    return std::nullopt;
  return Edits{
      {{site.span(parts[0].second).begin, site.span(end - 1).begin}, ""}};
}

/// `amdgpu.` and `nvgpu.` lost two letters.
std::optional<Edits> respell::shorterDialect(const Site &site) {
  return Edits{site.replaceIn("gpu.", "g.")};
}

std::optional<Edits> respell::packedTransposed(const Site &site) {
  return Edits{site.replaceIn("tranposed", "transposed")};
}
std::optional<Edits> respell::localBarrier(const Site &site) {
  return Edits{site.replaceIn("local_barrier", "barrier local")};
}
std::optional<Edits> respell::warpId(const Site &site) {
  return Edits{site.replaceIn(site.text(site.at), "ttg.warp_id")};
}
std::optional<Edits> respell::scratchAlloc(const Site &site) {
  return Edits{site.replaceIn("proton_gpu", "ttg")};
}
std::optional<Edits> respell::cannotSay(const Site &) { return Edits(); }

std::optional<Edits> respell::dropOp(const Site &site) {
  return Edits{site.dropOp(*site.op())};
}

/// `ttg.async_commit_group %a` is `... tokens %a`.
std::optional<Edits> respell::commitTokens(const Site &site) {
  if (site.at + 1 >= site.opEnd() || !site.text(site.at + 1).starts_with("%"))
    return std::nullopt;
  return Edits{site.insertAfter(site.at, " tokens")};
}

/// `ttg.memdesc_index %a, %i` is `... %a[%i]`.
std::optional<Edits> respell::bracketedIndex(const Site &site) {
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
std::optional<Edits> respell::subview(const Site &site) {
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

/// `ttng.tmem_copy %a, %b, %barrier : A, B, C` is the copy and a
/// `ttng.tc_gen5_commit`; types were `(A, B) -> ()` before that.
static std::optional<Edits> rewriteCopy(const Site &site, bool isOfBarrier) {
  size_t end = site.opEnd();
  size_t colon = site.find(":", site.at, end);
  size_t loc = site.find("loc", colon, end);
  if (colon == end)
    return std::nullopt;
  bool isFunction = site.text(colon + 1) == "(";
  bool hasBarrier = site.text(site.at + 5).starts_with("%");
  if (hasBarrier != isOfBarrier || (!hasBarrier && !isFunction))
    return std::nullopt;
  Edits edits;
  std::string barrier;
  if (site.text(site.at + 4) == ",") {
    if (hasBarrier)
      barrier = site.text(site.at + 5).str();
    edits.push_back(site.replace(Span{site.span(site.at + 4).begin,
                                      site.span(site.at + 4 + hasBarrier).end},
                                 ""));
  }
  size_t first = colon + 1, last = loc;
  if (isFunction) {
    auto operands = site.inside(colon + 1);
    if (!operands)
      return Edits();
    std::tie(first, last) = *operands;
    edits.push_back(site.replace(colon + 1, ""));
    edits.push_back(site.replace(site.span(last, loc), ""));
  }
  auto types = site.split(first, last);
  if (!barrier.empty()) {
    if (types.size() != 3)
      return Edits();
    std::string type = inTodaysSpelling(
        site.syntax, site.span(types[2].first, types[2].second), site.context);
    edits.push_back(
        {{site.span(types[1].second).begin, site.span(types[2].second - 1).end},
         ""});
    edits.push_back(
        site.insertOpAfter("ttng.tc_gen5_commit " + barrier + " : " + type));
  }
  return edits;
}
std::optional<Edits> respell::copyBarrier(const Site &site) {
  return rewriteCopy(site, /*isOfBarrier=*/true);
}
std::optional<Edits> respell::copyTypes(const Site &site) {
  return rewriteCopy(site, /*isOfBarrier=*/false);
}

/// The entry `key = ...`, or `key`, of the op's dictionary; 0 without one.
static size_t findEntry(const Site &site, StringRef key) {
  size_t end = site.opEnd();
  size_t open = site.find("{", site.at, end);
  size_t close = open < end ? site.pastBracket(open) : 0;
  if (!close)
    return 0;
  for (auto [first, last] : site.split(open + 1, close - 1))
    if (site.text(first) == key)
      return first;
  return 0;
}

//===----------------------------------------------------------------------===//
// What LLVM's own ops replaced
//===----------------------------------------------------------------------===//

std::optional<Edits> respell::wgmmaFence(const Site &site) {
  return Edits{site.replace(site.at, "nvvm.wgmma.fence.aligned")};
}
std::optional<Edits> respell::wgmmaCommit(const Site &site) {
  return Edits{site.replace(site.at, "nvvm.wgmma.commit.group.sync.aligned")};
}

std::optional<Edits> respell::nvgpuClusterArrive(const Site &site) {
  size_t key = findEntry(site, "relaxed");
  if (!key)
    return Edits();
  bool isRelaxed = site.text(key + 2) == "true";
  return Edits{site.replace(site.at, isRelaxed ? "nvvm.cluster.arrive.relaxed"
                                               : "nvvm.cluster.arrive"),
               site.dropEntry(key)};
}
std::optional<Edits> respell::nvgpuClusterWait(const Site &site) {
  return Edits{site.replace(site.at, "nvvm.cluster.wait")};
}

std::optional<Edits> respell::proxyFence(const Site &site) {
  size_t key = findEntry(site, "bCluster");
  if (!key)
    return Edits();
  std::string space = site.text(key + 2) == "true" ? "cluster" : "cta";
  return Edits{site.replace(site.at, "nvvm.fence.proxy"),
               site.replace(site.span(key, key + 3),
                            "kind = #nvvm.proxy_kind<async.shared>, space = "
                            "#nvvm.shared_space<" +
                                space + ">")};
}

/// The attributes of a move of 8x8 matrices of 16-bit elements; `trans`
/// transposes each.
static std::string matrixAttributes(bool isTransposed, StringRef others) {
  return (" {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = "
          "#nvvm.mma_layout<" +
          llvm::Twine(isTransposed ? "col" : "row") + ">" + others +
          ", shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}")
      .str();
}

/// `nvgpu.stmatrix %p, %a, %b {trans} : !llvm.ptr<3>, i32, i32`.
std::optional<Edits> respell::storeMatrix(const Site &site) {
  size_t end = site.opEnd(), colon = site.find(":", site.at, end);
  if (colon == end)
    return Edits();
  size_t open = site.find("{", site.at, colon);
  return Edits{site.replace(site.at, "nvvm.stmatrix"),
               {{site.span(open - 1).end, site.span(colon - 1).end},
                matrixAttributes(findEntry(site, "trans") != 0, "")}};
}

/// `nvgpu.ldmatrix %p, m8n8, 16 {trans} : (...) -> !llvm.struct<(i32, i32)>`.
std::optional<Edits> respell::loadMatrix(const Site &site) {
  size_t end = site.opEnd(), colon = site.find(":", site.at, end);
  size_t arrow = site.find("->", colon, end);
  size_t loc = site.find("loc", arrow, end);
  if (arrow == end || site.text(site.at + 3) != "m8n8" ||
      site.text(site.at + 5) != "16")
    return Edits();
  size_t matrices = 0;
  for (size_t i = arrow; i < loc; ++i)
    matrices += site.text(i) == "i32";
  return Edits{
      site.replace(site.at, "nvvm.ldmatrix"),
      {{site.span(site.at + 1).end, site.span(colon - 1).end},
       matrixAttributes(findEntry(site, "trans") != 0,
                        ", num = " + std::to_string(matrices) + " : i32")}};
}

std::optional<Edits> respell::sliceOffset(const Site &site) {
  size_t key = findEntry(site, "N");
  if (!key)
    return std::nullopt;
  return Edits{site.replace(key, "offset")};
}

std::optional<Edits> respell::commitOfTwo(const Site &site) {
  size_t key = findEntry(site, "two_ctas");
  if (!key)
    return std::nullopt;
  return Edits{site.dropEntry(key)};
}

/// An MMA that arrives on barriers was asynchronous without a word.
static std::optional<Edits> asyncMma(const Site &site,
                                     unsigned operandsBefore) {
  size_t colon = site.find(":", site.at, site.opEnd());
  size_t open = site.find("{", site.at, colon);
  auto operands = site.split(site.at + 1, open);
  if (operands.size() <= operandsBefore || findEntry(site, "is_async"))
    return std::nullopt;
  if (open < colon)
    return Edits{site.insertAfter(open, "is_async, ")};
  return Edits{site.insertAfter(colon - 1, " {is_async}")};
}
std::optional<Edits> respell::mmaBarrier(const Site &site) {
  return asyncMma(site, 5);
}
std::optional<Edits> respell::scaledMmaBarrier(const Site &site) {
  return asyncMma(site, 7);
}

/// `OpIdx = #amdgpu.OpIdx<0>` was a mark of the pipeliner on any op.
std::optional<Edits> respell::operandIndex(const Site &site) {
  if (site.text(site.at - 1) != "=" || site.text(site.at - 2) != "OpIdx")
    return Edits();
  return Edits{site.dropEntry(site.at - 2)};
}

/// `tensorMode = im2col`: the descriptor's type says it.
std::optional<Edits> respell::tensorMode(const Site &site) {
  size_t end = site.opEnd();
  size_t key = site.find("tensorMode", site.at, end);
  if (key == end)
    return std::nullopt;
  return Edits{{{site.span(key - 1).end, site.span(key + 2).end}, ""}};
}

/// An arrival and the wait right behind it are one `ttng.cluster_barrier`.
std::optional<Edits> respell::clusterArrive(const Site &site) {
  const Statement &arrive = *site.op();
  if (site.text(arrive.endToken) != "ttng.cluster_wait")
    return Edits();
  Edits edits{site.replaceIn("arrive", "barrier")};
  SyntaxId wait = site.syntax.statementAt(site.span(arrive.endToken).begin);
  edits.push_back(site.dropOp(site.syntax.statement(wait)));
  return edits;
}
std::optional<Edits> respell::clusterWait(const Site &site) {
  SyntaxId before = site.syntax.statementBefore(
      site.op()->parent, site.op()->span.begin ? site.op()->span.begin - 1 : 0);
  bool isPaired = before != noSyntax &&
                  site.syntax.text(site.syntax.statement(before).name) ==
                      "ttng.cluster_arrive";
  return isPaired ? std::nullopt : std::optional(Edits());
}

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

/// The block's place, and the predicate, are the descriptor's.
std::optional<Edits> respell::tensorMover(const Site &site) {
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
  before.push_back(movedName(site) + update + " : " +
                   inTodaysSpelling(site.syntax, site.span(typeBegin, typeEnd),
                                    site.context));
  edits.push_back(site.replace(site.at + 1, movedName(site)));
  edits.push_back(site.insertOpsBefore(before));
  return edits;
}

/// `%d[%rows, %column]`: the column is the descriptor's.
std::optional<Edits> respell::rowMover(const Site &site) {
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
               "] : " +
               inTodaysSpelling(site.syntax, site.span(arrow + 1, loc),
                                site.context)})};
}

/// `proton.record() {isStart = true, regionId = 1 : i32}` names its region
/// today: `proton.record start "1"`.
std::optional<Edits> respell::recordByNumber(const Site &site) {
  if (site.text(site.at + 1) != "(")
    return std::nullopt;
  size_t start = findEntry(site, "isStart"), id = findEntry(site, "regionId");
  if (!start || !id)
    return Edits();
  size_t open = site.find("{", site.at, site.opEnd());
  std::string today = site.text(start + 2) == "true" ? " start \"" : " end \"";
  return Edits{site.replace(site.span(site.at + 1, site.pastBracket(open)),
                            today + site.text(id + 2).str() + "\"")};
}
