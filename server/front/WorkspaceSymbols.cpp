//===- WorkspaceSymbols.cpp - functions of all files, open or not ---------===//
//
// Open documents are asked in the engine; a job reads the other files of the
// workspace, whose functions are kept. A client asks anew with each letter, so
// the folders are looked at again only after a while, and only files that have
// changed are read again.
//
//===----------------------------------------------------------------------===//

#include "server/front/Session.h"

#include "server/lsp/Answers.h"
#include "server/lsp/Protocol.h"
#include "server/lsp/WorkspaceSymbols.h"

#include <set>
#include <utility>

using namespace kernelscope;

/// How long what a job found counts as true.
constexpr std::chrono::seconds functionsAge(5);
/// How long a request waits for the job.
constexpr std::chrono::seconds functionsPatience(4);
/// LSP's types of messages.
constexpr int warningMessage = 2, infoMessage = 3;

void Session::workspaceSymbol(const Json &id, FeatureParams params) {
  struct Gathered {
    size_t waiting = 1; ///< Of the files that are not open.
    std::string list;

    void add(std::string_view more) {
      if (!more.empty())
        list.append(list.empty() ? "" : ",").append(more);
    }
  };
  auto gathered = std::make_shared<Gathered>();
  for (auto &[uri, document] : documents)
    gathered->waiting += !document->isAssembly();
  auto done = [this, id, gathered] {
    if (--gathered->waiting == 0)
      reply(id, {{}, "[" + gathered->list + "]", {}});
  };
  for (auto &[uri, document] : documents)
    if (!document->isAssembly())
      engine.request(*document, workspaceSymbolMethod, params,
                     [done, gathered](const Response &response) {
                       // `[...]`; one that was edited meanwhile has none.
                       if (!response.error && response.text.size() > 2)
                         gathered->add(
                             std::string_view(response.text)
                                 .substr(1, response.text.size() - 2));
                       done();
                     });
  withFunctions([this, done, gathered, query = params.query.value_or("")] {
    std::set<std::string> open;
    for (auto &[uri, document] : documents)
      open.insert(pathOf(uri));
    functions.index.search(
        query, [&](const std::string &path) { return open.contains(path); },
        [&](const std::string &symbol) { gathered->add(symbol); });
    done();
  });
}

/// Calls `use` once the index holds the functions of the workspace's files, or
/// after `functionsPatience` with those that it has.
void Session::withFunctions(std::function<void()> use) {
  auto now = std::chrono::steady_clock::now();
  if (client.workspaceFolders.empty() || now < functions.until)
    return use();
  auto search = std::make_shared<FunctionSearch>(
      std::move(use), boost::asio::steady_timer(emittedTimer.get_executor(),
                                                functionsPatience));
  functions.waiting.push_back(search);
  if (!functions.isReading)
    readFunctions();
  // The timer ends with the search, which ends when the job does.
  search->patience.async_wait([this, waiting = std::weak_ptr(search)](
                                  boost::system::error_code error) {
    std::shared_ptr<FunctionSearch> search = waiting.lock();
    if (error || !search || std::erase(functions.waiting, search) == 0)
      return;
    if (!std::exchange(functions.saidPartial, true))
      notify("window/showMessage",
             {{"type", infoMessage},
              {"message", "The search for functions has read " +
                              (functions.stage.empty()
                                   ? "no file of the workspace yet"
                                   : functions.stage + " of the workspace") +
                              "; those in the others are not found yet. It "
                              "continues: search again in a moment."}});
    search->use();
  });
}

/// Starts the job that brings the index up to date.
void Session::readFunctions() {
  functions.isReading = true;
  functions.stage.clear();
  functions.saidPartial = false;
  auto onProgress = [this](const JobNews &news) {
    if (news.part)
      functions.index.addFiles(*news.part);
    if (!news.percentage)
      return;
    functions.stage = news.stage.value_or("");
    // A small workspace is read before there is anything to show.
    if (functions.token.is_null() && client.workDoneProgress) {
      functions.token = "kernelscope-functions-" + std::to_string(++lastToken);
      ask("window/workDoneProgress/create", {{"token", functions.token}});
      progress(functions.token, {{"kind", "begin"},
                                 {"title", "Reading the workspace's functions"},
                                 {"cancellable", false},
                                 {"percentage", 0}});
    }
    progress(functions.token, {{"kind", "report"},
                               {"message", functions.stage},
                               {"percentage", *news.percentage}});
  };
  jobs.run("functions",
           FunctionsRequest{client.workspaceFolders, functions.index.stamps(),
                            client.encoding},
           onProgress, [this](const Json &answer) { functionsRead(answer); });
}

/// The job has ended.
void Session::functionsRead(const Json &answer) {
  functions.index.removeFiles(answer);
  functions.isReading = false;
  functions.until = std::chrono::steady_clock::now() + functionsAge;
  progress(std::exchange(functions.token, {}), {{"kind", "end"}});
  std::string unread;
  if (std::optional<JobError> error = errorOf(answer))
    unread = "The search for functions failed: " + error->message;
  else if (answer.value("isCut", false))
    unread = "The workspace has more than 100,000 files and folders. Functions "
             "in the rest of them are not found.";
  else if (const Json &large = member(answer, "unread"); !large.empty())
    unread = "Functions in files larger than 256 MiB are not found, such as " +
             large.front().get<std::string>() + ".";
  if (!unread.empty() && !std::exchange(functions.saidCut, true))
    notify("window/showMessage",
           {{"type", warningMessage}, {"message", unread}});
  for (const auto &next : std::exchange(functions.waiting, {}))
    next->use();
}
