//===- Message.cpp - JSON messages between our own processes --------------===//

#include "server/ipc/Message.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

using namespace kernelscope;

std::string kernelscope::toText(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string kernelscope::packMessage(const Json &message) {
  std::string body = toText(message);
  auto length = static_cast<uint32_t>(body.size());
  std::string packed(sizeof length, '\0');
  std::memcpy(packed.data(), &length, sizeof length);
  return packed + body;
}

bool kernelscope::writeMessage(int fd, const Json &message) {
  std::string packed = packMessage(message);
  std::string_view rest = packed;
  while (!rest.empty()) {
    // A socket's reader may be gone, which must not raise SIGPIPE; a pipe does
    // not know `send`.
    ssize_t written = send(fd, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == ENOTSOCK)
      written = write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    rest.remove_prefix(written);
  }
  return true;
}

std::optional<Json> MessageReader::next() {
  uint32_t length;
  std::string_view rest = std::string_view(buffer).substr(consumed);
  if (rest.size() < sizeof length)
    return std::nullopt;
  std::memcpy(&length, rest.data(), sizeof length);
  if (rest.size() < sizeof length + length)
    return std::nullopt;
  Json message = Json::parse(rest.substr(sizeof length, length), nullptr,
                             /*allow_exceptions=*/false);
  consumed += sizeof length + length;
  if (consumed == buffer.size() || consumed > (1 << 20)) {
    buffer.erase(0, consumed);
    consumed = 0;
  }
  return message;
}

std::optional<Json> MessageReader::read(int fd) {
  for (;;) {
    if (std::optional<Json> message = next())
      return message;
    char bytes[1 << 16];
    ssize_t count = ::read(fd, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    feed({bytes, static_cast<size_t>(count)});
  }
}
