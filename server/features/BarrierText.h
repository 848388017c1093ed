//===- BarrierText.h - what happens to a barrier ----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_BARRIERTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_BARRIERTEXT_H

#include "server/analysis/Document.h"
#include "server/features/AccessText.h"

namespace kernelscope {

/// Who arrives at the barrier that `memory` is, and who waits for it: empty if
/// it is none. In a function that verifies wherever loops and partitions carry
/// it, and only at its place in a ring; also in those who call that function,
/// the value of `unit`, and in what they call.
std::string describeBarrier(mlir::Value memory, const LineOf &lineOf,
                            const Document &document, const Unit &unit);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_BARRIERTEXT_H
