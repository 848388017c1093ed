//===- SharedAccess.h - A thread's registers in shared memory ---*- C++ -*-===//
//
// Stores to and loads from shared memory, as few and as wide as the layout
// allows. All that goes through shared memory ends here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_SHAREDACCESS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_SHAREDACCESS_H

#include "dialects/layout/LinearLayout.h"
#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// Where the registers of a thread lie in shared memory.
struct SharedPlaces {
  /// In-dims of a distributed layout (those it lacks do not matter) to the
  /// out-dim `offset`, in elements.
  LinearLayout offsets;
  /// A pointer into shared memory.
  mlir::Value base;
  /// An i32 that is xored to every offset, of a window in a larger buffer; null
  /// for none. Only the bits of `windowMask` may be set in it.
  mlir::Value window;
  int32_t windowMask = 0;
  /// After every `first` elements lie `second` that are not used; powers of
  /// two.
  llvm::SmallVector<std::pair<unsigned, unsigned>> gaps;
  /// Whether an access must be aligned to its size, as gaps may not be.
  bool isAligned = true;
  /// From in-dims as those of `offsets` to the out-dim `block`: in which CTA's
  /// shared memory of the cluster. Nothing: in the own.
  std::optional<LinearLayout> owner = {};
  /// An i32 that is xored to what `owner` says, of a window that begins in
  /// another CTA; null for none.
  mlir::Value ownerWindow = {};
  /// Bits of a CTA's id in which the CTAs differ that hold copies of the
  /// buffer, but different elements of the tensor. `owner` has none of them:
  /// each CTA accesses its own copy.
  int32_t copiesMask = 0;
  /// If not 0, `owner` says in which part of a partitioned buffer instead, and
  /// parts begin as many bytes from each other.
  int32_t partStride = 0;

  bool isInOtherCtas() const { return owner && !partStride; }
};

/// How far `elements` elements reach in a memory with gaps, as in
/// `SharedPlaces::gaps`; an i32.
mlir::Value withGaps(Builder &b, mlir::Value elements,
                     llvm::ArrayRef<std::pair<unsigned, unsigned>> gaps);

/// An error on `op`, which reads other CTAs' shared memory, where it cannot:
/// the chip has no way to it, or it is in a partition, whose warps cannot wait
/// for the cluster.
llvm::LogicalResult checkClusterExchange(Builder &b, const TargetHooks &hooks,
                                         mlir::Operation *op);

/// Makes an access of `op`. Where it reaches shared memory of other CTAs, they
/// have begun before and are done with that memory, and wait until it is made;
/// an error where it cannot, as `checkClusterExchange` says.
llvm::LogicalResult amongCtas(Builder &b, const TargetHooks &hooks,
                              mlir::Operation *op, bool reachesOthers,
                              llvm::function_ref<void()> access);

/// The bits of the register index that step 1, 2, 4, ... in memory, so that an
/// access can take as many elements, aligned if `base` is and must be; at most
/// `maxElements` of them, a power of two.
llvm::SmallVector<unsigned> vectorBits(const SharedPlaces &places,
                                       unsigned maxElements);

/// The registers of one access, in the order of addresses.
using SharedVector = llvm::SmallVector<unsigned>;

/// Calls `visit` for each access with its address. Every register that does not
/// hold a copy is in one access, of as many elements as `vectorBits` says.
void visitShared(
    Builder &b, const TargetHooks &hooks, const SharedPlaces &places,
    mlir::Type element, unsigned maxElements,
    llvm::function_ref<void(mlir::Value, const SharedVector &)> visit);

/// Stores all registers. Threads that hold copies store the same value.
void storeShared(Builder &b, const TargetHooks &hooks,
                 const SharedPlaces &places,
                 llvm::ArrayRef<mlir::Value> elements);

/// Loads all registers, as values of LLVM type `element`.
llvm::SmallVector<mlir::Value> loadShared(Builder &b, const TargetHooks &hooks,
                                          const SharedPlaces &places,
                                          mlir::Type element);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_SHAREDACCESS_H
