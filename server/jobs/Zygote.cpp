//===- Zygote.cpp - the process that jobs are forked from -----------------===//

#include "server/jobs/Zygote.h"

#include "server/ipc/Spawn.h"
#include "server/jobs/Messages.h"
#include "server/jobs/Runner.h"

#include <cerrno>
#include <cstdint>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace kernelscope;

/// Lets jobs begin with this process's page tables for the program's code and
/// constants. At a fork Linux copies those of a mapped file only if one of its
/// pages was written; without them a small preview spends a tenth of its time
/// on page faults. Does nothing where the system forbids it.
static void passOnCodePages() {
  auto visit = [](dl_phdr_info *program, size_t, void *) {
    const auto pageSize = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    for (unsigned i = 0; i < program->dlpi_phnum; ++i) {
      const auto &segment = program->dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W))
        continue;
      const uintptr_t address = program->dlpi_addr + segment.p_vaddr;
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the system's way to say it.
      auto *first = reinterpret_cast<volatile char *>(address);
      const size_t before = address % pageSize;
      auto *pages = const_cast<char *>(first - before);
      const size_t size = before + segment.p_memsz;
      const int access =
          PROT_READ | (segment.p_flags & PF_X ? PROT_EXEC : PROT_NONE);
      if (mprotect(pages, size, access | PROT_WRITE) != 0)
        continue;
      *first = *first;
      mprotect(pages, size, access);
    }
    return 1; // The first is the program itself.
  };
  dl_iterate_phdr(visit, nullptr);
}

int kernelscope::serveJobs() {
  becomeChild();
  passOnCodePages();
  prewarmJobs();

  JobRunner runner(
      [](uint64_t id, const JobNews &news) {
        writeMessage(parentSocket, toMessage(zygote::Progress{id, news}));
      },
      [](uint64_t id, Json answer) {
        const auto found = answer.find("arch");
        const std::string used = found != answer.end() && found->is_string()
                                     ? found->get<std::string>()
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
