//===- Engine.cpp - the process that parses and answers -------------------===//

#include "server/engine/Engine.h"

#include "server/engine/Worker.h"
#include "server/ipc/Heap.h"
#include "server/ipc/Spawn.h"

#include <map>
#include <memory>
#include <sys/mman.h>
#include <thread>

using namespace kernelscope;

int kernelscope::serveFront() {
  becomeChild();
  useSingleHeap();
  keepFreedMemory(64 << 20);
  void *page = mmap(nullptr, sizeof(PulseBoard), PROT_READ | PROT_WRITE,
                    MAP_SHARED, sharedMemory, 0);
  if (page == MAP_FAILED)
    return 1;

  std::mutex sending;
  std::counting_semaphore<> processors(
      std::max(2u, std::thread::hardware_concurrency()));
  SpareWorkspaces spares;
  WorkerContext context{{},
                        *static_cast<PulseBoard *>(page),
                        processors,
                        spares,
                        [&](Json message) {
                          std::lock_guard lock(sending);
                          writeMessage(parentSocket, std::move(message));
                        }};
  std::map<uint32_t, std::shared_ptr<Worker>> workers;
  ClientSettings settings;
  std::vector<std::string> sourceFolders;
  auto workerOf = [&](uint32_t document) -> Worker * {
    auto it = workers.find(document);
    return it == workers.end() ? nullptr : it->second.get();
  };
  OnMessageKind handle{
      [&](engine::Start &start) {
        context.client = std::move(start.client);
        settings = context.client.settings;
        sourceFolders = context.client.sourceFolders();
      },
      [&](engine::Settings &message) {
        settings = std::move(message.settings);
        sourceFolders = std::move(message.sourceFolders);
        for (auto &[number, worker] : workers)
          worker->setSettings(settings, sourceFolders);
      },
      [&](engine::Open &open) {
        uint32_t document = open.document;
        auto worker = std::make_shared<Worker>(context, std::move(open),
                                               settings, sourceFolders);
        worker->start();
        workers[document] = std::move(worker);
      },
      [&](engine::Edit &edit) {
        if (Worker *worker = workerOf(edit.document))
          worker->edit(edit);
      },
      [&](engine::Close &close) {
        if (auto closed = workers.extract(close.document))
          closed.mapped()->close();
      },
      [&](engine::Emitted &emitted) {
        if (Worker *worker = workerOf(emitted.document))
          worker->setEmitted(emitted);
      },
      [&](engine::Request &request) {
        if (Worker *worker = workerOf(request.document))
          worker->request(std::move(request));
      },
      [&](engine::Cancel &cancel) {
        if (Worker *worker = workerOf(cancel.document))
          worker->cancel(cancel.id);
      },
  };

  MessageReader reader;
  while (std::optional<Json> received = reader.read(parentSocket)) {
    auto message = MessageOf<engine::ToEngine>::read(std::move(*received));
    std::visit(handle, message);
  }
  // The front is gone; threads that are at work end with the process.
  _exit(0);
}
