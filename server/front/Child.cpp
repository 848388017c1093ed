//===- Child.cpp - a child process of the front ---------------------------===//

#include "server/front/Child.h"

#include "server/ipc/Spawn.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <csignal>
#include <limits>
#include <sys/wait.h>
#include <unistd.h>

using namespace kernelscope;
using namespace std::chrono_literals;
using boost::system::error_code;

Child::~Child() { abandon(); }

void Child::start(const std::string &subcommand, int memory,
                  const char *variable, OnMessage message, OnEnd ended) {
  onMessage = std::move(message);
  onEnd = std::move(ended);
  SpawnedProcess spawned = spawnSelf({subcommand}, memory, variable);
  pid = spawned.pid;
  if (pid < 0) {
    boost::asio::post(socket.get_executor(),
                      [self = shared_from_this()] { self->end(); });
    return;
  }
  socket.assign(spawned.socket);
  read();
}

void Child::read() {
  socket.async_read_some(
      boost::asio::buffer(bytes),
      [self = shared_from_this()](error_code error, size_t count) {
        if (error)
          return self->end();
        self->reader.feed({self->bytes.data(), count});
        while (self->onMessage) {
          std::optional<Json> message = self->reader.next();
          if (!message)
            return self->read();
          if (message->is_object())
            self->onMessage(std::move(*message));
        }
      });
}

void Child::send(Json message) {
  if (!socket.is_open())
    return;
  queue.push_back(packMessage(std::move(message)));
  if (queue.size() == 1)
    write();
}

void Child::write() {
  // At once, not 64 KiB at a time: the reader need not wait in between.
  auto all = [](error_code error, size_t) {
    return error ? 0 : std::numeric_limits<size_t>::max();
  };
  boost::asio::async_write(
      socket, boost::asio::buffer(queue.front()), all,
      [self = shared_from_this()](error_code error, size_t) {
        self->queue.pop_front();
        // `read` also notices that the reader is gone.
        if (error)
          self->queue.clear();
        if (!self->queue.empty())
          self->write();
      });
}

void Child::kill() {
  if (pid > 0)
    ::kill(pid, SIGKILL);
}

/// The socket closed: the child is dead, or as good as dead.
void Child::end() {
  int status = -1;
  if (pid > 0) {
    ::kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    pid = -1;
  }
  if (socket.is_open())
    close(socket.release());
  onMessage = nullptr;
  if (OnEnd once = std::exchange(onEnd, nullptr))
    once(status);
}

void Child::abandon() {
  onEnd = nullptr;
  end();
}

std::chrono::milliseconds Backoff::next() {
  constexpr unsigned free = 3;
  if (++deaths <= free)
    return 0ms;
  return std::min(2000ms, 100ms * (1 << std::min(deaths - free - 1, 5u)));
}
