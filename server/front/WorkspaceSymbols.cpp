//===- WorkspaceSymbols.cpp - functions of all files, open or not ---------===//
//
// Open documents are asked in the engine; a job reads the other files of the
// workspace, whose functions are kept for a while: a client asks anew with each
// letter.
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
    for (const Json &symbol : functions.list)
      if (matchesQuery(query, symbol.at("name")) &&
          !open.contains(
              pathOf(symbol.at("location").at("uri").get<std::string>())))
        gathered->add(symbol.dump());
    done();
  });
}

/// Calls `use` once `functions` are those of the workspace's files.
void Session::withFunctions(std::function<void()> use) {
  auto now = std::chrono::steady_clock::now();
  if (client.workspaceFolders.empty() || now < functions.until)
    return use();
  functions.waiting.push_back(std::move(use));
  if (functions.waiting.size() > 1)
    return;
  jobs.run(
      "functions", FunctionsRequest{client.workspaceFolders, client.encoding},
      [](const JobNews &) {},
      [this](Json answer) {
        functions.list = answer.value("functions", Json::array());
        functions.until = std::chrono::steady_clock::now() + functionsAge;
        for (auto &next : std::exchange(functions.waiting, {}))
          next();
      });
}
