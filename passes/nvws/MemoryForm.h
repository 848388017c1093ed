//===- MemoryForm.h - Values as shared memory holds them --------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_NVWS_MEMORYFORM_H
#define KERNELSCOPE_PASSES_NVWS_MEMORYFORM_H

#include "dialects/ttg/TTG.h"
#include "passes/nvws/Marks.h"

namespace kernelscope::nvws {

/// How threads hand a value over through shared memory: a scalar as a tensor of
/// one element, a bit as a byte.
class MemoryForm {
public:
  /// The form of values of `type` in the kernel around `at`. Nothing for other
  /// types than tensors with layouts, numbers and pointers.
  static std::optional<MemoryForm> of(mlir::Type type, mlir::Operation *at);

  /// One stage of memory for a value.
  ttg::MemDescType memory() const;
  /// Memory that holds `value`.
  mlir::Value alloc(MarkedBuilder &at, mlir::Value value) const;
  void store(MarkedBuilder &at, mlir::Value value, mlir::Value buffer) const;
  mlir::Value load(MarkedBuilder &at, mlir::Value buffer) const;

private:
  mlir::Value toHeld(MarkedBuilder &at, mlir::Value value) const;

  mlir::Type type;
  mlir::RankedTensorType tensor; ///< `type`, or a tensor of one such element
  mlir::RankedTensorType held;   ///< `tensor`, of whole bytes
};

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_MEMORYFORM_H
