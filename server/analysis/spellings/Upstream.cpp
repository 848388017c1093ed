//===- Upstream.cpp - ops of MLIR's dialects, spelt otherwise -------------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Writing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// What LLVM's own ops replaced
//===----------------------------------------------------------------------===//

std::optional<Edits> spelling::clusterArriveByEntry(const Site &site) {
  size_t key = site.findEntry("relaxed");
  if (!key)
    return Edits();
  bool isRelaxed = site.text(key + 2) == "true";
  return Edits{site.replace(site.at, isRelaxed ? "nvvm.cluster.arrive.relaxed"
                                               : "nvvm.cluster.arrive"),
               site.dropEntry(key)};
}

std::optional<Edits> spelling::proxyFence(const Site &site) {
  size_t key = site.findEntry("bCluster");
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
std::optional<Edits> spelling::storeMatrix(const Site &site) {
  size_t end = site.opEnd(), colon = site.find(":", site.at, end);
  if (colon == end)
    return Edits();
  size_t open = site.find("{", site.at, colon);
  return Edits{site.replace(site.at, "nvvm.stmatrix"),
               {{site.span(open - 1).end, site.span(colon - 1).end},
                matrixAttributes(site.findEntry("trans") != 0, "")}};
}

/// `nvgpu.ldmatrix %p, m8n8, 16 {trans} : (...) -> !llvm.struct<(i32, i32)>`.
std::optional<Edits> spelling::loadMatrix(const Site &site) {
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
       matrixAttributes(site.findEntry("trans") != 0,
                        ", num = " + std::to_string(matrices) + " : i32")}};
}

//===----------------------------------------------------------------------===//
// What MLIR 23 writes
//===----------------------------------------------------------------------===//

/// `ttng.tmem_wait store` is `nvvm.tcgen05.wait <store>`.
std::optional<Edits> spelling::tensorMemoryWait(const Site &site) {
  StringRef kind = site.text(site.at + 1);
  return Edits{site.replace(site.span(site.at, site.at + 2),
                            ("nvvm.tcgen05.wait <" + kind + ">").str())};
}

/// `rocdl.mfma... %a, %b, %c, 0, 0, 0 : (...)` has numbers where MLIR 22 has
/// operands. What they say matters to no rule.
std::optional<Edits> spelling::mfmaOperands(const Site &site) {
  size_t colon = site.find(":", site.at, site.opEnd());
  Edits edits;
  for (auto [first, last] : site.split(site.at + 1, colon))
    if (!site.text(first).starts_with("%") && first > site.at + 1)
      edits.push_back(site.replace(
          Span{site.span(first - 1).begin, site.span(last - 1).end}, ""));
  if (edits.empty())
    return std::nullopt;
  return edits;
}

/// `rocdl.raw.ptr.buffer.load %rsrc, %offset, %base, 0 : f32` has a number
/// where MLIR 22 has an operand.
std::optional<Edits> spelling::bufferFlags(const Site &site) {
  size_t last = site.at + 1;
  while (site.text(last).starts_with("%") && site.text(last + 1) == ",")
    last += 2;
  if (site.text(last).empty() || !llvm::all_of(site.text(last), llvm::isDigit))
    return std::nullopt;
  std::string name = "%flags_at_" + std::to_string(site.span(site.at).begin);
  return Edits{site.insertOpsBefore(name + " = llvm.mlir.constant(" +
                                    site.text(last).str() + " : i32) : i32"),
               site.replace(last, name)};
}

/// The same of `rocdl.raw.ptr.buffer.load.async.lds`, which MLIR 22 lacks: no
/// rule tells it from the load that is not asynchronous.
std::optional<Edits> spelling::asyncBufferLoad(const Site &site) {
  std::optional<Edits> edits = bufferFlags(site);
  if (edits)
    edits->push_back(site.replaceIn(".async", ""));
  return edits;
}

/// `rocdl.asyncmark`, and `rocdl.wait.asyncmark 3`
std::optional<Edits> spelling::asyncMark(const Site &site) {
  size_t last = site.at;
  if (site.text(site.at + 1).find_first_not_of("0123456789") ==
          StringRef::npos &&
      site.text(site.at) == "rocdl.wait.asyncmark")
    ++last;
  return Edits{site.replace(
      site.span(site.at, last + 1),
      "llvm.call_intrinsic \"llvm.amdgcn." +
          site.text(site.at).substr(StringRef("rocdl.").size()).str() +
          "\"() : () -> ()")};
}

/// The names of the bits of a mask of instructions.
static constexpr StringRef schedulingBits[] = {"non_mem_non_sideeffect",
                                               "valu",
                                               "salu",
                                               "mfma_wmma",
                                               "all_vmem",
                                               "vmem_read",
                                               "vmem_write",
                                               "all_ds",
                                               "ds_read",
                                               "ds_write",
                                               "transcendental",
                                               "ldsdma"};

/// MLIR of 3.4 does not know `no_inline`, which keeps a canonicalizer from
/// dissolving the region.
std::optional<Edits> spelling::writeExecuteRegion(const Site &site,
                                                  const Writing &) {
  size_t brace = site.find("{", site.at, site.opEnd());
  if (site.text(brace - 1) != "no_inline")
    return std::nullopt;
  return Edits{
      site.replace({site.span(brace - 2).end, site.span(brace - 1).end}, "")};
}

/// `rocdl.sched.barrier 6` is `rocdl.sched.barrier valu|salu`.
std::optional<Edits> spelling::writeSchedulingMask(const Site &site,
                                                   const Writing &) {
  unsigned mask;
  if (site.text(site.at + 1).getAsInteger(10, mask) ||
      mask >> std::size(schedulingBits))
    return std::nullopt;
  std::string names;
  for (auto [bit, name] : llvm::enumerate(schedulingBits))
    if (mask >> bit & 1)
      names += (names.empty() ? "" : "|") + name.str();
  return Edits{site.replace(site.at + 1, names.empty() ? "none" : names)};
}

/// `rocdl.sched.barrier valu|salu` is `rocdl.sched.barrier 6`.
std::optional<Edits> spelling::schedulingMask(const Site &site) {
  constexpr llvm::ArrayRef<StringRef> bits = schedulingBits;
  unsigned mask = 0;
  size_t end = site.at + 1;
  for (;; ++end) {
    StringRef word = site.text(end);
    if (word == "all")
      mask |= (1u << bits.size()) - 1;
    else if (const StringRef *bit = llvm::find(bits, word); bit != bits.end())
      mask |= 1u << (bit - bits.begin());
    else if (word != "none" && word != "|")
      break;
  }
  if (end == site.at + 1)
    return std::nullopt;
  return Edits{site.replace(site.span(site.at + 1, end), std::to_string(mask))};
}

/// `rocdl.wave.id : i32`
std::optional<Edits> spelling::waveId(const Site &site) {
  if (site.text(site.at + 1) != ":")
    return std::nullopt;
  return Edits{
      site.replace(site.span(site.at, site.at + 2),
                   "llvm.call_intrinsic \"llvm.amdgcn.wave.id\"() : () ->")};
}

//===----------------------------------------------------------------------===//
// What MLIR prints and does not read
//===----------------------------------------------------------------------===//

static TextEdit quoteName(const Site &site) {
  return site.replace(site.at, ("\"" + site.text(site.at) + "\"").str());
}

/// The location behind `nvvm.barrier id = %a number_of_threads = %b` is read as
/// the attribute that may follow.
std::optional<Edits> spelling::namedBarrier(const Site &site) {
  constexpr StringRef keywords[] = {"id", "number_of_threads"};
  Edits edits{quoteName(site)};
  llvm::SmallVector<std::string, 2> types, segments;
  size_t next = site.at + 1;
  for (StringRef keyword : keywords) {
    bool isThere = site.text(next) == keyword;
    segments.push_back(isThere ? "1" : "0");
    if (!isThere)
      continue;
    size_t value = next + 2;
    if (site.text(next + 1) != "=" || !site.text(value).starts_with("%"))
      return std::nullopt;
    edits.push_back(
        site.replace(Span{site.span(next - 1).end, site.span(value).begin},
                     types.empty() ? "(" : ", "));
    types.push_back("i32");
    next = value + 1;
  }
  // `{aligned = false}` is MLIR 23's.
  size_t location = site.text(next) == "{" && site.text(next + 1) == "aligned"
                        ? site.pastBracket(next)
                        : next;
  if (site.text(location) != "loc")
    return std::nullopt;
  if (location != next)
    edits.push_back(site.replace(site.span(next, location), ""));
  std::string open = types.empty() ? "(" : "";
  edits.push_back(site.insertAfter(
      next - 1, open + ") <{operandSegmentSizes = array<i32: " +
                    llvm::join(segments, ", ") + ", 0>}> : (" +
                    llvm::join(types, ", ") + ") -> ()"));
  return edits;
}

/// `%0 = llvm.call_intrinsic "..."(%a) : (i32) -> !llvm.void`.
std::optional<Edits> spelling::intrinsicOfVoid(const Site &site) {
  size_t name = site.at + 1, open = site.at + 2;
  size_t past = site.text(open) == "(" ? site.pastBracket(open) : 0;
  if (!past || site.text(past) != ":" || site.text(past + 1) != "(")
    return std::nullopt;
  size_t arrow = site.pastBracket(past + 1);
  if (!arrow || site.text(arrow) != "->" ||
      site.text(arrow + 1) != "!llvm.void")
    return std::nullopt;
  size_t operands = site.split(open + 1, past - 1).size();
  return Edits{
      quoteName(site), site.replace(name, ""),
      site.insertAfter(past - 1, " <{intrin = " + site.text(name).str() +
                                     ", op_bundle_sizes = array<i32>, "
                                     "operandSegmentSizes = array<i32: " +
                                     std::to_string(operands) + ", 0>}>")};
}
