//===- Engine.cpp - the process that parses and answers -------------------===//

#include "server/engine/Engine.h"

#include "server/engine/Worker.h"
#include "server/engine/WorkerThreads.h"
#include "server/ipc/Heap.h"
#include "server/ipc/Spawn.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <variant>

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
  SpareWorkspaces spares;
  WorkerContext context{
      {}, *static_cast<PulseBoard *>(page), spares, [&](Json message) {
        std::lock_guard lock(sending);
        writeMessage(parentSocket, std::move(message));
      }};
  std::map<uint32_t, std::shared_ptr<Worker>> workers;
  ClientSettings settings;
  std::vector<std::string> sourceFolders;
  std::function<void(const std::shared_ptr<Worker> &)> schedule;
  // Gives a document's worker to `handle`, if the document is open.
  auto withWorker = [&](uint32_t document, auto handle) {
    auto it = workers.find(document);
    if (it == workers.end())
      return;
    handle(*it->second);
    schedule(it->second);
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
        for (auto &[number, worker] : workers) {
          worker->setSettings(settings, sourceFolders);
          schedule(worker);
        }
      },
      [&](engine::Open &open) {
        uint32_t document = open.document;
        auto worker = std::make_shared<Worker>(context, std::move(open),
                                               settings, sourceFolders);
        schedule(workers[document] = std::move(worker));
      },
      [&](engine::Edit &edit) {
        withWorker(edit.document, [&](Worker &worker) { worker.edit(edit); });
      },
      [&](engine::Close &close) {
        withWorker(close.document, [](Worker &worker) { worker.close(); });
        workers.erase(close.document);
      },
      [&](engine::Emitted &emitted) {
        withWorker(emitted.document,
                   [&](Worker &worker) { worker.setEmitted(emitted); });
      },
      [&](engine::Request &request) {
        withWorker(request.document,
                   [&](Worker &worker) { worker.request(std::move(request)); });
      },
      [&](engine::Cancel &cancel) {
        withWorker(cancel.document,
                   [&](Worker &worker) { worker.cancel(cancel.id); });
      },
  };

  MessageReader reader;
  WorkerThreads threads(
      std::max(2u, std::thread::hardware_concurrency()),
      [&] {
        std::optional<Json> received = reader.read(parentSocket);
        // The front is gone; threads that are at work end with the process.
        if (!received)
          _exit(0);
        auto message = MessageOf<engine::ToEngine>::read(std::move(*received));
        std::visit(handle, message);
      },
      [&] { spares.refill(); });
  schedule = [&](const std::shared_ptr<Worker> &worker) {
    if (worker->claim())
      threads.add(worker);
  };
  // One reads on when the other is at work.
  threads.start();
  threads.start();
  spares.serve();
}
