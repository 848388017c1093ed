//===- Engine.cpp - the process that parses and answers -------------------===//

#include "server/engine/Engine.h"

#include "server/engine/Worker.h"
#include "server/ipc/Spawn.h"

#include <map>
#include <memory>
#include <sys/mman.h>
#include <thread>

using namespace kernelscope;

int kernelscope::serveFront() {
  becomeChild();
  void *page = mmap(nullptr, sizeof(PulseBoard), PROT_READ | PROT_WRITE,
                    MAP_SHARED, sharedMemory, 0);
  if (page == MAP_FAILED)
    return 1;

  std::mutex sending;
  std::counting_semaphore<> processors(
      std::max(2u, std::thread::hardware_concurrency()));
  SpareWorkspace spare;
  WorkerContext context{{},
                        *static_cast<PulseBoard *>(page),
                        processors,
                        spare,
                        [&](Json message) {
                          std::lock_guard lock(sending);
                          writeMessage(parentSocket, std::move(message));
                        }};
  std::map<uint32_t, std::shared_ptr<Worker>> workers;
  std::vector<std::string> allow; ///< Codes of warnings that are not wanted.
  auto workerOf = [&](const Json &document) -> Worker * {
    auto it = workers.find(document.get<uint32_t>());
    return it == workers.end() ? nullptr : it->second.get();
  };

  MessageReader reader;
  while (std::optional<Json> received = reader.read(parentSocket)) {
    Json &message = *received;
    if (message.contains("start")) {
      context.client = ClientOptions::of(message["start"]);
      allow = context.client.allow;
    } else if (message.contains("allow")) {
      auto codes = message["allow"].get<std::vector<std::string>>();
      for (auto &[number, worker] : workers)
        worker->allow(codes);
      allow = std::move(codes);
    } else if (message.contains("open")) {
      uint32_t document = message["open"];
      auto worker = std::make_shared<Worker>(
          context, document, message["uri"], message["version"],
          std::move(message["text"].get_ref<std::string &>()),
          message["quarantine"], allow);
      worker->start();
      workers[document] = std::move(worker);
    } else if (message.contains("edit")) {
      if (Worker *worker = workerOf(message["edit"]))
        worker->edit(message["version"], message["changes"]);
    } else if (message.contains("close")) {
      if (auto closed = workers.extract(message["close"].get<uint32_t>()))
        closed.mapped()->close();
    } else if (message.contains("request")) {
      if (Worker *worker = workerOf(message["document"]))
        worker->request(message["request"], message["method"],
                        std::move(message["params"]));
    } else if (message.contains("cancel")) {
      if (Worker *worker = workerOf(message["document"]))
        worker->cancel(message["cancel"]);
    }
  }
  // The front is gone; threads that are at work end with the process.
  _exit(0);
}
