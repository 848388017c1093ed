//===- Protocol.cpp - the values that LSP is made of ----------------------===//

#include "server/lsp/Protocol.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

using namespace kernelscope;

void kernelscope::to_json(Json &json, const ResponseError &error) {
  json = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null())
    json["data"] = error.data;
}

std::string kernelscope::toText(const Json &id, const Response &response) {
  std::string body = R"({"jsonrpc":"2.0","id":)" + toText(id);
  if (response.error)
    body += R"(,"error":)" + toText(Json(*response.error));
  else
    body += R"(,"result":)" +
            (response.text.empty() ? toText(response.result) : response.text);
  return body + "}";
}

const Json &kernelscope::member(const Json &value, const char *key) {
  static const Json null;
  if (!value.is_object())
    return null;
  auto it = value.find(key);
  return it == value.end() ? null : *it;
}

std::string kernelscope::stringMember(const Json &value, const char *key,
                                      std::string otherwise) {
  const Json &found = member(value, key);
  return found.is_string() ? found.get<std::string>() : std::move(otherwise);
}

std::string_view kernelscope::encodingName(PositionEncoding encoding) {
  switch (encoding) {
  case PositionEncoding::UTF8:
    return "utf-8";
  case PositionEncoding::UTF16:
    return "utf-16";
  case PositionEncoding::UTF32:
    return "utf-32";
  }
  __builtin_unreachable();
}

std::optional<Position> kernelscope::positionFrom(const Json &value) {
  const Json &line = member(value, "line");
  const Json &character = member(value, "character");
  if (!line.is_number_integer() || !character.is_number_integer())
    return std::nullopt;
  auto natural = [](const Json &number) {
    return number.is_number_unsigned()
               ? number.get<size_t>()
               : static_cast<size_t>(std::max<int64_t>(0, number));
  };
  return Position{natural(line), natural(character)};
}

std::optional<Range> kernelscope::rangeFrom(const Json &value) {
  std::optional<Position> start = positionFrom(member(value, "start"));
  std::optional<Position> end = positionFrom(member(value, "end"));
  if (!start || !end)
    return std::nullopt;
  return Range{*start, *end};
}

Json kernelscope::toJson(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

Json kernelscope::toJson(Range range) {
  return {{"start", toJson(range.start)}, {"end", toJson(range.end)}};
}

std::string kernelscope::pathOf(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme))
    return std::string(uri);
  // An authority, as in `file://host/path`, names this machine or nothing that
  // we can read.
  std::string_view rest = uri.substr(scheme.size());
  rest.remove_prefix(std::min(rest.find('/'), rest.size()));
  std::string path;
  for (size_t i = 0; i < rest.size(); ++i) {
    unsigned char byte = 0;
    if (rest[i] == '%' && i + 2 < rest.size() &&
        std::from_chars(&rest[i + 1], &rest[i + 3], byte, 16).ptr ==
            &rest[i + 3]) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += rest[i];
    }
  }
  return path;
}

std::string kernelscope::uriOf(std::string_view path) {
  std::string uri = "file://";
  for (unsigned char c : path) {
    if (std::isalnum(c) || std::string_view("/-._~").find(static_cast<char>(
                               c)) != std::string_view::npos) {
      uri += static_cast<char>(c);
    } else {
      constexpr char digits[] = "0123456789ABCDEF";
      uri += {'%', digits[c >> 4], digits[c & 15]};
    }
  }
  return uri;
}
