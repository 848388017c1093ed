//===- TTTypes.h - types of the tt dialect ----------------------*- C++ -*-===//
//
// Pointers and tensor descriptors, and how types follow from one another.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TT_TTTYPES_H
#define KERNELSCOPE_DIALECTS_TT_TTTYPES_H

#include "mlir/IR/BuiltinTypes.h"

#include "dialects/tt/TTTypeInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tt/TTTypes.h.inc"

namespace kernelscope::tt {

/// Whether `type` is a pointer to a scalar.
bool isScalarPointer(mlir::Type type);

/// Whether `type` is a block pointer, `!tt.ptr<tensor<...>>`.
bool isBlockPointer(mlir::Type type);

/// What a pointer points to; for a tensor of pointers, the tensor of pointees
/// with the same encoding. Any other type is its own pointee.
mlir::Type getPointeeType(mlir::Type type);

/// Bytes that an element of `type` takes in memory, global or shared: an i1
/// takes one, a pointer eight.
unsigned bytesInMemory(mlir::Type type);

/// The address space of a pointer or tensor of pointers; 1 for other types.
int getAddressSpace(mlir::Type type);

/// `i1`, or a tensor of it with the shape and encoding of `type`.
mlir::Type getI1SameShape(mlir::Type type);

/// `i32`, or a tensor of it with the shape and encoding of `type`.
mlir::Type getI32SameShape(mlir::Type type);

/// Pointer to `type` in global memory; for a tensor, the tensor of pointers.
/// `type` itself when nothing may point to it.
mlir::Type getPointerTypeSameShape(mlir::Type type);

/// Pointer to an element of `type` (a scalar or tensor) in global memory;
/// `type` itself when nothing may point to it.
mlir::Type getPointerTypeToElement(mlir::Type type);

/// The pointer to an element of the tensor that a block pointer points to.
mlir::Type getBlockBaseType(mlir::Type blockPointer);

/// `type`, or `tensor`'s shape and encoding with the element type `element`.
mlir::Type withElementType(mlir::Type type, mlir::Type element);

} // namespace kernelscope::tt

#endif
