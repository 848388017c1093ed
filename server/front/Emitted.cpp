//===- Emitted.cpp - what the compiler does, beside an open text ----------===//
//
// Nothing is compiled before the user asks to see it; then the text is compiled
// again whenever it rests after edits, until the user asks to hide it.
//
//===----------------------------------------------------------------------===//

#include "server/front/Session.h"

#include "server/jobs/Requests.h"

#include <algorithm>
#include <utility>

using namespace kernelscope;

/// How long a text must rest before it is compiled again.
constexpr auto compilePause = std::chrono::milliseconds(500);

void Session::toggleEmitted(const Json &id, const CommandParams &params) {
  std::string uri = stringMember(params.argument, "uri");
  OpenDocument *document = find(uri);
  if (!document)
    return fail(id, ErrorCode::InvalidParams,
                "the document '" + uri + "' is not open");
  const Json &wanted = member(params.argument, "show");
  bool show =
      wanted.is_boolean() ? wanted.get<bool>() : !document->showsEmitted;
  dropEmitted(*document);
  document->showsEmitted.reset();
  if (!show) {
    sendEmitted(*document);
    return reply(id, {{{"shown", false}}, {}, {}});
  }

  document->showsEmitted = params.argument;
  document->emittedFor = id;
  compileEmitted(*document, [this, id, uri](Json answer) {
    OpenDocument *compiled = find(uri);
    if (compiled)
      compiled->emittedFor.reset();
    if (std::optional<JobError> error = errorOf(answer)) {
      if (compiled)
        compiled->showsEmitted.reset();
      return reply(id, {{},
                        {},
                        ResponseError{ErrorCode::RequestFailed, error->message,
                                      std::move(answer["error"])}});
    }
    answer["shown"] = true;
    reply(id, {std::move(answer), {}, {}});
  });
  active[id] = [this, uri] {
    if (OpenDocument *compiled = find(uri)) {
      compiled->emittedFor.reset(); // whoever cancels answers it
      dropEmitted(*compiled);
      compiled->showsEmitted.reset();
    }
  };
}

void Session::compileEmitted(OpenDocument &document,
                             std::function<void(Json)> done) {
  auto request = document.showsEmitted->get<PreviewRequest>();
  request.path = pathOf(document.uri);
  request.text = document.text.str();
  // All kernels have their say, whichever lens was used.
  request.kernel.clear();
  auto onAnswer = [this, uri = document.uri, version = document.version,
                   done = std::move(done)](const Json &answer) {
    if (OpenDocument *compiled = find(uri);
        compiled && compiled->version == version) {
      compiled->emittedJob.reset();
      if (!errorOf(answer)) {
        compiled->emitted = answer;
        sendEmitted(*compiled);
      }
    }
    if (done)
      done(answer);
  };
  document.emittedJob =
      jobs.run("emitted", std::move(request), [](const JobNews &) {}, onAnswer);
}

void Session::dropEmitted(OpenDocument &document) {
  document.emitted = nullptr;
  if (std::optional<uint64_t> job = std::exchange(document.emittedJob, {}))
    jobs.cancel(*job);
  if (std::optional<Json> id = std::exchange(document.emittedFor, {}))
    fail(*id, ErrorCode::ContentModified,
         "the text has changed; it is recompiled when editing pauses");
}

void Session::sendEmitted(OpenDocument &document) {
  engine.setEmitted(document);
  if (client.refreshesInlayHints)
    refresh("inlayHint");
  if (client.refreshesLenses)
    refresh("codeLens");
}

void Session::compileWhenIdle() {
  auto isWanted = [](const OpenDocument &document) {
    return document.showsEmitted && document.emitted.is_null() &&
           !document.emittedJob;
  };
  if (std::none_of(documents.begin(), documents.end(),
                   [&](const auto &entry) { return isWanted(*entry.second); }))
    return;
  emittedTimer.expires_after(compilePause);
  emittedTimer.async_wait([this, isWanted, alive = std::weak_ptr(alive)](
                              boost::system::error_code error) {
    if (error || alive.expired())
      return;
    for (auto &[uri, document] : documents)
      if (isWanted(*document))
        compileEmitted(*document, nullptr);
  });
}
