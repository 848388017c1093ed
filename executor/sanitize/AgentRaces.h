//===- AgentRaces.h - Races of agents in global memory ----------*- C++ -*-===//
//
// Loads, stores and copies of the agents of one program: its partitions and
// CTAs. Global memory of all programs is in GlobalRaces.h.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_SANITIZE_AGENTRACES_H
#define KERNELSCOPE_EXECUTOR_SANITIZE_AGENTRACES_H

#include "executor/sanitize/Knowledge.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace kernelscope::executor::sanitize {

/// Who accessed which address of global memory, since a program has several
/// agents. Addresses are those of elements: one that is accessed as parts is
/// not looked at.
class AgentRaces {
public:
  /// An access that was made.
  struct Access {
    Moment moment;
    mlir::Operation *op = nullptr;
    bool isAsync = false;  ///< done after its op: the moment is its end
    bool isAtomic = false; ///< it may meet others that are
    uint16_t cta = 0;      ///< whose access it is
  };
  /// An earlier access that nothing orders before this one.
  struct Conflict {
    mlir::Operation *op = nullptr;
    bool wasStore = false, wasAsync = false;
    bool isOfOtherCTA = false;
  };

  /// An access by an agent with this knowledge; `op` of the conflicting access
  /// is null for none.
  Conflict access(int64_t address, bool isStore, Access made,
                  const Clock &known) {
    Element &element = elements[address];
    // Each CTA may store its own copy of the same value.
    auto meets = [&](const Access &earlier) {
      return earlier.op && !known.knows(earlier.moment) &&
             !(earlier.isAtomic && made.isAtomic) &&
             !(isStore && earlier.op == made.op);
    };
    Conflict conflict;
    auto meet = [&](const Access &earlier, bool wasStore) {
      if (!conflict.op && meets(earlier))
        conflict = {earlier.op, wasStore, earlier.isAsync,
                    earlier.cta != made.cta};
    };
    meet(element.write, /*wasStore=*/true);
    if (isStore)
      for (const Access &read : element.reads)
        meet(read, /*wasStore=*/false);
    if (isStore) {
      element.write = made;
      element.reads.clear();
    } else {
      llvm::erase_if(element.reads, [&](const Access &read) {
        return known.knows(read.moment);
      });
      element.reads.push_back(made);
    }
    return conflict;
  }
  /// The last ordinary store to `address`: what a volatile load sees.
  Moment lastStore(int64_t address) const {
    auto found = elements.find(address);
    return found == elements.end() ? Moment() : found->second.write.moment;
  }
  /// What those that accessed `address` atomically knew.
  Knowledge &released(int64_t address) { return atomics[address]; }
  void clear() {
    elements.clear();
    atomics.clear();
  }

private:
  struct Element {
    Access write;
    llvm::SmallVector<Access, 1> reads; ///< since that write
  };
  llvm::DenseMap<int64_t, Element> elements;
  llvm::DenseMap<int64_t, Knowledge> atomics;
};

} // namespace kernelscope::executor::sanitize

#endif // KERNELSCOPE_EXECUTOR_SANITIZE_AGENTRACES_H
