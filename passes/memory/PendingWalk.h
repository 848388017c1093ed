//===- PendingWalk.h - What is not ordered yet, op by op --------*- C++ -*-===//
//
// The walk that passes share which put something in front of ops that meet an
// earlier access: barriers between threads, fences between proxies.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_MEMORY_PENDINGWALK_H
#define KERNELSCOPE_PASSES_MEMORY_PENDINGWALK_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace kernelscope::memory {

/// A set of accesses that nothing has ordered yet; small.
template <typename Access> class PendingAccesses {
public:
  void add(const Access &access) {
    if (!llvm::is_contained(all, access))
      all.push_back(access);
  }
  void add(const PendingAccesses &other) {
    for (const Access &access : other.all)
      add(access);
  }
  /// Drops those for which `isOrdered` is true.
  template <typename Fn> void drop(Fn isOrdered) {
    llvm::erase_if(all, isOrdered);
  }
  /// Changes each; two that become equal become one.
  template <typename Fn> void change(Fn update) {
    PendingAccesses changed;
    for (Access access : all) {
      update(access);
      changed.add(access);
    }
    *this = changed;
  }
  size_t size() const { return all.size(); }
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }

private:
  llvm::SmallVector<Access, 4> all;
};

/// Visits the ops of a function in order of execution with the accesses that
/// may be pending there, loops and functions that are called until nothing
/// changes. What a visit inserts must only ever take accesses away, so that an
/// insertion stays right.
template <typename Access> class PendingWalk {
public:
  virtual ~PendingWalk() = default;

protected:
  using Pending = PendingAccesses<Access>;

  /// Takes note of `op`, which may be visited again with more pending; calls
  /// `visitRegions` if control simply goes through its regions.
  virtual void visit(mlir::Operation *op, Pending &pending) = 0;

  /// Returns what is pending at the end of the region.
  Pending visit(mlir::Region &region, const Pending &before) {
    std::map<mlir::Block *, Pending> atStart;
    Pending atEnd;
    llvm::SmallVector<mlir::Block *> work;
    if (!region.empty()) {
      atStart[&region.front()] = before;
      work.push_back(&region.front());
    }
    while (!work.empty()) {
      mlir::Block *block = work.pop_back_val();
      Pending pending = atStart[block];
      for (mlir::Operation &op : llvm::make_early_inc_range(*block))
        visit(&op, pending);
      if (block->getNumSuccessors() == 0)
        atEnd.add(pending);
      for (mlir::Block *successor : block->getSuccessors()) {
        auto [start, isNew] = atStart.try_emplace(successor);
        size_t known = start->second.size();
        start->second.add(pending);
        if (isNew || start->second.size() != known)
          work.push_back(successor);
      }
    }
    return atEnd;
  }

  void visitRegions(mlir::Operation *op, Pending &pending) {
    bool isLoop = mlir::isa<mlir::LoopLikeOpInterface>(op);
    Pending before = pending;
    size_t known = 0;
    do {
      known = pending.size();
      Pending start = isLoop ? pending : before;
      for (mlir::Region &region : op->getRegions()) {
        Pending end = visit(region, start);
        pending.add(end);
        if (isLoop)
          start.add(end);
      }
    } while (isLoop && pending.size() != known);
  }

  /// Goes through a function that is called, with what is pending at any call
  /// so far.
  void visitCallee(mlir::FunctionOpInterface function, Pending &pending) {
    Callee &callee = callees[function];
    size_t known = callee.atStart.size();
    callee.atStart.add(pending);
    if (!callee.isVisited || callee.atStart.size() != known) {
      callee.isVisited = true;
      Pending atEnd = visit(function.getFunctionBody(), callee.atStart);
      callee.atEnd.add(atEnd);
    }
    pending = callee.atEnd;
  }

  /// What is pending at the start and the end of a function that is called.
  struct Callee {
    Pending atStart, atEnd;
    bool isVisited = false;
  };
  std::map<mlir::Operation *, Callee> callees;
};

} // namespace kernelscope::memory

#endif // KERNELSCOPE_PASSES_MEMORY_PENDINGWALK_H
