//===- CachePolicy.cpp - Rules of #ttng.cache_policy ----------------------===//

#include "dialects/ttng/TTNG.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;

/// PTX ISA, "createpolicy" and "ld": which priorities, fractions and sizes
/// there are.
LogicalResult
CachePolicyAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                        tt::CacheModifier modifier, CachePriority l1,
                        CachePriority primary, CachePriority secondary,
                        FloatAttr fraction, IntegerAttr prefetch) {
  if (modifier != tt::CacheModifier::NONE && l1 != CachePriority::NONE)
    return emitError() << "has both 'cache_modifier' and 'l1'; an access takes "
                          "one of them";
  const bool hasPrimary = primary != CachePriority::NONE,
             hasSecondary = secondary != CachePriority::NONE;
  if (hasPrimary != hasSecondary || hasPrimary != bool(fraction))
    return emitError() << "needs all of 'l2_primary', 'l2_secondary' and "
                          "'l2_fraction' for L2, or none";
  if (primary == CachePriority::NO_ALLOCATE)
    return emitError() << "has l2_primary = no_allocate; L2 has evict_normal, "
                          "evict_unchanged, evict_first and evict_last";
  if (hasSecondary && secondary != CachePriority::EVICT_UNCHANGED &&
      secondary != CachePriority::EVICT_FIRST)
    return emitError() << "has l2_secondary = "
                       << stringifyCachePriority(secondary)
                       << "; it must be evict_unchanged or evict_first";
  if (fraction) {
    const double value = fraction.getValueAsDouble();
    if (!fraction.getType().isF32() || !(value > 0 && value <= 1))
      return emitError() << "has l2_fraction = " << fraction
                         << "; it must be an f32 above 0 and at most 1";
  }
  if (prefetch && !llvm::is_contained({64, 128, 256}, prefetch.getInt()))
    return emitError() << "has l2_prefetch_size = " << prefetch.getInt()
                       << "; it must be 64, 128 or 256";
  return success();
}

LogicalResult CachePolicyAttr::verifyOn(Operation *op) const {
  if (auto target = ttg::lookupTarget(op); target && !target->isNvidia())
    return op->emitOpError()
           << "has a cache policy of NVIDIA's chips, and the "
              "module is for "
           << target->arch << "; use #tt.cache_policy with a cache modifier";
  if (op->getDialect() == op->getContext()->getLoadedDialect<TTNGDialect>()) {
    const char *other = getCacheModifier() != tt::CacheModifier::NONE
                            ? "cache_modifier"
                        : getL1() != CachePriority::NONE ? "l1"
                        : getL2PrefetchSize()            ? "l2_prefetch_size"
                                                         : nullptr;
    if (other)
      return op->emitOpError() << "has '" << other
                               << "' in its cache policy; TMA takes priorities "
                                  "of L2 only";
  }
  if (isa<tt::StoreOp>(op) && getL2PrefetchSize())
    return op->emitOpError() << "has 'l2_prefetch_size' in its cache policy; "
                                "only loads fetch more than they access";
  return success();
}
