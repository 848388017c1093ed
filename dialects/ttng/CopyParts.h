//===- CopyParts.h - What each CTA of a cluster copies ----------*- C++ -*-===//
//
// The CTAs of a cluster share the work of a copy by TMA: each copies its part
// of the window, which is usually what it has in its own memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTNG_COPYPARTS_H
#define KERNELSCOPE_DIALECTS_TTNG_COPYPARTS_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/ttg/TTG.h"

namespace kernelscope::ttng {

/// How CTAs divide a window among them.
struct CopyParts {
  /// From a CTA id (in-dim block) to where in the window its part begins, an
  /// out-dim per dimension.
  LinearLayout starts;
  /// The sizes of a part, one per dimension.
  llvm::SmallVector<int64_t> sizes;
  /// The bits of the CTA id along which one CTA has the whole window in its
  /// memory. The CTAs that differ in them divide it all the same.
  int32_t inOneCTA = 0;
};

/// Divides a window of shape `window` in a buffer that has its elements at
/// `memory` (in-dims offset and block). Nothing if the window is too small.
std::optional<CopyParts> divideCopy(const LinearLayout &memory,
                                    llvm::ArrayRef<int64_t> window);

/// The same for the window that a verified copy has as its memory; nothing in a
/// cluster of one.
std::optional<CopyParts> divideCopy(ttg::MemDescType memory);

} // namespace kernelscope::ttng

#endif // KERNELSCOPE_DIALECTS_TTNG_COPYPARTS_H
