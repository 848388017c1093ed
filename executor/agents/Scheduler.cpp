//===- Scheduler.cpp - Runs the agents of a program -----------------------===//

#include "executor/agents/Scheduler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::executor {

std::string ProgramId::name() const {
  return llvm::formatv("program ({0}, {1}, {2})", axis[0], axis[1], axis[2]);
}

ProgramId ProgramId::of(uint64_t index, Grid grid) {
  return {{static_cast<uint32_t>(index % grid.x),
           static_cast<uint32_t>(index / grid.x % grid.y),
           static_cast<uint32_t>(index / grid.x / grid.y)}};
}

struct Scheduler::Agent {
  std::string name;
  Operation *op = nullptr; ///< that started it
  std::unique_ptr<Fiber> fiber;
  const Wait *wait = nullptr;
  bool joined = false; ///< its fork has returned

  bool hasEnded() const { return fiber && fiber->hasEnded(); }
  bool canRun() const { return !hasEnded() && (!wait || wait->isOver()); }
};

Scheduler::Scheduler(const ProgramId &program, std::function<bool()> advance)
    : program(program), advance(std::move(advance)) {
  agents.push_back(std::make_unique<Agent>());
  running = agents.front().get();
  running->name = "the default partition";
}

Scheduler::~Scheduler() = default;

bool Scheduler::fork(Operation *op, ArrayRef<Start> others,
                     llvm::function_ref<bool()> own) {
  SmallVector<Agent *> started;
  for (const Start &other : others) {
    Agent &agent = *agents.emplace_back(std::make_unique<Agent>());
    agent.name = other.name;
    agent.op = op;
    // An agent that returns false has left the fault that stops the program.
    agent.fiber = std::make_unique<Fiber>([run = other.run] { run(); });
    started.push_back(&agent);
  }
  if (!own())
    return false;
  const bool done = wait(
      {op,
       [&] {
         return llvm::all_of(started, [](Agent *a) { return a->hasEnded(); });
       },
       [] { return std::string("the partitions to end"); },
       /*forAgents=*/true});
  for (Agent *agent : started)
    agent->joined = true;
  return done;
}

bool Scheduler::block(const Wait &wait) {
  Agent &self = *running;
  self.wait = &wait;
  if (self.fiber)
    self.fiber->suspend();
  else if (random)
    runAnyOrder();
  else
    runOthers();
  self.wait = nullptr;
  return !fault;
}

bool Scheduler::yield() {
  if (running->fiber)
    running->fiber->suspend();
  else
    runAnyOrder();
  return !fault;
}

bool Scheduler::letOthersRun() {
  if (running->fiber || random)
    return yield();
  for (size_t i = 1; i < agents.size() && !fault; ++i)
    if (agents[i]->canRun())
      resume(*agents[i]);
  pauseIfPolled();
  return !fault;
}

bool Scheduler::letOtherProgramsRun(Operation *op) {
  polled = op;
  // The first agent's stack is that of the program.
  if (running->fiber)
    running->fiber->suspend();
  else
    pauseIfPolled();
  return !fault;
}

void Scheduler::pauseIfPolled() {
  if (Operation *op = std::exchange(polled, nullptr))
    pauseProgram(op, nullptr);
}

void Scheduler::awaitOtherPrograms(const Wait *stuck) {
  if (!pauseProgram || !stuck || !pauseProgram(stuck->op, stuck))
    fail(describeDeadlock());
}

void Scheduler::runAnyOrder() {
  while (!fault) {
    pauseIfPolled();
    llvm::erase_if(agents, [](const auto &agent) { return agent->joined; });
    SmallVector<Agent *> ready;
    for (const auto &agent : agents)
      if (agent->canRun())
        ready.push_back(agent.get());
    if (ready.empty()) {
      if (!advance())
        awaitOtherPrograms(findStuck().wait);
      continue;
    }
    Agent &next = *ready[random->below(ready.size())];
    if (&next == agents.front().get())
      return;
    resume(next);
  }
}

void Scheduler::runOthers() {
  const Agent &first = *agents.front();
  while (!first.wait->isOver()) {
    llvm::erase_if(agents, [](const auto &agent) { return agent->joined; });
    bool moved = false;
    // An agent may start others: they get their turn in this round.
    for (size_t i = 1; i < agents.size(); ++i) {
      if (!agents[i]->canRun())
        continue;
      resume(*agents[i]);
      if (fault)
        return;
      moved = true;
    }
    pauseIfPolled();
    if (!moved && !fault && !advance())
      awaitOtherPrograms(findStuck().wait);
    if (fault)
      return;
  }
}

void Scheduler::resume(Agent &agent) {
  Agent *outer = std::exchange(running, &agent);
  agent.fiber->resume();
  running = outer;
}

void Scheduler::nameFirst(std::string name) {
  agents.front()->name = std::move(name);
}

const std::string &Scheduler::runningAgent() const { return running->name; }

bool Scheduler::fail(Fault reason) {
  if (!fault)
    fault = std::move(reason);
  return false;
}

std::optional<Fault> Scheduler::finish() {
  // Agents in the middle of a wait hear that the program stops, and return.
  if (fault)
    for (size_t i = 1; i < agents.size(); ++i)
      if (agents[i]->fiber->hasBegun() && !agents[i]->hasEnded())
        resume(*agents[i]);
  agents.resize(1);
  return std::exchange(fault, std::nullopt);
}

const Scheduler::Agent &Scheduler::findStuck() const {
  const Agent *stuck = agents.front().get();
  for (const auto &agent : llvm::reverse(agents))
    if (agent->wait && !agent->wait->forAgents)
      stuck = agent.get();
  return *stuck;
}

Fault Scheduler::describeDeadlock() const {
  const Agent *stuck = &findStuck();
  const bool alone = agents.size() == 1;
  Fault made{stuck->wait->op,
             program.name() +
                 ": deadlock: " + (alone ? "it" : stuck->name.c_str()) +
                 " waits for " + stuck->wait->what() +
                 (alone ? "" : ", and nothing else can go on"),
             {}};
  for (const auto &agent : agents) {
    if (agent.get() == stuck)
      continue;
    if (agent->wait)
      made.notes.emplace_back(agent->wait->op, agent->name +
                                                   " waits here for " +
                                                   agent->wait->what());
    else
      made.notes.emplace_back(agent->op, agent->name + " has ended");
  }
  return made;
}

} // namespace kernelscope::executor
