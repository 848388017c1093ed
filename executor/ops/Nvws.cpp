//===- Nvws.cpp - References and tokens between groups of warps -----------===//
//
// An asynchronous reference has two mbarriers for each of its stages: puts
// arrive on `full`, gets on `empty`, and each side waits for the other's. That
// is what nvws is lowered to; here the barriers are in memory of their own.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/NVWS.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Elementwise.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

//===----------------------------------------------------------------------===//
// Who uses a reference or a token
//===----------------------------------------------------------------------===//

/// A partition as far as it can be told from an op: the region of the warps
/// that it is in, and, before there are such regions, `ttg.partition`.
using Owner = std::pair<Region *, Attribute>;

bool startsWarps(Operation *op) {
  return isa<nvws::WarpGroupOp, ttg::WarpSpecializeOp,
             ttg::WarpSpecializePartitionsOp>(op);
}

Owner ownerOf(Operation *op) {
  Region *region = op->getParentRegion();
  while (region->getParentOp() && !startsWarps(region->getParentOp()) &&
         region->getParentOp()->getParentRegion())
    region = region->getParentOp()->getParentRegion();
  return {region, op->getAttr("ttg.partition")};
}

/// The value that a partition was given as `value`.
Value originOf(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto partitions = dyn_cast<ttg::WarpSpecializePartitionsOp>(
        argument.getOwner()->getParentOp());
    if (!partitions)
      break;
    value = partitions->getOperand(argument.getArgNumber());
  }
  return value;
}

/// Calls `fn(op)` for each use of `value`, in partitions that it is given to,
/// too.
void forEachUser(Value value, function_ref<void(Operation *)> fn) {
  for (OpOperand &use : value.getUses()) {
    fn(use.getOwner());
    if (isa<ttg::WarpSpecializePartitionsOp>(use.getOwner()))
      for (Region &region : use.getOwner()->getRegions())
        forEachUser(region.getArgument(use.getOperandNumber()), fn);
  }
}

/// The partitions that use `value` in an op of one of these classes.
template <typename... Ops> SmallVector<Owner> ownersOf(Value value) {
  SmallVector<Owner> owners;
  forEachUser(originOf(value), [&](Operation *op) {
    if (isa<Ops...>(op) && !llvm::is_contained(owners, ownerOf(op)))
      owners.push_back(ownerOf(op));
  });
  return owners;
}

/// `op` initialises the barrier at `at` for the arrival of each of `owners`.
void initBarrier(Frame &frame, Operation *op, const char *at, size_t owners) {
  frame.program.barriers.forget(at, 1);
  frame.program.barriers.init(at, std::max<size_t>(1, owners), op);
}

/// An arrival of the agent. Lowering adds the proxy fences that it needs.
bool arriveWithFence(Frame &frame, const BarrierAddress &barrier) {
  if (frame.watch)
    frame.watch->fence();
  return barrier.arrive(frame, 1);
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// What the memory of a reference holds: a view of each ring of buffers, how
/// often each partition has entered and left, and a byte for each barrier.
struct ArefMemory {
  size_t buffers, depth;
  SmallVector<Owner> puts, gets;

  static ArefMemory of(Value aref) {
    auto rings = cast<nvws::ArefType>(aref.getType()).getBaseType();
    ArefMemory made;
    made.buffers = rings.size();
    made.depth = cast<ttg::MemDescType>(rings.front()).getDimSize(0);
    made.puts = ownersOf<nvws::ArefPutEnterOp, nvws::ArefPutExitOp>(aref);
    made.gets = ownersOf<nvws::ArefGetEnterOp, nvws::ArefGetExitOp>(aref);
    return made;
  }

  View *ring(char *memory, size_t i) const {
    return reinterpret_cast<View *>(memory) + i;
  }
  /// Of the partition of `op`: entries of puts, exits, entries of gets, exits.
  size_t counterIndex(Operation *op) const {
    const bool isPut = isa<nvws::ArefPutEnterOp, nvws::ArefPutExitOp>(op);
    const bool isExit = isa<nvws::ArefPutExitOp, nvws::ArefGetExitOp>(op);
    const auto &owners = isPut ? puts : gets;
    return (isPut ? 0 : 2 * puts.size()) + (isExit ? owners.size() : 0) +
           (llvm::find(owners, ownerOf(op)) - owners.begin());
  }
  uint64_t *counter(char *memory, size_t index) const {
    return reinterpret_cast<uint64_t *>(memory + buffers * sizeof(View)) +
           index;
  }
  char *barrier(char *memory, bool isFull, size_t stage) const {
    return reinterpret_cast<char *>(
               counter(memory, 2 * (puts.size() + gets.size()))) +
           (isFull ? 0 : depth) + stage;
  }
  size_t bytes() const {
    return buffers * sizeof(View) +
           2 * (puts.size() + gets.size()) * sizeof(uint64_t) + 2 * depth;
  }
};

Step planCreate(Planner &planner, nvws::ArefCreateOp op) {
  const ArefMemory made = ArefMemory::of(op.getResult());
  return [=, rings = planner.slots(op.getBuffers()),
          to = planner.slot(op.getResult()), operation = op.getOperation(),
          allocate = planAllocation(planner, op.getResult(), made.bytes())](
             Frame &frame) {
    char *memory = allocate(frame);
    frame.at<View>(to)->base = memory;
    for (auto [i, ring] : llvm::enumerate(rings))
      *made.ring(memory, i) = *frame.at<View>(ring);
    for (size_t stage = 0; stage < made.depth; ++stage) {
      initBarrier(frame, operation, made.barrier(memory, true, stage),
                  made.puts.size());
      initBarrier(frame, operation, made.barrier(memory, false, stage),
                  made.gets.size());
    }
    return true;
  };
}

/// The stage of an op on a reference: as it says, or the next one of its
/// partition.
struct StageOperand {
  ArefMemory memory;
  Operation *op;
  Slot aref;
  std::optional<Slot> stage;
  size_t counter;

  template <typename OpT> static StageOperand of(Planner &planner, OpT op) {
    const ArefMemory memory = ArefMemory::of(op.getAref());
    return {memory, op, planner.slot(op.getAref()),
            optionalSlot(planner, op.getStage()), memory.counterIndex(op)};
  }
  char *base(Frame &frame) const { return frame.at<View>(aref)->base; }
  /// How often the partition has come here before; counts this time.
  uint64_t count(Frame &frame) const {
    return (*memory.counter(base(frame), counter))++;
  }
  /// None after a fault.
  std::optional<size_t> find(Frame &frame, uint64_t round) const {
    if (!stage)
      return round % memory.depth;
    const int64_t given = *frame.at<int32_t>(*stage);
    if (given >= 0 && given < int64_t(memory.depth))
      return given;
    frame.fault(op, frame.programName() + ": stage " + Twine(given) +
                        " is outside the " + Twine(memory.depth) +
                        " stages of the reference");
    return std::nullopt;
  }
};

/// One stage of the ring `view` as a value of `type`.
View stageOf(View view, size_t stage, ttg::MemDescType ring,
             ttg::MemDescType type) {
  if (ring.getRank() == type.getRank())
    return view; // Scales in tensor memory are no ring.
  View made;
  made.base = view.base + int64_t(stage) * view.strides[0] *
                              int64_t(bytesInMemory(type.getElementType()));
  std::copy(view.strides + 1, view.strides + ring.getRank(), made.strides);
  return made;
}

/// Gives the buffers of a stage to slots.
using GiveBuffers = std::function<void(Frame &, char *memory, size_t stage)>;

GiveBuffers planBuffers(Planner &planner, const ArefMemory &memory, Value aref,
                        ValueRange buffers) {
  struct Buffer {
    Slot slot;
    ttg::MemDescType ring, type;
  };
  std::vector<Buffer> made;
  for (auto [buffer, ring] : llvm::zip_equal(
           buffers, cast<nvws::ArefType>(aref.getType()).getBaseType()))
    made.push_back({planner.slot(buffer), cast<ttg::MemDescType>(ring),
                    cast<ttg::MemDescType>(buffer.getType())});
  return [=](Frame &frame, char *at, size_t stage) {
    for (auto [i, buffer] : llvm::enumerate(made))
      *frame.at<View>(buffer.slot) =
          stageOf(*memory.ring(at, i), stage, buffer.ring, buffer.type);
  };
}

template <typename OpT> Step planEnter(Planner &planner, OpT op) {
  constexpr bool isPut = std::is_same_v<OpT, nvws::ArefPutEnterOp>;
  const StageOperand stage = StageOperand::of(planner, op);
  return [=,
          give =
              planBuffers(planner, stage.memory, op.getAref(), op.getBuffers()),
          phase = optionalSlot(planner, op.getPhase())](Frame &frame) {
    const uint64_t round = stage.count(frame);
    const std::optional<size_t> at = stage.find(frame, round);
    if (!at)
      return false;
    char *memory = stage.base(frame);
    // The first put of a stage waits for the phase before the first.
    const uint32_t parity = phase ? *frame.at<uint32_t>(*phase)
                                  : (round / stage.memory.depth + isPut) % 2;
    give(frame, memory, *at);
    return waitForPhase(
        frame, {stage.op, stage.memory.barrier(memory, !isPut, *at)}, parity);
  };
}

/// The queue of what an exit says still works on the buffers.
std::optional<ttg::Completion> queueOf(nvws::AsyncOp kind) {
  switch (kind) {
  case nvws::AsyncOp::TC5MMA:
  case nvws::AsyncOp::TMEMCopy:
    return ttg::Completion::TensorCommit;
  case nvws::AsyncOp::CpAsync:
    return ttg::Completion::CommitGroup;
  case nvws::AsyncOp::WGMMA:
    return ttg::Completion::WgmmaGroup;
  case nvws::AsyncOp::NONE:
  case nvws::AsyncOp::TMALoad: // Loads of this level are done at once.
  case nvws::AsyncOp::CLC:
    return std::nullopt;
  }
  return std::nullopt;
}

template <typename OpT> Step planExit(Planner &planner, OpT op) {
  constexpr bool isPut = std::is_same_v<OpT, nvws::ArefPutExitOp>;
  SmallVector<ttg::Completion> awaited;
  for (Attribute kind : op.getAsyncOps())
    if (auto queue = queueOf(cast<nvws::AsyncOpAttr>(kind).getValue()))
      awaited.push_back(*queue);
  return [=, stage = StageOperand::of(planner, op)](Frame &frame) {
    const std::optional<size_t> at = stage.find(frame, stage.count(frame));
    if (!at)
      return false;
    const BarrierAddress barrier{
        stage.op, stage.memory.barrier(stage.base(frame), isPut, *at)};
    if (awaited.empty())
      return arriveWithFence(frame, barrier);
    if (frame.watch)
      frame.watch->fence();
    auto done = watchRelease(frame);
    SmallVector<std::pair<AsyncQueue *, size_t>> work;
    for (ttg::Completion completion : awaited) {
      AsyncQueue &queue = frame.queue(completion);
      work.emplace_back(&queue, queue.issued());
      if (done)
        done->done.learn(queue.allDone());
      if (done && completion == ttg::Completion::TensorCommit &&
          frame.watch->tensorCore())
        done->learn(*frame.watch->tensorCore());
    }
    return frame.program.barriers.issue(
        barrier.at, barrier.op, done, [=, &frame] {
          return llvm::all_of(work,
                              [](const auto &item) {
                                return item.first->finishUntil(item.second);
                              }) &&
                 barrier.arrive(frame, 1, done);
        });
  };
}

/// Without a stage they are those that the partition has entered last.
Step planBuffer(Planner &planner, nvws::ArefBufferOp op) {
  Operation *enter = op.getToken().getDefiningOp();
  if (!op.getStage() &&
      !isa_and_nonnull<nvws::ArefPutEnterOp, nvws::ArefGetEnterOp>(enter)) {
    op.emitError("the CPU executor needs the stage of a region whose token "
                 "comes from no enter in sight");
    return {};
  }
  const ArefMemory memory = ArefMemory::of(op.getAref());
  StageOperand stage{memory, op, planner.slot(op.getAref()),
                     optionalSlot(planner, op.getStage()),
                     op.getStage() ? 0 : memory.counterIndex(enter)};
  return [=, give = planBuffers(planner, memory, op.getAref(),
                                op.getBuffers())](Frame &frame) {
    char *at = stage.base(frame);
    const uint64_t entered =
        stage.stage ? 1 : *memory.counter(at, stage.counter);
    const std::optional<size_t> found = stage.find(frame, entered - 1);
    if (found)
      give(frame, at, *found);
    return found.has_value();
  };
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

/// Each token of the tensor is a view of two bytes: its barriers, full and
/// empty.
Step planCreateToken(Planner &planner, nvws::CreateTokenOp op) {
  const Value tokens = op.getResult();
  const size_t count = planner.storage(tokens).count;
  return [=, to = planner.slot(tokens), op = op.getOperation(),
          producers = ownersOf<nvws::ProducerCommitOp>(tokens).size(),
          consumers = ownersOf<nvws::ConsumerReleaseOp>(tokens).size(),
          allocate = planAllocation(planner, tokens, 2 * count)](Frame &frame) {
    char *memory = allocate(frame);
    for (size_t i = 0; i < count; ++i, memory += 2) {
      frame.at<View>(to)[i].base = memory;
      initBarrier(frame, op, memory, producers);
      initBarrier(frame, op, memory + 1, consumers);
    }
    return true;
  };
}

/// One token by its index, to act on its barrier `full` or `empty`.
struct TokenOperand {
  Operation *op;
  Slot tokens, index;
  int64_t count;
  bool isFull;

  template <typename OpT>
  static TokenOperand of(Planner &planner, OpT op, bool isFull) {
    return {op, planner.slot(op.getToken()), planner.slot(op.getIdx()),
            int64_t(planner.storage(op.getToken()).count), isFull};
  }
  /// None after a fault.
  std::optional<BarrierAddress> find(Frame &frame) const {
    const int64_t at = *frame.at<int32_t>(index);
    if (at >= 0 && at < count)
      return BarrierAddress{op,
                            frame.at<View>(tokens)[at].base + (isFull ? 0 : 1)};
    frame.fault(op, frame.programName() + ": token " + Twine(at) +
                        " is outside the " + Twine(count) + " tokens");
    return std::nullopt;
  }
};

/// Waits for the consumer's release before the given phase, so that the first
/// acquire waits for nothing; or for the producer's commit in it.
template <typename OpT> Step planTokenWait(Planner &planner, OpT op) {
  constexpr bool acquires = std::is_same_v<OpT, nvws::ProducerAcquireOp>;
  return [token = TokenOperand::of(planner, op, !acquires),
          phase = planner.slot(op.getPhase())](Frame &frame) {
    const std::optional<BarrierAddress> barrier = token.find(frame);
    return barrier && waitForPhase(frame, *barrier,
                                   *frame.at<uint8_t>(phase) ^ int(acquires));
  };
}

template <typename OpT> Step planTokenArrive(Planner &planner, OpT op) {
  constexpr bool commits = std::is_same_v<OpT, nvws::ProducerCommitOp>;
  return [token = TokenOperand::of(planner, op, commits)](Frame &frame) {
    const std::optional<BarrierAddress> barrier = token.find(frame);
    return barrier && arriveWithFence(frame, *barrier);
  };
}

} // namespace

void registerNvws(Registry &r) {
  r.add<nvws::ArefCreateOp>(planCreate);
  r.add<nvws::ArefPutEnterOp>(planEnter<nvws::ArefPutEnterOp>);
  r.add<nvws::ArefGetEnterOp>(planEnter<nvws::ArefGetEnterOp>);
  r.add<nvws::ArefPutExitOp>(planExit<nvws::ArefPutExitOp>);
  r.add<nvws::ArefGetExitOp>(planExit<nvws::ArefGetExitOp>);
  r.add<nvws::ArefBufferOp>(planBuffer);
  // Before partitions are split one agent is all of them, and has computed the
  // value itself.
  r.add("nvws.aref.phi", copyElements);
  r.add<nvws::CreateTokenOp>(planCreateToken);
  r.add<nvws::ProducerAcquireOp>(planTokenWait<nvws::ProducerAcquireOp>);
  r.add<nvws::ConsumerWaitOp>(planTokenWait<nvws::ConsumerWaitOp>);
  r.add<nvws::ProducerCommitOp>(planTokenArrive<nvws::ProducerCommitOp>);
  r.add<nvws::ConsumerReleaseOp>(planTokenArrive<nvws::ConsumerReleaseOp>);
}

} // namespace kernelscope::executor
