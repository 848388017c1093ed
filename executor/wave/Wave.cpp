//===- Wave.cpp - The lanes that run together -----------------------------===//
//
// Picks the block whose lanes run next, and finds memory.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Wave.h"
#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/SharedRaces.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace kernelscope::wave {

/// Blocks that a wave runs before others have their turn: one may spin on what
/// another stores.
constexpr unsigned blocksPerTurn = 4096;

std::string GlobalMemory::describe(uint64_t address) const {
  auto after = ranges.upper_bound(address);
  if (after != ranges.begin()) {
    auto [begin, size] = *std::prev(after);
    if (address - begin < size + (uint64_t{1} << 32))
      return formatv("at offset {0} from the start of a buffer of {1} bytes",
                     address - begin, size);
  }
  if (after != ranges.end() && after->first - address < uint64_t{1} << 32)
    return formatv("{0} bytes before the start of a buffer of {1} bytes",
                   after->first - address, after->second);
  return formatv("at {0:x}, near no buffer", address);
}

Wave::Wave(const Program &program, Workgroup &group, unsigned index)
    : program(program), group(group), index(index),
      lanes(program.target->warpSize), all(lowBits(lanes)) {
  registers.resize(size_t{program.columns} * lanes);
  for (auto [c, bits] : program.constants)
    std::fill_n(column(c), lanes, bits);
}

void Wave::start() {
  for (auto [c, offset] : program.ldsAddresses)
    std::fill_n(column(c), lanes, group.ldsBase() + offset);
  at.fill(0);
  privateMemory.assign(program.privateBytes * lanes, char{-1});
  inBlock = false;
  ended = false;
  saturates = polls = false;
  lastFound = 0;
  transfers.start();
}

void Wave::sendTo(uint64_t mask, uint32_t to) {
  for (uint64_t rest = mask; rest; rest &= rest - 1)
    at[static_cast<unsigned>(std::countr_zero(rest))] = to;
}

void Wave::pickBlock() {
  const uint32_t next = *std::min_element(at.begin(), at.begin() + lanes);
  ended = next == atEnd;
  if (ended)
    return;
  block = next;
  active = 0;
  for (unsigned lane = 0; lane < lanes; ++lane)
    active |= uint64_t{at[lane] == block} << lane;
  inBlock = true;
  step = 0;
}

const Instruction *Wave::source() const {
  if (blamed)
    return blamed;
  const Block &steps = program.blocks[block];
  return step < steps.size() ? steps[step].source : nullptr;
}

void Wave::run() {
  paused = polls = false;
  for (unsigned turn = 0; turn < blocksPerTurn && !ended; ++turn) {
    if (!inBlock) {
      pickBlock();
      if (ended) {
        transfers.finishAll(*this);
        return;
      }
    }
    const Block &steps = program.blocks[block];
    const size_t first = step;
    while (step < steps.size()) {
      steps[step].run(*this);
      ++step;
      if (paused) {
        step -= repeats;
        break;
      }
    }
    group.steps += step - first;
    inBlock = paused;
    if (group.steps > group.launch.maxSteps)
      fail(
          "the workgroup has run " + Twine(group.launch.maxSteps) +
          " steps, and its waves have not ended; --max-steps raises the limit");
    if (paused)
      return;
  }
}

void Wave::failAt(const Instruction *asked, const Twine &message,
                  std::optional<unsigned> lane) {
  pause(false);
  if (group.failure)
    return;
  const bool isNvidia = program.target->isNvidia();
  std::string who = formatv(
      "{0} ({1}, {2}, {3}), {4} {5}", isNvidia ? "CTA" : "workgroup",
      group.id[0], group.id[1], group.id[2], isNvidia ? "warp" : "wave", index);
  if (lane)
    who += ", lane " + std::to_string(*lane);
  group.failure = Failure{who + ": " + message.str(), asked};
}

void Wave::look(uint64_t found, bool changed) {
  if (changed) {
    group.launch.hasChanged = true;
    lastFound = 0;
    return;
  }
  const uint64_t hash = hash_combine(source(), found);
  if (std::exchange(lastFound, hash) != hash)
    return;
  pause(/*again=*/false);
  group.cluster().looksAgain(*this);
}

static StringRef verbOf(bool isStore) { return isStore ? "stores" : "loads"; }

bool Wave::checkCopying(std::optional<unsigned> copying, uint64_t address,
                        uint64_t bytes, unsigned lane, bool isStore) {
  if (copying)
    fail(formatv("{0} {1} bytes at {2} of LDS that a copy of wave {3} may "
                 "still access; that wave has not waited for it",
                 verbOf(isStore), bytes, address, *copying),
         lane);
  return !copying;
}

bool Wave::checkAccesses(uint64_t address, uint64_t bytes, unsigned lane,
                         bool isStore) {
  LdsRaces &races = group.races;
  const auto other = isStore ? races.findLoad(address, bytes, index)
                             : races.findStore(address, bytes, index);
  if (other) {
    fail(formatv("{0} {1} bytes at {2} of LDS that lane {3} of wave {4} has "
                 "{5}; no barrier orders the two",
                 verbOf(isStore), bytes, address, other->lane, other->wave,
                 isStore ? "loaded" : "stored"),
         lane);
    return false;
  }
  if (isStore)
    races.recordStore(address, bytes, index, lane);
  else
    races.recordLoad(address, bytes, index, lane);
  return true;
}

bool Wave::checkRaces(uint64_t address, uint64_t bytes, unsigned lane,
                      bool isStore) {
  LdsRaces &races = group.races;
  // A thread that reads a barrier learns what those that ended its phases did.
  if (auto barrier = group.ldsBarriers.find(address);
      !isStore && barrier != group.ldsBarriers.end())
    races.pass(index, barrier->second);
  return checkCopying(races.findCopy(address, bytes, isStore), address, bytes,
                      lane, isStore) &&
         checkAccesses(address, bytes, lane, isStore);
}

void Wave::storeCopied(uint64_t address, ArrayRef<char> bytes, unsigned lane) {
  char *inside = findInLds(address, bytes.size(), lane, /*isStore=*/true);
  if (!inside)
    return;
  if (group.launch.findsRaces && inside != nowhere.data()) {
    LdsRaces &races = group.races;
    if (!checkCopying(races.findReader(address, bytes.size()), address,
                      bytes.size(), lane, /*isStore=*/true) ||
        !checkAccesses(address, bytes.size(), lane, /*isStore=*/true))
      return;
    if (!races.agrees(address, bytes, inside)) {
      fail(formatv("stores {0} bytes at {1} of LDS by a copy, where another "
                   "copy in flight at the same time has stored other data",
                   bytes.size(), address),
           lane);
      return;
    }
  }
  std::memcpy(inside, bytes.data(), bytes.size());
}

/// NVIDIA's copies are followed by nvidia/SharedRaces.h.
static bool findsLdsRaces(const Wave &wave) {
  return wave.group.launch.findsRaces && !wave.program.target->isNvidia();
}

bool Wave::beginTransfer(const LdsRange &range, bool writesLds) {
  if (!findsLdsRaces(*this))
    return true;
  const uint64_t end =
      std::min<uint64_t>(range.begin + range.bytes, group.lds.size());
  if (range.begin >= end)
    return true;
  const uint64_t bytes = end - range.begin;
  const auto other = writesLds
                         ? group.races.findLoad(range.begin, bytes, index)
                         : group.races.findStore(range.begin, bytes, index);
  if (other) {
    fail(formatv("starts a copy that {0} {1} bytes at {2} of LDS, which lane "
                 "{3} of wave {4} has {5}; no barrier orders the two",
                 writesLds ? "writes" : "reads", bytes, range.begin,
                 other->lane, other->wave, writesLds ? "loaded" : "stored"));
    return false;
  }
  group.races.beginCopy(range.begin, bytes, index, writesLds);
  return true;
}

void Wave::endTransfer(const LdsRange &range, bool writesLds) {
  const uint64_t end =
      std::min<uint64_t>(range.begin + range.bytes, group.lds.size());
  if (findsLdsRaces(*this) && range.begin < end)
    group.races.endCopy(range.begin, end - range.begin, writesLds);
}

char *Wave::findInLds(uint64_t address, uint64_t bytes, unsigned lane,
                      bool isStore) {
  // The chip drops what is outside of its LDS, and Triton masks stores so.
  if (address >= program.target->maxSharedBytes && bytes <= nowhere.size()) {
    nowhere.fill(0);
    return nowhere.data();
  }
  if (address > group.lds.size() || bytes > group.lds.size() - address) {
    fail(formatv("{0} {1} bytes at {2} of LDS; the workgroup has {3} bytes",
                 verbOf(isStore), bytes, address, group.lds.size()),
         lane);
    return nullptr;
  }
  return group.lds.data() + address;
}

char *Wave::accessLds(uint64_t address, uint64_t bytes, unsigned lane,
                      bool isStore) {
  char *inside = findInLds(address, bytes, lane, isStore);
  if (!inside || inside == nowhere.data())
    return inside;
  const Instruction *load = source();
  // LLVM waits for the wave's own copies before it reads what they may write,
  // unless metadata says that it reads something else.
  if (!isStore && load && !load->hasMetadata(LLVMContext::MD_noalias))
    transfers.waitForTracked(*this);
  if (group.launch.findsRaces && !checkRaces(address, bytes, lane, isStore))
    return nullptr;
  return inside;
}

char *Wave::accessClusterShared(uint64_t address, uint64_t bytes, unsigned lane,
                                bool isStore) {
  if (char *found = group.cluster().findShared(address, bytes))
    return nvidia::checkOrder(*this, address, bytes, lane, isStore) ? found
                                                                    : nullptr;
  const uint64_t own = address - group.ldsBase();
  fail(formatv("{0} {1} bytes at {2} of shared memory; a CTA has {3} bytes",
               verbOf(isStore), bytes,
               own < sharedWindow ? formatv("{0}", own).str()
                                  : formatv("{0:x}", address).str(),
               group.lds.size()),
       lane);
  return nullptr;
}

char *Wave::access(unsigned space, uint64_t address, uint64_t bytes,
                   unsigned lane, bool isStore) {
  StringRef verb = verbOf(isStore);
  if (space == Generic) {
    const uint64_t aperture = address & apertureMask;
    if (aperture == ldsAperture)
      space = Lds;
    if (aperture == privateAperture)
      space = Private;
    if (space != Generic)
      address &= ~apertureMask;
  }
  if (program.target->isNvidia() && (space == Lds || space == ClusterShared))
    return accessClusterShared(address, bytes, lane, isStore);
  switch (space) {
  case Lds:
    return accessLds(address, bytes, lane, isStore);
  case Private:
    if (address <= program.privateBytes &&
        bytes <= program.privateBytes - address)
      return privateMemory.data() + lane * program.privateBytes + address;
    fail(formatv("{0} {1} bytes at {2} of private memory; a lane has {3} bytes",
                 verb, bytes, address, program.privateBytes),
         lane);
    return nullptr;
  default:
    // Most accesses are to the host's memory.
    if (group.launch.global.holds(address, bytes))
      return std::bit_cast<char *>(address);
    fail(formatv("{0} {1} bytes {2}", verb, bytes,
                 group.launch.global.describe(address)),
         lane);
    return nullptr;
  }
}

} // namespace kernelscope::wave
