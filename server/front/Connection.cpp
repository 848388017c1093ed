//===- Connection.cpp - the stream to the client --------------------------===//

#include "server/front/Connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace kernelscope;
using boost::system::error_code;

namespace {

/// What a client leaves unread before its own messages wait.
constexpr size_t mostQueued = size_t(16) << 20;
/// For so long a client that is leaving may take to read the rest.
constexpr std::chrono::seconds farewell(3);

bool isFile(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

void writeAll(int fd, std::string_view rest) {
  while (!rest.empty()) {
    ssize_t written = write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    rest.remove_prefix(written);
  }
}

/// A descriptor that can be polled and delivers the content of the file `fd`.
int pipeFrom(int fd) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return fd;
  std::thread([fd, to = ends[1]] {
    char bytes[1 << 16];
    for (ssize_t count; (count = ::read(fd, bytes, sizeof bytes)) > 0;)
      writeAll(to, {bytes, static_cast<size_t>(count)});
    ::close(to);
  }).detach();
  return ends[0];
}

/// Lets a dump be written to a pipe as a whole, not 64 KiB at a time. What is
/// no pipe, or may not grow, stays as it is.
void widenPipe(int fd) { fcntl(fd, F_SETPIPE_SZ, 1 << 20); }

} // namespace

Connection::Connection(boost::asio::io_context &io, int in, int out)
    : input(io, isFile(in) ? pipeFrom(in) : in), output(io), patience(io) {
  widenPipe(in);
  widenPipe(out);
  if (isFile(out))
    outputFile = out;
  else
    output.assign(out);
}

void Connection::start(OnFrame frame, OnClose close) {
  onFrame = std::move(frame);
  onClose = std::move(close);
  read();
}

void Connection::read() {
  input.async_read_some(
      boost::asio::buffer(bytes),
      [self = shared_from_this()](error_code error, size_t count) {
        if (error)
          return self->close();
        self->reader.feed({self->bytes.data(), count});
        self->resume();
      });
}

/// Takes the messages that have come, then reads on.
void Connection::resume() {
  while (onFrame) {
    isPaused = queuedBytes > mostQueued;
    if (isPaused)
      return; // `write` continues
    std::optional<Frame> next = reader.next();
    if (!next)
      return read();
    onFrame(std::move(*next));
  }
}

void Connection::sendText(const std::string &body) {
  std::string framed = frame(body);
  if (outputFile >= 0)
    return writeAll(outputFile, framed);
  queuedBytes += framed.size();
  queue.push_back(std::move(framed));
  if (queue.size() == 1)
    write();
}

void Connection::write() {
  boost::asio::async_write(
      output, boost::asio::buffer(queue.front()),
      [self = shared_from_this()](error_code error, size_t) {
        self->queuedBytes -= self->queue.front().size();
        self->queue.pop_front();
        if (error) {
          self->queue.clear();
          self->queuedBytes = 0;
          self->close(); // no reader is left
        }
        if (!self->queue.empty())
          self->write();
        else if (auto once = std::exchange(self->onFinished, nullptr))
          return once();
        if (self->isPaused && self->queuedBytes <= mostQueued)
          self->resume();
      });
}

void Connection::close() {
  onFrame = nullptr;
  if (OnClose once = std::exchange(onClose, nullptr))
    once();
}

void Connection::finish(std::function<void()> done) {
  onFrame = nullptr;
  onClose = nullptr;
  onFinished = [this, done = std::move(done)] {
    patience.cancel();
    for (auto *stream : {&input, &output})
      if (stream->is_open())
        ::close(stream->release());
    done();
  };
  if (queue.empty())
    return std::exchange(onFinished, nullptr)();
  patience.expires_after(farewell);
  patience.async_wait([self = shared_from_this()](error_code error) {
    if (auto once = std::exchange(self->onFinished, nullptr); once && !error)
      once();
  });
}
