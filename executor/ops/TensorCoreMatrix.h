//===- TensorCoreMatrix.h - What a tensor core reads and writes -*- C++ -*-===//
//
// A matrix in shared or tensor memory, of one CTA or of a pair.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_TENSORCOREMATRIX_H
#define KERNELSCOPE_EXECUTOR_OPS_TENSORCOREMATRIX_H

#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"
#include "executor/ops/TensorMemory.h"

namespace kernelscope::executor {

/// A memdesc that the tensor core reads or writes.
struct TensorCoreMatrix {
  mlir::Operation *op;
  Slot slot;
  Element element;
  llvm::SmallVector<int64_t, 4> shape;
  size_t count, bytes; ///< elements, and bytes of all of them
  std::optional<TensorMemoryPlaces> places; ///< none in shared memory
  Owners owners;                            ///< in tensor memory
  bool isPadded = false; ///< each 4-bit value is in a byte of its own there

  /// None after an error on `op`.
  static std::optional<TensorCoreMatrix>
  of(Planner &planner, mlir::Operation *op, mlir::Value memdesc);

  /// The matrix as it is when an op is issued; its elements are taken later.
  struct Issued {
    const TensorCoreMatrix *matrix;
    std::vector<Cells> cells; ///< in shared memory
    /// In tensor memory the base of each CTA's part.
    llvm::SmallVector<std::pair<unsigned, char *>, 2> bases;

    void watch(Uses &uses, bool isWrite) const;
    std::vector<char> read() const;
    /// To tensor memory.
    void write(const char *dense) const;
  };

  /// In the memory of `ctas`. None after a fault.
  std::optional<Issued> at(Frame &frame, llvm::ArrayRef<unsigned> ctas) const;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_TENSORCOREMATRIX_H
