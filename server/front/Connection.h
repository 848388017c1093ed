//===- Connection.h - the stream to the client ------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_CONNECTION_H
#define KERNELSCOPE_SERVER_FRONT_CONNECTION_H

#include "server/ipc/Message.h"
#include "server/lsp/Framing.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace kernelscope {

/// LSP's frames over two descriptors, which may be one. Owns them.
class Connection : public std::enable_shared_from_this<Connection> {
public:
  using OnFrame = std::function<void(Frame)>;
  using OnClose = std::function<void()>;

  Connection(boost::asio::io_context &io, int input, int output);

  /// Begins to read. `onClose` is called once, when the client is gone.
  void start(OnFrame onFrame, OnClose onClose);
  void send(const Json &message) { sendText(toText(message)); }
  /// Of a message, its JSON text.
  void sendText(const std::string &body);
  /// Sends what is queued, for a few seconds at most if the client does not
  /// read it, then calls nothing any more and calls `done`.
  void finish(std::function<void()> done);

private:
  void read();
  void resume();
  void write();
  void close();

  boost::asio::posix::stream_descriptor input;
  boost::asio::posix::stream_descriptor output;
  int outputFile = -1; ///< In the place of `output` if that is a file, which no
                       ///< one can wait for.
  std::array<char, 1 << 16> bytes;
  FrameReader reader;
  std::deque<std::string> queue;
  size_t queuedBytes = 0;
  bool isPaused = false; ///< Nothing is read while the client does not read.
  boost::asio::steady_timer patience;
  OnFrame onFrame;
  OnClose onClose;
  std::function<void()> onFinished;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_CONNECTION_H
