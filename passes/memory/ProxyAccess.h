//===- ProxyAccess.h - Ways to shared memory --------------------*- C++ -*-===//
//
// Threads access shared memory through one proxy, TMA and tensor cores through
// others (PTX ISA, "Memory Consistency Model", "Proxies").
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_MEMORY_PROXYACCESS_H
#define KERNELSCOPE_PASSES_MEMORY_PROXYACCESS_H

#include "dialects/ttg/TTG.h"
#include <optional>

namespace kernelscope::memory {

/// How an op accesses a buffer in shared memory.
struct ProxyAccess {
  bool isWrite;
  ttg::Proxy proxy = ttg::Proxy::Generic;
  bool isCopy = false; ///< by `cp.async`

  /// Nothing for other memory, and for mbarriers, which all proxies access
  /// alike once they are initialised.
  static std::optional<ProxyAccess> of(const ttg::MemoryAccess &access);

  /// Whether a fence must be between this and `next`, a later access to the
  /// same place.
  bool needsFenceBefore(const ProxyAccess &next) const;

  bool operator==(const ProxyAccess &) const = default;
};

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_PROXYACCESS_H
