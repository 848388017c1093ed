//===- Requests.cpp - the parameters that clients send --------------------===//

#include "server/lsp/Requests.h"

#include <algorithm>
#include <utility>

using namespace kernelscope;

static bool isTrue(const Json &value) {
  return value.is_boolean() && value.get<bool>();
}

//===----------------------------------------------------------------------===//
// The client
//===----------------------------------------------------------------------===//

/// The members `allow`, `release` and `arch` of our settings.
static ClientSettings settingsIn(const Json &ours) {
  ClientSettings settings;
  for (const Json &code : member(ours, "allow"))
    if (code.is_string())
      settings.allow.push_back(code);
  for (const Json &arch : member(ours, "arch"))
    if (arch.is_string())
      settings.archs.push_back(arch);
  if (const Json &release = member(ours, "release"); release.is_string())
    settings.release = release;
  return settings;
}

/// The member `sources`.
static std::vector<std::string> sourcesIn(const Json &ours) {
  std::vector<std::string> folders;
  for (const Json &folder : member(ours, "sources"))
    if (folder.is_string())
      folders.push_back(folder);
  return folders;
}

ClientOptions ClientOptions::of(const Json &params) {
  auto includes = [](const Json &list, std::string_view wanted) {
    return list.is_array() &&
           std::find(list.begin(), list.end(), wanted) != list.end();
  };
  const Json &capabilities = member(params, "capabilities");
  const Json &text = member(capabilities, "textDocument");
  const Json &window = member(capabilities, "window");
  ClientOptions options;
  // The client's order is its preference.
  for (const Json &name :
       member(member(capabilities, "general"), "positionEncodings")) {
    constexpr PositionEncoding all[] = {PositionEncoding::UTF8,
                                        PositionEncoding::UTF16,
                                        PositionEncoding::UTF32};
    auto known = std::find_if(std::begin(all), std::end(all), [&](auto it) {
      return name == encodingName(it);
    });
    if (known != std::end(all)) {
      options.encoding = *known;
      break;
    }
  }
  const Json &completionItem =
      member(member(text, "completion"), "completionItem");
  options.definitionLinks =
      isTrue(member(member(text, "definition"), "linkSupport"));
  options.nestedSymbols = isTrue(member(member(text, "documentSymbol"),
                                        "hierarchicalDocumentSymbolSupport"));
  options.snippets = isTrue(member(completionItem, "snippetSupport"));
  options.markdown =
      includes(member(member(text, "hover"), "contentFormat"), "markdown");
  options.codeActionLiterals =
      member(member(text, "codeAction"), "codeActionLiteralSupport")
          .is_object();
  options.preparesRename =
      isTrue(member(member(text, "rename"), "prepareSupport"));
  options.pullsDiagnostics =
      member(text, "diagnostic").is_object() &&
      (!member(text, "publishDiagnostics").is_object() ||
       stringMember(member(params, "initializationOptions"), "diagnostics") ==
           "pull");
  auto refreshes = [&](const char *what) {
    return isTrue(member(member(member(capabilities, "workspace"), what),
                         "refreshSupport"));
  };
  options.refreshesDiagnostics = refreshes("diagnostics");
  options.refreshesInlayHints = refreshes("inlayHint");
  options.refreshesLenses = refreshes("codeLens");
  options.workDoneProgress = isTrue(member(window, "workDoneProgress"));
  options.showDocument =
      isTrue(member(member(window, "showDocument"), "support"));
  options.showsResults =
      isTrue(member(member(params, "initializationOptions"), "showsResults"));
  options.settings = settingsIn(member(params, "initializationOptions"));
  options.sources = sourcesIn(member(params, "initializationOptions"));
  auto addFolder = [&](const Json &uri) {
    if (uri.is_string() && uri.get<std::string>().starts_with("file://"))
      options.workspaceFolders.push_back(pathOf(uri.get<std::string>()));
  };
  const Json &folders = member(params, "workspaceFolders");
  for (const Json &folder : folders)
    addFolder(member(folder, "uri"));
  if (!folders.is_array() || folders.empty())
    addFolder(member(params, "rootUri"));
  return options;
}

void kernelscope::from_json(const Json &, NoParams &) {}

void kernelscope::from_json(const Json &json, InitializeParams &params) {
  params.client = ClientOptions::of(json);
  params.token =
      stringMember(member(json, "initializationOptions"), "token", "");
}

void kernelscope::from_json(const Json &json, SettingsParams &params) {
  const Json &all = member(json, "settings");
  const Json &ours = member(all, "kernelscope");
  params.settings = settingsIn(ours.is_object() ? ours : all);
  if (const Json &given = ours.is_object() ? ours : all;
      given.is_object() && given.contains("sources"))
    params.sources = sourcesIn(given);
}

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

void kernelscope::from_json(const Json &json, DidOpenParams &params) {
  const Json &item = json.at("textDocument");
  params.uri = item.at("uri");
  params.language = stringMember(item, "languageId");
  params.version = item.at("version");
  params.text = item.at("text");
}

void kernelscope::from_json(const Json &json, DidChangeParams &params) {
  const Json &document = json.at("textDocument");
  params.uri = stringMember(document, "uri");
  if (const Json &version = member(document, "version");
      version.is_number_integer())
    params.version = version;
  for (const Json &change : json.at("contentChanges"))
    params.changes.push_back({!change.contains("range"),
                              rangeFrom(member(change, "range")),
                              change.at("text")});
}

void kernelscope::from_json(const Json &json, DidCloseParams &params) {
  params.uri = stringMember(json.at("textDocument"), "uri");
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

void kernelscope::from_json(const Json &json, CancelParams &params) {
  params.id = member(json, "id");
}

void kernelscope::from_json(const Json &json, ProgressParams &params) {
  params.token = member(json, "token");
}

void kernelscope::from_json(const Json &json, CommandParams &params) {
  params.command = stringMember(json, "command");
  const Json &arguments = member(json, "arguments");
  if (arguments.is_array() && !arguments.empty())
    params.argument = arguments[0];
  params.workDoneToken = member(json, "workDoneToken");
}

void kernelscope::from_json(const Json &json, FeatureParams &params) {
  params.uri = stringMember(member(json, "textDocument"), "uri");
  params.position = positionFrom(member(json, "position"));
  // A call hierarchy is about a function that we returned before.
  if (const Json &item = member(json, "item"); item.is_object()) {
    params.uri = stringMember(item, "uri");
    params.position =
        positionFrom(member(member(item, "selectionRange"), "start"));
  }
  params.range = rangeFrom(member(json, "range"));
  for (const Json &position : member(json, "positions"))
    params.positions.push_back(positionFrom(position).value_or(Position{}));
  auto textOf = [&](const char *key) {
    const Json &value = member(json, key);
    return value.is_string() ? std::optional(value.get<std::string>())
                             : std::nullopt;
  };
  params.query = textOf("query");
  params.newName = textOf("newName");
  params.previousResultId = textOf("previousResultId");
  const Json &context = member(json, "context");
  params.includeDeclaration = isTrue(member(context, "includeDeclaration"));
  if (const Json &only = member(context, "only"); only.is_array()) {
    params.only.emplace();
    for (const Json &kind : only)
      if (kind.is_string())
        params.only->push_back(kind);
  }
}

void kernelscope::to_json(Json &json, const FeatureParams &params) {
  json = {{"textDocument", {{"uri", params.uri}}},
          {"context", {{"includeDeclaration", params.includeDeclaration}}}};
  if (params.position)
    json["position"] = toJson(*params.position);
  if (params.range)
    json["range"] = toJson(*params.range);
  for (Position position : params.positions)
    json["positions"].push_back(toJson(position));
  setIfAny(json, "query", params.query);
  setIfAny(json, "newName", params.newName);
  setIfAny(json, "previousResultId", params.previousResultId);
  if (params.only)
    json["context"]["only"] = *params.only;
}
