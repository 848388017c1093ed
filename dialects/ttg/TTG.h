//===- TTG.h - The Triton GPU dialect ---------------------------*- C++ -*-===//
//
// Layouts, memory descriptors and operations of `ttg`, and what its operations
// have in common. LaunchConfig.h reads the module's attributes; Layouts.h turns
// layouts into linear maps.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_TTG_TTG_H
#define KERNELSCOPE_DIALECTS_TTG_TTG_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Cluster.h"
#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/MemoryAccess.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace kernelscope::ttg {
class MemDescType;
class WarpSpecializePartitionsOp;
} // namespace kernelscope::ttg

#include "dialects/ttg/TTGDialect.h.inc"
#include "dialects/ttg/TTGEnums.h.inc"

#include "dialects/ttg/TTGAttrInterfaces.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/ttg/TTGAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/ttg/TTGTypes.h.inc"

namespace kernelscope::ttg {

/// The memory that `ttg.local_*` operations touch.
struct SharedMemory : public mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "<shared memory>"; }
};

/// The layout of a tensor or memory descriptor; null without one.
mlir::Attribute getEncoding(mlir::Type type);

/// `shape` without the dimensions in front of those that `encoding` covers: the
/// ring of buffers of a pipelined allocation.
template <typename T>
llvm::ArrayRef<T> dropPipeliningDim(llvm::ArrayRef<T> shape,
                                    mlir::Attribute encoding) {
  auto layout = mlir::dyn_cast_or_null<LayoutEncodingTrait>(encoding);
  if (!layout || layout.getRank() >= shape.size())
    return shape;
  return shape.take_back(layout.getRank());
}

/// True when `order` holds each of 0 to its size less one, once.
bool isPermutation(llvm::ArrayRef<unsigned> order);

/// Every basis is zero (a copy) or one power of two along one dimension, and
/// those that are not zero name every bit of the tensor once.
bool isPermutationWithCopies(const LinearLayout &layout);
/// Every element is reached, and each basis but those of `warp` moves along one
/// dimension.
bool isGenericLinear(const LinearLayout &layout);

/// Reads a `CGALayout = [[...], ...]` value: one basis per bit of the CTA id,
/// each of `rank` values. Without one it is a cluster of one CTA. Null, with
/// the error given, when it is malformed.
CGAEncodingAttr parseCGALayout(mlir::AsmParser &parser, llvm::SMLoc loc,
                               mlir::Attribute value, unsigned rank);
/// Writes the bases, `[[1, 0]]`.
void printCGALayout(mlir::AsmPrinter &printer, CGAEncodingAttr layout);

/// The bits of the cluster in a layout that spells them out (in-dim `block`).
CGAEncodingAttr getCGALayoutOf(mlir::MLIRContext *context,
                               const LinearLayout &layout);

/// A new `order` with the places of equal speed kept: dimensions of the
/// in-dim's bases, fastest first, then the rest in `ifNoBasis` order.
llvm::SmallVector<unsigned> orderOf(const LinearLayout &layout,
                                    mlir::StringAttr inDim,
                                    llvm::ArrayRef<unsigned> ifNoBasis);

/// Checks that the memory descriptors of `op` fit its module.
llvm::LogicalResult verifyMemDescs(mlir::Operation *op);

/// Checks that registers of `tensor` and memory of `memory` hold the same
/// elements: element type, shape, and the layout's rank.
llvm::LogicalResult verifyTransfer(mlir::Operation *op,
                                   mlir::RankedTensorType tensor,
                                   MemDescType memory);

/// Checks an allocation: it is a whole buffer, and mutable unless `source`
/// initialises it.
llvm::LogicalResult verifyAllocation(mlir::Operation *op, mlir::Value source,
                                     MemDescType memory);

/// Checks that `to` holds the fp4 pairs of `from`, unpacked along `axis`.
llvm::LogicalResult verifyFp4ToFp(mlir::Operation *op,
                                  mlir::RankedTensorType from,
                                  mlir::RankedTensorType to, int64_t axis);

/// As above, of the layouts only; the shapes fit.
llvm::LogicalResult verifyFp4Layouts(mlir::Operation *op,
                                     mlir::RankedTensorType from,
                                     mlir::RankedTensorType to, int64_t axis);

/// The allocation's layout with zero bases where an index bit leaves the window
/// that `memory` is.
LinearLayout cropToWindow(const LinearLayout &allocation, MemDescType memory);

/// How many first places along `place` (of the allocation's layout, in
/// elements) a window owns without a break: those that its elements reach, and
/// those that no element of the allocation reaches.
int64_t ownedPlaces(const LinearLayout &allocation, MemDescType window,
                    mlir::StringAttr place);

/// The memory that `memory` is a view of, through any number of views.
mlir::Value lookThroughViews(mlir::Value memory);

/// Checks the memory of mbarriers: Nxi64 with N at most the number of CTAs, and
/// CTAs that share one barrier or have each their own.
llvm::LogicalResult verifyBarrierType(mlir::Operation *op, MemDescType barrier);

/// Traits of operations; TTGOps.td says what each means.
template <typename ConcreteType>
struct ValidMemDescs
    : public mlir::OpTrait::TraitBase<ConcreteType, ValidMemDescs> {
  static llvm::LogicalResult verifyTrait(mlir::Operation *op) {
    return verifyMemDescs(op);
  }
};
template <typename ConcreteType>
struct MemDescView
    : public mlir::OpTrait::TraitBase<ConcreteType, MemDescView> {};
template <typename ConcreteType>
struct LocalLoadTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, LocalLoadTrait> {};

/// An `AsyncWaitOpInterface` leaves at least 0 accesses in flight.
llvm::LogicalResult verifyPending(mlir::Operation *op);
} // namespace kernelscope::ttg

#include "dialects/ttg/TTGOpInterfaces.h.inc"
#define GET_OP_CLASSES
#include "dialects/ttg/TTGOps.h.inc"

#endif // KERNELSCOPE_DIALECTS_TTG_TTG_H
