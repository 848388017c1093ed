//===- Message.cpp - JSON messages between our own processes --------------===//

#include "server/ipc/Message.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace kernelscope;

std::string kernelscope::toText(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

//===----------------------------------------------------------------------===//
// JSON text
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t longString = 1024;
constexpr size_t deepest = 256;

/// What stands for a long string in the text that the JSON library reads.
constexpr std::string_view standIn = "kernelscope:long-string:";

/// Whether all bytes are ASCII, and none is a control character. Looks at eight
/// at a time.
bool isPrintable(std::string_view text) {
  constexpr uint64_t each = ~uint64_t(0) / 255;
  for (; text.size() >= sizeof(uint64_t); text.remove_prefix(sizeof each)) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data(), sizeof bytes);
    // If all are ASCII, one below a blank borrows, and no other before it does.
    if ((bytes | (bytes - each * ' ')) & each * 0x80)
      return false;
  }
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<signed char>(c) >= ' '; });
}

/// The string that `literal` (without its quotes) stands for. Nothing if it has
/// what the JSON library must judge: code points by number, control characters,
/// bytes that are not ASCII.
std::optional<std::string> plainString(std::string_view literal) {
  constexpr std::string_view escapes = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  if (!isPrintable(literal))
    return std::nullopt;
  std::string result;
  result.reserve(literal.size());
  for (size_t at = 0;;) {
    size_t backslash = literal.find('\\', at);
    result += literal.substr(at, backslash - at);
    if (backslash == std::string_view::npos)
      return result;
    size_t escape = escapes.find(literal[backslash + 1]);
    if (escape == std::string_view::npos)
      return std::nullopt;
    result += meanings[escape];
    at = backslash + 2;
  }
}

/// The place of the quote that ends the string that begins before `at`.
size_t endOfString(std::string_view text, size_t at) {
  for (;; ++at) {
    at = text.find('"', at);
    if (at == std::string_view::npos)
      return at;
    size_t last = text.find_last_not_of('\\', at - 1);
    if ((at - last) % 2 == 1)
      return at;
  }
}

/// Whether the string that ends before `at` names a member.
bool isName(std::string_view text, size_t at) {
  size_t next = text.find_first_not_of(" \t\r\n", at);
  return next != std::string_view::npos && text[next] == ':';
}

/// Copies `text` with stand-ins for its long strings, which go to `lifted`.
std::string liftStrings(std::string_view text,
                        std::vector<std::string> &lifted) {
  std::string result;
  size_t copied = 0;
  for (size_t quote = text.find('"'); quote != std::string_view::npos;) {
    size_t begin = quote + 1, end = endOfString(text, begin);
    if (end == std::string_view::npos)
      break;
    if (end - begin >= longString && !isName(text, end + 1)) {
      if (auto string = plainString(text.substr(begin, end - begin))) {
        result += text.substr(copied, begin - copied);
        result += standIn;
        result += std::to_string(lifted.size());
        lifted.push_back(std::move(*string));
        copied = end;
      }
    }
    quote = text.find('"', end + 1);
  }
  return result += text.substr(copied);
}

/// Builds the value. `Json::parse` with a callback would look at all elements
/// of an array again at the end of each.
class TextReader : public nlohmann::json_sax<Json> {
public:
  /// `lifted` are the strings behind the stand-ins; they are moved out.
  explicit TextReader(std::vector<std::string> &lifted) : lifted(lifted) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool given) override { return add(given); }
  bool number_integer(int64_t given) override { return add(given); }
  bool number_unsigned(uint64_t given) override { return add(given); }
  bool number_float(double given, const std::string &) override {
    return add(given);
  }
  bool string(std::string &given) override {
    // They come in their order; any other is what a client has written.
    bool isLifted = next < lifted.size() && given.starts_with(standIn) &&
                    given.substr(standIn.size()) == std::to_string(next);
    return add(std::move(isLifted ? lifted[next++] : given));
  }
  bool binary(Json::binary_t &given) override { return add(std::move(given)); }
  bool key(std::string &given) override {
    member = &(*open.back())[given];
    return true;
  }
  bool start_object(size_t) override { return begin(Json::value_t::object); }
  bool start_array(size_t) override { return begin(Json::value_t::array); }
  bool end_object() override { return end(); }
  bool end_array() override { return end(); }
  bool parse_error(size_t, const std::string &,
                   const Json::exception &problem) override {
    if (const auto *number = dynamic_cast<const Json::out_of_range *>(&problem))
      throw *number;
    throw dynamic_cast<const Json::parse_error &>(problem);
  }

  Json value;

private:
  Json *place(Json given) {
    Json *at = &value;
    if (!open.empty() && open.back()->is_array())
      at = &open.back()->emplace_back();
    else if (!open.empty())
      at = member;
    *at = std::move(given);
    return at;
  }
  bool add(Json given) {
    place(std::move(given));
    return true;
  }
  bool begin(Json::value_t kind) {
    if (open.size() >= deepest)
      throw std::length_error("values are nested more than " +
                              std::to_string(deepest) + " deep");
    open.push_back(place(kind));
    return true;
  }
  bool end() {
    open.pop_back();
    return true;
  }

  std::vector<std::string> &lifted;
  size_t next = 0;          ///< of `lifted`
  std::vector<Json *> open; ///< The values around the next one.
  Json *member = nullptr;   ///< Of the object around it, after its key.
};

} // namespace

Json kernelscope::fromText(std::string_view text) {
  std::vector<std::string> lifted;
  std::string shortened;
  if (text.size() >= longString &&
      text.find(standIn) == std::string_view::npos) {
    shortened = liftStrings(text, lifted);
    text = shortened;
  }
  TextReader reader(lifted);
  Json::sax_parse(text, &reader);
  return std::move(reader.value);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string kernelscope::takeString(Json &json, const char *key) {
  return std::move(json.at(key).get_ref<std::string &>());
}

namespace {

/// Moves the long strings of `value` out; `levels`: how deep to look for them.
void takeStrings(Json &value, const Json::json_pointer &place, int levels,
                 Json &places, std::string &strings) {
  if (value.is_string()) {
    auto &string = value.get_ref<std::string &>();
    if (string.size() < longString)
      return;
    places.push_back({place.to_string(), string.size()});
    strings += string;
    string.clear();
  } else if (levels > 0 && value.is_structured()) {
    for (auto &[key, member] : value.items())
      if (member.is_string() || member.is_structured())
        takeStrings(member, place / key, levels - 1, places, strings);
  }
}

} // namespace

std::string kernelscope::packMessage(Json message) {
  constexpr int levels = 4;
  Json places = Json::array();
  std::string strings;
  takeStrings(message, Json::json_pointer(), levels, places, strings);
  std::string json =
      toText(Json::array({std::move(message), std::move(places)}));
  MessageHeader header{static_cast<uint32_t>(json.size()),
                       static_cast<uint32_t>(strings.size())};
  std::string packed(sizeof header, '\0');
  std::memcpy(packed.data(), &header, sizeof header);
  packed.reserve(sizeof header + json.size() + strings.size());
  return packed.append(json).append(strings);
}

bool kernelscope::writeMessage(int fd, Json message) {
  std::string packed = packMessage(std::move(message));
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
  MessageHeader header;
  std::string_view rest = std::string_view(buffer).substr(consumed);
  if (rest.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, rest.data(), sizeof header);
  rest.remove_prefix(sizeof header);
  size_t size = size_t(header.json) + header.strings;
  if (rest.size() < size)
    return std::nullopt;
  Json content = Json::parse(rest.substr(0, header.json));
  Json message = std::move(content[0]);
  rest.remove_prefix(header.json);
  for (const Json &place : content[1]) {
    size_t length = place[1];
    message[Json::json_pointer(place[0])] = rest.substr(0, length);
    rest.remove_prefix(length);
  }
  consumed += sizeof header + size;
  constexpr size_t keptCapacity = 1 << 20;
  if (consumed == buffer.size() || consumed > keptCapacity) {
    buffer.erase(0, consumed);
    consumed = 0;
  }
  if (buffer.empty() && buffer.capacity() > 2 * keptCapacity)
    buffer.shrink_to_fit();
  return message;
}

std::optional<Json> MessageReader::read(int fd) {
  for (;;) {
    if (std::optional<Json> message = next())
      return message;
    char bytes[1 << 18];
    ssize_t count = ::read(fd, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    feed({bytes, static_cast<size_t>(count)});
  }
}
