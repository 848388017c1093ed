//===- Connection.cpp - the stream to the client --------------------------===//

#include "server/front/Connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace kernelscope;
using boost::system::error_code;

namespace {

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

} // namespace

Connection::Connection(boost::asio::io_context &io, int in, int out)
    : input(io, isFile(in) ? pipeFrom(in) : in), output(io) {
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
        while (self->onFrame) {
          std::optional<Frame> next = self->reader.next();
          if (!next)
            break;
          self->onFrame(std::move(*next));
        }
        if (self->onFrame)
          self->read();
      });
}

void Connection::sendText(const std::string &body) {
  std::string framed = frame(body);
  if (outputFile >= 0)
    return writeAll(outputFile, framed);
  queue.push_back(std::move(framed));
  if (queue.size() == 1)
    write();
}

void Connection::write() {
  boost::asio::async_write(
      output, boost::asio::buffer(queue.front()),
      [self = shared_from_this()](error_code error, size_t) {
        self->queue.pop_front();
        if (error)
          self->queue.clear();
        if (!self->queue.empty())
          return self->write();
        if (self->onFinished)
          self->onFinished();
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
    for (auto *stream : {&input, &output})
      if (stream->is_open())
        ::close(stream->release());
    done();
  };
  if (queue.empty())
    onFinished();
}
