//===- Runner.h - forks, watches and reaps the children of jobs -*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_RUNNER_H
#define KERNELSCOPE_SERVER_JOBS_RUNNER_H

#include "server/jobs/Process.h"

#include <cstdint>
#include <deque>
#include <map>
#include <poll.h>
#include <vector>

namespace kernelscope {

/// Runs jobs in children that it forks from this process, which must have one
/// thread. Each job that is started gets exactly one answer, whatever its child
/// does. A child whose job is repeatable gets the next one of its kind; if it
/// dies over that, a fresh child does the job again.
class JobRunner {
public:
  /// Gets stages, lines and parts while a job runs.
  using OnProgress = std::function<void(uint64_t id, const JobNews &news)>;
  /// Gets a job's answer.
  using OnAnswer = std::function<void(uint64_t id, Json answer)>;

  JobRunner(OnProgress onProgress, OnAnswer onAnswer);
  JobRunner(const JobRunner &) = delete;
  JobRunner &operator=(const JobRunner &) = delete;

  /// Starts the job, or queues it while as many run as there are processors.
  /// `time`, if positive, replaces the limit of the job's kind.
  void start(uint64_t id, const std::string &name, Json request,
             std::chrono::milliseconds time = {});
  /// Kills the job's child; its answer says so. Nothing for an id that is not
  /// known.
  void cancel(uint64_t id);
  bool idle() const { return running.empty() && queue.empty(); }

  /// What to poll for before `step`, and for how long at most (-1: no limit).
  void addPollDescriptors(std::vector<pollfd> &descriptors) const;
  int pollTimeout() const;
  /// Takes in what the children sent, reaps the dead, ends those over their
  /// time, starts the queued.
  void step();
  /// Steps until all is done.
  void finish();

private:
  struct Queued {
    uint64_t id;
    const Job *job;
    Json request;
    std::chrono::milliseconds time;
    bool inFreshProcess = false;
  };
  struct Running {
    Queued queued;
    std::unique_ptr<JobProcess> process;
    std::chrono::steady_clock::time_point deadline;
    std::optional<std::string> stage;
    std::optional<size_t> line;
    Json answer;
    std::string
        fatal; ///< Last words of a child that LLVM or the allocator ended.
    bool timedOut = false;
    bool cancelled = false;
  };
  /// A process that waits for its next job.
  struct Waiting {
    std::unique_ptr<JobProcess> process;
    std::chrono::steady_clock::time_point until;
  };

  void launch(Queued job);
  std::unique_ptr<JobProcess> giveToWaiting(const Queued &job);
  void take(uint64_t id, Running &job);
  static Json failureOf(Running &job);

  OnProgress onProgress;
  OnAnswer onAnswer;
  std::map<uint64_t, Running> running;
  std::deque<Queued> queue;
  std::vector<Waiting> waiting;
};

/// Runs one job to its end.
Json runJob(const std::string &name, Json request,
            const std::function<void(const JobNews &)> &onProgress = {});

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_RUNNER_H
