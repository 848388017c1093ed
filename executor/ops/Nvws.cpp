//===- Nvws.cpp - References and tokens between groups of warps -----------===//
//
// An asynchronous reference has two mbarriers for each of its stages: puts
// arrive on `full`, gets on `empty`, and each side waits for the other's. That
// is what nvws is lowered to; here the barriers are in memory of their own.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/Owners.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Elementwise.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// `op` initialises the barrier at `at` for the arrival of each of `owners`.
void initBarrier(Frame &frame, Operation *op, const char *at, size_t owners) {
  frame.program.barriers.forget(at, 1);
  frame.program.barriers.init(at, std::max<size_t>(1, owners), op);
}

/// An arrival of the agent. Lowering adds the proxy fences that it needs.
bool arriveWithFence(Frame &frame, const BarrierAddress &barrier) {
  if (frame.watch)
    frame.watch->fence(frame.cta, frame.cta + 1);
  return barrier.arrive(frame, 1);
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// The puts of a reference, or its gets: who enters how often, and how many
/// arrivals hand a stage over.
struct ArefSide {
  nvws::Owners owners;
  size_t arrivals;

  template <typename Enter, typename Exit> static ArefSide of(Value aref) {
    nvws::Owners owners(nvws::usersOf<Enter, Exit>(aref));
    const size_t arrivals = owners.countOf(nvws::usersOf<Exit>(aref));
    return {std::move(owners), arrivals};
  }
};

/// Whether the stages and phases of a reference are more than zeros that a pass
/// has written for another one to replace: with those, the first put would wait
/// forever.
bool hasStages(Value aref) {
  auto isOpen = [](auto enter) {
    return enter && enter.getStage() && enter.getPhase() &&
           tt::constantOf(enter.getStage()) == 0 &&
           tt::constantOf(enter.getPhase()) == 0;
  };
  return !llvm::all_of(
      nvws::usersOf<nvws::ArefPutEnterOp, nvws::ArefGetEnterOp>(aref),
      [&](Operation *op) {
        return isOpen(dyn_cast<nvws::ArefPutEnterOp>(op)) ||
               isOpen(dyn_cast<nvws::ArefGetEnterOp>(op));
      });
}

/// What the memory of a reference holds: a view of each ring of buffers, how
/// often each partition has entered, and a byte for each barrier.
struct ArefMemory {
  size_t buffers, depth;
  ArefSide puts, gets;
  bool isStaged; ///< its ops say which stage and phase they mean

  static ArefMemory of(Value aref) {
    auto rings = cast<nvws::ArefType>(aref.getType()).getBaseType();
    return {rings.size(),
            size_t(cast<ttg::MemDescType>(rings.front()).getDimSize(0)),
            ArefSide::of<nvws::ArefPutEnterOp, nvws::ArefPutExitOp>(aref),
            ArefSide::of<nvws::ArefGetEnterOp, nvws::ArefGetExitOp>(aref),
            hasStages(aref)};
  }

  View *ring(char *memory, size_t i) const {
    return reinterpret_cast<View *>(memory) + i;
  }
  /// How often the partition of `enter` has entered.
  size_t counterIndex(nvws::ArefPutEnterOp enter) const {
    return puts.owners.indexOf(enter);
  }
  size_t counterIndex(nvws::ArefGetEnterOp enter) const {
    return puts.owners.size() + gets.owners.indexOf(enter);
  }
  uint64_t *counter(char *memory, size_t index) const {
    return reinterpret_cast<uint64_t *>(memory + buffers * sizeof(View)) +
           index;
  }
  char *barrier(char *memory, bool isFull, size_t stage) const {
    return reinterpret_cast<char *>(
               counter(memory, puts.owners.size() + gets.owners.size())) +
           (isFull ? 0 : depth) + stage;
  }
  size_t bytes() const {
    return buffers * sizeof(View) +
           (puts.owners.size() + gets.owners.size()) * sizeof(uint64_t) +
           2 * depth;
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
                  made.puts.arrivals);
      initBarrier(frame, operation, made.barrier(memory, false, stage),
                  made.gets.arrivals);
    }
    return true;
  };
}

/// The stage that a number in a slot is: what an op says, or the token of the
/// region that was entered.
struct StageOperand {
  ArefMemory memory;
  Operation *op;
  Slot aref, stage;

  template <typename OpT> static StageOperand of(Planner &planner, OpT op) {
    const ArefMemory memory = ArefMemory::of(op.getAref());
    const Value stage = memory.isStaged ? op.getStage() : Value();
    return {memory, op, planner.slot(op.getAref()),
            planner.slot(stage ? stage : Value(op.getToken()))};
  }
  char *base(Frame &frame) const { return frame.at<View>(aref)->base; }
  /// None after a fault.
  std::optional<size_t> find(Frame &frame) const {
    const int64_t given = *frame.at<int32_t>(stage);
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
    return view; // Scales in tensor memory are not a ring.
  View made;
  made.buffer = view.buffer;
  made.base = view.base + int64_t(stage) * view.strides[0] *
                              int64_t(bytesInMemory(type.getElementType()));
  std::copy(view.strides + 1, view.strides + ring.getRank(), made.strides);
  return made;
}

/// Assigns the buffers of a stage to slots.
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

/// The stage is the one that the op names, or the next one of its partition;
/// the token keeps it.
template <typename OpT> Step planEnter(Planner &planner, OpT op) {
  constexpr bool isPut = std::is_same_v<OpT, nvws::ArefPutEnterOp>;
  StageOperand at = StageOperand::of(planner, op);
  return
      [=, give = planBuffers(planner, at.memory, op.getAref(), op.getBuffers()),
       counter = at.memory.counterIndex(op),
       isGiven = at.memory.isStaged && op.getStage(),
       token = planner.slot(op.getToken()),
       phase = at.memory.isStaged ? optionalSlot(planner, op.getPhase())
                                  : std::nullopt](Frame &frame) {
        char *memory = at.base(frame);
        const uint64_t round = (*at.memory.counter(memory, counter))++;
        if (!isGiven)
          *frame.at<int32_t>(token) = int32_t(round % at.memory.depth);
        const std::optional<size_t> stage = at.find(frame);
        if (!stage)
          return false;
        *frame.at<int32_t>(token) = int32_t(*stage);
        // The first put of a stage waits for the phase before the first.
        const uint32_t parity = phase ? *frame.at<uint32_t>(*phase)
                                      : (round / at.memory.depth + isPut) % 2;
        give(frame, memory, *stage);
        return waitForPhase(
            frame, {at.op, at.memory.barrier(memory, !isPut, *stage)}, parity);
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
    const std::optional<size_t> at = stage.find(frame);
    if (!at)
      return false;
    const BarrierAddress barrier{
        stage.op, stage.memory.barrier(stage.base(frame), isPut, *at)};
    if (awaited.empty())
      return arriveWithFence(frame, barrier);
    if (frame.watch)
      frame.watch->fence(frame.cta, frame.cta + 1);
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
        barrier.at, barrier.op, done,
        [=, &frame] {
          return llvm::all_of(work,
                              [](const auto &item) {
                                return item.first->finishUntil(item.second);
                              }) &&
                 barrier.arrive(frame, 1, done);
        },
        work.size() == 1 ? work.front().first : nullptr);
  };
}

Step planBuffer(Planner &planner, nvws::ArefBufferOp op) {
  const StageOperand stage = StageOperand::of(planner, op);
  return [=, give = planBuffers(planner, stage.memory, op.getAref(),
                                op.getBuffers())](Frame &frame) {
    const std::optional<size_t> found = stage.find(frame);
    if (found)
      give(frame, stage.base(frame), *found);
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
  return
      [=, to = planner.slot(tokens), op = op.getOperation(),
       producers =
           nvws::Owners(nvws::usersOf<nvws::ProducerCommitOp>(tokens)).size(),
       consumers =
           nvws::Owners(nvws::usersOf<nvws::ConsumerReleaseOp>(tokens)).size(),
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
  return [token = TokenOperand::of(planner, op, commits),
          awaitsCopies =
              commits && nvws::isFilledByCopies(op.getToken())](Frame &frame) {
    const std::optional<BarrierAddress> barrier = token.find(frame);
    return barrier &&
           (!awaitsCopies ||
            arriveWhenCopied(frame, *barrier, 1, /*addsThem=*/true)) &&
           arriveWithFence(frame, *barrier);
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
