//===- NewerSpellings.cpp - what newer Tritons write otherwise ------------===//

#include "server/analysis/NewerSpellings.h"

#include "server/analysis/SpellingSite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

using Edits = std::vector<TextEdit>;
using Site = SpellingSite;

//===----------------------------------------------------------------------===//
// Triton 3.9
//===----------------------------------------------------------------------===//

/// `{cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy =
/// evict_first>}` is `cacheModifier = cg evictionPolicy = evict_first`.
static Edits cachePolicy(const Site &site) {
  size_t attribute = site.at + 2;
  SyntaxId id = site.syntax.statementAt(site.span(site.at).begin);
  size_t past = site.pastBracket(attribute + 1);
  if (id == noSyntax || !past || site.text(site.at + 1) != "=")
    return {};
  Site op(site.syntax, site.context,
          site.syntax.tokenAfter(site.syntax.statement(id).name.begin));
  StringRef name = op.text(op.at);
  Site policy(site.syntax, site.context, attribute);
  auto valueOf = [&](StringRef key) {
    size_t value = policy.findKey(key);
    return value ? policy.text(value) : StringRef();
  };
  std::string keywords;
  StringRef modifier = valueOf("cache_modifier");
  if (!modifier.empty() && modifier != "none")
    keywords = (" cacheModifier = " + modifier).str();
  StringRef eviction = valueOf("eviction_policy");
  bool takesEviction =
      !name.starts_with("amdg.") || name == "amdg.async_copy_local_to_global";
  if (takesEviction && !eviction.empty() && eviction != "evict_normal")
    keywords += (" evictionPolicy = " + eviction).str();
  size_t end = op.opEnd();
  if (op.find("cachePolicy", op.at, end) == site.at)
    return {site.replace(site.span(site.at, past), keywords)};
  // The keywords stand before a stride and before the dictionary.
  size_t before =
      std::min(op.find("stride", op.at, end), op.find("{", op.at, end));
  if (before == end)
    return {};
  return {site.insertAfter(before - 1, keywords), site.dropEntry(site.at)};
}

/// `: !tt.ptr<f32> -> tensor<...>` is `: tensor<...>`.
static Edits bufferPointer(const Site &site) {
  size_t end = site.opEnd(), colon = site.find(":", site.at, end);
  size_t past =
      site.text(colon + 1) == "!tt.ptr" ? site.pastBracket(colon + 2) : 0;
  if (!past || site.text(past) != "->")
    return {};
  return {site.replace(site.span(colon + 1, past + 1), "")};
}

/// `: !tt.ptr<f32>[` is `: <f32>[`.
static Edits bufferToLocal(const Site &site) {
  size_t colon = site.find(":", site.at, site.opEnd());
  if (site.text(colon + 1) != "!tt.ptr")
    return {};
  return {site.replace(colon + 1, "")};
}

/// `ttng.tmem_wait store` is `nvvm.tcgen05.wait <store>`.
static Edits tensorMemoryWait(const Site &site) {
  StringRef kind = site.text(site.at + 1);
  return {site.replace(site.span(site.at, site.at + 2),
                       ("nvvm.tcgen05.wait <" + kind + ">").str())};
}

//===----------------------------------------------------------------------===//
// MLIR 23
//===----------------------------------------------------------------------===//

/// `rocdl.mfma... %a, %b, %c, 0, 0, 0 : (...)` has numbers where MLIR 22 has
/// operands. What they say matters to no rule.
static Edits mfma(const Site &site) {
  size_t colon = site.find(":", site.at, site.opEnd());
  Edits edits;
  for (auto [first, last] : site.split(site.at + 1, colon))
    if (!site.text(first).starts_with("%") && first > site.at + 1)
      edits.push_back(site.replace(
          Span{site.span(first - 1).begin, site.span(last - 1).end}, ""));
  return edits;
}

/// `rocdl.sched.barrier valu|salu` is `rocdl.sched.barrier 6`.
static Edits schedulingMask(const Site &site) {
  constexpr StringRef bits[] = {"non_mem_non_sideeffect",
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
  unsigned mask = 0;
  size_t end = site.at + 1;
  for (;; ++end) {
    StringRef word = site.text(end);
    if (word == "all")
      mask |= (1u << std::size(bits)) - 1;
    else if (const StringRef *bit = llvm::find(bits, word);
             bit != std::end(bits))
      mask |= 1u << (bit - bits);
    else if (word != "none" && word != "|")
      break;
  }
  if (end == site.at + 1)
    return {};
  return {site.replace(site.span(site.at + 1, end), std::to_string(mask))};
}

/// `rocdl.wave.id : i32`
static Edits waveId(const Site &site) {
  if (site.text(site.at + 1) != ":")
    return {};
  return {
      site.replace(site.span(site.at, site.at + 2),
                   "llvm.call_intrinsic \"llvm.amdgcn.wave.id\"() : () ->")};
}

//===----------------------------------------------------------------------===//
// The scan
//===----------------------------------------------------------------------===//

static Edits (*respellingOf(StringRef name))(const Site &) {
  if (name == "amdg.buffer_load_to_local")
    return bufferToLocal;
  if (name.starts_with("amdg.buffer_"))
    return bufferPointer;
  if (name == "ttng.tmem_wait")
    return tensorMemoryWait;
  if (name.starts_with("rocdl.mfma."))
    return mfma;
  if (name == "rocdl.sched.barrier" || name == "rocdl.sched.group.barrier")
    return schedulingMask;
  return name == "rocdl.wave.id" ? waveId : nullptr;
}

std::vector<TextEdit> kernelscope::respellNewer(const Syntax &syntax, Span span,
                                                mlir::MLIRContext &context) {
  Edits edits;
  forEachIdentifier(syntax, span, context, [&](const Site &site) {
    StringRef word = site.text(site.at);
    if (word == "cachePolicy")
      llvm::append_range(edits, cachePolicy(site));
    else if (auto respelling = respellingOf(word); respelling && site.op())
      llvm::append_range(edits, respelling(site));
  });
  return edits;
}
