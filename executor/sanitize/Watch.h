//===- Watch.h - What the sanitizer knows of a program ---------*- C++ -*-===//
//
// The sanitizer finds accesses that nothing orders, whether or not this run had
// them in the right order: the order is computed from the waits and signals
// alone. An asynchronous access may happen at any time from its issue to the
// wait that learns of its end, so it is checked, and recorded, at its issue.
//
// Within an agent ordinary accesses are in order: its warps are synchronised by
// the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_SANITIZE_WATCH_H
#define KERNELSCOPE_EXECUTOR_SANITIZE_WATCH_H

#include "executor/sanitize/Finding.h"
#include <optional>

namespace kernelscope::executor::sanitize {

class Watch;

/// The sanitizer of one program.
class Sanitizer {
public:
  /// Of IR that is not final, barriers that are invalidated too early are no
  /// finding, since later passes put that right; nor are missing proxy fences
  /// of IR that does not have them yet.
  explicit Sanitizer(bool isFinal = true, bool hasFences = true);
  ~Sanitizer();

  /// Resets it for another program.
  void start();
  /// The agent that the program starts with.
  Watch &first() { return *main; }
  /// What was found since the start, in the order in which it was found.
  llvm::ArrayRef<Finding> findings() const { return found; }
  /// Adds a finding, unless it is known already.
  void report(Finding finding);

private:
  friend class Watch;

  /// The first step of an actor that is new to an actor that has `knowledge`:
  /// all of its earlier steps are known there, so its number can be used again.
  Moment begin(const Knowledge &knowledge, bool isLong);

  const bool isFinal, hasFences;
  Shadow shadow;
  AgentRaces global;
  bool hasSeveralAgents = false;  ///< or has had, since the start
  std::vector<uint32_t> lastStep; ///< by actor
  std::vector<bool> isAlive;      ///< an agent or an engine uses the actor
  std::vector<Finding> found;
  std::unique_ptr<Watch> main;
};

/// One access of an op to shared or tensor memory.
struct Use {
  Region region;
  bool isWrite;
};

/// What the sanitizer knows of one agent.
class Watch {
public:
  Watch(Sanitizer &program, Knowledge start, uint16_t cta);

  /// A buffer is allocated. Returns those whose place it takes, which no longer
  /// exist from now on.
  llvm::SmallVector<Allocation *, 2> allocate(const Allocation &buffer);
  /// The buffer at `base` is deallocated.
  void deallocate(mlir::Operation *op, const char *base);
  /// An access that is done before the agent's next op.
  void access(mlir::Operation *op, const Use &use,
              ttg::Proxy proxy = ttg::Proxy::Generic);
  /// One that others may overlap.
  void accessAtomically(mlir::Operation *op, const Use &use);
  /// Writes of elements that other CTAs hold too: each of them writes the same
  /// values in its run of `op` with the same number.
  void writeCopies(mlir::Operation *op, llvm::ArrayRef<Use> uses);

  /// A write whose predicate is false. What it would have written can be read:
  /// pipelined loops do that ahead of their first round and drop the value.
  void skip(const Use &use);

  /// Accesses of an asynchronous op; returns what is known at its end. An op of
  /// the agent's tensor core comes after that engine's earlier ones. `barrier`
  /// initialised the barrier that signals its end, if one does.
  struct Started {
    Moment done;
    Release release;
  };
  /// It comes after what is in `after`, too.
  Started start(mlir::Operation *op, llvm::ArrayRef<Use> uses, ttg::Proxy proxy,
                mlir::Operation *barrier = nullptr,
                const Clock *after = nullptr);
  void startOnTensorCore(mlir::Operation *op, llvm::ArrayRef<Use> uses,
                         mlir::Operation *barrier = nullptr);
  /// The tensor core is given a signal to send after its work so far; what is
  /// known then.
  const Knowledge &signalFromTensorCore();
  /// What is known when all that the tensor core has been given is done; null
  /// if that was nothing.
  const Knowledge *tensorCore() const { return engine ? &*engine : nullptr; }

  /// `op` needs the result of the asynchronous product `product`, which no wait
  /// has ordered.
  void useEarly(mlir::Operation *op, mlir::Operation *product) {
    program.report(usedEarly(op, product));
  }
  void report(Finding finding) { program.report(std::move(finding)); }
  /// A wait of the agent has ordered the end of an asynchronous op.
  void waited(Moment moment) {
    if (moment)
      knowledge.done.learn(moment);
  }
  /// The agent ends, and the end of `op` is at this moment.
  void ended(mlir::Operation *op, Moment moment);
  /// A fence orders the ordinary accesses so far, to the shared memory of CTAs
  /// from `first` up to `end`, before those of the async proxy.
  void fence(unsigned first, unsigned end) {
    knowledge.fence(first, end);
    tick();
  }
  /// What the agent knows, to be published to others, except its later steps.
  std::shared_ptr<Knowledge> release();
  /// Learns what others have published; nothing from null.
  void acquire(const Knowledge *told);

  /// Whether other agents may access global memory together with this one.
  bool isOneOfSeveral() const { return program.hasSeveralAgents; }
  /// An access to an element of global memory. One of asynchronous work is done
  /// at the moment `end`, and one that is atomic orders nothing.
  void accessGlobal(mlir::Operation *op, int64_t address, bool isStore,
                    Moment end = {}, bool isAtomic = false) {
    const AgentRaces::Conflict conflict = program.global.access(
        address, isStore, {end ? end : now(), op, bool(end), isAtomic, cta},
        knowledge.done);
    if (conflict.op)
      program.report(globalRace(op, isStore, conflict));
  }
  /// A volatile or atomic load, which is how a loop waits for what another
  /// agent stores: what that did before is done.
  void seeStored(int64_t address) {
    waited(program.global.lastStore(address));
    knowledge.learn(program.global.released(address));
  }
  /// An atomic access, which orders those that access the address so.
  void synchronizeAt(int64_t address) {
    Knowledge &released = program.global.released(address);
    knowledge.learn(released);
    released.learn(knowledge);
    tick();
  }

  const Clock &known() const { return knowledge.done; }
  /// The moment of what the agent does now.
  Moment now() const { return {actor, program.lastStep[actor]}; }

  /// An agent that this one starts: a partition of its CTA.
  std::unique_ptr<Watch> fork() { return fork(cta); }
  /// The warps that another CTA starts with.
  std::unique_ptr<Watch> fork(unsigned cta);
  /// `other`, which this agent has started, has ended.
  void join(Watch &other);

private:
  /// An access by the agent's CTA.
  Access madeBy(mlir::Operation *op, Moment moment,
                ttg::Proxy proxy = ttg::Proxy::Generic) const {
    Access made{op, moment, proxy};
    made.cta = cta;
    return made;
  }
  /// The next step of the tensor core, which knows what the agent does.
  Moment startEngineStep();
  void tick() {
    ++program.lastStep[actor];
    knowledge.done.learn(now());
  }
  /// Reports what is wrong with an access by someone with this knowledge.
  void check(Allocation &memory, const Access &access, const Use &use,
             const Knowledge &known);
  /// Checks and then records all of them.
  void take(const Access &access, llvm::ArrayRef<Use> uses,
            const Knowledge &known);

  Sanitizer &program;
  const uint16_t cta;
  uint32_t actor;
  Knowledge knowledge;
  /// The tensor core of the agent, once it has work.
  std::optional<Knowledge> engine;
  uint32_t engineActor = 0;
  /// How often each op has written copies.
  llvm::DenseMap<mlir::Operation *, uint32_t> copies;
};

} // namespace kernelscope::executor::sanitize

#endif // KERNELSCOPE_EXECUTOR_SANITIZE_WATCH_H
