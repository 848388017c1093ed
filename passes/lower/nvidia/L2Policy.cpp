//===- L2Policy.cpp - How the L2 cache keeps what is accessed -------------===//

#include "passes/lower/nvidia/L2Policy.h"
#include "dialects/ttng/TTNG.h"
#include "passes/lower/nvidia/Ptx.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::lower {

Value createL2Policy(Builder &b, tt::EvictionPolicy evict) {
  if (evict == tt::EvictionPolicy::NORMAL)
    return {};
  Ptx ptx(b);
  std::string policy = ptx.output(64);
  return ptx
      .emitPure(llvm::formatv("createpolicy.fractional.L2::{0}.b64 {1}, 1.0;",
                              tt::stringifyEvictionPolicy(evict), policy)
                    .str())
      .front();
}

Value createL2Policy(Builder &b, Attribute attribute,
                     tt::EvictionPolicy evict) {
  auto policy = dyn_cast_or_null<ttng::CachePolicyAttr>(attribute);
  if (!policy || policy.getL2Primary() == ttng::CachePriority::NONE)
    return createL2Policy(b, evict);
  // The other lines are left as they are unless there is a second priority.
  std::string priorities =
      "L2::" + ttng::stringifyCachePriority(policy.getL2Primary()).str();
  if (policy.getL2Secondary() != ttng::CachePriority::EVICT_UNCHANGED)
    priorities +=
        ".L2::" + ttng::stringifyCachePriority(policy.getL2Secondary()).str();
  Ptx ptx(b);
  std::string result = ptx.output(64);
  // A float of PTX is its bits.
  return ptx
      .emitPure(llvm::formatv("createpolicy.fractional.{0}.b64 {1}, 0f{2};",
                              priorities, result,
                              llvm::utohexstr(policy.getL2Fraction()
                                                  .getValue()
                                                  .bitcastToAPInt()
                                                  .getZExtValue(),
                                              /*LowerCase=*/false,
                                              /*Width=*/8))
                    .str())
      .front();
}

std::string prefetchQualifier(Attribute attribute) {
  auto policy = dyn_cast_or_null<ttng::CachePolicyAttr>(attribute);
  if (!policy || !policy.getL2PrefetchSize())
    return "";
  return ".L2::" + std::to_string(policy.getL2PrefetchSize().getInt()) + "B";
}

} // namespace kernelscope::lower
