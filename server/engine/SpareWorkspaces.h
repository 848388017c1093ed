//===- SpareWorkspaces.h - workspaces before documents need them -*- C++ -*-==//

#ifndef KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACES_H
#define KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACES_H

#include "server/analysis/Unit.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace kernelscope {

/// A context with its dialects takes as long to make as a small kernel to
/// analyse, so a thread makes some in advance: one for the next document, and
/// one for another that is opened right after it. That of a document that was
/// closed is used again, with the types and attributes that the next one is
/// likely to have, too. All are made by one thread, as MLIR leaves something of
/// each context in the thread that made it until that makes another.
class SpareWorkspaces {
public:
  SpareWorkspaces();

  /// Waits for one if none is ready.
  std::shared_ptr<Workspace> take();
  /// Nothing else is to be done at the moment: spares that were taken are
  /// replaced.
  void refill();
  /// Takes that of a document that has been closed, unless it has grown.
  void giveBack(std::shared_ptr<Workspace> used);

  /// Makes them, and returns memory to the system once no document was closed
  /// for a second.
  [[noreturn]] void serve();

private:
  std::mutex mutex; ///< Guards what follows.
  std::condition_variable needed, ready;
  std::vector<std::shared_ptr<Workspace>> spares;
  unsigned awaited = 0; ///< Threads that wait in `take`.
  bool mayRefill = false;
  bool hasFreed = false; ///< A document was closed.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_SPAREWORKSPACES_H
