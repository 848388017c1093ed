//===- ReleaseRules.cpp - what some releases do not take ------------------===//
//
// All releases have these ops, and spell them alike; some have a rule that the
// others do not have. Found by what the parser of each release from PyPI says
// of what we write for it (test/oracle/rewriting.py).
//
//===----------------------------------------------------------------------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Writing.h"

#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

namespace {

/// A memory descriptor: shape and element, layout, memory, and after that
/// perhaps `mutable` and the shape of the buffer that it is a part of.
struct BufferType {
  StringRef shape, layout;
  bool isPart;
};

} // namespace

/// The types of the buffers in the op's line, in order, or of those that may be
/// parts of others.
static llvm::SmallVector<BufferType> buffersOf(const Site &site,
                                               bool onlyParts = false) {
  llvm::SmallVector<BufferType> buffers;
  for (size_t i = site.at + 1, end = site.opEnd(); i < end; ++i) {
    if (site.text(i) != "!ttg.memdesc")
      continue;
    Site type(site.syntax, site.context, i);
    if (onlyParts && !mayHaveAllocation(type))
      continue;
    auto parts = partsOf(type);
    if (parts.size() < 3)
      continue;
    StringRef last = site.text(parts.back());
    buffers.push_back({site.text(parts[0]), site.text(parts[1]),
                       parts.size() > 3 && llvm::isDigit(last.front())});
  }
  return buffers;
}

/// What is rejected has no edits: text alone cannot say it in another way.
static std::optional<Edits> rejectedIf(bool isRejected) {
  return isRejected ? std::optional(Edits()) : std::nullopt;
}

static std::optional<Edits> changesLayout(const Site &site, const Writing &) {
  auto buffers = buffersOf(site);
  return rejectedIf(buffers.size() == 2 &&
                    buffers[0].layout != buffers[1].layout);
}

static std::optional<Edits> readsPart(const Site &site, const Writing &) {
  auto buffers = buffersOf(site);
  return rejectedIf(!buffers.empty() && buffers[0].isPart);
}

static std::optional<Edits> initialisesSeveral(const Site &site,
                                               const Writing &) {
  auto buffers = buffersOf(site);
  return rejectedIf(buffers.size() == 1 && buffers[0].shape != "1xi64");
}

/// Whether a part of tensor memory has fewer columns than a block of its
/// layout.
static std::optional<Edits> hasWiderBlock(const Site &site, const Writing &) {
  for (const BufferType &buffer : buffersOf(site, /*onlyParts=*/true)) {
    auto sizes = sizesOf(buffer.shape);
    std::optional<Site> layout = site.aliasedBy(buffer.layout);
    if (!buffer.isPart || sizes.empty() || !layout)
      continue;
    size_t columns = 0, block = 0, width = layout->findKey("blockN");
    if (width && !sizes.back().getAsInteger(10, columns) &&
        !site.text(width).getAsInteger(10, block) && columns < block)
      return Edits();
  }
  return std::nullopt;
}

std::vector<Writing> spelling::writingsOfRules() {
  constexpr StringRef wideBlocks =
      "a part of a buffer must be as wide as a block of its layout";
  std::vector<Writing> rows;
  auto add = [&](StringRef op, Releases releases, auto *isBroken,
                 StringRef rule) {
    rows.push_back({Place::Op, op.str(), releases, isBroken});
    rows.back().rule = rule;
  };
  add("ttng.tmem_load", until("3.5"), hasWiderBlock, wideBlocks);
  add("ttng.tmem_store", until("3.5"), hasWiderBlock, wideBlocks);
  add("ttng.init_barrier", until("3.7"), initialisesSeveral,
      "it initialises one barrier, '1xi64'");
  add("ttng.tmem_subslice", since("3.8"), changesLayout,
      "the source and the result must have the same layout");
  // 3.9 dropped the rule again, so it tells nothing about who wrote a file.
  add("ttg.memdesc_reinterpret", {"3.8", "3.8"}, readsPart,
      "the source must not be a part of a buffer");
  rows.back().isWrittenToo = true;
  return rows;
}
