//===- BlockMessages.h - What warps send to the data mover ------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_BLOCKMESSAGES_H
#define KERNELSCOPE_PASSES_LOWER_AMD_BLOCKMESSAGES_H

#include "dialects/tt/TT.h"
#include "passes/lower/amd/BlockInLds.h"
#include "passes/lower/amd/TensorDescriptor.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// A lowered descriptor of `type`, taken apart.
TensorDescriptor descriptorOf(Builder &b, tt::TensorDescType type,
                              mlir::Value words);

/// Sets what the mover must know of gaps. It makes them in loads; a store reads
/// rows that reach over theirs, of which nothing is stored.
mlir::LogicalResult setGaps(mlir::Operation *op, Builder &b,
                            const BlockInLds &block, bool isStore,
                            TensorMessage &message);

/// The pointer to the barrier of `type` that an op names; null for none.
mlir::Value barrierOf(Builder &b, mlir::TypedValue<ttg::MemDescType> barrier,
                      mlir::Value lowered);

/// How often the warps that take part send a message, each for a piece.
int64_t roundsOf(Builder &b, const BlockInLds &block,
                 std::optional<uint32_t> hint);

/// What a warp moves in its `round` of a block that begins at `offsets`. Of
/// several warps with the same share, those behind the first move it again if
/// each has to arrive at a `barrier`.
mlir::FailureOr<TensorMessage>
messageOf(mlir::Operation *op, Builder &b, const TargetHooks &hooks,
          TensorDescriptor tensor, llvm::ArrayRef<mlir::Value> offsets,
          mlir::Value predicate, const BlockInLds &block,
          std::optional<uint32_t> hint, bool isStore, mlir::Value barrier = {},
          int64_t round = 0);

/// Sends the words of a message; the mover takes them once for a warp.
void send(Builder &b, llvm::ArrayRef<mlir::Value> words, unsigned rank,
          bool isStore, int32_t policy);

/// The mover's patterns for rows, and for prefetches.
void addRowCopyPatterns(const TypeConverter &, Patterns &, const TargetHooks &);
void addTensorPrefetchPatterns(const TypeConverter &, Patterns &,
                               const TargetHooks &);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_BLOCKMESSAGES_H
