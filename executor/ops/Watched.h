//===- Watched.h - Accesses to report to the sanitizer ----------*- C++ -*-===//
//
// Ops on shared and tensor memory say here which bytes they access. Without a
// sanitizer nothing is done.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_WATCHED_H
#define KERNELSCOPE_EXECUTOR_OPS_WATCHED_H

#include "executor/plan/Frame.h"
#include "executor/plan/Values.h"
#include "executor/sanitize/Watch.h"

namespace kernelscope::executor {

/// The accesses of one run of an op.
class Uses {
public:
  /// The tensor of `shape` that `view` is of, in shared memory.
  void add(const View &view, llvm::ArrayRef<int64_t> shape, size_t elementBytes,
           bool isWrite);
  /// `pieces` from `base` on, which must stay.
  void add(const char *base, llvm::ArrayRef<sanitize::Piece> pieces,
           bool isWrite) {
    uses.push_back({{base, pieces}, isWrite});
  }
  /// Elements at these places, in ascending order.
  void addRuns(llvm::ArrayRef<char *> places, size_t elementBytes,
               bool isWrite);
  llvm::ArrayRef<sanitize::Use> all() const { return uses; }

private:
  llvm::SmallVector<sanitize::Use, 4> uses;
  std::deque<llvm::SmallVector<sanitize::Piece, 4>> pieces;
};

/// `op` reads or writes the tensor that `view` shows, at once.
inline void watchAccess(Frame &frame, mlir::Operation *op, const View &view,
                        llvm::ArrayRef<int64_t> shape, size_t elementBytes,
                        bool isWrite, ttg::Proxy proxy = ttg::Proxy::Generic) {
  if (!frame.watch)
    return;
  Uses uses;
  uses.add(view, shape, elementBytes, isWrite);
  frame.watch->access(op, uses.all().front(), proxy);
}

/// An op does not write the tensor that `view` shows, as its predicate says.
inline void watchSkip(Frame &frame, const View &view,
                      llvm::ArrayRef<int64_t> shape, size_t elementBytes) {
  if (!frame.watch)
    return;
  Uses uses;
  uses.add(view, shape, elementBytes, /*isWrite=*/true);
  frame.watch->skip(uses.all().front());
}

/// `op` starts to read or write the tensor that `view` shows; `signals` is the
/// barrier that its end signals, if there is one.
inline sanitize::Watch::Started
watchStart(Frame &frame, mlir::Operation *op, const View &view,
           llvm::ArrayRef<int64_t> shape, size_t elementBytes, bool isWrite,
           ttg::Proxy proxy, const MBarrier *signals = nullptr) {
  if (!frame.watch)
    return {};
  Uses uses;
  uses.add(view, shape, elementBytes, isWrite);
  return frame.watch->start(op, uses.all(), proxy,
                            signals ? signals->init : nullptr);
}

/// What the agent of `frame` knows now, to be published with a signal.
inline std::shared_ptr<sanitize::Knowledge> watchRelease(Frame &frame) {
  return frame.watch ? frame.watch->release() : nullptr;
}

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_WATCHED_H
