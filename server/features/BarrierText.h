//===- BarrierText.h - what happens to a barrier ----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_BARRIERTEXT_H
#define KERNELSCOPE_SERVER_FEATURES_BARRIERTEXT_H

#include "server/features/LayoutText.h"

namespace kernelscope {

/// Who arrives at the barrier that `memory` is, and who waits for it: empty if
/// it is none. In a function that verifies (`isValid`) wherever loops and
/// partitions carry it, and only at its place in a ring.
std::string describeBarrier(mlir::Value memory, const LineOf &lineOf,
                            bool isValid);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_BARRIERTEXT_H
