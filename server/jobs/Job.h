//===- Job.h - work that a child process does -------------------*- C++ -*-===//
//
// A job turns a JSON request into a JSON answer in a process of its own, with
// limits, so that what it does to that process costs one answer. An answer is
// an object; one with the member "error" says why there is no result:
//   {"error": {"kind", "message", "stage"?, "line"?, "column"?, "place"?,
//   "diagnostics"?}}
// Lines and columns count from zero, columns in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_JOBS_JOB_H
#define KERNELSCOPE_SERVER_JOBS_JOB_H

#include "server/ipc/Message.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace kernelscope {

/// Why a job gave no result, and the exit code that the command line makes of
/// it.
enum class JobFailure {
  InvalidIR,     ///< "ir": an error in the document, or in compiling it; 1.
  InvalidUsage,  ///< "usage": the request itself; 2.
  MissingTool,   ///< "missing": a tool, library or device is not there; 3.
  Crashed,       ///< "crash": the child died; 1.
  LimitExceeded, ///< "limit": too much time or memory; 1.
  Cancelled      ///< "cancelled"; 1.
};

/// The answer of a job that failed.
Json jobError(JobFailure failure, std::string message);
/// The exit code for an answer.
int exitCodeOf(const Json &answer);

/// Where a job is, in memory that its parent sees after its death too.
using JobPlace = std::atomic<uint64_t>;
constexpr uint64_t noPlace = ~uint64_t(0);

/// What a job tells its parent while it works.
class JobProgress {
public:
  using Send = std::function<void(const Json &)>;
  explicit JobProgress(Send send, JobPlace *where = nullptr)
      : send(std::move(send)), where(where) {}

  /// The job enters `name` ("parse", "lower", "codegen", ...). If it dies, this
  /// is the stage it died in.
  void stage(std::string name) { send({{"stage", std::move(name)}}); }
  /// The line, from zero, of the op at work; an error without a place of its
  /// own is put there.
  void line(unsigned irLine) { send({{"line", irLine}}); }
  /// The byte of the input at work. Costs nothing, so it may be told often; if
  /// the job dies, its error has the last one as `place`.
  void place(uint64_t offset) {
    if (where)
      where->store(offset);
  }
  /// A part of the answer that the parent gets even if the job dies later. The
  /// limit of time counts anew from here.
  void part(Json part) {
    send({{"part", std::move(part)}});
    place(noPlace);
  }

private:
  Send send;
  JobPlace *where;
};

/// How much a job may use.
struct JobLimits {
  std::chrono::milliseconds time{60'000};
  /// Address space in bytes; 0 for no limit, which drivers that reserve much of
  /// it need.
  uint64_t memory = uint64_t(8) << 30;
};

/// A kind of job.
struct Job {
  std::string_view name;
  Json (*run)(const Json &request, JobProgress &progress);
  JobLimits limits;
};

/// Limits the address space of this process, which is a job's, from now on.
void limitMemory(uint64_t bytes);

/// None for a name that is no job.
const Job *findJob(std::string_view name);

/// Does once, in a parent, what each job would else do: targets, dialects and
/// the first use of the code generators.
void prewarmJobs();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_JOB_H
