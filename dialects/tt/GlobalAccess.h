//===- GlobalAccess.h - How an op accesses global memory --------*- C++ -*-===//
#ifndef KERNELSCOPE_DIALECTS_TT_GLOBALACCESS_H
#define KERNELSCOPE_DIALECTS_TT_GLOBALACCESS_H

#include "dialects/tt/TTTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Value.h"

namespace kernelscope::tt {

/// An access to global memory element by element: what
/// `GlobalAccessOpInterface` returns for an op.
struct GlobalAccess {
  /// A pointer or a tensor of pointers. With `base`, offsets from it instead,
  /// counted in elements.
  mlir::Value addresses;
  /// One pointer for all elements; null without offsets.
  mlir::Value base = {};
  /// Which elements are accessed; null for all.
  mlir::Value mask = {};
  /// What the others are; null for unspecified.
  mlir::Value other = {};
  /// How many adjacent elements one access may take even if nothing proves it.
  int64_t contiguity = 1;
  bool reads = false, writes = false, isAtomic = false;

  /// The type of one element in memory.
  mlir::Type element() const {
    return mlir::getElementTypeOrSelf(
        getPointeeType((base ? base : addresses).getType()));
  }
  /// Bits that one element takes in memory; 8 or more.
  unsigned elementBits() const { return 8 * bytesInMemory(element()); }
};

} // namespace kernelscope::tt

#endif // KERNELSCOPE_DIALECTS_TT_GLOBALACCESS_H
