//===- Watch.cpp - What the sanitizer knows of a program ------------------===//

#include "executor/sanitize/Watch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace kernelscope::executor::sanitize {

/// Findings of a program that are worth reading.
constexpr size_t maxFindings = 16;

//===----------------------------------------------------------------------===//
// Sanitizer
//===----------------------------------------------------------------------===//

Sanitizer::Sanitizer(bool isFinal, bool hasFences)
    : isFinal(isFinal), hasFences(hasFences) {
  start();
}
Sanitizer::~Sanitizer() = default;

void Sanitizer::start() {
  shadow.clear();
  global.clear();
  hasSeveralAgents = false;
  lastStep.clear();
  isAlive.clear();
  found.clear();
  main = std::make_unique<Watch>(*this, Knowledge(), /*cta=*/0);
}

Moment Sanitizer::begin(const Knowledge &knowledge, bool isLong) {
  uint32_t actor = 0;
  while (actor < lastStep.size() &&
         (isAlive[actor] || !knowledge.done.knows({actor, lastStep[actor]})))
    ++actor;
  if (actor == lastStep.size()) {
    lastStep.push_back(0);
    isAlive.push_back(false);
  }
  isAlive[actor] = isLong;
  return {actor, ++lastStep[actor]};
}

void Sanitizer::report(Finding finding) {
  if (!isFinal && finding.kind == Finding::Kind::Invalidated)
    return;
  const bool known = llvm::any_of(found, [&](const Finding &old) {
    return old.kind == finding.kind && old.op == finding.op &&
           old.other == finding.other;
  });
  if (!known && found.size() < maxFindings)
    found.push_back(std::move(finding));
}

//===----------------------------------------------------------------------===//
// Watch
//===----------------------------------------------------------------------===//

Watch::Watch(Sanitizer &program, Knowledge start, uint16_t cta)
    : program(program), cta(cta), knowledge(std::move(start)) {
  const Moment first = program.begin(knowledge, /*isLong=*/true);
  actor = first.actor;
  knowledge.done.learn(first);
}

SmallVector<Allocation *, 2> Watch::allocate(const Allocation &buffer) {
  program.shadow.allocate(buffer);
  SmallVector<Allocation *, 2> taken = program.shadow.atPlaceOf(buffer);
  llvm::erase_if(taken, [](Allocation *old) { return old->freedBy; });
  for (Allocation *old : taken)
    deallocate(buffer.op, old->base);
  return taken;
}

void Watch::deallocate(Operation *op, const char *base) {
  // Triton's pipeliner deallocates some buffers twice.
  Allocation *buffer = program.shadow.find(base);
  if (!buffer || buffer->freedBy)
    return;
  const Piece all{0, buffer->size};
  check(*buffer, madeBy(op, now()), {{buffer->base, all}, /*isWrite=*/true},
        knowledge);
  buffer->freedBy = op;
}

void Watch::check(Allocation &memory, const Access &access, const Use &use,
                  const Knowledge &known) {
  const NewAccess made{access, use.isWrite, memory};
  const int64_t offset = use.region.base - memory.base;
  const bool needsFence = program.hasFences &&
                          memory.space == ttg::MemorySpace::Shared &&
                          access.proxy != ttg::Proxy::Generic;
  int64_t unwritten = 0;
  auto checkOne = [&](const Access &earlier, bool wasWrite) {
    if (!known.done.knows(earlier.moment)) {
      if (!mayMeet(earlier, access))
        program.report(race(made, earlier, wasWrite));
    } else if (needsFence && wasWrite && earlier.proxy == ttg::Proxy::Generic &&
               (!earlier.isAsync || earlier.barrier) &&
               !known.isFenced(memory.cta, earlier.moment)) {
      const bool isElsewhere =
          llvm::any_of(known.fenced, [&](const Clock &cta) {
            return cta.knows(earlier.moment);
          });
      program.report(noFence(made, earlier, isElsewhere));
    }
  };
  if (memory.freedBy)
    program.report(freed(made));
  for (Piece piece : use.region.pieces)
    memory.forEach({piece.begin + offset, piece.end + offset},
                   [&](Segment &segment) {
                     if (!use.isWrite && !segment.isInitialized)
                       unwritten += segment.bytes.end - segment.bytes.begin;
                     if (segment.write.op)
                       checkOne(segment.write, /*wasWrite=*/true);
                     for (const Access &other : segment.others)
                       checkOne(other, /*wasWrite=*/true);
                     if (use.isWrite)
                       for (const Access &read : segment.reads)
                         checkOne(read, /*wasWrite=*/false);
                   });
  if (unwritten)
    program.report(uninitialized(made, unwritten));
}

/// Adds `access` to the history of what `use` touches.
static void record(Allocation &memory, const Access &access, const Use &use,
                   const Knowledge &known) {
  const int64_t offset = use.region.base - memory.base;
  for (Piece piece : use.region.pieces) {
    const Piece bytes{piece.begin + offset, piece.end + offset};
    if (use.isWrite) {
      memory.recordWrite(bytes, access, known.done);
      continue;
    }
    memory.forEach(bytes, [&](Segment &segment) {
      // An agent that knows of this read knows of everything before it.
      llvm::erase_if(segment.reads, [&](const Access &read) {
        return known.done.knows(read.moment);
      });
      segment.reads.push_back(access);
    });
  }
}

void Watch::take(const Access &access, ArrayRef<Use> uses,
                 const Knowledge &known) {
  for (const Use &use : uses)
    if (Allocation *memory = program.shadow.find(use.region.base))
      check(*memory, access, use, known);
  for (const Use &use : uses)
    if (Allocation *memory = program.shadow.find(use.region.base))
      record(*memory, access, use, known);
}

void Watch::skip(const Use &use) {
  Allocation *memory = program.shadow.find(use.region.base);
  if (!memory)
    return;
  const int64_t offset = use.region.base - memory->base;
  for (Piece piece : use.region.pieces)
    memory->forEach({piece.begin + offset, piece.end + offset},
                    [](Segment &segment) { segment.isInitialized = true; });
}

void Watch::access(Operation *op, const Use &use, ttg::Proxy proxy) {
  take(madeBy(op, now(), proxy), use, knowledge);
}

void Watch::accessAtomically(Operation *op, const Use &use) {
  Access access = madeBy(op, now());
  access.isAtomic = true;
  take(access, use, knowledge);
}

void Watch::writeCopies(Operation *op, ArrayRef<Use> uses) {
  Access access = madeBy(op, now());
  access.copy = ++copies[op];
  take(access, uses, knowledge);
}

Watch::Started Watch::start(Operation *op, ArrayRef<Use> uses, ttg::Proxy proxy,
                            Operation *barrier, const Clock *after) {
  auto known = std::make_shared<Knowledge>(knowledge);
  if (after)
    known->done.learn(*after);
  const Moment done = program.begin(knowledge, /*isLong=*/false);
  Access access = madeBy(op, done, proxy);
  access.isAsync = true;
  access.barrier = barrier;
  take(access, uses, *known);
  known->done.learn(done);
  tick();
  return {done, std::move(known)};
}

Moment Watch::startEngineStep() {
  if (!engine) {
    engine.emplace();
    engineActor = program.begin(knowledge, /*isLong=*/true).actor;
  }
  engine->learn(knowledge);
  return {engineActor, ++program.lastStep[engineActor]};
}

const Knowledge &Watch::signalFromTensorCore() {
  const Moment done = startEngineStep();
  engine->done.learn(done);
  tick();
  return *engine;
}

void Watch::startOnTensorCore(Operation *op, ArrayRef<Use> uses,
                              Operation *barrier) {
  const Moment done = startEngineStep();
  Access access = madeBy(op, done, ttg::Proxy::TensorCore);
  access.isAsync = true;
  access.barrier = barrier;
  take(access, uses, *engine);
  engine->done.learn(done);
  tick();
}

void Watch::ended(Operation *op, Moment moment) {
  const bool isStore =
      !knowledge.done.knows(moment) &&
      llvm::any_of(ttg::accessesOf(op), [](const ttg::MemoryAccess &access) {
        return access.isWrite && access.space == ttg::MemorySpace::Global;
      });
  if (isStore)
    program.report(notAwaited(op));
}

std::shared_ptr<Knowledge> Watch::release() {
  auto told = std::make_shared<Knowledge>(knowledge);
  tick();
  return told;
}

void Watch::acquire(const Knowledge *told) {
  if (told)
    knowledge.learn(*told);
}

std::unique_ptr<Watch> Watch::fork(unsigned cta) {
  program.hasSeveralAgents = true;
  return std::make_unique<Watch>(program, *release(),
                                 static_cast<uint16_t>(cta));
}

void Watch::join(Watch &other) {
  knowledge.learn(other.knowledge);
  program.isAlive[other.actor] = false;
  if (other.engine)
    program.isAlive[other.engineActor] = false;
}

} // namespace kernelscope::executor::sanitize
