//===- Process.h - a child that does jobs -----------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_PROCESS_H
#define KERNELSCOPE_SERVER_JOBS_PROCESS_H

#include "server/jobs/Job.h"

#include <memory>
#include <sys/types.h>

namespace kernelscope {

/// A child that does a job, and then waits for the next one if the job's kind
/// is repeatable. It dies with its parent, and with it all that it started.
class JobProcess {
public:
  /// Forks it from this process, which must have one thread. Null, with errno,
  /// if there can be none.
  static std::unique_ptr<JobProcess> fork(const Job &job, const Json &request);
  ~JobProcess();
  JobProcess(const JobProcess &) = delete;
  JobProcess &operator=(const JobProcess &) = delete;

  /// What it does.
  const Job &kind() const { return job; }
  /// Gives it the next request; false if it does not accept it.
  bool give(const Json &request);
  /// Whether it has done another job before.
  bool isUsed() const { return wasUsed; }

  /// To poll for input.
  int descriptor() const { return socket; }
  /// Takes in all that it has sent.
  void receive(const std::function<void(JobNews news)> &take);
  /// Whether `receive` met the end of what it sends: it ended, or a job closed
  /// its socket on the way to a hang.
  bool isAtEnd() const { return hasEnded; }
  /// Where its job is, if it has reported that.
  std::optional<uint64_t> place() const;

  void kill();
  /// Kills it unless it has ended; its status, as from `waitpid`.
  int end();

private:
  JobProcess(const Job &job, pid_t pid, int socket, JobPlace *place)
      : job(job), pid(pid), socket(socket), sharedPlace(place) {}

  const Job &job;
  const pid_t pid;
  const int socket;
  JobPlace *const sharedPlace;
  MessageReader reader;
  bool wasUsed = false;
  bool hasEnded = false;
  std::optional<int> status;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_PROCESS_H
