//===- MemoryInstructions.cpp - Loads, stores and atomics -----------------===//
//
// PTX ISA, "Data Movement and Conversion Instructions", "atom", "red".
//
//===----------------------------------------------------------------------===//

#include "executor/wave/MemoryAccess.h"
#include "executor/wave/Workgroup.h"
#include "executor/wave/nvidia/Ptx.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

/// The elements that `.v4` says; 1 without.
static unsigned takeVector(assembly::Opcode &opcode) {
  for (unsigned count : {2, 4, 8})
    if (opcode.take(("v" + Twine(count)).str()))
      return count;
  return 1;
}

namespace {
/// What one instruction loads or stores.
struct Access {
  unsigned space;
  /// In bytes, of each of the registers.
  unsigned size;
  assembly::Type type;
  Column address;
  Columns values;

  uint64_t bytes() const { return uint64_t{size} * values.size(); }
};
} // namespace

/// None after a failure. Operand `value` has the registers.
static std::optional<Access> readAccess(PtxCall &call, size_t address,
                                        size_t value) {
  assembly::Opcode &opcode = call.opcode;
  takeMemoryHints(opcode);
  const unsigned space = takeSpace(opcode), count = takeVector(opcode);
  if (!call.isUnderstood())
    return std::nullopt;
  const bool fits = opcode.types.size() == 1 &&
                    opcode.types[0].width() % 8 == 0 &&
                    opcode.types[0].width() <= 64 &&
                    call.numOperands() > std::max(address, value) &&
                    call.instruction.operands[value].size() == count;
  if (!fits) {
    call.fail();
    return std::nullopt;
  }
  return Access{space, opcode.types[0].width() / 8, opcode.types[0],
                call.scalar(address), call.parts(value)};
}

static void loadMemory(PtxCall &call) {
  const bool looks = any_of(call.opcode.modifiers, [](StringRef word) {
    return is_contained({"volatile", "relaxed", "acquire", "mmio"}, word);
  });
  const auto access = readAccess(call, 1, 0);
  if (!access)
    return;
  call.emit([from = *access, looks](Wave &wave) {
    Look look(from.space);
    wave.forLanes([&](unsigned lane) {
      const char *bytes =
          wave.access(from.space, wave.value(from.address, lane), from.bytes(),
                      lane, /*isStore=*/false);
      if (!bytes)
        return;
      for (Column column : from.values) {
        uint64_t value = 0;
        std::memcpy(&value, bytes, from.size);
        bytes += from.size;
        // A register of a narrow type has 32 bits.
        if (from.type.kind == assembly::Type::Signed && from.size < 4)
          value = static_cast<uint64_t>(signExtend(value, 8 * from.size)) &
                  lowBits(32);
        wave.value(column, lane) = value;
        look.add(value, value);
      }
    });
    if (looks)
      look.end(wave);
  });
}

static void storeMemory(PtxCall &call) {
  const auto access = readAccess(call, 0, 1);
  if (!access)
    return;
  call.emit([to = *access](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      char *bytes = wave.access(to.space, wave.value(to.address, lane),
                                to.bytes(), lane, /*isStore=*/true);
      if (!bytes)
        return;
      for (Column column : to.values) {
        std::memcpy(bytes, &wave.value(column, lane), to.size);
        bytes += to.size;
      }
    });
  });
}

/// What an atomic makes of what is there, its operand, and what it compares.
using Combine = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;

/// Null for one that is not known.
static Combine findCombination(assembly::Opcode &opcode) {
  const assembly::Type type = opcode.types[0];
  if (opcode.take("exch"))
    return [](uint64_t, uint64_t b, uint64_t) { return b; };
  if (opcode.take("cas"))
    return
        [](uint64_t old, uint64_t b, uint64_t c) { return old == b ? c : old; };
  if (opcode.take("inc"))
    return [](uint64_t old, uint64_t b, uint64_t) {
      return old >= b ? 0 : old + 1;
    };
  if (opcode.take("dec"))
    return [](uint64_t old, uint64_t b, uint64_t) {
      return old == 0 || old > b ? b : old - 1;
    };
  for (StringRef name : {"add", "min", "max", "and", "or", "xor"})
    if (opcode.take(name))
      if (auto meaning = assembly::findOperation(name, type))
        return
            [compute = meaning->compute](uint64_t old, uint64_t b, uint64_t) {
              const uint64_t from[] = {old, b};
              uint64_t to = 0;
              compute(from, &to);
              return to;
            };
  return nullptr;
}

/// `atom d, [a], b`, and `red`, which has no result.
template <bool hasResult> static void atomic(PtxCall &call) {
  const size_t address = hasResult ? 1 : 0;
  if (call.opcode.types.size() != 1 || call.numOperands() < address + 2)
    return call.fail();
  const Combine combine = findCombination(call.opcode);
  const auto access = readAccess(call, address, address + 1);
  if (!access)
    return;
  const bool compares = call.numOperands() == address + 3;
  const Columns other = compares ? call.parts(address + 2) : access->values;
  const Columns results =
      hasResult && !call.isSink(0) ? call.parts(0) : Columns();
  if (!combine || other.size() != access->values.size() ||
      (!results.empty() && results.size() != other.size()))
    return call.fail();
  call.emit([=, on = *access](Wave &wave) {
    Look look(on.space);
    wave.forLanes([&](unsigned lane) {
      char *bytes = wave.accessAtomically(
          on.space, wave.value(on.address, lane), on.bytes(), lane);
      if (!bytes)
        return;
      for (size_t i = 0; i < on.values.size(); ++i, bytes += on.size) {
        uint64_t old = 0;
        std::memcpy(&old, bytes, on.size);
        const uint64_t made =
            combine(old, wave.value(on.values[i], lane) & lowBits(8 * on.size),
                    wave.value(other[i], lane));
        std::memcpy(bytes, &made, on.size);
        look.add(old, made & lowBits(8 * on.size));
        if (!results.empty())
          wave.value(results[i], lane) = old;
      }
    });
    look.end(wave);
  });
}

/// A policy of the cache is a number that is never read.
static void definePolicy(PtxCall &call) {
  const Column to = call.scalar(0);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) { wave.value(to, lane) = 0; });
  });
}

/// `mapa d, a, rank`: where another CTA of the cluster has the same memory.
static void mapAddress(PtxCall &call) {
  const unsigned space = takeSpace(call.opcode);
  if (!call.isUnderstood() || call.numOperands() != 3)
    return call.fail();
  const Column to = call.scalar(0), address = call.scalar(1),
               rank = call.scalar(2);
  call.emit([=](Wave &wave) {
    wave.forLanes([&](unsigned lane) {
      const uint64_t owner = wave.value(rank, lane) & lowBits(32);
      if (owner >= wave.group.cluster().size())
        wave.fail("maps an address to CTA " + Twine(owner) +
                      " of a cluster of " + Twine(wave.group.cluster().size()),
                  lane);
      wave.value(to, lane) = wave.value(address, lane) % sharedWindow +
                             owner * sharedWindow +
                             (space == Generic ? ldsAperture : 0);
    });
  });
}

void addMemoryInstructions(PtxMeanings &meanings) {
  meanings.add("ld", loadMemory);
  meanings.add("ldu", loadMemory);
  meanings.add("st", storeMemory);
  meanings.add("atom", atomic<true>);
  meanings.add("red", atomic<false>);
  meanings.add("mapa", mapAddress);
  meanings.add("createpolicy", definePolicy);
  for (StringRef name : {"prefetch", "prefetchu", "applypriority", "discard"})
    meanings.add(name, doNothing);
}

} // namespace kernelscope::wave::nvidia
