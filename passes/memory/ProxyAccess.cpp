//===- ProxyAccess.cpp - Ways to shared memory ----------------------------===//

#include "passes/memory/ProxyAccess.h"

using namespace kernelscope;
using namespace kernelscope::memory;
using ttg::BarrierAction;
using ttg::Proxy;

std::optional<ProxyAccess> ProxyAccess::of(const ttg::MemoryAccess &access) {
  const bool isAtomic = access.onBarrier &&
                        *access.onBarrier != BarrierAction::Init &&
                        *access.onBarrier != BarrierAction::Invalidate;
  if (access.space != ttg::MemorySpace::Shared || !access.memory || isAtomic)
    return std::nullopt;
  return ProxyAccess{access.isWrite, access.mode.proxy,
                     access.mode.completion == ttg::Completion::CommitGroup};
}

bool ProxyAccess::needsFenceBefore(const ProxyAccess &next) const {
  return proxy == Proxy::Generic && next.proxy != Proxy::Generic &&
         (isWrite || next.isWrite) &&
         !(isCopy && next.proxy == Proxy::TensorCore);
}
