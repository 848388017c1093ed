//===- BatchBuilder.h - several units parsed together -----------*- C++ -*-===//
//
// Most text is sound. Then neighbours are parsed together, and what they share,
// the aliases and the header of their module, is parsed once.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_BATCHBUILDER_H
#define KERNELSCOPE_SERVER_ANALYSIS_BATCHBUILDER_H

#include "server/analysis/FragmentRequest.h"

namespace kernelscope {

/// Whether the text of a unit needs no repair that is known before it is
/// parsed.
bool isSound(const Syntax &syntax, const FragmentRequest &request);

/// The facts of each of some sound units of a chunk, one of which may be its
/// skeleton. Nothing if MLIR's parser has anything to say, or if the analysis
/// was cancelled: what is wrong is found out by building each unit alone.
std::vector<std::shared_ptr<const UnitFacts>>
buildTogether(const Syntax &syntax,
              llvm::ArrayRef<const FragmentRequest *> requests);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_BATCHBUILDER_H
