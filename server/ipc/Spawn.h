//===- Spawn.h - starting this program again as a child ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_IPC_SPAWN_H
#define KERNELSCOPE_SERVER_IPC_SPAWN_H

#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelscope {

/// A child's descriptor of its socket to the parent, and of what else the
/// parent passed.
constexpr int parentSocket = 3;
constexpr int sharedMemory = 4;

/// A running child and our end of its socket.
struct SpawnedProcess {
  pid_t pid = -1; ///< -1: it could not be started.
  int socket = -1;
};

/// Starts `kernelscope ARGUMENTS` with a socket to it at `parentSocket` and,
/// unless it is -1, `memory` at `sharedMemory`. `variable`, `NAME=VALUE`, comes
/// before our own environment. It reads nothing and prints to our standard
/// error.
SpawnedProcess spawnSelf(const std::vector<std::string> &arguments,
                         int memory = -1, const char *variable = nullptr);

/// What a child that `spawnSelf` started does first: it dies with its parent
/// and leaves no core file.
void becomeChild();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_IPC_SPAWN_H
