//===- Runner.cpp - forks, watches and reaps the children of jobs ---------===//

#include "server/jobs/Runner.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <thread>

using namespace kernelscope;
using Clock = std::chrono::steady_clock;

/// How long a process waits for its next job. While somebody types, jobs of one
/// kind follow each other.
constexpr std::chrono::seconds idleTime{5};

static size_t mostAtOnce() {
  return std::max(2u, std::thread::hardware_concurrency());
}

JobRunner::JobRunner(OnProgress onProgress, OnAnswer onAnswer)
    : onProgress(std::move(onProgress)), onAnswer(std::move(onAnswer)) {}

void JobRunner::start(uint64_t id, const std::string &name, Json request,
                      std::chrono::milliseconds time) {
  const Job *job = findJob(name);
  if (!job)
    return onAnswer(id, jobError(JobFailure::InvalidUsage,
                                 "there is no job '" + name + "'"));
  queue.push_back({id, job, std::move(request),
                   time.count() > 0 ? time : job->limits.time});
  step();
}

/// A process that has done a job of the kind and takes this one; null if there
/// is none.
std::unique_ptr<JobProcess> JobRunner::giveToWaiting(const Queued &queued) {
  for (size_t i = waiting.size(); i-- > 0;) {
    if (&waiting[i].process->kind() != queued.job)
      continue;
    std::unique_ptr<JobProcess> process = std::move(waiting[i].process);
    waiting.erase(waiting.begin() + i);
    if (process->give(queued.request))
      return process;
  }
  return nullptr;
}

void JobRunner::launch(Queued queued) {
  std::unique_ptr<JobProcess> process;
  if (!queued.inFreshProcess)
    process = giveToWaiting(queued);
  if (!process)
    process = JobProcess::fork(*queued.job, queued.request);
  if (!process)
    return onAnswer(
        queued.id,
        jobError(JobFailure::Crashed,
                 std::string("cannot start a process for the job: ") +
                     strerror(errno)));
  Running job;
  job.process = std::move(process);
  job.deadline = Clock::now() + queued.time;
  const uint64_t id = queued.id;
  job.queued = std::move(queued);
  running.emplace(id, std::move(job));
}

void JobRunner::cancel(uint64_t id) {
  auto inQueue = std::find_if(queue.begin(), queue.end(),
                              [&](const Queued &job) { return job.id == id; });
  if (inQueue != queue.end()) {
    queue.erase(inQueue);
    return onAnswer(id,
                    jobError(JobFailure::Cancelled, "the job was cancelled"));
  }
  auto it = running.find(id);
  if (it == running.end())
    return;
  it->second.cancelled = true;
  it->second.process->kill();
}

void JobRunner::addPollDescriptors(std::vector<pollfd> &descriptors) const {
  for (const auto &[id, job] : running)
    descriptors.push_back({job.process->descriptor(), POLLIN, 0});
  for (const Waiting &entry : waiting)
    descriptors.push_back({entry.process->descriptor(), POLLIN, 0});
}

int JobRunner::pollTimeout() const {
  Clock::time_point next = Clock::time_point::max();
  for (const auto &[id, job] : running)
    next = std::min(next, job.deadline);
  for (const Waiting &entry : waiting)
    next = std::min(next, entry.until);
  if (next == Clock::time_point::max())
    return -1;
  auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
}

void JobRunner::take(uint64_t id, Running &job) {
  job.process->receive([&](JobNews news) {
    if (news.answer) {
      job.answer = std::move(*news.answer);
    } else if (news.fatal) {
      job.fatal = *news.fatal;
    } else {
      if (news.stage)
        job.stage = news.stage;
      if (news.line)
        job.line = news.line;
      if (news.part)
        job.deadline = Clock::now() + job.queued.time;
      onProgress(id, news);
    }
  });
}

/// Why a job has no answer.
Json JobRunner::failureOf(Running &job) {
  const int status = job.process->end();
  std::string where = job.stage ? " in stage '" + *job.stage + "'" : "";
  JobError error;
  error.kind = JobFailure::Crashed;
  if (job.cancelled) {
    error.kind = JobFailure::Cancelled;
    error.message = "the job was cancelled";
  } else if (job.timedOut) {
    error.kind = JobFailure::LimitExceeded;
    error.message = "stopped" + where + " after " +
                    std::to_string(job.queued.time.count() / 1000) +
                    " s, the time limit for this kind of job";
  } else if (job.fatal.starts_with(noMemory)) {
    error.kind = JobFailure::LimitExceeded;
    error.message = job.fatal + where;
  } else if (!job.fatal.empty()) {
    error.message = "LLVM aborted" + where + ": " + job.fatal;
  } else if (WIFSIGNALED(status)) {
    error.message =
        "crashed" + where + " (" + strsignal(WTERMSIG(status)) + ")";
  } else {
    error.message = "ended" + where + " without an answer (exit code " +
                    std::to_string(WEXITSTATUS(status)) + ")";
  }
  error.stage = job.stage;
  error.line = job.line;
  error.place = job.process->place();
  return failedJob(error);
}

void JobRunner::step() {
  std::vector<std::pair<uint64_t, Json>> answers;
  for (auto it = running.begin(); it != running.end();) {
    auto &[id, job] = *it;
    take(id, job);
    if (Clock::now() >= job.deadline && !job.timedOut) {
      job.timedOut = true;
      job.process->kill();
    }
    const bool isAnswered = !job.answer.is_null();
    const bool isWaiting =
        isAnswered && job.queued.job->isRepeatable && !job.process->isAtEnd();
    if (!isWaiting && !job.process->isAtEnd()) {
      ++it;
      continue;
    }
    if (isAnswered) {
      answers.emplace_back(id, std::move(job.answer));
      if (isWaiting && !job.cancelled && !job.timedOut)
        waiting.push_back({std::move(job.process), Clock::now() + idleTime});
    } else if (job.process->isUsed() && !job.cancelled && !job.timedOut) {
      // What earlier jobs left behind may be to blame.
      job.queued.inFreshProcess = true;
      queue.push_front(std::move(job.queued));
    } else {
      answers.emplace_back(id, failureOf(job));
    }
    it = running.erase(it);
  }
  for (auto &[id, answer] : answers)
    onAnswer(id, std::move(answer));
  while (!queue.empty() && running.size() < mostAtOnce()) {
    Queued next = std::move(queue.front());
    queue.pop_front();
    launch(std::move(next));
  }
  std::erase_if(waiting, [](const Waiting &entry) {
    // It has nothing to say: input is the end.
    entry.process->receive([](const JobNews &) {});
    return entry.process->isAtEnd() || Clock::now() >= entry.until;
  });
  // The last ones hold the warmest memory.
  if (waiting.size() > mostAtOnce())
    waiting.erase(waiting.begin(), waiting.end() - mostAtOnce());
}

void JobRunner::finish() {
  while (!idle()) {
    std::vector<pollfd> descriptors;
    addPollDescriptors(descriptors);
    poll(descriptors.data(), descriptors.size(), pollTimeout());
    step();
  }
}

Json kernelscope::runJob(
    const std::string &name, Json request,
    const std::function<void(const JobNews &)> &onProgress) {
  Json result;
  JobRunner runner(
      [&](uint64_t, const JobNews &news) {
        if (onProgress)
          onProgress(news);
      },
      [&](uint64_t, Json answer) { result = std::move(answer); });
  runner.start(0, name, std::move(request));
  runner.finish();
  return result;
}
