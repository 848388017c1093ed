//===- SessionDocuments.cpp - the documents of a client -------------------===//
//
// Their texts, and the requests and notifications about them.
//
//===----------------------------------------------------------------------===//

#include "server/front/Session.h"

#include "server/lsp/Answers.h"

#include <algorithm>
#include <utility>

using namespace kernelscope;

OpenDocument *Session::find(const std::string &uri) {
  auto it = documents.find(uri);
  return it == documents.end() ? nullptr : it->second.get();
}

Json Session::findings(const OpenDocument &document) {
  Json diagnostics = document.checked;
  diagnostics.insert(diagnostics.end(), document.ran.begin(),
                     document.ran.end());
  return diagnostics;
}

void Session::publish(OpenDocument &document) {
  answerPulls(document);
  if (!client.pullsDiagnostics)
    return notify("textDocument/publishDiagnostics",
                  {{"uri", document.uri},
                   {"version", document.version},
                   {"diagnostics", findings(document)}});
  // Something else is known of a text whose diagnostics the client has.
  if (client.refreshesDiagnostics && document.pulled == document.version)
    refresh("diagnostic");
}

void Session::refresh(const char *what) {
  ask(std::string("workspace/") + what + "/refresh");
}

void Session::answerPulls(OpenDocument &document) {
  if (document.pulls.empty())
    return;
  std::string items = toText(findings(document));
  std::string resultId = std::to_string(std::hash<std::string>()(items));
  for (OpenDocument::Pull &pull : std::exchange(document.pulls, {})) {
    bool isKnown = pull.previousResultId == resultId;
    std::string answer = R"({"kind":")" +
                         std::string(isKnown ? "unchanged" : "full") +
                         R"(","resultId":")" + resultId + "\"" +
                         (isKnown ? "" : ",\"items\":" + items) + "}";
    reply(pull.id, {{}, std::move(answer), {}});
  }
}

void Session::failPulls(OpenDocument &document, const std::string &message) {
  for (OpenDocument::Pull &pull : std::exchange(document.pulls, {}))
    fail(pull.id, ErrorCode::ContentModified, message);
}

void Session::didOpen(DidOpenParams params) {
  auto document = std::make_unique<OpenDocument>();
  document->number = ++lastDocument;
  document->uri = params.uri;
  document->version = params.version;
  document->text = Text(std::move(params.text));
  document->assembly = assemblyOf(params.language, params.uri);
  if (OpenDocument *before = find(params.uri)) {
    failPulls(*before, "the document was opened again");
    dropEmitted(*before);
    engine.close(*before);
  }
  OpenDocument &opened = *(documents[params.uri] = std::move(document));
  if (opened.isAssembly())
    opened.analysed = opened.version;
  else
    engine.open(opened);
}

void Session::didChange(DidChangeParams params) {
  OpenDocument *document = find(params.uri);
  if (!document)
    return log.write("a change to a document that is not open");
  std::vector<engine::Change> changes;
  for (ContentChange &change : params.changes) {
    if (!change.isWholeText && !change.range) {
      log.write("a change with a bad range");
      continue;
    }
    Span span = change.range
                    ? document->text.spanAt(*change.range, client.encoding)
                    : Span{0, document->text.size()};
    document->text.replace(span, change.text);
    changes.push_back({span, std::move(change.text)});
  }
  document->version = params.version.value_or(document->version + 1);
  document->ran = Json::array();
  failPulls(*document, "the document was edited");
  if (document->isAssembly()) {
    document->analysed = document->version;
    return;
  }
  dropEmitted(*document);
  compileWhenIdle();
  engine.edit(*document, std::move(changes));
}

void Session::didClose(DidCloseParams params) {
  OpenDocument *document = find(params.uri);
  if (!document)
    return log.write("a document that is not open was closed");
  failPulls(*document, "the document was closed");
  dropEmitted(*document);
  engine.close(*document);
  documents.erase(params.uri);
  notify("textDocument/publishDiagnostics",
         {{"uri", params.uri}, {"diagnostics", Json::array()}});
}

void Session::didChangeConfiguration(SettingsParams params) {
  engine.setSettings(std::move(params.settings), std::move(params.sources));
}

void Session::diagnostic(const Json &id, FeatureParams params) {
  OpenDocument *document = find(params.uri);
  if (!document)
    return fail(id, ErrorCode::InvalidParams,
                "the document '" + params.uri + "' is not open");
  document->pulls.push_back({id, params.previousResultId.value_or("")});
  document->pulled = document->version;
  if (document->analysed == document->version)
    answerPulls(*document);
}

void Session::feature(const Json &id, const std::string &method,
                      FeatureParams params) {
  OpenDocument *document = find(params.uri);
  if (!document)
    return fail(id, ErrorCode::InvalidParams,
                "the document '" + params.uri + "' is not open");
  if (document->isAssembly())
    return reply(id, {assemblyAnswer(document->assembly, method, params,
                                     document->text, client),
                      {},
                      {}});
  uint64_t request = engine.request(
      *document, method, std::move(params),
      [this, id](Response response) { reply(id, std::move(response)); });
  if (auto it = active.find(id); it != active.end())
    it->second = [this, request] { engine.cancel(request); };
}
