//===- SpellingRewrites.h - how to write it today ---------------*- C++ -*-===//
//
// One function for each kind of change in the table of OlderSpellings.cpp. It
// gives nothing if the word is not old where it stands, and no edits if it is
// but text alone cannot say what to write.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGREWRITES_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGREWRITES_H

#include "server/analysis/SpellingSite.h"

namespace kernelscope::respell {

std::optional<std::vector<TextEdit>> cluster(const SpellingSite &site);
std::optional<std::vector<TextEdit>> wmmaWarps(const SpellingSite &site);
std::optional<std::vector<TextEdit>> mfmaVersion(const SpellingSite &site);
std::optional<std::vector<TextEdit>> mfmaElement(const SpellingSite &site);
std::optional<std::vector<TextEdit>> mfmaWithoutK(const SpellingSite &site);
std::optional<std::vector<TextEdit>>
tensorMemoryStride(const SpellingSite &site);
std::optional<std::vector<TextEdit>>
tensorMemoryCluster(const SpellingSite &site);
std::optional<std::vector<TextEdit>> paddedShape(const SpellingSite &site);
std::optional<std::vector<TextEdit>> descriptor(const SpellingSite &site);
std::optional<std::vector<TextEdit>> barrierRing(const SpellingSite &site);
std::optional<std::vector<TextEdit>> ringAllocation(const SpellingSite &site);
std::optional<std::vector<TextEdit>> arefBatch(const SpellingSite &site);
std::optional<std::vector<TextEdit>> shorterDialect(const SpellingSite &site);
std::optional<std::vector<TextEdit>> packedTransposed(const SpellingSite &site);
std::optional<std::vector<TextEdit>> localBarrier(const SpellingSite &site);
std::optional<std::vector<TextEdit>> warpId(const SpellingSite &site);
std::optional<std::vector<TextEdit>> wgmmaFence(const SpellingSite &site);
std::optional<std::vector<TextEdit>> wgmmaCommit(const SpellingSite &site);
std::optional<std::vector<TextEdit>>
nvgpuClusterArrive(const SpellingSite &site);
std::optional<std::vector<TextEdit>> nvgpuClusterWait(const SpellingSite &site);
std::optional<std::vector<TextEdit>> proxyFence(const SpellingSite &site);
std::optional<std::vector<TextEdit>> storeMatrix(const SpellingSite &site);
std::optional<std::vector<TextEdit>> loadMatrix(const SpellingSite &site);
std::optional<std::vector<TextEdit>> scratchAlloc(const SpellingSite &site);
std::optional<std::vector<TextEdit>> cannotSay(const SpellingSite &site);
std::optional<std::vector<TextEdit>> dropOp(const SpellingSite &site);
std::optional<std::vector<TextEdit>> commitTokens(const SpellingSite &site);
std::optional<std::vector<TextEdit>> bracketedIndex(const SpellingSite &site);
std::optional<std::vector<TextEdit>> subview(const SpellingSite &site);
std::optional<std::vector<TextEdit>> copyBarrier(const SpellingSite &site);
std::optional<std::vector<TextEdit>> copyTypes(const SpellingSite &site);
std::optional<std::vector<TextEdit>> sliceOffset(const SpellingSite &site);
std::optional<std::vector<TextEdit>> commitOfTwo(const SpellingSite &site);
std::optional<std::vector<TextEdit>> operandIndex(const SpellingSite &site);
std::optional<std::vector<TextEdit>> tensorMode(const SpellingSite &site);
std::optional<std::vector<TextEdit>> clusterArrive(const SpellingSite &site);
std::optional<std::vector<TextEdit>> clusterWait(const SpellingSite &site);
std::optional<std::vector<TextEdit>> tensorMover(const SpellingSite &site);
std::optional<std::vector<TextEdit>> rowMover(const SpellingSite &site);
std::optional<std::vector<TextEdit>> recordByNumber(const SpellingSite &site);
std::optional<std::vector<TextEdit>> mmaBarrier(const SpellingSite &site);
std::optional<std::vector<TextEdit>> scaledMmaBarrier(const SpellingSite &site);

} // namespace kernelscope::respell

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGREWRITES_H
