//===- Requests.h - the parameters that clients send ------------*- C++ -*-===//
//
// Each has one conversion from JSON. Members that a request cannot do without
// throw a Json::exception if they are missing or of another type; the others
// are then as if the client had not sent them.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_LSP_REQUESTS_H
#define KERNELSCOPE_SERVER_LSP_REQUESTS_H

#include "server/analysis/Diagnostic.h"
#include "server/lsp/Protocol.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelscope {

/// Of a method whose parameters say nothing to us.
struct NoParams {};

/// What a client can do, of what changes an answer: the parameters of
/// `initialize`.
struct ClientOptions {
  PositionEncoding encoding = PositionEncoding::UTF16;
  bool definitionLinks = false;
  bool nestedSymbols = false;
  bool snippets = false;
  bool markdown = false;
  bool codeActionLiterals = false;
  bool preparesRename = false;
  /// Diagnostics are pulled, not pushed: for clients that support no others, or
  /// request it (our own option `diagnostics`, "pull").
  bool pullsDiagnostics = false;
  bool refreshesDiagnostics = false;
  bool refreshesInlayHints = false;
  bool refreshesLenses = false;
  bool workDoneProgress = false;
  bool showDocument = false;
  bool showsResults =
      false; ///< Our own: the editor shows what a command answers.
  ClientSettings settings; ///< Our own.
  /// Where to search for Python files: our setting `sources`, then the
  /// workspace's folders.
  std::vector<std::string> sources, workspaceFolders;

  std::vector<std::string> sourceFolders() const {
    std::vector<std::string> all = sources;
    all.insert(all.end(), workspaceFolders.begin(), workspaceFolders.end());
    return all;
  }

  /// Of the parameters of `initialize`.
  static ClientOptions of(const Json &initializeParams);
};
// The form in which our own processes exchange them.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClientSettings, allow, release, archs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClientOptions, encoding, definitionLinks,
                                   nestedSymbols, snippets, markdown,
                                   codeActionLiterals, preparesRename,
                                   pullsDiagnostics, refreshesDiagnostics,
                                   refreshesInlayHints, refreshesLenses,
                                   workDoneProgress, showDocument, showsResults,
                                   settings, sources, workspaceFolders)

struct InitializeParams {
  ClientOptions client;
  std::string token; ///< `initializationOptions.token`; empty without one.
};

/// Of `workspace/didChangeConfiguration`: all settings of an editor, or only
/// ours.
struct SettingsParams {
  ClientSettings settings;
  std::optional<std::vector<std::string>> sources; ///< As before without it.
};

struct DidOpenParams {
  std::string uri;
  std::string language; ///< As the client calls it.
  int64_t version = 0;
  std::string text;
};

struct ContentChange {
  bool isWholeText = true;    ///< It has no member `range`.
  std::optional<Range> range; ///< None if it makes no sense.
  std::string text;
};
struct DidChangeParams {
  std::string uri;
  std::optional<int64_t> version;
  std::vector<ContentChange> changes;
};

struct DidCloseParams {
  std::string uri;
};

/// Of `$/cancelRequest`.
struct CancelParams {
  Json id;
};

/// Of `window/workDoneProgress/cancel`.
struct ProgressParams {
  Json token;
};

/// Of `workspace/executeCommand`.
struct CommandParams {
  std::string command;
  Json argument = Json::object(); ///< The first one, if there is one.
  Json workDoneToken;
};

/// Of a request for a feature: what it lacks is empty.
struct FeatureParams {
  std::string uri;
  std::optional<Position> position;
  std::optional<Range> range;
  std::vector<Position> positions;
  /// Of `workspace/symbol`.
  std::optional<std::string> query;
  /// Of `textDocument/rename`.
  std::optional<std::string> newName;
  /// Of `textDocument/semanticTokens/full/delta`.
  std::optional<std::string> previousResultId;
  /// Of `textDocument/references`.
  bool includeDeclaration = false;
  /// Of `textDocument/codeAction`: the kinds that are wanted; all without it.
  std::optional<std::vector<std::string>> only;

  /// Whether it asks about the document, not a place in it.
  bool isAboutWhole() const { return !position && !range && positions.empty(); }
};

void from_json(const Json &json, NoParams &params);
void from_json(const Json &json, InitializeParams &params);
void from_json(const Json &json, SettingsParams &params);
void from_json(const Json &json, DidOpenParams &params);
void from_json(const Json &json, DidChangeParams &params);
void from_json(const Json &json, DidCloseParams &params);
void from_json(const Json &json, CancelParams &params);
void from_json(const Json &json, ProgressParams &params);
void from_json(const Json &json, CommandParams &params);
void from_json(const Json &json, FeatureParams &params);
/// As a client would send it.
void to_json(Json &json, const FeatureParams &params);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_LSP_REQUESTS_H
