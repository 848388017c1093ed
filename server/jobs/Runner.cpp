//===- Runner.cpp - forks, watches and reaps the children of jobs ---------===//

#include "server/jobs/Runner.h"

#include "server/ipc/Heap.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace kernelscope;
using Clock = std::chrono::steady_clock;

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

namespace {

int reportDescriptor = -1;

constexpr const char *noMemory = "out of memory";

/// Says why this child dies, and dies. No allocation: memory may be what is
/// missing.
[[noreturn]] void die(const char *reason) {
  // Quotes, backslashes and control characters would end the JSON string.
  char body[4096] = "[{\"fatal\":\"";
  constexpr std::string_view end = "\"},[]]";
  size_t length = std::strlen(body);
  for (const char *c = reason; *c && length < sizeof body - end.size(); ++c)
    body[length++] = *c == '"'                              ? '\''
                     : *c == '\\'                           ? '/'
                     : static_cast<unsigned char>(*c) < ' ' ? ' '
                                                            : *c;
  length += end.copy(body + length, end.size());
  MessageHeader header{static_cast<uint32_t>(length), 0};
  (void)!write(reportDescriptor, &header, sizeof header);
  (void)!write(reportDescriptor, body, length);
  _exit(70);
}

[[noreturn]] void dieOfMemory() {
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  char reason[100];
  if (limit.rlim_cur == RLIM_INFINITY)
    std::snprintf(reason, sizeof reason, "%s", noMemory);
  else
    std::snprintf(reason, sizeof reason, "%s (the limit is %llu MiB)", noMemory,
                  static_cast<unsigned long long>(limit.rlim_cur >> 20));
  die(reason);
}

[[noreturn]] void runChild(const Job &job, const Json &request,
                           const JobLimits &limits, int fd, JobPlace *place) {
  reportDescriptor = fd;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (limits.memory)
    limitMemory(limits.memory);
  // A code generator allocates and frees megabytes for each of its passes.
  keepFreedMemory(64 << 20);
  // Signals that the parent handles or blocks are this child's no more.
  sigset_t all;
  sigemptyset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  for (int signal : {SIGTERM, SIGINT, SIGPIPE})
    std::signal(signal, SIG_DFL);
  llvm::install_fatal_error_handler(
      [](void *, const char *reason, bool) { die(reason); });
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { dieOfMemory(); });
  std::set_new_handler(dieOfMemory);

  JobProgress progress(
      [fd](JobNews news) { writeMessage(fd, Json(std::move(news))); }, place);
  JobNews done;
  done.answer = job.run(request, progress);
  writeMessage(fd, Json(std::move(done)));
  // No destructors: the parent's state is not ours to take down.
  _exit(0);
}

/// Null if there is no memory.
JobPlace *sharePlace() {
  void *memory = mmap(nullptr, sizeof(JobPlace), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) JobPlace(noPlace);
}

void unshare(JobPlace *place) {
  if (place)
    munmap(place, sizeof(JobPlace));
}

} // namespace

void kernelscope::limitMemory([[maybe_unused]] uint64_t bytes) {
#if !__has_feature(address_sanitizer) // which itself reserves terabytes
  rlimit memory{bytes, bytes};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

JobRunner::JobRunner(OnProgress onProgress, OnAnswer onAnswer)
    : onProgress(std::move(onProgress)), onAnswer(std::move(onAnswer)) {}

JobRunner::~JobRunner() {
  for (auto &[id, job] : running) {
    kill(-job.pid, SIGKILL);
    kill(job.pid, SIGKILL);
    waitpid(job.pid, nullptr, 0);
    close(job.fd);
    unshare(job.place);
  }
}

void JobRunner::start(uint64_t id, const std::string &name, Json request,
                      std::chrono::milliseconds time) {
  const Job *job = findJob(name);
  if (!job)
    return onAnswer(id, jobError(JobFailure::InvalidUsage,
                                 "there is no job '" + name + "'"));
  queue.push_back({id, job, std::move(request), time});
  step();
}

void JobRunner::launch(Queued queued) {
  JobLimits limits = queued.job->limits;
  if (queued.time.count() > 0)
    limits.time = queued.time;
  int ends[2];
  pid_t pid = -1;
  JobPlace *place = sharePlace();
  if (place && pipe2(ends, O_CLOEXEC) == 0) {
    pid = fork();
    if (pid == 0) {
      close(ends[0]);
      runChild(*queued.job, queued.request, limits, ends[1], place);
    }
    close(ends[1]);
    if (pid < 0)
      close(ends[0]);
  }
  if (pid < 0) {
    unshare(place);
    return onAnswer(
        queued.id,
        jobError(JobFailure::Crashed,
                 std::string("cannot start a process for the job: ") +
                     strerror(errno)));
  }
  setpgid(pid, pid); // as the child does: whichever comes first
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  Running job;
  job.pid = pid;
  job.fd = ends[0];
  job.deadline = Clock::now() + limits.time;
  job.limits = limits;
  job.place = place;
  running.emplace(queued.id, std::move(job));
}

void JobRunner::cancel(uint64_t id) {
  auto waiting = std::find_if(queue.begin(), queue.end(),
                              [&](const Queued &job) { return job.id == id; });
  if (waiting != queue.end()) {
    queue.erase(waiting);
    return onAnswer(id,
                    jobError(JobFailure::Cancelled, "the job was cancelled"));
  }
  auto it = running.find(id);
  if (it == running.end())
    return;
  it->second.cancelled = true;
  kill(-it->second.pid, SIGKILL);
}

void JobRunner::addPollDescriptors(std::vector<pollfd> &descriptors) const {
  for (const auto &[id, job] : running)
    descriptors.push_back({job.fd, POLLIN, 0});
}

int JobRunner::pollTimeout() const {
  if (running.empty())
    return -1;
  auto next = std::min_element(running.begin(), running.end(),
                               [](const auto &a, const auto &b) {
                                 return a.second.deadline < b.second.deadline;
                               })
                  ->second.deadline;
  auto left = std::chrono::ceil<std::chrono::milliseconds>(next - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
}

void JobRunner::take(uint64_t id, Running &job) {
  char bytes[1 << 16];
  for (;;) {
    ssize_t count = read(job.fd, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
      continue;
    job.atEnd = count == 0 || (count < 0 && errno != EAGAIN);
    if (count <= 0)
      break;
    job.reader.feed({bytes, static_cast<size_t>(count)});
  }
  while (std::optional<Json> message = job.reader.next()) {
    if (!message->is_object())
      continue;
    JobNews news;
    from_json(*message, news);
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
        job.deadline = Clock::now() + job.limits.time;
      onProgress(id, news);
    }
  }
}

Json JobRunner::answerOf(Running &job, int status) const {
  if (!job.answer.is_null())
    return std::move(job.answer);
  std::string where = job.stage ? " in stage '" + *job.stage + "'" : "";
  JobError error;
  error.kind = JobFailure::Crashed;
  if (job.cancelled) {
    error.kind = JobFailure::Cancelled;
    error.message = "the job was cancelled";
  } else if (job.timedOut) {
    error.kind = JobFailure::LimitExceeded;
    error.message = "stopped" + where + " after " +
                    std::to_string(job.limits.time.count() / 1000) +
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
  if (uint64_t place = job.place->load(); place != noPlace)
    error.place = place;
  return failedJob(error);
}

void JobRunner::step() {
  std::vector<std::pair<uint64_t, Json>> answers;
  for (auto it = running.begin(); it != running.end();) {
    auto &[id, job] = *it;
    take(id, job);
    if (Clock::now() >= job.deadline && !job.timedOut) {
      job.timedOut = true;
      kill(-job.pid, SIGKILL);
    }
    if (!job.atEnd) {
      ++it;
      continue;
    }
    // The pipe closes when the child ends, or when a job closed it on its way
    // to a hang.
    kill(-job.pid, SIGKILL);
    int status = 0;
    waitpid(job.pid, &status, 0);
    close(job.fd);
    answers.emplace_back(id, answerOf(job, status));
    unshare(job.place);
    it = running.erase(it);
  }
  for (auto &[id, answer] : answers)
    onAnswer(id, std::move(answer));
  size_t processors = std::max(2u, std::thread::hardware_concurrency());
  while (!queue.empty() && running.size() < processors) {
    Queued next = std::move(queue.front());
    queue.pop_front();
    launch(std::move(next));
  }
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
