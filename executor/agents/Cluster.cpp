//===- Cluster.cpp - The CTAs of a program --------------------------------===//

#include "executor/agents/Cluster.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope::executor;

void Cluster::start() {
  for (auto &memory : memories)
    memory.clear();
  places.clear();
  meetings.clear();
}

void Cluster::allocate(unsigned cta, Buffer made) {
  auto &all = places[made.op];
  all.resize(size());
  auto known = llvm::find(all[cta], made.base);
  made.number = known - all[cta].begin();
  if (known == all[cta].end())
    all[cta].push_back(made.base);
  memories[cta].insert_or_assign(made.base, std::move(made));
}

const Cluster::Buffer *Cluster::find(unsigned cta, const char *at) const {
  const auto &memory = memories[cta];
  auto after = memory.upper_bound(at);
  if (after == memory.begin())
    return nullptr;
  const Buffer &found = std::prev(after)->second;
  return at < found.base + found.bytes ? &found : nullptr;
}

char *Cluster::peer(unsigned from, unsigned to, const char *at) const {
  const Buffer *mine = find(from, at);
  if (!mine)
    return nullptr;
  const auto &theirs = places.at(mine->op)[to];
  return mine->number < theirs.size() ? theirs[mine->number] + (at - mine->base)
                                      : nullptr;
}

std::shared_ptr<Cluster::Meeting> Cluster::arrive(unsigned cta,
                                                  const void *place) {
  Meetings &here = meetings[place];
  here.rounds.resize(size());
  here.last.resize(size());
  const size_t round = here.rounds[cta]++;
  if (round == here.all.size())
    here.all.push_back(std::make_shared<Meeting>());
  std::shared_ptr<Meeting> meeting = here.all[round];
  here.last[cta] = meeting;
  meeting->arrived |= CTAs{1} << cta;
  // Those that wait keep a reference; no other arrives here.
  if (isComplete(*meeting))
    here.all[round].reset();
  return meeting;
}

std::shared_ptr<Cluster::Meeting> Cluster::last(unsigned cta,
                                                const void *place) const {
  auto found = meetings.find(place);
  return found == meetings.end() ? nullptr : found->second.last[cta];
}

std::string Cluster::missing(const Meeting &meeting) const {
  std::string text;
  for (unsigned cta = 0; cta < size(); ++cta)
    if (!(meeting.arrived >> cta & 1))
      text += (text.empty() ? "CTA " : " and CTA ") + std::to_string(cta);
  return text;
}
