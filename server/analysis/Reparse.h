//===- Reparse.h - only the edited ops of a function are parsed -*- C++ -*-===//
//
// MLIR's parser takes two fifths of the time of an edit, and most of what it
// reads is as it was. So the edited ops alone are parsed, in a function that
// has nothing but them and the values that they use, and take the places of
// those before.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_REPARSE_H
#define KERNELSCOPE_SERVER_ANALYSIS_REPARSE_H

#include "server/analysis/FragmentRequest.h"

namespace kernelscope {

/// A function in an earlier version of the document, which nobody will ask
/// again: its ops may be taken.
struct EarlierUnit {
  const Unit *unit = nullptr; ///< Null for none.
  const Syntax *syntax = nullptr;
};

/// What a parse of `patched` would make, if it is the text that was parsed for
/// `earlier`: as long as what is edited is left out. Takes all that `earlier`
/// has; null, and it is left alone, if the text is another.
std::shared_ptr<Fragment> takeParse(const EarlierUnit &earlier,
                                    const PatchedText &patched);

/// What a parse of `patched`, the text of `request`, would make of it. Takes
/// the ops of `earlier` and changes those that were edited. Nothing, and the
/// ops are left alone, if the edit is not of a few ops without regions, or if
/// these cannot be parsed or have other results than before.
std::shared_ptr<Fragment> reparse(const EarlierUnit &earlier,
                                  const Syntax &syntax,
                                  const FragmentRequest &request,
                                  const PatchedText &patched);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_REPARSE_H
