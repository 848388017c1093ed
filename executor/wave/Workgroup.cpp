//===- Workgroup.cpp - Waves that share LDS -------------------------------===//
//
// Turns of the waves, and what they start with.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Cta.h"
#include "executor/wave/nvidia/MBarrier.h"

using namespace llvm;

namespace kernelscope::wave {

Workgroup::Workgroup(const Launch &launch, Cluster &cluster, unsigned rank)
    : launch(launch), rank(rank), owner(cluster) {
  for (unsigned i = 0; i < launch.waves; ++i)
    waves.emplace_back(launch.program, *this, i);
}

Workgroup::~Workgroup() = default;

void Workgroup::passParameters(Wave &wave) {
  const DataLayout &data = launch.program.function->getDataLayout();
  for (auto [i, columns] : enumerate(launch.program.parameters)) {
    const std::vector<char> &bytes = launch.parameters[i];
    Type *type = launch.program.function->getArg(i)->getType();
    auto fields = cantFail(fieldsOf(type, data));
    for (auto [field, column] : zip_equal(fields, columns)) {
      uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + field.offset / 8,
                  std::min<size_t>((field.scalar.bits + 7) / 8,
                                   bytes.size() - field.offset / 8));
      std::fill_n(wave.column(column), wave.lanes,
                  bits & lowBits(field.scalar.bits));
    }
  }
}

void Workgroup::start(std::array<uint32_t, 3> newId) {
  id = newId;
  // What nothing has stored is NaN, so that a result shows it.
  lds.assign(launch.ldsBytes, char{-1});
  barrier = WaveBarrier();
  const bool isNvidia = launch.program.target->isNvidia();
  races.start(launch.findsRaces && !isNvidia ? launch.ldsBytes : 0, numWaves());
  arrivals.assign(waves.size(), std::nullopt);
  namedBarriers.clear();
  ldsBarriers.clear();
  clusterMeeting = Meeting();
  memberships.assign(waves.size(), Membership());
  clusterSignals = 0;
  clusterRounds.assign(waves.size(), 0);
  if (isNvidia) {
    cta = std::make_unique<nvidia::Cta>(numWaves());
    if (launch.findsRaces && rank == 0)
      cta->races = std::make_unique<nvidia::SharedRaces>(
          launch.clusterSize, launch.waves, launch.ldsBytes);
  }
  failure.reset();
  steps = idleSteps = 0;
  for (Wave &wave : waves) {
    wave.start();
    passParameters(wave);
  }
}

bool Workgroup::takeTurns() {
  bool ended = true;
  for (Wave &wave : waves) {
    if (wave.hasEnded())
      continue;
    const bool hasPolled = wave.isPolling();
    const uint64_t before = steps;
    wave.run();
    if (hasPolled && wave.isPolling())
      idleSteps += steps - before;
    ended &= wave.hasEnded();
    if (failure)
      return true;
  }
  return !ended;
}

void Workgroup::failAsDeadlock() {
  const auto polls = llvm::find_if(waves, [](const Wave &wave) {
    return !wave.hasEnded() && wave.isPolling();
  });
  if (polls != waves.end())
    return polls->fail("the wave polls forever in a loop, for example for the "
                       "end of a phase of a barrier in LDS");
  auto waits = llvm::find_if(waves, [&](const Wave &wave) {
    return !wave.hasEnded() && cta && cta->atMBarrier[wave.index];
  });
  if (waits == waves.end())
    waits =
        llvm::find_if(waves, [](const Wave &wave) { return !wave.hasEnded(); });
  if (waits == waves.end())
    return;
  const auto at = cta ? cta->atMBarrier[waits->index] : std::nullopt;
  waits->fail(
      at ? "the warp waits forever for " + nvidia::describeBarrier(owner, *at)
         : "the wave waits forever at a barrier at which others do not arrive");
}

void Workgroup::checkEnd() {
  const std::string left =
      cta && cta->tensor ? cta->tensor->memory.leftOver() : "";
  if (!left.empty())
    waves.front().failAt(nullptr, "the kernel ends with " + left +
                                      " of tensor memory allocated; it must "
                                      "free them with tcgen05.dealloc");
}

bool Workgroup::finishTransfer() {
  return llvm::any_of(
      waves, [](Wave &wave) { return wave.transfers.finishOne(wave); });
}

Cluster::Cluster(const Launch &launch) {
  for (unsigned i = 0; i < launch.clusterSize; ++i)
    groups.emplace_back(launch, *this, i);
}

char *Cluster::findShared(uint64_t address, uint64_t bytes) {
  const uint64_t rank = address / sharedWindow, offset = address % sharedWindow;
  if (rank >= groups.size())
    return nullptr;
  std::vector<char> &memory = groups[rank].lds;
  return offset <= memory.size() && bytes <= memory.size() - offset
             ? memory.data() + offset
             : nullptr;
}

void Cluster::issue(Wave &wave, std::function<void(Wave &)> work) {
  pending.push_back({wave, wave.source(), std::move(work)});
}

bool Cluster::finishOldest() {
  if (pending.empty())
    return llvm::any_of(groups,
                        [](Workgroup &g) { return g.finishTransfer(); });
  Work oldest = std::move(pending.front());
  pending.pop_front();
  oldest.wave.blame(oldest.source);
  oldest.run(oldest.wave);
  oldest.wave.blame(nullptr);
  return true;
}

/// Those at the barrier of the cluster wait for one at an mbarrier.
static void failAsDeadlock(std::deque<Workgroup> &groups) {
  const auto culprit = llvm::find_if(groups, [](const Workgroup &group) {
    return group.cta && llvm::any_of(group.cta->atMBarrier,
                                     [](auto &at) { return at.has_value(); });
  });
  if (culprit != groups.end())
    culprit->failAsDeadlock();
  if (culprit == groups.end() || !culprit->failure)
    for (Workgroup &group : groups)
      group.failAsDeadlock();
}

/// Turns in which waves only poll, after which none will find what it polls
/// for: one that has found it may continue to poll for something else.
constexpr unsigned patience = 1024;

void Cluster::start(std::array<uint32_t, 3> first) {
  barrier = WaveBarrier();
  pending.clear();
  looking = {};
  before = ~uint64_t{0};
  idleTurns = 0;
  for (Workgroup &group : groups)
    group.start({first[0] + group.rank, first[1], first[2]});
}

const Failure &Cluster::failure() const {
  return *llvm::find_if(groups, [](const Workgroup &group) {
            return group.failure.has_value();
          })->failure;
}

void Cluster::failLooking(const Twine &state) {
  auto [wave, source] = looking;
  const bool isNvidia = wave->program.target->isNvidia();
  wave->failAt(source,
               "deadlock: it looks at memory in a loop for a change that no " +
                   Twine(isNvidia ? "CTA" : "workgroup") + " makes; " + state);
}

Cluster::Stop Cluster::run() {
  looking = {};
  while (true) {
    bool anyRuns = false;
    uint64_t steps = 0;
    for (Workgroup &group : groups) {
      anyRuns |= group.takeTurns();
      if (group.failure)
        return Stop::Failed;
      steps += group.steps - group.idleSteps;
    }
    if (looking.first)
      return Stop::LooksAgain;
    const bool isStuck = anyRuns && steps == before;
    before = steps;
    if (anyRuns && !isStuck) {
      idleTurns = 0;
      continue;
    }
    // What is in flight when all have ended is finished, too.
    const bool hasFinished = finishOldest();
    if (hasFinished)
      before = ~uint64_t{0};
    else if (anyRuns && ++idleTurns < patience)
      continue;
    else if (anyRuns)
      failAsDeadlock(groups);
    else
      for (Workgroup &group : groups)
        group.checkEnd();
    for (Workgroup &group : groups)
      if (group.failure)
        return Stop::Failed;
    if (!hasFinished)
      return Stop::Ended;
  }
}

bool checkMulticast(Wave &wave, uint64_t ctas) {
  const unsigned rank = wave.group.rank;
  if (ctas >> rank & 1)
    return true;
  wave.fail("loads for the workgroups " + Twine(ctas) +
            " (one bit each) of its cluster, in which its own id is " +
            Twine(rank));
  return false;
}

} // namespace kernelscope::wave
