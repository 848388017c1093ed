//===- Rewrites.h - changes of spelling that no shape fits ------*- C++ -*-===//
//
// Each is a `Rewrite::Function` of a row, or a few, of the table.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_REWRITES_H
#define KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_REWRITES_H

#include "server/analysis/spellings/Site.h"

#include <optional>

namespace kernelscope::spelling {

// Layouts.cpp

/// The attribute as our printer has it; no edits if our parser fails on it.
std::optional<Edits> reprinted(const Site &site);
/// The shape and element of the first descriptor whose layout is the alias that
/// this attribute defines; empty if there is none.
llvm::StringRef shapeOfUse(const Site &site);
std::optional<Edits> mfmaWithoutK(const Site &site);
std::optional<Edits> paddedShape(const Site &site);
std::optional<Edits> tensorMemoryCluster(const Site &site);
std::optional<Edits> tensorMemoryStride(const Site &site);

// MemoryDescriptors.cpp

/// The sizes of `3x64x64xf16` or `3x64x64`.
llvm::SmallVector<llvm::StringRef> sizesOf(llvm::StringRef shape);
/// The shape and element of a memory descriptor, its layout, and the rest.
llvm::SmallVector<Span> partsOf(const Site &site);
/// Whether the last part of the memory descriptor may be the shape of an
/// allocation: few have one, and of each this is asked.
bool mayHaveAllocation(const Site &site);
std::optional<Edits> arefBatch(const Site &site);
std::optional<Edits> barrierRing(const Site &site);
std::optional<Edits> bracketedIndex(const Site &site);
std::optional<Edits> descriptor(const Site &site);
std::optional<Edits> ringAllocation(const Site &site);
std::optional<Edits> subview(const Site &site);

// Barriers.cpp

std::optional<Edits> clusterArrive(const Site &site);
std::optional<Edits> clusterWait(const Site &site);
/// `two_ctas` leaves the commit; where there are no pairs it stays, and the op
/// is in error.
std::optional<Edits> commitOfPairs(const Site &site);
std::optional<Edits> copyBarrier(const Site &site);
std::optional<Edits> copyTypes(const Site &site);
std::optional<Edits> recordByNumber(const Site &site);

// Buffers.cpp

std::optional<Edits> bufferPointer(const Site &site);
std::optional<Edits> localPointer(const Site &site);
std::optional<Edits> cachePolicy(const Site &site);
std::optional<Edits> operandIndex(const Site &site);

// TensorMover.cpp

std::optional<Edits> rowMover(const Site &site);
std::optional<Edits> tensorMover(const Site &site);

// Upstream.cpp: ops of MLIR's dialects

std::optional<Edits> clusterArriveByEntry(const Site &site);
std::optional<Edits> intrinsicOfVoid(const Site &site);
std::optional<Edits> loadMatrix(const Site &site);
std::optional<Edits> bufferFlags(const Site &site);
std::optional<Edits> asyncBufferLoad(const Site &site);
std::optional<Edits> asyncMark(const Site &site);
std::optional<Edits> mfmaOperands(const Site &site);
std::optional<Edits> namedBarrier(const Site &site);
std::optional<Edits> proxyFence(const Site &site);
std::optional<Edits> schedulingMask(const Site &site);
std::optional<Edits> storeMatrix(const Site &site);
std::optional<Edits> tensorMemoryWait(const Site &site);
std::optional<Edits> waveId(const Site &site);

} // namespace kernelscope::spelling

#endif // KERNELSCOPE_SERVER_ANALYSIS_SPELLINGS_REWRITES_H
