//===- Buffer.h - Accesses through a buffer resource ------------*- C++ -*-===//
//
// A resource is a uniform base, a size, and offsets of 32 bits. A lane whose
// mask is false gets an offset beyond the size, so that the hardware loads zero
// or drops the store, and no branch is needed. AMD's ISA documents, "Buffer
// Addressing".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_BUFFER_H
#define KERNELSCOPE_PASSES_LOWER_AMD_BUFFER_H

#include "dialects/tt/TT.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// A resource and the way to reach its elements. Offsets count elements; a null
/// mask always holds.
class Buffer {
public:
  Buffer(Builder &b, const TargetHooks &hooks, mlir::Value base,
         mlir::Type element);

  /// Loads `count` neighbours. Zeros where `mask` is false.
  llvm::SmallVector<mlir::Value> load(mlir::Value offset, unsigned count,
                                      mlir::Value mask,
                                      tt::CacheModifier cache);
  void store(llvm::ArrayRef<mlir::Value> elements, mlir::Value offset,
             mlir::Value mask, tt::CacheModifier cache);
  /// Copies `bytes` to LDS, from `base` on a lane after the other. Zeros where
  /// `mask` is false.
  void copyToLds(mlir::Value base, unsigned bytes, mlir::Value offset,
                 mlir::Value mask, tt::CacheModifier cache);

  /// Whether every chip has a buffer instruction for `operation`, none for
  /// compare and swap, in this scope.
  static bool hasAtomic(std::optional<tt::RMWOp> operation,
                        tt::MemSyncScope scope, mlir::Type element);
  /// A relaxed update. Returns the old value; zero where `mask` is false.
  mlir::Value atomicRMW(tt::RMWOp operation, mlir::Value value,
                        mlir::Value offset, mlir::Value mask);
  /// Stores `value` where the bits found are those of `expected`; returns the
  /// old value. Relaxed, too.
  mlir::Value atomicCAS(mlir::Value expected, mlir::Value value,
                        mlir::Value offset, mlir::Value mask);

private:
  mlir::Value policy(tt::CacheModifier cache, bool isLoad);
  mlir::Value byteOffset(mlir::Value offset, mlir::Value mask);
  /// Whole dwords, or one integer of less.
  mlir::Type wordsType(unsigned count);

  Builder &b;
  const TargetHooks &hooks;
  mlir::Type element;
  mlir::Value resource;
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_BUFFER_H
