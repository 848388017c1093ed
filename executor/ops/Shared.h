//===- Shared.h - Views of shared memory -----------------------*- C++ -*-===//
//
// Reading and writing the tensor that a memdesc views.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_SHARED_H
#define KERNELSCOPE_EXECUTOR_OPS_SHARED_H

#include "dialects/ttg/TTG.h"
#include "executor/ops/Access.h"
#include "executor/plan/Strided.h"

namespace kernelscope::executor {

/// The strides of a view of `shape`.
Strides stridesOf(const View &view, llvm::ArrayRef<int64_t> shape);
/// Bytes of one element, and the shape, of a value of memdesc type.
size_t elementBytes(mlir::Value memdesc);
llvm::SmallVector<int64_t, 4> shapeOf(mlir::Value memdesc);

/// Copies the tensor of `shape` that `view` is of, to or from row-major order.
void readView(const View &view, llvm::ArrayRef<int64_t> shape,
              size_t elementBytes, char *values);
void writeView(const View &view, llvm::ArrayRef<int64_t> shape,
               size_t elementBytes, const char *values);

/// result = the tensor that `memdesc` views; `op` reads it.
Step planReadView(Planner &planner, mlir::Operation *op, mlir::Value memdesc,
                  mlir::Value result);
/// The tensor that `memdesc` views = value; `op` writes it.
Step planWriteView(Planner &planner, mlir::Operation *op, mlir::Value value,
                   mlir::Value memdesc);
/// Memory of `bytes` zeros for the allocation `memdesc`, new on each call.
using Allocate = std::function<char *(Frame &)>;
Allocate planAllocation(Planner &planner, mlir::Value memdesc, size_t bytes);
/// What the attributes of the allocation `op` say of its place, as the numbers
/// that Triton's sanitizer uses (in InstrumentedMemory.cpp); none before a pass
/// has placed it.
std::optional<uint32_t> placeOf(mlir::Operation *op);
/// memdesc = new memory, by `op`, with the elements of `initial`, or zeros when
/// it is null.
Step planAllocate(Planner &planner, mlir::Operation *op, mlir::Value memdesc,
                  mlir::Value initial);
/// result = the bytes of `memdesc`, shared memory, as the result's type (in
/// Reinterpret.cpp).
Step planReinterpretShared(Planner &planner, ttg::MemDescReinterpretOp op);
/// The bytes of shared memory from where a memdesc begins until the end of its
/// buffer, in the order of their addresses.
struct AddressedBytes {
  char *image;
  size_t size;
};
/// Those of `memdesc` in each run of `op` (in Reinterpret.cpp). Null when the
/// layout does not place them in one row, after an error on `op`.
std::function<AddressedBytes(Frame &)>
planBytes(Planner &planner, mlir::Operation *op, mlir::Value memdesc);
/// Nothing to do.
Step planNothing(Planner &planner, mlir::Operation *op);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_SHARED_H
