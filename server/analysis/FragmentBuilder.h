//===- FragmentBuilder.h - parse with recovery, then verify -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H
#define KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H

#include "server/analysis/Reparse.h"

#include "llvm/ADT/DenseSet.h"

namespace kernelscope {

struct BuiltUnit {
  std::shared_ptr<const UnitFacts> facts;
  /// The repairs that were made, and the statements that they repair.
  std::vector<Patch> patches;
  llvm::DenseSet<SyntaxId> broken;
  bool tookEarlier = false; ///< The earlier unit has no ops any more.
};

/// Builds one unit, whatever is wrong with it; from the ops of an earlier
/// version if that goes.
BuiltUnit buildUnit(const Syntax &syntax, const FragmentRequest &request,
                    const EarlierUnit &earlier);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_FRAGMENTBUILDER_H
