//===- Protocol.h - the values that LSP is made of --------------*- C++ -*-===//
//
// Error codes, positions, URIs and the client's abilities, to and from JSON.
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
Json errorValue(ErrorCode code, std::string message);

/// What a client can do, of what changes an answer.
struct ClientOptions {
  PositionEncoding encoding = PositionEncoding::UTF16;
  bool definitionLinks = false;
  bool nestedSymbols = false;
  bool snippets = false;
  bool markdown = false;
  bool codeActionLiterals = false;
  bool workDoneProgress = false;
  bool showDocument = false;
  bool showsResults =
      false; ///< Our own: the editor shows what a command answers.
  /// Our own: codes of warnings that are not wanted.
  std::vector<std::string> allow;

  /// Of the parameters of `initialize`.
  static ClientOptions of(const Json &initializeParams);
};

/// The member `allow` of our settings: codes of warnings that are not wanted.
std::vector<std::string> allowedCodes(const Json &settings);

/// "utf-8", "utf-16", "utf-32".
std::string_view encodingName(PositionEncoding encoding);

/// What `initialize` answers.
Json serverCapabilities(const ClientOptions &client);

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
