//===- JobLink.cpp - keeps a zygote alive, and gives it jobs --------------===//

#include "server/front/JobLink.h"

#include "server/jobs/Job.h"

#include <vector>

using namespace kernelscope;

/// A zygote only forks: what ends it is hardly the job.
constexpr unsigned toleratedDeaths = 4;

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
      "zygote", -1, [this](Json message) { take(std::move(message)); },
      [this](int) { zygoteEnded(); });
  for (auto &[id, job] : pending)
    send(id, job);
}

void JobLink::send(uint64_t id, const Pending &job) {
  if (child)
    child->send({{"start", id}, {"job", job.job}, {"request", job.request}});
}

uint64_t JobLink::run(std::string job, Json request, OnProgress onProgress,
                      OnAnswer onAnswer) {
  if (!wasStarted)
    start();
  uint64_t id = ++lastJob;
  Pending entry{std::move(job), std::move(request), std::move(onProgress),
                std::move(onAnswer)};
  send(id, pending.emplace(id, std::move(entry)).first->second);
  return id;
}

void JobLink::cancel(uint64_t id) {
  if (pending.erase(id) && child)
    child->send({{"cancel", id}});
}

void JobLink::take(Json message) {
  backoff.signOfLife();
  if (auto progress = message.find("progress"); progress != message.end()) {
    if (auto it = pending.find(progress->get<uint64_t>()); it != pending.end())
      it->second.onProgress(message);
    return;
  }
  auto it = pending.find(message["answer"].get<uint64_t>());
  if (it == pending.end())
    return;
  OnAnswer onAnswer = std::move(it->second.onAnswer);
  pending.erase(it);
  onAnswer(std::move(message["value"]));
}

void JobLink::zygoteEnded() {
  child = nullptr;
  log.write("the zygote ended");
  std::vector<OnAnswer> lost;
  for (auto it = pending.begin(); it != pending.end();) {
    if (++it->second.deaths < toleratedDeaths) {
      ++it;
      continue;
    }
    lost.push_back(std::move(it->second.onAnswer));
    it = pending.erase(it);
  }
  for (OnAnswer &answer : lost)
    answer(jobError(
        JobFailure::Crashed,
        "the process that runs jobs died again and again with this one"));
  startAfter(backoff.next());
}
