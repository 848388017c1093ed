//===- BarrierMachine.h - barriers, and who is where ------------*- C++ -*-===//
//
// The state of a run of `BarrierRun.h`: the values that it knows, its
// partitions, the barriers and the buffers that they guard. How the values come
// about is in BarrierValues.cpp, what steps do to barriers in
// BarrierMachine.cpp and to buffers in BufferReads.cpp, who runs when in
// BarrierRun.cpp, and why no partition can continue in BarrierFaults.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_BARRIERMACHINE_H
#define KERNELSCOPE_PASSES_ANALYSIS_BARRIERMACHINE_H

#include "passes/analysis/BarrierProgram.h"
#include "passes/analysis/BarrierRun.h"

#include <set>

namespace kernelscope {

/// How many phases of each barrier an agent knows to be complete, and after
/// them how many products and reads of each agent: it learns from its own
/// waits, and from what the arrivals that it waits for knew.
using Knowledge = llvm::SmallVector<int32_t, 16>;

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
  llvm::SmallVector<int64_t, 4> seen = {};
  /// What those know who arrived.
  Knowledge brought = {};
  /// The asynchronous work that arrives last, in which phase, and who knows
  /// better that it is done.
  mlir::Operation *async = nullptr;
  int64_t asyncPhase = 0;
  unsigned asyncAgent = 0, asyncKnowledge = 0;
  int32_t asyncNeeded = 0;
};

/// Somebody reads a buffer: who knows so much knows that it is done.
struct BufferRead {
  mlir::Operation *op;
  unsigned agent, knowledge;
  int32_t needed;
  bool isTensorCore;
};

/// A buffer of a ring.
struct Buffer {
  /// What reads it although nothing has filled it yet, and who does.
  mlir::Operation *emptyRead = nullptr;
  unsigned emptyReader = 0;
  bool wasFilled = false;
  /// What fills it, if a barrier signals when that is done; else null.
  mlir::Operation *filler = nullptr;
  bool isFilledByTensorCore = false;
  /// An agent that knows this much of `knowledge` reads what fills it.
  unsigned knowledge = 0, fillingAgent = 0;
  int32_t needed = 0;
  /// Since then.
  llvm::SmallVector<BufferRead, 2> reads = {};
  /// How often it was filled; of that, by agent, what was read last.
  int32_t fills = 0;
  llvm::SmallVector<int32_t, 4> lastRead = {};
  /// It was filled again before it was read. Nothing releases it, or not yet,
  /// so its reads say nothing about waits.
  bool isOverrun = false;
};

/// A block that is run, for a loop again and again.
struct Frame {
  unsigned block;
  /// The step that it belongs to; null for the function.
  const Step *owner = nullptr;
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
  Knowledge knows = {};
  /// How many products it has started, how many of them something signals, and
  /// how many buffers it has read.
  int32_t products = 0, committed = 0, reads = 0;
};

/// How many loops are around `op`.
unsigned loopsAround(mlir::Operation *op);

/// What a function does to its barriers, as far as it has run. See
/// `runBarriers`.
class BarrierMachine {
public:
  /// With `edit` made, if it is not null.
  BarrierMachine(const Barriers &barriers, const BarrierProgram &program,
                 const PhaseEdit *edit = nullptr);

  std::optional<BarrierFault> run();
  /// Whether something was not known, so that the run did not finish.
  bool hasFailed() const { return failed; }
  /// Waits none of which ends, if it is not clear which one is to blame.
  llvm::ArrayRef<BarrierFault> suspectedWaits() const { return suspects; }
  /// What uses a barrier before something initialises it, if the run reached
  /// that; else null.
  mlir::Operation *uninitialisedUse() const { return bareUse; }
  /// The first read before its data; if a wait never ends, also one of a buffer
  /// that nothing fills.
  std::optional<UnguardedAccess> unguardedAccess(const Barriers &barriers,
                                                 bool isEndless) const;

private:
  /// What is true of a ring wherever its program is.
  struct RingFacts {
    std::set<mlir::Region *> waiters, arrivers;
    bool knowsBytes = true;
    bool isArrivedAt = false;
    /// The most loops around an op that arrives.
    unsigned arrivalLoops = 0;
    /// Always, in the order of the text: on no condition, nor in a loop of
    /// unknown length.
    bool isInitialisedAlways = true;
    /// 2 if data comes by it, 1 if it says that a product is done, else 0.
    int weight = 0;
  };
  static void addTo(RingFacts &facts, const BarrierUse &use);

  //===--- values ---===//
  void evaluate(const Step &step);
  void assign(llvm::ArrayRef<RunId> to, llvm::ArrayRef<RunId> from);
  void set(RunId id, RunValue value) {
    if (id != noValue)
      values[id] = value;
  }
  Scalar editedPhase();

  //===--- control ---===//
  bool advance(unsigned agent);
  void step(unsigned agent, const Step &step);
  void enterFor(Agent &agent, const Step &loop);
  void enterIf(Agent &agent, const Step &branch);
  std::optional<unsigned> wholeWork(const Agent &agent,
                                    const Step &branch) const;
  void specialize(unsigned agent, const Step &step);
  void leaveBlock(unsigned agent);
  bool leaveFor(Agent &agent);
  bool leaveWhile(Agent &agent);
  bool isJoined(unsigned agent);
  void push(Agent &agent, unsigned block, const Step &owner,
            int64_t trips = 1) {
    agent.stack.push_back({block, &owner, 0, trips});
  }
  void fail() { failed = true; }

  //===--- barriers ---===//
  Barrier *barrierOf(RunId id);
  const RingFacts &factsOf(RunId barrier) {
    return rings[std::max(values[barrier].memory, 0)];
  }
  bool isTaken(const StepAction &action);
  bool isInitialised(const StepAction &action, const Step &step,
                     const Barrier &barrier);
  bool isHeldBack(unsigned agent, const Step &step);
  void act(unsigned agent, const Step &step);
  void arrive(unsigned agent, const StepAction &action, const Step &step,
              Barrier &barrier);
  static void completePhase(Barrier &barrier);
  const Step &stepOf(const Agent &agent) const {
    const Frame &frame = agent.stack.back();
    return program.blocks[frame.block].steps[frame.next];
  }
  struct Wait {
    const Step *step;
    const StepAction *action;
    Barrier *barrier;
    int64_t phase;
    bool isOver() const { return ((barrier->completed ^ phase) & 1) != 0; }
  };
  std::optional<Wait> waitOf(const Agent &agent);
  bool passWait();
  std::optional<BarrierFault> explain();
  BarrierFault fault(BarrierFault::Reason reason, unsigned agent,
                     const Wait &wait) const;

  //===--- buffers ---===//
  int bufferOf(const StepAccess &access) const;
  bool hasNoWait(const Agent &agent, const Buffer &buffer) const;
  void read(unsigned agent, const Step &step);
  void fill(unsigned agent, const Step &step);
  const Barrier *completedBy(const Step &step);
  void forgetAll(int memory, bool wereFilled);
  void forget(unsigned barrier);
  /// Where `Knowledge` has the products of an agent, and its reads.
  unsigned productsOf(unsigned agent) const {
    return program.numBarrierSlots + 2 * agent;
  }
  unsigned readsOf(unsigned agent) const { return productsOf(agent) + 1; }
  void noteRead(Buffer &buffer, unsigned agent, const Step &step,
                const StepAccess &access);
  void checkOverwrite(unsigned agent, const Step &step, const Buffer &buffer,
                      bool isTensorCore);
  void checkInvalidation(unsigned agent, const Step &step,
                         const StepAction &action, const Barrier &barrier);

  const BarrierProgram &program;
  const PhaseEdit *edit;
  /// By their numbers in the program.
  std::vector<RingFacts> rings;
  std::vector<RunValue> values;
  /// Of all rings, one after another.
  std::vector<Barrier> slots;
  std::vector<Buffer> buffers;
  std::vector<Agent> agents;
  llvm::DenseSet<mlir::Operation *> passed;
  std::optional<UnguardedAccess> tooEarly;
  mlir::Operation *bareUse = nullptr;
  llvm::SmallVector<BarrierFault, 0> suspects;
  /// Steps left to run: more than a few rounds of the largest pipeline takes.
  int64_t budget = 4000;
  bool failed = false;
};

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_BARRIERMACHINE_H
