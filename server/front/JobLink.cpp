//===- JobLink.cpp - keeps a zygote alive, and gives it jobs --------------===//

#include "server/front/JobLink.h"

#include <vector>

using namespace kernelscope;

/// A zygote only forks: what ends it is hardly the job.
constexpr unsigned toleratedJobDeaths = 4;

JobLink::~JobLink() {
  if (child)
    child->abandon();
}

void JobLink::prepare() { startAfter(std::chrono::milliseconds(500)); }

void JobLink::startAfter(std::chrono::milliseconds delay) {
  restart.expires_after(delay);
  restart.async_wait(
      [this, alive = std::weak_ptr(alive)](boost::system::error_code error) {
        if (!error && !alive.expired() && !child)
          start();
      });
}

void JobLink::start() {
  wasStarted = true;
  child = std::make_shared<Child>(io);
  child->start(
      "zygote", -1, nullptr, [this](Json message) { take(std::move(message)); },
      [this](int) { zygoteEnded(); });
  for (auto &[id, job] : pending)
    send(toMessage(job.start));
}

uint64_t JobLink::run(std::string job, Json request, OnProgress onProgress,
                      OnAnswer onAnswer) {
  if (!wasStarted)
    start();
  uint64_t id = ++lastJob;
  Pending entry{{id, std::move(job), std::move(request)},
                std::move(onProgress),
                std::move(onAnswer)};
  send(toMessage(pending.emplace(id, std::move(entry)).first->second.start));
  return id;
}

void JobLink::cancel(uint64_t id) {
  if (pending.erase(id))
    send(toMessage(zygote::Cancel{id}));
}

void JobLink::take(Json message) {
  backoff.signOfLife();
  auto received = MessageOf<zygote::FromZygote>::read(std::move(message));
  std::visit(OnMessageKind{
                 [this](const zygote::Progress &progress) {
                   if (auto it = pending.find(progress.id); it != pending.end())
                     it->second.onProgress(progress.news);
                 },
                 [this](zygote::Answer &answer) {
                   auto it = pending.find(answer.id);
                   if (it == pending.end())
                     return;
                   OnAnswer onAnswer = std::move(it->second.onAnswer);
                   pending.erase(it);
                   onAnswer(std::move(answer.answer));
                 },
             },
             received);
}

void JobLink::zygoteEnded() {
  child = nullptr;
  log.write("the zygote exited");
  std::vector<OnAnswer> lost;
  for (auto it = pending.begin(); it != pending.end();) {
    if (++it->second.deaths < toleratedJobDeaths) {
      ++it;
      continue;
    }
    lost.push_back(std::move(it->second.onAnswer));
    it = pending.erase(it);
  }
  for (OnAnswer &answer : lost)
    answer(jobError(
        JobFailure::Crashed,
        "the process that runs jobs crashed repeatedly with this job"));
  startAfter(backoff.next());
}
