//===- Buffers.cpp - loads and stores, spelt otherwise --------------------===//

#include "server/analysis/spellings/Rewrites.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

/// `{cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy =
/// evict_first>}` is `cacheModifier = cg evictionPolicy = evict_first`, and so
/// is the `l2_primary` of a `#ttng.cache_policy` for all that a TMA load reads;
/// others of that kind stay.
std::optional<Edits> spelling::cachePolicy(const Site &site) {
  size_t attribute = site.at + 2;
  SyntaxId id = site.syntax.statementAt(site.span(site.at).begin);
  size_t past = site.pastBracket(attribute + 1);
  if (id == noSyntax || !past || site.text(site.at + 1) != "=")
    return std::nullopt;
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
  if (site.text(attribute) == "#ttng.cache_policy") {
    if (name != "ttng.async_tma_copy_global_to_local" ||
        valueOf("l2_fraction") != "1.000000e+00" ||
        valueOf("l2_secondary") != "evict_unchanged" ||
        !llvm::is_contained({"evict_first", "evict_last"},
                            valueOf("l2_primary")))
      return std::nullopt;
    eviction = valueOf("l2_primary");
  }
  bool takesEviction =
      !name.starts_with("amdg.") || name == "amdg.async_copy_local_to_global";
  if (takesEviction && !eviction.empty() && eviction != "evict_normal")
    keywords += (" evictionPolicy = " + eviction).str();
  size_t end = op.opEnd();
  if (op.find("cachePolicy", op.at, end) == site.at)
    return Edits{site.replace(site.span(site.at, past), keywords)};
  // The keywords stand before a stride and before the dictionary.
  size_t before =
      std::min(op.find("stride", op.at, end), op.find("{", op.at, end));
  if (before == end)
    return std::nullopt;
  return Edits{site.insertAfter(before - 1, keywords), site.dropEntry(site.at)};
}

/// `: !tt.ptr<f32> -> tensor<...>` is `: tensor<...>`.
std::optional<Edits> spelling::bufferPointer(const Site &site) {
  size_t colon = site.find(":", site.at, site.opEnd());
  size_t past = site.pastBracket(colon + 2);
  if (site.text(colon + 1) != "!tt.ptr" || !past || site.text(past) != "->")
    return std::nullopt;
  return Edits{site.replace(site.span(colon + 1, past + 1), "")};
}

/// `: !tt.ptr<f32>[` of a load to shared memory is `: <f32>[`.
std::optional<Edits> spelling::localPointer(const Site &site) {
  size_t colon = site.find(":", site.at, site.opEnd());
  if (site.text(colon + 1) != "!tt.ptr")
    return std::nullopt;
  return Edits{site.replace(colon + 1, "")};
}

/// `OpIdx = #amdgpu.OpIdx<0>` was a mark of the pipeliner on any op.
std::optional<Edits> spelling::operandIndex(const Site &site) {
  if (site.text(site.at - 1) != "=" || site.text(site.at - 2) != "OpIdx")
    return Edits();
  return Edits{site.dropEntry(site.at - 2)};
}
