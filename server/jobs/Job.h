//===- Job.h - work that a child process does -------------------*- C++ -*-===//
//
// A job turns a JSON request into a JSON answer in a process of its own, with
// limits, so that what it does to that process costs one answer. An answer is
// an object; the member "error" of one that failed is a `JobError`.
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
#include <vector>

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

/// What a job says about a place of its IR. Lines and columns count from zero,
/// columns in bytes.
struct JobDiagnostic {
  std::string severity; ///< "error", "warning" or "note".
  std::optional<size_t> line;
  std::optional<size_t> column;
  std::string message;
};
void to_json(Json &json, const JobDiagnostic &diagnostic);
void from_json(const Json &json, JobDiagnostic &diagnostic);

/// Why a job gave no result.
struct JobError {
  JobFailure kind = JobFailure::InvalidIR;
  std::string message;
  std::optional<std::string> stage; ///< Where it died.
  std::optional<size_t> line;
  std::optional<size_t> column;
  std::optional<uint64_t> place; ///< The byte of the input that it died at.
  std::optional<std::vector<JobDiagnostic>> diagnostics;
};
void to_json(Json &json, const JobError &error);
void from_json(const Json &json, JobError &error);

/// The answer of a job that failed.
Json failedJob(const JobError &error);
Json jobError(JobFailure failure, std::string message);
/// The error in an answer, if there is one.
std::optional<JobError> errorOf(const Json &answer);
/// The exit code for an answer.
int exitCodeOf(const Json &answer);

/// What a job's process writes to its parent.
struct JobNews {
  std::optional<std::string> stage;   ///< It has entered this stage.
  std::optional<unsigned> percentage; ///< So much of the whole is done.
  std::optional<size_t> line;         ///< It is at the op on this line.
  std::optional<Json> part;           ///< A part of its answer.
  std::optional<Json> answer;         ///< It is done.
  std::optional<std::string> fatal;   ///< Why it ends without an answer.
};
void to_json(Json &json, JobNews news);
void from_json(Json &json, JobNews &news);

/// Where a job is, in memory that its parent sees after its death too.
using JobPlace = std::atomic<uint64_t>;
constexpr uint64_t noPlace = ~uint64_t(0);

/// What a job reports to its parent while it works.
class JobProgress {
public:
  using Send = std::function<void(JobNews)>;
  explicit JobProgress(Send send, JobPlace *where = nullptr)
      : send(std::move(send)), where(where) {}

  /// The job enters `name` ("parse", "lower", "codegen", ...). If it dies, this
  /// is the stage it died in.
  void stage(std::string name) {
    JobNews news;
    news.stage = std::move(name);
    send(std::move(news));
  }
  /// The line, from zero, of the op at work; an error without a place of its
  /// own is put there.
  void line(unsigned irLine) {
    JobNews news;
    news.line = irLine;
    send(std::move(news));
  }
  /// The byte of the input at work. Costs nothing, so it can be set often; if
  /// the job dies, its error has the last one as `place`.
  void place(uint64_t offset) {
    if (where)
      where->store(offset);
  }
  /// The job still advances: `stage` says how far it is, and `percentage`, if
  /// it is known, how much of the whole is done. The time limit restarts here.
  void advance(std::string stage, std::optional<unsigned> percentage = {}) {
    JobNews news;
    news.stage = std::move(stage);
    news.percentage = percentage;
    news.part = Json::object();
    send(std::move(news));
  }
  /// A part of the answer that the parent gets even if the job dies later. The
  /// time limit restarts here.
  void part(Json part) {
    JobNews news;
    news.part = std::move(part);
    send(std::move(news));
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
  /// Its process may do the next one of the kind, which saves a fork and the
  /// page faults of a fresh process.
  bool isRepeatable = false;
};

/// Limits the address space of this process, which is a job's, from now on.
void limitMemory(uint64_t bytes);

/// None for a name that is not a job.
const Job *findJob(std::string_view name);

/// Does once, in a parent, what each job would else do: targets, dialects and
/// the first use of the code generators.
void prewarmJobs();
/// The same for the chip `arch`, if that is not done yet.
void prewarmJobs(const std::string &arch);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_JOB_H
