//===- OlderSpellings.cpp - what older Tritons wrote otherwise ------------===//

#include "server/analysis/OlderSpellings.h"

#include "server/analysis/NewerSpellings.h"
#include "server/analysis/SpellingRewrites.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <tuple>

using namespace kernelscope;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using namespace respell;
using Rewrite = std::optional<std::vector<TextEdit>> (*)(const SpellingSite &);

namespace {

struct Row {
  /// An op's name, a type's or an attribute's with its `!` or `#`; with a dot
  /// at the end, all that begin so.
  llvm::StringLiteral word;
  llvm::StringLiteral what;  ///< What of it is old; empty for the word itself.
  llvm::StringLiteral until; ///< The last release that wrote it.
  llvm::StringLiteral today; ///< What the next one has in its place.
  /// Whether the parser makes of it what it makes of today's spelling.
  bool isRead;
  Rewrite rewrite;
};

constexpr bool Read = true, Unread = false;

constexpr Row rows[] = {
    // Dialects
    {"amdgpu.", "the dialect", "3.5", "it is 'amdg'", Unread, shorterDialect},
    {"nvgpu.", "the dialect", "3.5", "it is 'nvg'", Unread, shorterDialect},
    {"ttg.amdgpu.syncedViaAsyncWait", "", "3.5",
     "it is 'ttg.amdg.syncedViaAsyncWait'", Unread, shorterDialect},
    // Ops
    {"ttg.memdesc_subview", "", "3.4",
     "it is 'ttg.memdesc_index' or 'ttg.memdesc_subslice'", Unread, subview},
    {"ttng.tc_gen5_mma", "a barrier without 'is_async'", "3.4",
     "'is_async' is written", Unread, mmaBarrier},
    {"ttng.tc_gen5_mma_scaled", "a barrier without 'is_async'", "3.4",
     "'is_async' is written", Unread, scaledMmaBarrier},
    {"ttg.memdesc_index", "the comma", "3.4", "the index is in brackets",
     Unread, bracketedIndex},
    {"ttg.async_commit_group", "the bare tokens", "3.5",
     "'tokens' stands before them", Unread, commitTokens},
    {"ttg.local_barrier", "", "3.6", "it is 'ttg.barrier local'", Unread,
     localBarrier},
    {"nvgpu.wgmma_fence", "", "3.4", "it is 'nvvm.wgmma.fence.aligned'", Unread,
     wgmmaFence},
    {"nvgpu.wgmma_commit_group", "", "3.4",
     "it is 'nvvm.wgmma.commit.group.sync.aligned'", Unread, wgmmaCommit},
    {"nvgpu.cluster_arrive", "", "3.4", "it is 'nvvm.cluster.arrive'", Unread,
     nvgpuClusterArrive},
    {"nvgpu.cluster_wait", "", "3.4", "it is 'nvvm.cluster.wait'", Unread,
     nvgpuClusterWait},
    {"nvgpu.fence_async_shared", "", "3.4", "it is 'nvvm.fence.proxy'", Unread,
     proxyFence},
    {"nvgpu.stmatrix", "", "3.4", "it is 'nvvm.stmatrix'", Unread, storeMatrix},
    {"nvgpu.ldmatrix", "", "3.5", "it is 'nvvm.ldmatrix'", Unread, loadMatrix},
    {"nvg.warp_id", "", "3.6", "it is 'ttg.warp_id'", Unread, warpId},
    {"ttng.tc_gen5_commit", "two_ctas", "3.6",
     "the module's 'ttng.two-ctas' says it", Unread, commitOfTwo},
    {"ttng.tmem_copy", "the barrier", "3.7",
     "a 'ttng.tc_gen5_commit' follows the copy", Unread, copyBarrier},
    {"ttng.tmem_copy", "the type of a function", "3.4",
     "it is the operands' types", Unread, copyTypes},
    {"ttng.tmem_subslice", "N", "3.8", "it is 'offset'", Read, sliceOffset},
    {"ttng.async_tma_copy_global_to_local", "tensorMode", "3.7",
     "the descriptor's type says it", Unread, tensorMode},
    {"ttng.cluster_arrive", "", "3.8",
     "it is 'ttng.cluster_barrier', with the wait", Unread, clusterArrive},
    {"ttng.cluster_wait", "", "3.8",
     "it is 'ttng.cluster_barrier', with the arrival", Unread, clusterWait},
    {"amdg.local_load_packed_tranposed", "", "3.8",
     "it is 'amdg.local_load_packed_transposed'", Unread, packedTransposed},
    {"amdg.async_tdm_copy_global_to_local", "the block's place", "3.7",
     "'amdg.update_tensor_descriptor' gives it", Unread, tensorMover},
    {"amdg.async_tdm_copy_local_to_global", "the block's place", "3.7",
     "'amdg.update_tensor_descriptor' gives it", Unread, tensorMover},
    {"amdg.async_tdm_gather", "the column", "3.7",
     "'amdg.update_tensor_descriptor' gives it", Unread, rowMover},
    {"amdg.async_tdm_scatter", "the column", "3.7",
     "'amdg.update_tensor_descriptor' gives it", Unread, rowMover},
    {"amdg.instruction_sched_hint", "", "3.7", "there is none", Unread, dropOp},
    {"amdg.upcast_mxfp", "", "3.7",
     "it is 'amdg.scaled_upcast_fp4' and 'amdg.scaled_upcast_fp8'", Read,
     cannotSay},
    {"nvws.aref.destroy", "", "3.5", "there is none", Unread, dropOp},
    {"proton.record", "a region's number", "3.4", "a region has a name", Unread,
     recordByNumber},
    {"tt.make_tensor_ptr", "", "3.7",
     "block pointers are gone: 'tt.make_tensor_descriptor' describes a block",
     Read, cannotSay},
    {"tt.advance", "", "3.7",
     "block pointers are gone: 'tt.descriptor_load' takes the block's place",
     Read, cannotSay},
    {"proton_gpu.global_scratch_alloc", "", "3.6",
     "it is 'ttg.global_scratch_alloc'", Unread, scratchAlloc},
    // Types
    {"!tt.tensordesc", "the tensor type", "3.7",
     "it has shape and element itself", Read, descriptor},
    {"!ttng.tensordesc_im2col", "the tensor type", "3.7",
     "it has shape and element itself", Unread, descriptor},
    {"!ttg.memdesc", "a row of barriers", "3.4",
     "it is a ring of two dimensions", Unread, barrierRing},
    {"!ttg.memdesc", "a ring's allocation", "3.5", "its member stands alone",
     Unread, ringAllocation},
    {"!nvws.aref", "the number of leading dimensions", "3.4",
     "it is always one", Unread, arefBatch},
    // Layouts
    {"#amdgpu.OpIdx", "", "3.4", "there is none", Unread, operandIndex},
    {"#ttg.blocked", "CTAsPerCGA", "3.5", "it is 'CGALayout'", Read, cluster},
    {"#ttg.nvidia_mma", "CTAsPerCGA", "3.5", "it is 'CGALayout'", Read,
     cluster},
    {"#ttg.amd_mfma", "CTAsPerCGA", "3.5", "it is 'CGALayout'", Read, cluster},
    {"#ttg.amd_wmma", "CTAsPerCGA", "3.5", "it is 'CGALayout'", Read, cluster},
    {"#ttg.swizzled_shared", "CTAsPerCGA", "3.5", "it is 'CGALayout'", Read,
     cluster},
    {"#ttg.amd_rotating_shared", "CTAsPerCGA", "3.5", "it is 'CGALayout'", Read,
     cluster},
    {"#ttg.nvmma_shared", "CTAsPerCGA", "3.5", "it is 'CGALayout'", Read,
     cluster},
    {"#ttg.padded_shared", "no 'shape'", "3.5", "it has the tensor's", Unread,
     paddedShape},
    {"#ttg.amd_mfma", "versionMajor", "3.4", "it is 'version'", Read,
     mfmaVersion},
    {"#ttg.amd_mfma", "'instrShape' without K", "3.5", "it is M, N and K", Read,
     mfmaWithoutK},
    {"#ttg.amd_mfma", "elementType", "3.5", "it is 'elementBitWidth'", Read,
     mfmaElement},
    {"#ttg.amd_wmma", "warpsPerCTA", "3.6", "it is 'ctaLayout'", Read,
     wmmaWarps},
    {"#ttng.tensor_memory_encoding", "unpacked", "3.5", "it is 'colStride'",
     Unread, tensorMemoryStride},
    {"#ttng.tensor_memory_encoding", "CTASplitM and CTASplitN", "3.7",
     "they are 'CGALayout'", Read, tensorMemoryCluster},
    {"#ttng.tensor_memory_scales_encoding", "CTASplitM and CTASplitN", "3.7",
     "they are 'CGALayout'", Read, tensorMemoryCluster},
};

/// What the sanitizers of older Tritons wrote between two passes. It is left
/// out of the parsed text.
struct GoneOp {
  llvm::StringLiteral name, until;
};

constexpr GoneOp goneOps[] = {
    {"tti.experimental_assert_in_thread", "3.7"},
    {"tti.experimental_buffer_pointers", "3.6"},
    {"tti.experimental_memdesc_to_i64", "3.6"},
    {"tti.experimental_check_barrier_writes_cleared", "3.5"},
    {"tti.experimental_check_outstanding_commits", "3.5"},
    {"tti.experimental_check_read_barriers", "3.5"},
    {"tti.experimental_check_write_state", "3.5"},
    {"tti.experimental_clear_outstanding_commits", "3.5"},
    {"tti.experimental_clear_read_barrier", "3.5"},
    {"tti.experimental_clear_write_barrier", "3.5"},
    {"tti.experimental_commit_accesses", "3.5"},
    {"tti.experimental_commit_write_with_barrier", "3.5"},
    {"tti.experimental_set_read_barrier", "3.5"},
    {"tti.experimental_set_write_state", "3.5"},
    {"tti.experimental_stage_access_for_commit", "3.5"},
};

//===----------------------------------------------------------------------===//
// The scan
//===----------------------------------------------------------------------===//

using RowsOfWord = llvm::StringMap<llvm::SmallVector<const Row *, 2>>;

const RowsOfWord &rowsOfWord() {
  static const RowsOfWord table = [] {
    RowsOfWord table;
    for (const Row &row : rows)
      table[row.word].push_back(&row);
    return table;
  }();
  return table;
}

std::string releaseAfter(StringRef release) {
  std::string next = release.str();
  ++next.back();
  return next;
}

std::string messageOf(const Row &row, StringRef word) {
  std::string what = row.what.empty() ? ("'" + word + "'").str()
                     : row.what.contains(' ')
                         ? (row.what + " in '" + word + "'").str()
                         : ("'" + row.what + "' in '" + word + "'").str();
  return what + " is the spelling of Triton " + row.until.str() +
         " and older; since " + releaseAfter(row.until) + " " + row.today.str();
}

bool isTypeExpectedAfter(StringRef text) {
  return text == "->" || text == ":" || text == "," || text == "*";
}

/// What the rows of `key` find at `site`, which is `word`; whether any does.
bool addFrom(StringRef key, StringRef word, const SpellingSite &site, Span span,
             std::vector<OlderSpelling> &found) {
  auto rows = rowsOfWord().find(key);
  if (rows == rowsOfWord().end())
    return false;
  size_t before = found.size();
  bool isName = llvm::isAlpha(key.front());
  for (const Row *row : rows->second) {
    if (isName && row->rewrite != shorterDialect && !site.op())
      continue;
    std::optional<std::vector<TextEdit>> edits = row->rewrite(site);
    if (!edits)
      continue;
    // Broken text may have led a rewrite astray.
    if (llvm::any_of(*edits, [&](const TextEdit &edit) {
          return edit.span.end < edit.span.begin ||
                 edit.span.end > site.syntax.text().size();
        }))
      edits->clear();
    found.push_back(
        {span, messageOf(*row, word), row->isRead, std::move(*edits)});
  }
  return found.size() != before;
}

} // namespace

std::vector<OlderSpelling>
kernelscope::findOlderSpellings(const Syntax &syntax, Span span,
                                mlir::MLIRContext &context) {
  const std::vector<Token> &tokens = syntax.tokens();
  std::vector<OlderSpelling> found;
  for (size_t i = syntax.tokenAfter(span.begin);
       i < tokens.size() && tokens[i].begin < span.end; ++i) {
    StringRef word = syntax.text(tokens[i]);
    // Some ops write the type of a descriptor from its `<` on.
    if (word == "<" && i > 0 && isTypeExpectedAfter(syntax.text(tokens[i - 1])))
      addFrom("!ttg.memdesc", "!ttg.memdesc",
              SpellingSite(syntax, context, i - 1), tokens[i].span(), found);
    if (tokens[i].kind != Token::Hash && tokens[i].kind != Token::Bang &&
        tokens[i].kind != Token::Identifier)
      continue;
    size_t dot = word.find('.');
    if (dot == StringRef::npos)
      continue;
    SpellingSite site(syntax, context, i);
    auto tryRows = [&](StringRef key) {
      return addFrom(key, word, site, tokens[i].span(), found);
    };
    if (tryRows(word))
      continue;
    // An op of a renamed dialect may have changed otherwise, too.
    StringRef dialect = word.take_front(dot + 1);
    if ((dialect == "amdgpu." || dialect == "nvgpu.") && site.op()) {
      tryRows(dialect);
      tryRows((dialect.drop_back(4) + "g." + word.substr(dot + 1)).str());
    }
  }
  return found;
}

std::optional<std::string> kernelscope::describeGoneOp(StringRef name) {
  const GoneOp *gone =
      llvm::find_if(goneOps, [&](const GoneOp &op) { return op.name == name; });
  if (gone == std::end(goneOps))
    return std::nullopt;
  return "'" + name.str() + "' is of Triton " + gone->until.str() +
         " and older; since " + releaseAfter(gone->until) +
         " there is none, and it is left out here";
}

Diagnostic kernelscope::toHint(const OlderSpelling &spelling) {
  Diagnostic hint;
  hint.span = spelling.span;
  hint.severity = Severity::Hint;
  hint.code = "older-spelling";
  hint.message = spelling.message;
  if (!spelling.edits.empty())
    hint.fixes.push_back({"Write it as today's Triton does", spelling.edits});
  return hint;
}

std::vector<TextEdit>
kernelscope::withoutOverlaps(std::vector<TextEdit> edits) {
  // Of two at one place, the one that replaces more comes first.
  llvm::sort(edits, [](const TextEdit &a, const TextEdit &b) {
    return std::tie(a.span.begin, b.span.end, a.newText) <
           std::tie(b.span.begin, a.span.end, b.newText);
  });
  size_t end = 0;
  llvm::erase_if(edits, [&](const TextEdit &edit) {
    if (edit.span.begin < end)
      return true;
    end = edit.span.end;
    return false;
  });
  return edits;
}

/// `span` of the text with `edits`.
static std::string applied(StringRef text, Span span,
                           std::vector<TextEdit> edits) {
  std::string result;
  size_t position = span.begin;
  for (const TextEdit &edit : withoutOverlaps(std::move(edits))) {
    if (!span.contains(edit.span))
      continue;
    result += text.substr(position, edit.span.begin - position);
    result += edit.newText;
    position = edit.span.end;
  }
  result += text.substr(position, span.end - position);
  return result;
}

static std::vector<TextEdit> allEdits(const Syntax &syntax, Span span,
                                      mlir::MLIRContext &context) {
  std::vector<TextEdit> edits = respellNewer(syntax, span, context);
  for (OlderSpelling &spelling : findOlderSpellings(syntax, span, context))
    llvm::append_range(edits, spelling.edits);
  return edits;
}

std::string kernelscope::inTodaysSpelling(const Syntax &syntax, Span span,
                                          mlir::MLIRContext &context) {
  return applied(syntax.text(), span, allEdits(syntax, span, context));
}

std::string kernelscope::inTodaysSpelling(StringRef text,
                                          mlir::MLIRContext &context) {
  Syntax syntax(text);
  Span whole = {0, text.size()};
  std::vector<TextEdit> edits = allEdits(syntax, whole, context);
  for (TextEdit &edit : edits) {
    llvm::replace(edit.newText, '\n', ' ');
    // Lines that an edit takes away stay as empty ones.
    edit.newText.append(syntax.text(edit.span).count('\n'), '\n');
  }
  return applied(text, whole, std::move(edits));
}
