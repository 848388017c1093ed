//===- Protocol.h - the values that LSP is made of --------------*- C++ -*-===//
//
// Errors, positions and URIs, to and from JSON.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_LSP_PROTOCOL_H
#define KERNELSCOPE_SERVER_LSP_PROTOCOL_H

#include "server/ipc/Message.h"
#include "server/text/Text.h"

#include <optional>
#include <string>

namespace kernelscope {

/// JSON-RPC's and LSP's codes.
enum class ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  ContentModified = -32801,
  RequestCancelled = -32800
};

/// The `error` member of an answer.
struct ResponseError {
  ErrorCode code = ErrorCode::InternalError;
  std::string message;
  Json data; ///< Left out if null.
};
void to_json(Json &json, const ResponseError &error);

/// What answers a request, without the request's id.
struct Response {
  Json result;
  std::string text; ///< The result as JSON text, if not empty.
  std::optional<ResponseError> error; ///< Instead of the result.
};
/// The body of the message that is the answer to the request `id`.
std::string toText(const Json &id, const Response &response);

/// "utf-8", "utf-16", "utf-32".
std::string_view encodingName(PositionEncoding encoding);

/// `{line, character}`; none where a member is missing or no number. Negative
/// numbers count as 0.
std::optional<Position> positionFrom(const Json &value);
std::optional<Range> rangeFrom(const Json &value);
Json toJson(Position position);
Json toJson(Range range);

/// The path of a `file:` URI, and any other URI as it is.
std::string pathOf(std::string_view uri);
/// The `file:` URI of an absolute path.
std::string uriOf(std::string_view path);

/// `value[key]` if `value` is an object that has it, else null.
const Json &member(const Json &value, const char *key);
/// `value[key]` if it is a string, else `otherwise`.
std::string stringMember(const Json &value, const char *key,
                         std::string otherwise = {});

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_PROTOCOL_H
