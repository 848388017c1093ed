//===- SpareWorkspaces.h - workspaces before documents need them -*- C++ -*-==//

#ifndef KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACES_H
#define KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACES_H

#include "server/analysis/Unit.h"

#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace kernelscope {

/// A context with its dialects takes as long to make as a small kernel to
/// analyse, so threads that have nothing to do make some in advance: one for
/// the next document, and one for another that is opened right after it.
class SpareWorkspaces {
public:
  SpareWorkspaces() { add(); }

  /// Null if none is ready.
  std::shared_ptr<Workspace> take() {
    std::lock_guard lock(mutex);
    if (spares.empty())
      return nullptr;
    std::shared_ptr<Workspace> taken = std::move(spares.back());
    spares.pop_back();
    return taken;
  }
  bool areFew() {
    std::lock_guard lock(mutex);
    return spares.size() < 2;
  }
  void add() {
    auto fresh = std::make_shared<Workspace>();
    touchPages();
    std::lock_guard lock(mutex);
    spares.push_back(std::move(fresh));
  }

private:
  /// Lets the system give the heap the pages that a document of a thousand
  /// lines takes.
  static void touchPages() {
    constexpr size_t bytes = 2 << 20, page = 4096;
    void *memory = std::malloc(bytes);
    for (size_t at = 0; memory && at < bytes; at += page)
      static_cast<volatile char *>(memory)[at] = 0;
    std::free(memory);
  }

  std::mutex mutex;
  std::vector<std::shared_ptr<Workspace>> spares;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACES_H
