//===- Message.h - JSON messages between our own processes ------*- C++ -*-===//
//
// A message is a struct with a name, `kind`, and conversions to and from JSON:
//   void to_json(Json &json, Message message);
//   void from_json(Json &json, Message &message);
// Both may move long texts instead of copying them. On the wire its long
// strings, which are texts of a megabyte and more, follow the JSON as they are:
// to quote and unquote them at each end would take longer than to parse the IR
// in them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_IPC_MESSAGE_H
#define KERNELSCOPE_SERVER_IPC_MESSAGE_H

#include "nlohmann/json.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace kernelscope {

using Json = nlohmann::json;

/// JSON text; bytes that are not UTF-8 become U+FFFD, so that nothing that an
/// IR file holds can stop an answer.
std::string toText(const Json &value);

/// The value of a JSON text from outside; throws a std::exception if it is none
/// or nested so deeply that a walk over it could run out of stack.
Json fromText(std::string_view text);

/// What precedes a message on the wire: the sizes in bytes of its JSON,
/// [value, [[place, size], ...]], and of the strings that belong at the places.
struct MessageHeader {
  uint32_t json;
  uint32_t strings;
};

/// `message` with the name of its kind.
template <typename Message> Json toMessage(Message message) {
  Json json = Json::object();
  to_json(json, std::move(message));
  json["kind"] = Message::kind;
  return json;
}

/// The message that `json` is, one of the kinds of a std::variant; throws a
/// std::exception if it is none.
template <typename Variant> struct MessageOf;
template <typename... Kinds> struct MessageOf<std::variant<Kinds...>> {
  static std::variant<Kinds...> read(Json json) {
    std::variant<Kinds...> result;
    std::string kind = json.at("kind");
    auto readAs = [&]<typename Kind>() {
      if (kind != Kind::kind)
        return false;
      from_json(json, result.template emplace<Kind>());
      return true;
    };
    if (!(readAs.template operator()<Kinds>() || ...))
      throw std::invalid_argument("no message is called '" + kind + "'");
    return result;
  }
};

/// Calls the one of `handlers` that takes the message.
template <typename... Handlers> struct OnMessageKind : Handlers... {
  using Handlers::operator()...;
};

/// The string at `key`, moved out of `json`.
std::string takeString(Json &json, const char *key);
/// The value at `key` if there is one.
template <typename Value>
std::optional<Value> optionalOf(const Json &json, const char *key) {
  auto it = json.find(key);
  return it == json.end() ? std::nullopt : std::optional(it->get<Value>());
}
/// Adds the member if there is a value.
template <typename Value>
void setIfAny(Json &json, const char *key, std::optional<Value> value) {
  if (value)
    json[key] = std::move(*value);
}

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
