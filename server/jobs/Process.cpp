//===- Process.cpp - a child that does jobs -------------------------------===//

#include "server/jobs/Process.h"

#include "server/ipc/Heap.h"

#include "llvm/Support/ErrorHandling.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelscope;

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

/// Whether what this process holds on to would hinder its next job.
bool isLarge() {
  constexpr size_t most = size_t(256) << 20;
  size_t pages = 0, resident = 0, ofFiles = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident >> ofFiles;
  return (resident - ofFiles) * sysconf(_SC_PAGESIZE) > most;
}

[[noreturn]] void runChild(const Job &job, Json request, int fd,
                           JobPlace *place) {
  reportDescriptor = fd;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (job.limits.memory)
    limitMemory(job.limits.memory);
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
  MessageReader reader;
  for (std::optional<Json> next = std::move(request); next;
       next = reader.read(fd)) {
    JobNews done;
    done.answer = job.run(*next, progress);
    writeMessage(fd, Json(std::move(done)));
    if (!job.isRepeatable || isLarge())
      break;
    *place = noPlace;
  }
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

std::unique_ptr<JobProcess> JobProcess::fork(const Job &job,
                                             const Json &request) {
  int ends[2];
  JobPlace *place = sharePlace();
  if (!place)
    return nullptr;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    unshare(place);
    return nullptr;
  }
  const pid_t pid = ::fork();
  if (pid == 0) {
    close(ends[0]);
    runChild(job, request, ends[1], place);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    unshare(place);
    return nullptr;
  }
  setpgid(pid, pid); // as the child does: whichever comes first
  // One that stands still while it should read the next request is given up.
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  return std::unique_ptr<JobProcess>(new JobProcess(job, pid, ends[0], place));
}

JobProcess::~JobProcess() {
  end();
  close(socket);
  unshare(sharedPlace);
}

bool JobProcess::give(const Json &request) {
  wasUsed = true;
  return !hasEnded && writeMessage(socket, request);
}

void JobProcess::receive(const std::function<void(JobNews news)> &take) {
  char bytes[1 << 16];
  for (;;) {
    const ssize_t count = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR)
      continue;
    hasEnded = count == 0 || (count < 0 && errno != EAGAIN);
    if (count <= 0)
      break;
    reader.feed({bytes, static_cast<size_t>(count)});
  }
  while (std::optional<Json> message = reader.next()) {
    if (!message->is_object())
      continue;
    JobNews news;
    from_json(*message, news);
    take(std::move(news));
  }
}

void JobProcess::kill() { ::kill(-pid, SIGKILL); }

int JobProcess::end() {
  if (status)
    return *status;
  // The group may not exist yet.
  ::kill(-pid, SIGKILL);
  ::kill(pid, SIGKILL);
  int ended = 0;
  waitpid(pid, &ended, 0);
  hasEnded = true;
  status = ended;
  return ended;
}

std::optional<uint64_t> JobProcess::place() const {
  const uint64_t place = sharedPlace->load();
  return place == noPlace ? std::nullopt : std::optional(place);
}
