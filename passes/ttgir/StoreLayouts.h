//===- StoreLayouts.h - Stores where values are -----------------*- C++ -*-===//
#ifndef KERNELSCOPE_PASSES_TTGIR_STORELAYOUTS_H
#define KERNELSCOPE_PASSES_TTGIR_STORELAYOUTS_H

#include "dialects/target/Target.h"
#include "mlir/IR/BuiltinTypes.h"

namespace kernelscope::ttgir {

/// The layout for a store through `pointers` of a value that a product computes
/// in `computed`, where `coalesced` is the layout that suits memory best. In
/// order of preference:
/// - `computed` itself, if its threads hold runs as long as those of
///   `coalesced`, or of 8 bytes on AMD, as its matrix instructions leave them;
/// - `computed` with such runs of 32-bit elements, for which pairs of lanes
///   exchange half of their elements, on AMD;
/// - a layout that each warp stores its own elements in, as wide and as
///   coalesced, so that the value need not cross warps;
/// - `coalesced`.
/// `elementBits` is what an element takes in memory.
mlir::Attribute chooseStoreLayout(mlir::RankedTensorType pointers,
                                  mlir::Attribute computed,
                                  mlir::Attribute coalesced,
                                  unsigned elementBits, const Target &target);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_STORELAYOUTS_H
