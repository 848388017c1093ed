//===- Plan.h - A kernel resolved into steps -------------------*- C++ -*-===//
//
// A kernel is planned once: each value gets a slot of fixed size, each op a
// step, a closure that knows its slots and element types. Running a program is
// calling the steps in order on a frame, which holds the bytes of all slots.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_PLAN_H
#define KERNELSCOPE_EXECUTOR_PLAN_PLAN_H

#include "llvm/ADT/SmallVector.h"
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace kernelscope::executor {

class Frame;
constexpr size_t slotAlignment = 64;
using Slot = uint32_t;

/// What one op does to a frame. False: it left a fault.
using Step = std::function<bool(Frame &)>;

/// The ops of a block, except its terminator.
struct Body {
  std::vector<Step> steps;
  /// What one run takes, in ops on scalars.
  uint64_t work = 1;
};

/// The slots and steps of the code that one agent runs, with the functions that
/// it calls.
struct Plan {
  struct SlotInfo {
    size_t offset = 0; ///< into the frame's bytes
    size_t bytes = 0;
  };
  std::vector<SlotInfo> slots;
  size_t frameBytes = 0;
  /// Values of constants, copied to each new frame.
  std::vector<std::pair<Slot, std::vector<char>>> constants;
  llvm::SmallVector<Slot> arguments;
  std::deque<Body> bodies;
  Step entry;
  /// CTAs of a cluster.
  unsigned ctas = 1;
  /// Steps show in a timeline, which costs time.
  bool isTraced = false;
  /// Programs must run one after another: there are atomics or prints.
  bool inOrder = false;
  /// A program may look in a loop at what another program stores.
  bool mayPoll = false;
  /// The code that this code starts on other warps. An agent has a frame of its
  /// own, since a function that several call would share its slots otherwise.
  std::vector<std::unique_ptr<Plan>> partitions;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_PLAN_H
