//===- Zygote.cpp - the process that jobs are forked from -----------------===//

#include "server/jobs/Zygote.h"

#include "server/ipc/Spawn.h"
#include "server/jobs/Runner.h"

#include <cerrno>
#include <unistd.h>

using namespace kernelscope;

int kernelscope::serveJobs() {
  becomeChild();
  prewarmJobs();

  JobRunner runner(
      [](uint64_t id, const Json &progress) {
        Json message = progress;
        message["progress"] = id;
        writeMessage(parentSocket, std::move(message));
      },
      [](uint64_t id, Json answer) {
        writeMessage(parentSocket,
                     {{"answer", id}, {"value", std::move(answer)}});
      });

  MessageReader reader;
  for (;;) {
    std::vector<pollfd> descriptors{{parentSocket, POLLIN, 0}};
    runner.addPollDescriptors(descriptors);
    if (poll(descriptors.data(), descriptors.size(), runner.pollTimeout()) <
            0 &&
        errno != EINTR)
      return 1;
    if (descriptors.front().revents) {
      char bytes[1 << 16];
      ssize_t count = read(parentSocket, bytes, sizeof bytes);
      if (count == 0 || (count < 0 && errno != EINTR))
        return 0;
      if (count > 0)
        reader.feed({bytes, static_cast<size_t>(count)});
    }
    while (std::optional<Json> message = reader.next()) {
      if (message->contains("start"))
        runner.start((*message)["start"], (*message)["job"],
                     std::move((*message)["request"]));
      else if (message->contains("cancel"))
        runner.cancel((*message)["cancel"]);
    }
    runner.step();
  }
}
