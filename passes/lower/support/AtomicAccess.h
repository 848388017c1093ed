//===- AtomicAccess.h - Atomic operations, element by element ---*- C++ -*-===//
//
// One thread among those that hold copies of an element acts, under its mask;
// where the others need the old value too, they read it from shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_ATOMICACCESS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_ATOMICACCESS_H

#include "dialects/tt/TT.h"
#include "passes/lower/support/Lowering.h"
#include <optional>

namespace kernelscope::lower {

/// An error on `op` unless the target can do `operation` (none: a compare and
/// swap) atomically on `element`, a type of the IR: what has no instruction is
/// a loop of compare and swap, of words with whole bytes.
llvm::LogicalResult checkAtomic(mlir::Operation *op, const TargetHooks &hooks,
                                std::optional<tt::RMWOp> operation,
                                mlir::Type element);

/// Emits `operation` on what `pointer` points to and returns the old value.
mlir::Value emitAtomicRMW(Builder &b, const TargetHooks &hooks,
                          tt::RMWOp operation, AtomicOrder order,
                          mlir::Value pointer, mlir::Value value);

/// Stores `value` where the bits found are those of `expected`; returns the old
/// value.
mlir::Value emitAtomicCAS(Builder &b, const TargetHooks &hooks,
                          AtomicOrder order, mlir::Value pointer,
                          mlir::Value expected, mlir::Value value);

/// A load or store of `type` in one access, ordered with others.
mlir::Value emitAtomicLoad(Builder &b, const TargetHooks &hooks,
                           AtomicOrder order, mlir::Type type,
                           mlir::Value pointer);
void emitAtomicStore(Builder &b, const TargetHooks &hooks, AtomicOrder order,
                     mlir::Value pointer, mlir::Value value);

/// Emits what `act` does in the threads where `predicate` (null: everywhere)
/// holds, and returns its value of `type` there, an unspecified one elsewhere.
mlir::Value actWhere(Builder &b, mlir::ConversionPatternRewriter &rewriter,
                     mlir::Value predicate, mlir::Type type,
                     llvm::function_ref<mlir::Value()> act);
/// The same, without a value.
void actWhere(Builder &b, mlir::ConversionPatternRewriter &rewriter,
              mlir::Value predicate, llvm::function_ref<void()> act);

/// Replaces `op` by `act(register)` for each element of its result, where the
/// mask, one i1 per register or none at all, holds. `act` returns the old
/// value. An error on `op` where other CTAs of the cluster need it and cannot
/// get it.
llvm::LogicalResult
replaceAtomic(mlir::Operation *op, mlir::ConversionPatternRewriter &rewriter,
              const TypeConverter &converter, const TargetHooks &hooks,
              llvm::ArrayRef<mlir::Value> masks,
              llvm::function_ref<mlir::Value(Builder &, unsigned)> act);

/// The same with instructions that are relaxed and take the predicate (null for
/// always): fences order them all together.
llvm::LogicalResult replaceFencedAtomics(
    mlir::Operation *op, mlir::ConversionPatternRewriter &rewriter,
    const TypeConverter &converter, const TargetHooks &hooks, AtomicOrder order,
    llvm::ArrayRef<mlir::Value> masks,
    llvm::function_ref<mlir::Value(Builder &, unsigned, mlir::Value)> act);

/// Replaces `op` by updates of global memory, one pointer and value for each
/// element of its result; neighbours together where the target can.
llvm::LogicalResult replaceGlobalRMW(mlir::Operation *op,
                                     mlir::ConversionPatternRewriter &rewriter,
                                     const TypeConverter &converter,
                                     const TargetHooks &hooks,
                                     tt::RMWOp operation, AtomicOrder order,
                                     llvm::ArrayRef<mlir::Value> pointers,
                                     llvm::ArrayRef<mlir::Value> values,
                                     llvm::ArrayRef<mlir::Value> masks);

/// Bytes of scratch memory through which `replaceAtomic` gives the result of
/// `op` to threads that do not act; 0 where none needs it.
unsigned atomicScratchBytes(mlir::Operation *op);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_ATOMICACCESS_H
