//===- SpareWorkspace.h - a workspace before a document needs it -*- C++ -*-==//

#ifndef KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACE_H
#define KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACE_H

#include "server/analysis/Unit.h"

#include <memory>
#include <mutex>
#include <utility>

namespace kernelscope {

/// A context with its dialects takes as long to make as a small kernel to
/// analyse, so threads that have nothing to do make one in advance.
class SpareWorkspace {
public:
  SpareWorkspace() { refill(); }

  /// Null if none is ready.
  std::shared_ptr<Workspace> take() {
    std::lock_guard lock(mutex);
    return std::exchange(spare, nullptr);
  }
  bool isTaken() {
    std::lock_guard lock(mutex);
    return !spare;
  }
  void refill() {
    auto fresh = std::make_shared<Workspace>();
    std::lock_guard lock(mutex);
    spare = std::move(fresh);
  }

private:
  std::mutex mutex;
  std::shared_ptr<Workspace> spare;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACE_H
