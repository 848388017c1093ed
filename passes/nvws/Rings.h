//===- Rings.h - Rings of mbarriers for references --------------*- C++ -*-===//
//
// A reference, or the tokens of a ring of buffers, becomes two rings of
// mbarriers: "full" and "empty".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_NVWS_RINGS_H
#define KERNELSCOPE_PASSES_NVWS_RINGS_H

#include "dialects/nvws/NVWS.h"
#include "passes/nvws/Marks.h"

namespace kernelscope::nvws {

/// How many stages a reference has; one if it is of scales in tensor memory,
/// which are no ring.
int64_t countStages(ArefType aref);

/// Gives the rings of `aref`, which are not of scales, `depth` stages. Types of
/// views of their whole are left as they are.
void setStages(ArefCreateOp aref, int64_t depth);

/// Whether two rings of `depth` mbarriers fit shared memory; an error on `op`
/// if they do not.
llvm::LogicalResult checkDepth(mlir::Operation *op, int64_t depth);

/// Allocates `depth` mbarriers before `at` and initialises each for `arrivals`.
/// Their memory is theirs until the end of the block; a commit that nobody
/// waits for may still arrive then.
mlir::Value createBarriers(mlir::Operation *at, int64_t depth, size_t arrivals);

/// Stage `stage` of `ring`, a buffer with one more dimension; a ring of scales
/// in tensor memory has one stage and is it.
mlir::Value indexRing(mlir::OpBuilder &b, mlir::Location loc, mlir::Value ring,
                      mlir::Value stage);

/// The same with the marks of `at`.
mlir::Value indexRing(MarkedBuilder &at, mlir::Value ring, mlir::Value stage);

/// Gives `value` the type `type`, and the views of it types that fit.
void retype(mlir::Value value, mlir::Type type);

/// Replaces `value` by others in the partitions of `ttg.warp_specialize` that
/// it is passed to, and calls `fn` there, and first here, with what stands for
/// it.
void replaceByRings(
    mlir::Value value, mlir::ValueRange rings,
    llvm::function_ref<void(mlir::Value value, mlir::ValueRange rings)> fn);

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_RINGS_H
