//===- Offsets.h - Buffers that say where segments begin --------*- C++ -*-===//
//
// Rows of a sparse matrix, sequences of a batch: a buffer has the begin of each
// segment in a longer one, and the end of one is the begin of the next.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_OFFSETS_H
#define KERNELSCOPE_SERVER_RUN_OFFSETS_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// Sets `isOffset` of the arguments of which the kernel loads two neighbours
/// and goes from the one to the other in a loop, or compares or subtracts them.
void markOffsets(mlir::FunctionOpInterface kernel,
                 std::vector<ArgumentInfo> &arguments);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_OFFSETS_H
