//===- Functions.cpp - the functions of a workspace's files ---------------===//

#include "server/jobs/Functions.h"

#include "server/analysis/Syntax.h"
#include "server/jobs/InputFiles.h"
#include "server/lsp/Protocol.h"
#include "server/lsp/WorkspaceSymbols.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace kernelscope;
namespace fs = std::filesystem;

namespace {

class FunctionSearch {
public:
  explicit FunctionSearch(PositionEncoding encoding) {
    client.encoding = encoding;
  }

  void walk(const std::string &folder) {
    std::error_code error;
    fs::recursive_directory_iterator entry(
        folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator() && goesOn();
         entry.increment(error)) {
      --entriesLeft;
      std::string name = entry->path().filename().string();
      if (name.starts_with(".") || name == "node_modules") {
        entry.disable_recursion_pending();
        continue;
      }
      std::error_code ignored;
      if (entry->is_regular_file(ignored) && isTritonIR(entry->path()))
        read(entry->path());
    }
  }

  Json list = Json::array();

private:
  bool goesOn() const {
    return entriesLeft > 0 && bytesLeft > 0 &&
           std::chrono::steady_clock::now() < end;
  }

  void read(const fs::path &path) {
    std::error_code error;
    uint64_t size = fs::file_size(path, error);
    // Folders may be inside one another.
    if (error || size > bytesLeft || !seen.insert(path.string()).second)
      return;
    bytesLeft -= size;
    std::ifstream file(path, std::ios::binary);
    Text text(std::string(std::istreambuf_iterator<char>(file), {}));
    Syntax syntax(text.str());
    std::string uri = uriOf(path.string());
    for (Json &symbol : workspaceSymbols(syntax, path.string(),
                                         {uri, text, client}, /*query=*/""))
      list.push_back(std::move(symbol));
  }

  ClientOptions client;
  std::set<std::string> seen;
  size_t entriesLeft = 100'000;
  uint64_t bytesLeft = uint64_t(256) << 20;
  std::chrono::steady_clock::time_point end =
      std::chrono::steady_clock::now() + std::chrono::seconds(4);
};

} // namespace

Json kernelscope::functionsJob(const FunctionsRequest &request, JobProgress &) {
  FunctionSearch search(request.encoding);
  for (const std::string &folder : request.folders)
    search.walk(folder);
  return {{"functions", std::move(search.list)}};
}
