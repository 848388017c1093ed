//===- Writing.h - how other releases write what we print -------*- C++ -*-===//
//
// The table of Table.cpp the other way round. What a shape there says of the
// way back is derived from its row; the rest are rows of their own.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_WRITING_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_WRITING_H

#include "server/analysis/spellings/Release.h"
#include "server/analysis/spellings/RowsByWord.h"
#include "server/analysis/spellings/Spelling.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace kernelscope::spelling {

/// A word of ours that some releases write otherwise.
struct Writing {
  Place place;
  std::string word;
  /// The releases that do not write it as we do.
  Releases releases;
  std::optional<Edits> (*write)(const Site &site, const Writing &row);
  /// For what a row of the table derives.
  const Rewrite *forward = nullptr;
  /// The releases do not have the word at all.
  bool isNew = false;
  /// The releases do write it as we do, too, and cannot read it.
  bool isWrittenToo = false;
  /// A rule of the releases that the op breaks; empty for all other rows.
  llvm::StringRef rule = "";
  /// What a place like this says of the release that wrote it.
  Evidence evidence = {};

  bool isFor(Release release) const;
  bool isPrefix() const {
    return place == Place::Ops || place == Place::Attributes;
  }
  /// How those releases write what is at `site`, which has the word: nothing if
  /// as we do, no edits where text alone cannot say how.
  std::optional<Edits> at(const Site &site) const;
};

const std::vector<Writing> &allWritings();
/// Rows of the ops and layouts that came after the oldest release.
std::vector<Writing> writingsOfNewWords();
/// Rows of the ops that some releases verify otherwise.
std::vector<Writing> writingsOfRules();
const RowsByWord<Writing> &writingsByWord();

/// Whether rows are about tokens of this kind.
inline bool mayBeSpelling(const Token &token) {
  return token.isAny<Token::Hash, Token::Bang, Token::Identifier>();
}

/// Whether all of `edits` are in `text`: broken text may have led a rewrite
/// astray.
bool isInside(const Edits &edits, llvm::StringRef text);

/// Calls `found(row, token, edits)` if the word at `site` is ours and some
/// release writes it otherwise; no edits where text alone cannot say how.
void findWritings(
    const Site &site,
    llvm::function_ref<void(const Writing &, const Token &, Edits)> found);
/// The same for each word in `span`.
void scanForWritings(
    const Syntax &syntax, Span span, mlir::MLIRContext &context,
    llvm::function_ref<void(const Writing &, const Token &, Edits)> found);

// OlderLayouts.cpp
std::optional<Edits> writeCtas(const Site &site, const Writing &);
std::optional<Edits> writeMfmaWithoutK(const Site &site, const Writing &);
std::optional<Edits> writeMfmaVersion(const Site &site, const Writing &);
std::optional<Edits> writeWmmaWarps(const Site &site, const Writing &);
std::optional<Edits> writeWmmaVersion(const Site &site, const Writing &);
std::optional<Edits> writePaddingWithoutShape(const Site &site,
                                              const Writing &);
std::optional<Edits> writeTensorMemoryStride(const Site &site, const Writing &);
std::optional<Edits> writeTensorMemorySplit(const Site &site, const Writing &);

// OlderOps.cpp
std::optional<Edits> writeDescriptor(const Site &site, const Writing &);
std::optional<Edits> writeDescriptorResult(const Site &site, const Writing &);
std::optional<Edits> writeBarrierRing(const Site &site, const Writing &);
std::optional<Edits> writeSubview(const Site &site, const Writing &);
std::optional<Edits> writeDivision(const Site &site, const Writing &);
std::optional<Edits> writeWarpId(const Site &site, const Writing &row);
std::optional<Edits> writeBarrier(const Site &site, const Writing &);
std::optional<Edits> writeClusterArrival(const Site &site, const Writing &);
std::optional<Edits> writeCopyTypes(const Site &site, const Writing &);
std::optional<Edits> writeCommitWithoutTokens(const Site &site,
                                              const Writing &);
std::optional<Edits> writeCopyWithoutToken(const Site &site, const Writing &);
std::optional<Edits> writeCachePolicy(const Site &site, const Writing &);
std::optional<Edits> writeBufferPointer(const Site &site, const Writing &);
std::optional<Edits> writeTensorMemoryWait(const Site &site, const Writing &);

// Reshapes.cpp
std::optional<Edits> writeBroadcast(const Site &site, const Writing &);
std::optional<Edits> writeReshape(const Site &site, const Writing &);
std::optional<Edits> writeReshapeOfCopies(const Site &site, const Writing &);

// Upstream.cpp
std::optional<Edits> writeExecuteRegion(const Site &site, const Writing &);
std::optional<Edits> writeSchedulingMask(const Site &site, const Writing &);

} // namespace kernelscope::spelling

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_WRITING_H
