//===- Misprints.cpp - what MLIR prints and does not read -----------------===//

#include "server/analysis/Misprints.h"

#include "server/analysis/SpellingSite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;

using Edits = std::vector<TextEdit>;

static TextEdit quoteName(const SpellingSite &site) {
  return site.replace(site.at, ("\"" + site.text(site.at) + "\"").str());
}

/// The location behind `nvvm.barrier id = %a number_of_threads = %b` is read as
/// the attribute that may follow.
static Edits mendBarrier(const SpellingSite &site) {
  constexpr llvm::StringRef keywords[] = {"id", "number_of_threads"};
  Edits edits{quoteName(site)};
  llvm::SmallVector<std::string, 2> types, segments;
  size_t next = site.at + 1;
  for (llvm::StringRef keyword : keywords) {
    bool isThere = site.text(next) == keyword;
    segments.push_back(isThere ? "1" : "0");
    if (!isThere)
      continue;
    size_t value = next + 2;
    if (site.text(next + 1) != "=" || !site.text(value).starts_with("%"))
      return {};
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
    return {};
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
static Edits mendIntrinsic(const SpellingSite &site) {
  size_t name = site.at + 1, open = site.at + 2;
  size_t past = site.text(open) == "(" ? site.pastBracket(open) : 0;
  if (!past || site.text(past) != ":" || site.text(past + 1) != "(")
    return {};
  size_t arrow = site.pastBracket(past + 1);
  if (!arrow || site.text(arrow) != "->" ||
      site.text(arrow + 1) != "!llvm.void")
    return {};
  size_t operands = site.split(open + 1, past - 1).size();
  return {quoteName(site), site.replace(name, ""),
          site.insertAfter(past - 1, " <{intrin = " + site.text(name).str() +
                                         ", op_bundle_sizes = array<i32>, "
                                         "operandSegmentSizes = array<i32: " +
                                         std::to_string(operands) + ", 0>}>")};
}

std::vector<TextEdit> kernelscope::mendMisprints(const Syntax &syntax,
                                                 Span span,
                                                 mlir::MLIRContext &context) {
  Edits edits;
  forEachIdentifier(syntax, span, context, [&](const SpellingSite &site) {
    llvm::StringRef word = site.text(site.at);
    if (word == "nvvm.barrier" && site.op())
      llvm::append_range(edits, mendBarrier(site));
    else if (word == "llvm.call_intrinsic" && site.op())
      llvm::append_range(edits, mendIntrinsic(site));
  });
  return edits;
}
