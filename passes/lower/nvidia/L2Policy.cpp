//===- L2Policy.cpp - How the L2 cache keeps what is accessed -------------===//

#include "passes/lower/nvidia/L2Policy.h"
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

} // namespace kernelscope::lower
