//===- FragmentBuilder.h - parse with recovery, then verify -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H
#define KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H

#include "server/analysis/FragmentRequest.h"

#include "llvm/ADT/DenseSet.h"

namespace kernelscope {

struct BuiltUnit {
  std::shared_ptr<const UnitFacts> facts;
  /// The repairs that were made, and the statements that they repair.
  std::vector<Patch> patches;
  llvm::DenseSet<SyntaxId> broken;
};

/// Builds one unit, whatever is wrong with it.
BuiltUnit buildUnit(const Syntax &syntax, const FragmentRequest &request);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H
