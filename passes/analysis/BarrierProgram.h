//===- BarrierProgram.h - what decides what barriers do ---------*- C++ -*-===//
//
// The part of a function that its barriers depend on: the ops that use them and
// the buffers that they guard, the integers and predicates that these take, the
// loops and branches around them. Everything else is left out. It is made of
// steps on numbered values, so that it can be run fast.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_BARRIERPROGRAM_H
#define KERNELSCOPE_PASSES_ANALYSIS_BARRIERPROGRAM_H

#include "passes/analysis/Barriers.h"
#include "passes/analysis/Scalars.h"

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace kernelscope {

/// The number of a value, and that of one that nothing is known of.
using RunId = unsigned;
constexpr RunId noValue = 0;
using RunIds = llvm::SmallVector<RunId, 4>;

/// An integer, a place in a ring of barriers or buffers, or a whole ring.
struct RunValue {
  Scalar number = std::nullopt;
  /// Of the ring: its number in `BarrierProgram::memories`, or -1. `number` is
  /// then the place, if it is one.
  int memory = -1;
  /// A part of a buffer, or of a view that may be one.
  bool isPart = false;
};

/// A ring of barriers, or of buffers.
struct RunMemory {
  mlir::Value allocation;
  int64_t depth;
  /// Of its places among all.
  unsigned firstSlot;
  /// Of buffers: they are only written by accesses that barriers signal.
  bool isOnlyFilled = false;
};

/// What a step does to a barrier; see `BarrierAction`.
struct StepAction {
  ttg::BarrierAction::Kind kind;
  RunId barrier, phase;
  llvm::SmallVector<RunId, 2> predicates;
  std::optional<int64_t> count, bytes;

  bool arrives() const {
    using ttg::BarrierAction;
    return kind == BarrierAction::Expect || kind == BarrierAction::Arrive ||
           kind == BarrierAction::ArriveWhenDone;
  }
};

/// What a step reads or writes of a buffer.
struct StepAccess {
  RunId memory, predicate;
  bool isWrite, isTensorCore;
  ttg::Completion completion;

  /// A barrier, of the op or of a commit, signals when it is done.
  bool isAsync() const {
    return completion == ttg::Completion::MBarrier ||
           completion == ttg::Completion::TensorCommit;
  }
};

struct Step {
  enum Kind : uint8_t {
    /// An integer op.
    Compute,
    Allocate,
    /// A barrier or buffer of a ring.
    Index,
    /// Another view of the same.
    View,
    Select,
    For,
    If,
    While,
    Specialize,
    /// On barriers and buffers.
    Act
  };
  Kind kind;
  mlir::Operation *op;
  /// A barrier is used in its regions.
  bool hasBarriers = false;
  bool waits = false;
  /// View: of all of it.
  bool isWhole = false;
  ScalarOp scalar = {};
  /// For: the bounds, the step and what is carried.
  RunIds operands = {}, results = {};
  llvm::SmallVector<unsigned, 2> blocks = {};
  llvm::SmallVector<StepAction, 1> actions = {};
  llvm::SmallVector<StepAccess, 2> accesses = {};
};

struct StepBlock {
  mlir::Block *block = nullptr;
  std::vector<Step> steps = {};
  RunIds arguments = {};
  /// What its terminator takes.
  RunIds yielded = {};
};

class BarrierProgram {
public:
  /// Nothing where a barrier is used under something other than loops,
  /// branches and partitions, or where some barrier is not known.
  static std::optional<BarrierProgram> create(mlir::Operation *function,
                                              const Barriers &barriers);

  std::vector<StepBlock> blocks;
  unsigned entry = 0;
  std::vector<RunMemory> memories;
  /// How many of them are rings of barriers: these come first.
  unsigned numRings = 0, numBarrierSlots = 0, numSlots = 0;
  /// What is known of values before the run: constants, arguments.
  std::vector<RunValue> initial;

  /// The number of a value; `noValue` for one of which nothing is known.
  RunId idOf(mlir::Value value) const { return ids.lookup(value); }

private:
  //===--- what belongs to it ---===//
  bool addOp(mlir::Operation *op);
  bool addStructure(mlir::Operation *op);
  void addBuffer(const GuardedBuffer &buffer);
  void need(mlir::Value value) { needed.push_back(value); }
  void addValue(mlir::Value value);
  void addCarried(mlir::Operation *loop, unsigned number);

  //===--- steps ---===//
  void build(mlir::Operation *function, const Barriers &barriers);
  void addMemory(mlir::Value allocation, int64_t depth);
  unsigned blockOf(mlir::Region &region);
  void addStep(mlir::Operation *op);
  void addActions(const Barriers &barriers);
  void addAccesses(Step &step);
  RunIds idsOf(mlir::ValueRange values) const;

  mlir::Block *entryBlock = nullptr;
  llvm::DenseSet<mlir::Operation *> ops, aroundBarriers;
  llvm::SmallVector<mlir::Value> needed;
  llvm::DenseMap<mlir::Block *, unsigned> numbers, numSteps;
  llvm::DenseMap<mlir::Value, RunId> ids;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<StepAction, 1>> actions;
  /// What reads or writes a guarded buffer.
  llvm::DenseSet<mlir::Operation *> onBuffers;
};

/// What a run takes for a value that nothing computes: a constant, an argument
/// of the function, which stands for a large size, or the place in the grid.
Scalar plausibleNumber(mlir::Value value);

/// The region of the partition that `op` runs in; null for the rest of the
/// function, default regions included.
mlir::Region *partitionOf(mlir::Operation *op);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_BARRIERPROGRAM_H
