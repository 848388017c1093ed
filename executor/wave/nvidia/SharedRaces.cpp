//===- SharedRaces.cpp - What nothing orders in shared memory -------------===//

#include "executor/wave/nvidia/SharedRaces.h"
#include "executor/wave/nvidia/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace kernelscope::wave::nvidia {

uint64_t placeOfBarrier(unsigned rank, uint64_t number) {
  return uint64_t{1} << 40 | uint64_t{rank} << 8 | number;
}

uint64_t placeOfUnit(const Wave &wave, Unit unit) {
  return uint64_t{3} << 40 | uint64_t{wave.group.rank} << 16 |
         uint64_t{wave.index} << 8 | static_cast<uint64_t>(unit);
}

/// What works at a place, for people.
static const char *nameOfUnit(uint64_t place) {
  if (place >> 40 != 3)
    return "a bulk copy";
  switch (static_cast<Unit>(place & 0xff)) {
  case Unit::AsyncCopy:
    return "a copy by cp.async";
  case Unit::BulkStore:
    return "a bulk store";
  case Unit::Wgmma:
    return "a wgmma";
  case Unit::TensorCore:
    return "the tensor core";
  }
  llvm_unreachable("all units are there");
}

SharedRaces::SharedRaces(unsigned ctas, unsigned warps, uint64_t bytes)
    : warpsOfCta(warps), memories(ctas, std::vector<Byte>(bytes)) {
  for (unsigned warp = 0; warp < ctas * warps; ++warp) {
    agents.push_back({warp, nullptr});
    clocks.emplace_back();
    advance(warp);
  }
  unitTimes.resize(agents.size());
}

SharedRaces *SharedRaces::of(const Wave &wave) {
  return wave.group.cluster().group(0).cta->races.get();
}

unsigned SharedRaces::agentOf(const Wave &wave) const {
  return wave.group.rank * warpsOfCta + wave.index;
}

const Clock &SharedRaces::clockOf(const Wave &wave) const {
  return acting ? acting->clock : clocks[agentOf(wave)];
}

void SharedRaces::advance(unsigned agent) {
  clocks[agent].set(agent, clocks[agent].at(agent) + 1);
}

void SharedRaces::arrive(const Wave &wave, uint64_t place) {
  meetings[place].arriving.join(clockOf(wave));
  if (!acting)
    advance(agentOf(wave));
}

void SharedRaces::endRound(uint64_t place) { meetings[place].endRound(); }

void SharedRaces::pass(const Wave &wave, uint64_t place) {
  if (const auto found = meetings.find(place); found != meetings.end())
    clocks[agentOf(wave)].join(found->second.ended);
}

SharedRaces::Actor SharedRaces::startWork(const Wave &wave, uint64_t place) {
  const unsigned warp = agentOf(wave);
  const auto [entry, isNew] =
      units.try_emplace({warp, place}, static_cast<unsigned>(agents.size()));
  const unsigned agent = entry->second;
  if (isNew) {
    agents.push_back({warp, nameOfUnit(place)});
    unitTimes.push_back(0);
  }
  Actor actor{agent, clocks[warp]};
  actor.clock.set(agent, ++unitTimes[agent]);
  advance(warp);
  return actor;
}

std::string SharedRaces::describe(const Access &access) const {
  const Agent &agent = agents[access.agent];
  const unsigned warp = agent.warp % warpsOfCta;
  std::string who = agent.unit
                        ? formatv("{0} that warp {1}", agent.unit, warp).str()
                        : formatv("lane {0} of warp {1}", access.lane, warp);
  if (memories.size() > 1)
    who += formatv(" of CTA {0}", agent.warp / warpsOfCta);
  return agent.unit ? who + " has started" : who;
}

const SharedRaces::Access *SharedRaces::findConflict(const Byte &byte,
                                                     const Clock &clock,
                                                     bool isUnit,
                                                     bool isStore) const {
  auto isUnknown = [&](const Access &access) {
    return access.time > clock.at(access.agent);
  };
  // Warps that hold the same element may each store it.
  if (isUnknown(byte.store) &&
      (!isStore || isUnit || agents[byte.store.agent].unit))
    return &byte.store;
  if (isStore && isUnknown(byte.load))
    return &byte.load;
  if (isStore && isUnknown(byte.earlierLoad))
    return &byte.earlierLoad;
  return nullptr;
}

std::string SharedRaces::access(const Wave &wave, uint64_t address,
                                uint64_t bytes, unsigned lane, bool isStore) {
  const unsigned agent = acting ? acting->agent : agentOf(wave);
  const Clock &clock = clockOf(wave);
  const Access access{clock.at(agent), static_cast<uint16_t>(agent),
                      static_cast<uint16_t>(lane)};
  std::vector<Byte> &memory = memories[address / sharedWindow];
  const uint64_t begin = address % sharedWindow;
  for (uint64_t i = begin; i < begin + bytes; ++i) {
    Byte &byte = memory[i];
    if (const Access *other = findConflict(byte, clock, acting, isStore)) {
      const char *unit = agents[agent].unit;
      return formatv("{0}{1} {2} bytes at {3} of shared memory, which {4} has "
                     "{5}; no barrier orders the two",
                     unit ? unit + std::string(" that it has started ") : "",
                     isStore ? "stores" : "loads", bytes, begin,
                     describe(*other),
                     other == &byte.store ? "stored" : "loaded");
    }
    if (isStore) {
      byte.store = access;
      continue;
    }
    auto isKnown = [&](const Access &before) {
      return before.time <= clock.at(before.agent);
    };
    if (!isKnown(byte.load)) {
      if (isKnown(byte.earlierLoad) ||
          byte.earlierLoad.agent != byte.load.agent)
        byte.earlierLoad = byte.load;
    }
    byte.load = access;
  }
  return "";
}

bool checkOrder(Wave &wave, uint64_t address, uint64_t bytes, unsigned lane,
                bool isStore) {
  SharedRaces *races = SharedRaces::of(wave);
  if (!races)
    return true;
  const std::string wrong = races->access(wave, address, bytes, lane, isStore);
  if (wrong.empty())
    return true;
  wave.fail(wrong, lane);
  return false;
}

std::function<void(Wave &)> asWorkOf(const Wave &wave, uint64_t place,
                                     std::function<void(Wave &)> work) {
  SharedRaces *races = SharedRaces::of(wave);
  if (!races)
    return work;
  return [actor = races->startWork(wave, place), races,
          work = std::move(work)](Wave &owner) {
    races->act(&actor);
    work(owner);
    races->act(nullptr);
  };
}

std::function<void(Wave &)> asWorkOf(const Wave &wave, Unit unit,
                                     std::function<void(Wave &)> work) {
  const uint64_t place = placeOfUnit(wave, unit);
  return asWorkOf(wave, place, [place, work = std::move(work)](Wave &owner) {
    work(owner);
    if (SharedRaces *races = SharedRaces::of(owner)) {
      races->arrive(owner, place);
      races->endRound(place);
    }
  });
}

void passUnit(const Wave &wave, Unit unit) {
  if (SharedRaces *races = SharedRaces::of(wave))
    races->pass(wave, placeOfUnit(wave, unit));
}

} // namespace kernelscope::wave::nvidia
