//===- CachePolicy.cpp - Cache modifiers as AMD's accesses have them ------===//

#include "passes/lower/amd/CachePolicy.h"

using namespace kernelscope;

int32_t lower::cachePolicyOf(tt::CacheModifier cache, bool isLoad,
                             BufferCachePolicy encoding) {
  using C = tt::CacheModifier;
  bool through = cache == C::CV || cache == C::WT;
  switch (encoding) {
  case BufferCachePolicy::ScopeBits:
    return cache == C::CS || (cache == C::CG && isLoad) ? 0b11
           : through                                    ? 0b10001
                                                        : 0;
  case BufferCachePolicy::LevelBits:
    return cache == C::CS || through  ? 0b111
           : cache == C::CG && isLoad ? 0b1
                                      : 0;
  case BufferCachePolicy::HintAndScope:
  case BufferCachePolicy::HintAndScopeWithWriteBack: {
    constexpr int32_t device = 2 << 3, system = 3 << 3;
    constexpr int32_t nonTemporal = 1, lastUse = 3, writeBack = 3;
    if (cache == C::CG)
      return device;
    if (cache == C::CS)
      return nonTemporal;
    if (cache == C::CV)
      return system | lastUse;
    if (cache == C::WT)
      return encoding == BufferCachePolicy::HintAndScopeWithWriteBack
                 ? system | writeBack
                 : system;
    return 0;
  }
  }
  return 0;
}
