//===- lsp.cpp - `kernelscope lsp`: the language server's front -----------===//

#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"

#include "server/front/Session.h"
#include "server/ipc/Heap.h"

#include <boost/asio/ip/tcp.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <list>
#include <random>
#include <string>
#include <unistd.h>

using namespace kernelscope;
namespace asio = boost::asio;

namespace {

/// 128 bits in hexadecimal.
std::string randomToken() {
  std::random_device source;
  std::string token;
  for (int i = 0; i < 4; ++i) {
    char digits[9];
    std::snprintf(digits, sizeof(digits), "%08x", source());
    token += digits;
  }
  return token;
}

/// Sessions on a loopback port, until the process is ended.
class Listener {
public:
  Listener(asio::io_context &io, Log &log, std::chrono::milliseconds patience,
           unsigned short port)
      : io(io), log(log), patience(patience),
        acceptor(io, {asio::ip::address_v4::loopback(), port}) {
    const char *given = std::getenv("KERNELSCOPE_TOKEN");
    const bool isGiven = given && *given;
    token = isGiven ? given : randomToken();
    std::fprintf(stderr, "listening on 127.0.0.1:%u%s%s\n",
                 acceptor.local_endpoint().port(), isGiven ? "" : ", token ",
                 isGiven ? "" : token.c_str());
    accept();
  }

private:
  void accept() {
    acceptor.async_accept(
        [this](boost::system::error_code error, asio::ip::tcp::socket socket) {
          if (!error) {
            socket.set_option(asio::ip::tcp::no_delay(true));
            int in = socket.release();
            int out = fcntl(in, F_DUPFD_CLOEXEC, 0);
            auto place = sessions.emplace(sessions.end());
            // The session's own handler must be left before it goes.
            *place = std::make_unique<Session>(
                io, log, patience, in, out, token, [this, place](int) {
                  asio::post(io, [this, place] { sessions.erase(place); });
                });
          }
          accept();
        });
  }

  asio::io_context &io;
  Log &log;
  std::chrono::milliseconds patience;
  asio::ip::tcp::acceptor acceptor;
  std::string token; ///< Every program of this machine can reach the port.
  std::list<std::unique_ptr<Session>> sessions;
};

} // namespace

int cli::lsp(int argc, char **argv) {
  CLI::App app(
      "The language server. It speaks LSP on standard input and output, or "
      "with --port to any number of clients on this machine.",
      "kernelscope lsp");
  std::optional<unsigned short> port;
  app.add_option(
         "--port", port,
         "Listen on this port of 127.0.0.1; 0 picks a free port. The line "
         "\"listening on 127.0.0.1:PORT, token TOKEN\" on standard error names "
         "it. Clients send the token as initializationOptions.token; a token "
         "of "
         "your own in the variable KERNELSCOPE_TOKEN is not printed.")
      ->check(wholeNumber(0, 65535));
  std::string logFile;
  app.add_option("--log", logFile,
                 "Append a log of what the server does to this file.");
  unsigned patience = 10;
  app.add_option(
         "--watchdog", patience,
         "Stop an analysis that makes no progress for this many seconds.")
      ->check(aboveZero())
      ->capture_default_str();
  bool stdio = true;
  app.add_flag("--stdio", stdio,
               "Use standard input and output. This is the default.");
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;
  Log log;
  if (!logFile.empty() && !log.open(logFile)) {
    std::fprintf(stderr, "kernelscope lsp: cannot write the log '%s'\n",
                 logFile.c_str());
    return 2;
  }

  useSingleHeap();
  keepFreedMemory(16 << 20);
  std::signal(SIGPIPE, SIG_IGN);
  asio::io_context io(1);
  try {
    if (port) {
      Listener listener(io, log, std::chrono::seconds(patience), *port);
      io.run();
      return 0;
    }
    int exitCode = 1;
    Session session(io, log, std::chrono::seconds(patience), STDIN_FILENO,
                    STDOUT_FILENO, /*token=*/"", [&](int code) {
                      exitCode = code;
                      io.stop();
                    });
    io.run();
    return exitCode;
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "kernelscope lsp: %s\n", problem.what());
    return 3;
  }
}
