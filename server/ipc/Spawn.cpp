//===- Spawn.cpp - starting this program again as a child -----------------===//

#include "server/ipc/Spawn.h"

#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace kernelscope;

SpawnedProcess kernelscope::spawnSelf(const std::vector<std::string> &arguments,
                                      int memory, const char *variable) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return {};

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Duplicates to numbers that are certainly free first, because a descriptor
  // may already have the number that another one needs.
  int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  int memoryCopy = memory < 0 ? -1 : fcntl(memory, F_DUPFD_CLOEXEC, 10);
  posix_spawn_file_actions_adddup2(&actions, theirs, parentSocket);
  if (memoryCopy >= 0)
    posix_spawn_file_actions_adddup2(&actions, memoryCopy, sharedMemory);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                   O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);

  std::vector<char *> argv{const_cast<char *>("kernelscope")};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  std::vector<char *> environment;
  if (variable)
    environment.push_back(const_cast<char *>(variable));
  for (char **own = environ; *own; ++own)
    environment.push_back(*own);
  environment.push_back(nullptr);
  SpawnedProcess child;
  if (posix_spawn(&child.pid, "/proc/self/exe", &actions, nullptr, argv.data(),
                  environment.data()) != 0)
    child.pid = -1;

  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  close(theirs);
  if (memoryCopy >= 0)
    close(memoryCopy);
  if (child.pid < 0)
    close(ends[0]);
  else
    child.socket = ends[0];
  return child;
}

void kernelscope::becomeChild() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGPIPE, SIG_IGN);
  // What the child itself starts must not keep its sockets open.
  fcntl(parentSocket, F_SETFD, FD_CLOEXEC);
}
