//===- ConversionCost.h - What a conversion's exchange costs ----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_CONVERSIONCOST_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_CONVERSIONCOST_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/layout/SharedBanks.h"
#include "dialects/target/Target.h"
#include "mlir/IR/Operation.h"

namespace kernelscope::lower {

/// The stores and loads of a `ttg.convert_layout` through shared memory, as its
/// lowering plans them.
struct ConversionCost {
  /// Nothing for a side that takes a matrix instruction.
  std::optional<AccessCost> store, load;
  unsigned elementBits;
};

/// Nothing for another op, and for a conversion that does without shared memory
/// or is done in several rounds.
std::optional<ConversionCost> conversionCost(mlir::Operation *op,
                                             const Target &target);

/// Where in shared memory a `ttg.convert_layout` keeps the elements, if it goes
/// through that of its CTA, in one round: a map from offset, in elements, and
/// block to the tensor. Nothing for other conversions.
std::optional<LinearLayout> conversionMemory(mlir::Operation *op);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_CONVERSIONCOST_H
