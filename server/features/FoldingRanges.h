//===- FoldingRanges.h - what may be folded ------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_FOLDINGRANGES_H
#define KERNELSCOPE_SERVER_FEATURES_FOLDINGRANGES_H

#include "server/analysis/Document.h"

#include <vector>

namespace kernelscope {

enum class FoldingKind { Region, Comment };

struct FoldingRange {
  Span span; ///< From the end of the first line that stays to the last byte
             ///< that is hidden.
  FoldingKind kind = FoldingKind::Region;
};

/// Regions of ops, runs of comments, runs of aliases; only what spans lines.
std::vector<FoldingRange> foldingRanges(const Document &document);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_FOLDINGRANGES_H
