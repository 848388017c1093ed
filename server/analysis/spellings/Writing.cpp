//===- Writing.cpp - how other releases write what we print ---------------===//

#include "server/analysis/spellings/Writing.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using namespace kernelscope::spelling;
using llvm::StringRef;

bool Writing::isFor(Release release) const {
  auto first = Release::parse(releases.first);
  auto last = Release::parse(releases.last);
  return (!first || *first <= release) && (!last || release <= *last);
}

//===----------------------------------------------------------------------===//
// The way back of shapes
//===----------------------------------------------------------------------===//

static std::optional<Edits> writeRenamed(const Site &site, const Writing &row) {
  return Edits{site.replaceIn(row.forward->today, row.forward->older)};
}

static std::optional<Edits> writeEntry(const Site &site, const Writing &row) {
  if (size_t key = site.findEntry(row.forward->today))
    return Edits{site.replace(key, row.forward->older)};
  return std::nullopt;
}

static std::optional<Edits> dropKeyword(const Site &site, const Writing &row) {
  if (site.text(site.at + 1) != row.forward->today)
    return std::nullopt;
  return Edits{{{site.span(site.at).end, site.span(site.at + 1).end}, ""}};
}

static std::optional<Edits> dropFlag(const Site &site, const Writing &row) {
  if (size_t key = site.findEntry(row.forward->today))
    return Edits{site.dropEntry(key)};
  return std::nullopt;
}

/// Nothing for a row whose shape does not say the way back.
static std::optional<Writing> reversed(const Spelling &row) {
  const Rewrite &rewrite = row.rewrite;
  StringRef word = row.word;
  Writing back{row.place == Place::Dialect ? Place::Ops : row.place, word.str(),
               row.releases, nullptr, &rewrite};
  switch (rewrite.shape) {
  case Rewrite::Rename: {
    // A name that stands for more than one word, or for part of what another
    // op did, has a row of its own.
    if (rewrite.older.empty() || rewrite.today.contains(' '))
      return std::nullopt;
    auto [before, after] = word.rsplit(rewrite.older);
    back.word = (before + rewrite.today + after).str();
    back.write = writeRenamed;
    // Later releases have had both.
    if (word.starts_with("proton_gpu."))
      return std::nullopt;
    return back;
  }
  case Rewrite::RenameEntry:
    back.write = writeEntry;
    return back;
  case Rewrite::InsertKeyword:
    back.write = dropKeyword;
    return back;
  case Rewrite::InsertEntry:
    back.write = dropFlag;
    return back;
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Evidence evidenceOf(const Writing &row) {
  Evidence evidence;
  auto first = Release::parse(row.releases.first);
  auto last = Release::parse(row.releases.last);
  if (!row.rule.empty())
    evidence.addRejected(first.value_or(oldestRelease),
                         last.value_or(newestRelease));
  // Some releases take the flag without asking for it.
  if (row.isWrittenToo ||
      (row.forward && row.forward->shape == Rewrite::InsertEntry))
    return evidence;
  if (last)
    evidence.addSince({last->minor + 1});
  if (first)
    evidence.addUntil({first->minor - 1});
  return evidence;
}

static std::vector<Writing> makeTable() {
  using enum Place;
  std::vector<Writing> rows;
  for (const Spelling &row : allSpellings())
    if (std::optional<Writing> back = reversed(row))
      rows.push_back(std::move(*back));
  const Writing own[] = {
      {Type, "!tt.tensordesc", until("3.7"), writeDescriptor},
      {Op, "tt.make_tensor_descriptor", until("3.7"), writeDescriptorResult},
      {Type, "!ttng.tensordesc_im2col", until("3.7"), writeDescriptor},
      {Type, "!ttg.memdesc", until("3.4"), writeBarrierRing},
      {Op, "ttg.memdesc_index", until("3.4"), writeSubview},
      {Op, "ttg.memdesc_subslice", until("3.4"), writeSubview},
      {Op, "ttg.barrier", until("3.5"), writeBarrier},
      {Op, "ttg.barrier", {"3.6", "3.6"}, writeBarrier},
      {Op, "tt.approx_divf", until("3.8"), writeDivision},
      {Op, "ttg.warp_id", until("3.5"), writeWarpId},
      {Op, "ttg.warp_id", {"3.6", "3.6"}, writeWarpId},
      {Op, "ttng.cluster_barrier", until("3.8"), writeClusterArrival},
      {Op, "ttng.tmem_copy", until("3.4"), writeCopyTypes},
      {Op, "ttg.async_commit_group", until("3.4"), writeCommitWithoutTokens,
       nullptr, /*isNew=*/false, /*isWrittenToo=*/true},
      {Op, "amdg.async_tdm_copy_local_to_global", until("3.8"),
       writeCopyWithoutToken},
      {Op, "amdg.async_tdm_scatter", until("3.8"), writeCopyWithoutToken},
      {Op, "tt.broadcast", until("3.8"), writeBroadcast},
      {Op, "tt.reshape", until("3.8"), writeReshape},
      {Op, "tt.reshape", since("3.9"), writeReshapeOfCopies},
      {Attributes, "#ttg.", until("3.5"), writeCtas},
      {Attribute, "#ttg.amd_mfma", until("3.5"), writeMfmaWithoutK},
      {Attribute, "#ttg.amd_mfma", until("3.4"), writeMfmaVersion},
      {Attribute, "#ttg.amd_wmma", until("3.6"), writeWmmaWarps},
      {Attribute, "#ttg.amd_wmma", until("3.5"), writeWmmaVersion},
      {Attribute, "#ttg.padded_shared", until("3.5"), writePaddingWithoutShape},
      {Attribute, "#ttng.tensor_memory_encoding", until("3.5"),
       writeTensorMemoryStride},
      {Attributes, "#ttng.tensor_memory_", until("3.7"),
       writeTensorMemorySplit},
      {Key, "cacheModifier", since("3.9"), writeCachePolicy},
      {Key, "evictionPolicy", since("3.9"), writeCachePolicy},
      {Ops, "amdg.buffer_", since("3.9"), writeBufferPointer},
      {Op, "scf.execute_region", until("3.4"), writeExecuteRegion},
      {Op, "rocdl.sched.barrier", since("3.9"), writeSchedulingMask},
      {Op, "nvvm.tcgen05.wait", since("3.9"), writeTensorMemoryWait},
  };
  rows.insert(rows.end(), std::begin(own), std::end(own));
  llvm::append_range(rows, writingsOfNewWords());
  llvm::append_range(rows, writingsOfRules());
  for (Writing &row : rows)
    row.evidence = evidenceOf(row);
  return rows;
}

const std::vector<Writing> &spelling::allWritings() {
  static const std::vector<Writing> table = makeTable();
  return table;
}

//===----------------------------------------------------------------------===//
// The scan
//===----------------------------------------------------------------------===//

bool spelling::isInside(const Edits &edits, StringRef text) {
  return llvm::all_of(edits, [&](const TextEdit &edit) {
    return edit.span.begin <= edit.span.end && edit.span.end <= text.size();
  });
}

const RowsByWord<Writing> &spelling::writingsByWord() {
  static const RowsByWord<Writing> table = [] {
    RowsByWord<Writing> rows;
    for (const Writing &row : allWritings())
      rows.add(row);
    return rows;
  }();
  return table;
}

std::optional<Edits> Writing::at(const Site &site) const {
  if ((place == Place::Op || place == Place::Ops) && !site.op())
    return std::nullopt;
  std::optional<Edits> edits = write(site, *this);
  if (edits && !isInside(*edits, site.syntax.text()))
    edits->clear();
  return edits;
}

void spelling::findWritings(
    const Site &site,
    llvm::function_ref<void(const Writing &, const Token &, Edits)> found) {
  const Token &token = site.syntax.tokens()[site.at];
  writingsByWord().forEach(site.text(site.at), [&](const Writing &row) {
    if (std::optional<Edits> edits = row.at(site))
      found(row, token, std::move(*edits));
  });
}

void spelling::scanForWritings(
    const Syntax &syntax, Span span, mlir::MLIRContext &context,
    llvm::function_ref<void(const Writing &, const Token &, Edits)> found) {
  auto [first, last] = syntax.tokensIn(span);
  for (size_t i = first; i < last; ++i)
    if (const Token &token = syntax.tokens()[i];
        mayBeSpelling(token) &&
        writingsByWord().filter().mayHave(syntax.text(token)))
      findWritings(Site(syntax, context, i), found);
}
