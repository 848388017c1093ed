//===- Messages.h - between the front and the engine ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ENGINE_MESSAGES_H
#define KERNELSCOPE_SERVER_ENGINE_MESSAGES_H

#include "server/lsp/Protocol.h"
#include "server/lsp/Requests.h"
#include "server/text/Span.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace kernelscope::engine {

//===----------------------------------------------------------------------===//
// To the engine
//===----------------------------------------------------------------------===//

/// The first message: for whom.
struct Start {
  static constexpr const char *kind = "start";
  ClientOptions client;
};

/// What to report to the user from now on.
struct Settings {
  static constexpr const char *kind = "settings";
  ClientSettings settings;
  std::vector<std::string> sourceFolders;
};

struct Open {
  static constexpr const char *kind = "open";
  uint32_t document = 0;
  std::string uri;
  int64_t version = 0;
  std::string text;
  /// The offsets at which an analysis of this text died before.
  std::vector<size_t> quarantine;
};

/// Each span is of the text that the change before left.
struct Change {
  Span span;
  std::string text;
};
struct Edit {
  static constexpr const char *kind = "edit";
  uint32_t document = 0;
  int64_t version = 0;
  std::vector<Change> changes;
  /// Requests for the text before that the new one answers as well; all others
  /// are dropped.
  std::vector<uint64_t> kept;
};

struct Close {
  static constexpr const char *kind = "close";
  uint32_t document = 0;
};

/// What the text of this version became; null: nothing is shown of it.
struct Emitted {
  static constexpr const char *kind = "emitted";
  uint32_t document = 0;
  int64_t version = 0;
  Json code; ///< An `EmittedCode`.
};

/// Requests the feature of a method of LSP.
struct Request {
  static constexpr const char *kind = "request";
  uint64_t id = 0;
  uint32_t document = 0;
  std::string method;
  FeatureParams params;
};

struct Cancel {
  static constexpr const char *kind = "cancel";
  uint64_t id = 0;
  uint32_t document = 0;
};

using ToEngine =
    std::variant<Start, Settings, Open, Edit, Close, Emitted, Request, Cancel>;

//===----------------------------------------------------------------------===//
// From the engine
//===----------------------------------------------------------------------===//

struct Diagnostics {
  static constexpr const char *kind = "diagnostics";
  uint32_t document = 0;
  int64_t version = 0;
  Json list; ///< LSP's `Diagnostic[]`, which goes to the client as it is.
};

struct Answer {
  static constexpr const char *kind = "answer";
  uint64_t id = 0;
  std::string result;  ///< As LSP has it for the request's method, JSON text.
  std::string refusal; ///< Why there is no result; empty if there is one.
};

using FromEngine = std::variant<Diagnostics, Answer>;

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

void to_json(Json &json, Start message);
void to_json(Json &json, Settings message);
void to_json(Json &json, Open message);
void to_json(Json &json, Edit message);
void to_json(Json &json, Close message);
void to_json(Json &json, Emitted message);
void to_json(Json &json, Request message);
void to_json(Json &json, Cancel message);
void to_json(Json &json, Diagnostics message);
void to_json(Json &json, Answer message);
void from_json(Json &json, Start &message);
void from_json(Json &json, Settings &message);
void from_json(Json &json, Open &message);
void from_json(Json &json, Edit &message);
void from_json(Json &json, Close &message);
void from_json(Json &json, Emitted &message);
void from_json(Json &json, Request &message);
void from_json(Json &json, Cancel &message);
void from_json(Json &json, Diagnostics &message);
void from_json(Json &json, Answer &message);

} // namespace kernelscope::engine

#endif // KERNELSCOPE_SERVER_ENGINE_MESSAGES_H
