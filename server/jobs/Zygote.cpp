//===- Zygote.cpp - the process that jobs are forked from -----------------===//

#include "server/jobs/Zygote.h"

#include "server/ipc/Spawn.h"
#include "server/jobs/Messages.h"
#include "server/jobs/Runner.h"

#include <cerrno>
#include <unistd.h>

using namespace kernelscope;

int kernelscope::serveJobs() {
  becomeChild();
  prewarmJobs();

  JobRunner runner(
      [](uint64_t id, const JobNews &news) {
        writeMessage(parentSocket, toMessage(zygote::Progress{id, news}));
      },
      [](uint64_t id, Json answer) {
        const auto arch = answer.find("arch");
        const std::string used = arch != answer.end() && arch->is_string()
                                     ? arch->get<std::string>()
                                     : "";
        writeMessage(parentSocket,
                     toMessage(zygote::Answer{id, std::move(answer)}));
        // The next one is probably for the same chip.
        if (!used.empty())
          prewarmJobs(used);
      });
  OnMessageKind handle{
      [&](zygote::Start &start) {
        runner.start(start.id, start.job, std::move(start.request));
      },
      [&](zygote::Cancel &cancel) { runner.cancel(cancel.id); },
  };

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
    while (std::optional<Json> received = reader.next()) {
      auto message = MessageOf<zygote::ToZygote>::read(std::move(*received));
      std::visit(handle, message);
    }
    runner.step();
  }
}
