//===- Message.h - JSON messages between our own processes ------*- C++ -*-===//
//
// A message is a JSON value. On the wire its long strings, which are texts of a
// megabyte and more, follow the JSON as they are: to quote and unquote them at
// each end would take longer than to parse the IR in them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_IPC_MESSAGE_H
#define KERNELSCOPE_SERVER_IPC_MESSAGE_H

#include "nlohmann/json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kernelscope {

using Json = nlohmann::json;

/// JSON text; bytes that are no UTF-8 become U+FFFD, so that nothing that an IR
/// file holds can stop an answer.
std::string toText(const Json &value);

/// The value of a JSON text from outside; throws a std::exception if it is none
/// or nested so deeply that whoever walks over it could run out of stack.
Json fromText(std::string_view text);

/// What precedes a message on the wire: the sizes in bytes of its JSON,
/// [value, [[place, size], ...]], and of the strings that belong at the places.
struct MessageHeader {
  uint32_t json;
  uint32_t strings;
};

/// The bytes of a message on the wire.
std::string packMessage(Json message);

/// Writes a whole message to a blocking descriptor; false when the reader is
/// gone.
bool writeMessage(int fd, Json message);

/// Cuts a stream of bytes into messages.
class MessageReader {
public:
  void feed(std::string_view bytes) { buffer.append(bytes); }
  /// The next whole message, if there is one.
  std::optional<Json> next();
  /// Reads from a blocking descriptor until there is a message; none at its
  /// end.
  std::optional<Json> read(int fd);

private:
  std::string buffer;
  size_t consumed = 0;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_IPC_MESSAGE_H
