//===- Child.h - a child process of the front -------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_CHILD_H
#define KERNELSCOPE_SERVER_FRONT_CHILD_H

#include "server/ipc/Message.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>

namespace kernelscope {

/// This program, run with another subcommand, and the messages to and from it.
class Child : public std::enable_shared_from_this<Child> {
public:
  using OnMessage = std::function<void(Json)>;
  /// Gets the status that `waitpid` gives; -1 if the child could not be
  /// started.
  using OnEnd = std::function<void(int status)>;

  explicit Child(boost::asio::io_context &io) : socket(io) {}
  ~Child();

  /// `memory` and `variable`: see `spawnSelf`. `onEnd` is called once, later,
  /// when the child has ended for whatever reason.
  void start(const std::string &subcommand, int memory, const char *variable,
             OnMessage onMessage, OnEnd onEnd);
  void send(Json message);
  /// The process; -1 before `start`.
  pid_t process() const { return pid; }
  /// Ends the child; `onEnd` follows.
  void kill();
  /// Ends the child and forgets the callbacks.
  void abandon();

private:
  void read();
  void write();
  void end();

  boost::asio::posix::stream_descriptor socket;
  pid_t pid = -1;
  std::array<char, 1 << 16> bytes;
  MessageReader reader;
  std::deque<std::string> queue;
  OnMessage onMessage;
  OnEnd onEnd;
};

/// How long to wait before a child that died is started again: not at all at
/// first, then longer as deaths without a sign of life in between gather.
class Backoff {
public:
  void signOfLife() { deaths = 0; }
  std::chrono::milliseconds next();

private:
  unsigned deaths = 0;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_CHILD_H
