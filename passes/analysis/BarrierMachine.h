//===- BarrierMachine.h - barriers, and who is where ------------*- C++ -*-===//
//
// The state of a run of `BarrierRun.h`: the values that it knows, its
// partitions and the barriers. How the values come about is in
// BarrierValues.cpp, what ops do to barriers in BarrierMachine.cpp, and who
// runs when in BarrierRun.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_BARRIERMACHINE_H
#define KERNELSCOPE_PASSES_ANALYSIS_BARRIERMACHINE_H

#include "dialects/ttg/TTG.h"
#include "passes/analysis/BarrierProgram.h"
#include "passes/analysis/BarrierRun.h"
#include "passes/analysis/Scalars.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <set>

namespace kernelscope {

/// An integer, a barrier of a ring, or a whole ring.
struct RunValue {
  Scalar number;
  /// Of a barrier; `number` is then its place in the ring, if it has one.
  mlir::Value allocation;
};

/// A place in a ring.
using Slot = std::pair<void *, int64_t>;

struct Barrier {
  mlir::Operation *init = nullptr;
  int64_t needed = 0, pending = 0;
  /// Phases that are complete.
  int64_t completed = 0;
  /// Bytes announced and not come, in this phase.
  int64_t bytes = 0;
  /// All that was announced for this phase.
  int64_t expected = 0;
  /// What arrived last, and what announced bytes last.
  mlir::Operation *last = nullptr, *announced = nullptr;
  /// By agent, how many phases were complete when a wait of it returned last.
  std::map<unsigned, int64_t> seen;
};

/// A block that is run, for a loop again and again.
struct Frame {
  mlir::Block *block;
  size_t next = 0;
  int64_t tripsLeft = 0;
};

/// The main program, or a partition.
struct Agent {
  enum State : uint8_t { Ready, AtWait, AtGate, AtJoin, Finished };
  State state = Ready;
  mlir::Region *partition = nullptr;
  llvm::SmallVector<Frame, 4> stack;
  llvm::SmallVector<unsigned> children = {};
  /// May arrive although the last phase was not seen.
  bool isReleased = false;
};

/// What a function does to its barriers, as far as it has run. See
/// `findEndlessWait`.
class BarrierMachine {
public:
  /// With `edit` made, if it is not null.
  BarrierMachine(const Barriers &barriers, const BarrierProgram &program,
                 const PhaseEdit *edit = nullptr)
      : program(program), edit(edit) {
    for (const BarrierRing &ring : barriers.rings())
      for (const BarrierUse &use : ring.uses)
        addTo(rings[ring.allocation], use);
  }

  std::optional<BarrierFault> run();
  /// Whether something was not known, so that the run came to no end.
  bool hasFailed() const { return failed; }

private:
  /// What is true of a ring wherever its program is.
  struct RingFacts {
    std::set<mlir::Region *> waiters;
    bool knowsBytes = true;
    bool isArrivedAt = false;
    /// The most loops around an op that arrives.
    unsigned arrivalLoops = 0;
    /// 2 if data comes by it, 1 if it says that a product is done, else 0.
    int weight = 0;
  };
  static void addTo(RingFacts &facts, const BarrierUse &use);

  //===--- values ---===//
  RunValue valueOf(mlir::Value value);
  RunValue argument(mlir::BlockArgument value) const;
  void evaluate(mlir::Operation *op);
  Scalar scalarOf(mlir::Value value) { return valueOf(value).number; }
  void assign(mlir::ValueRange to, mlir::ValueRange from);
  Scalar editedPhase();

  //===--- control ---===//
  bool advance(unsigned agent);
  void step(unsigned agent, mlir::Operation *op);
  void enterFor(Agent &agent, mlir::scf::ForOp loop);
  void enterIf(Agent &agent, mlir::scf::IfOp branch);
  void specialize(unsigned agent, ttg::WarpSpecializeOp op);
  void leaveBlock(unsigned agent);
  void fail() { failed = true; }

  //===--- barriers ---===//
  /// What `op` does, looked up once.
  llvm::ArrayRef<ttg::BarrierAction> actionsOf(mlir::Operation *op);
  Barrier *barrierOf(mlir::Value value);
  bool isTaken(const ttg::BarrierAction &action);
  bool isHeldBack(unsigned agent, llvm::ArrayRef<ttg::BarrierAction> actions);
  void act(mlir::Operation *op, llvm::ArrayRef<ttg::BarrierAction> actions);
  void completePhase(Barrier &barrier);
  static mlir::Operation *opOf(const Agent &agent,
                               const BarrierProgram &program) {
    const Frame &frame = agent.stack.back();
    return program.opsOf(frame.block)[frame.next];
  }
  struct Wait {
    mlir::Operation *op;
    Barrier *barrier;
    int64_t phase;
    bool isOver() const { return ((barrier->completed ^ phase) & 1) != 0; }
  };
  std::optional<Wait> waitOf(const Agent &agent);
  bool passWait();
  std::optional<BarrierFault> explain();
  BarrierFault fault(BarrierFault::Reason reason, unsigned agent,
                     const Wait &wait) const;
  const RingFacts &factsOf(const Wait &wait);

  const BarrierProgram &program;
  const PhaseEdit *edit;
  llvm::DenseMap<mlir::Value, RingFacts> rings;
  /// Vectors, which stay where they are when the map grows.
  llvm::DenseMap<mlir::Operation *, std::vector<ttg::BarrierAction>> actions;
  llvm::DenseMap<mlir::Value, RunValue> values;
  std::map<Slot, Barrier> slots;
  std::vector<Agent> agents;
  llvm::DenseSet<mlir::Operation *> passed;
  /// Ops left to run: more than a few rounds of the largest pipeline takes.
  int64_t budget = 6000;
  bool failed = false;
};

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_BARRIERMACHINE_H
