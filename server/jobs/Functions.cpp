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
#include <map>
#include <string>
#include <utility>

using namespace kernelscope;
namespace fs = std::filesystem;

namespace {

/// A workspace may be a whole disk.
constexpr size_t mostEntries = 100'000;
constexpr uint64_t largestFile = uint64_t(256) << 20;
/// After how long, or how many files, what was found is reported.
constexpr std::chrono::milliseconds partTime(200);
constexpr size_t partFiles = 1000;

class FunctionSearch {
public:
  FunctionSearch(const FunctionsRequest &request, JobProgress &progress)
      : request(request), progress(progress) {
    client.encoding = request.encoding;
  }

  /// Notes the files of a folder.
  void list(const std::string &folder) {
    std::error_code error;
    fs::recursive_directory_iterator entry(
        folder, fs::directory_options::skip_permission_denied, error);
    for (; !error && entry != fs::recursive_directory_iterator();
         entry.increment(error)) {
      if (entriesLeft == 0) {
        isCut = true;
        return;
      }
      --entriesLeft;
      std::string name = entry->path().filename().string();
      if (name.starts_with(".") || name == "node_modules") {
        entry.disable_recursion_pending();
        continue;
      }
      std::error_code ignored;
      if (mayBeTritonIR(entry->path()) && entry->is_regular_file(ignored))
        note(*entry);
    }
  }

  /// Reads the files that are new or have changed.
  Json read() {
    size_t done = 0;
    for (const auto &[path, stamp] : changed) {
      Json functions = Json::array();
      if (isTritonIR(path))
        functions = functionsOf(path);
      found.push_back({{"path", path},
                       {"stamp", stamp},
                       {"functions", std::move(functions)}});
      ++done;
      if (found.size() == partFiles ||
          std::chrono::steady_clock::now() >= nextPart)
        send(done);
    }
    if (!found.empty())
      send(done);
    Json gone = Json::array();
    for (const auto &[path, stamp] : request.known)
      if (!seen.contains(path))
        gone.push_back(path);
    return {{"gone", std::move(gone)},
            {"unread", std::move(unread)},
            {"isCut", isCut}};
  }

private:
  void note(const fs::directory_entry &entry) {
    std::error_code error;
    const uint64_t size = entry.file_size(error);
    const auto modified = entry.last_write_time(error).time_since_epoch();
    std::string path = entry.path().string();
    std::string stamp =
        std::to_string(size) + "." + std::to_string(modified.count());
    // Folders may be inside one another.
    if (error || !seen.emplace(path, stamp).second)
      return;
    if (size > largestFile)
      unread.push_back(path);
    else if (auto it = request.known.find(path);
             it == request.known.end() || it->second != stamp)
      changed.emplace_back(std::move(path), std::move(stamp));
  }

  Json functionsOf(const std::string &path) const {
    std::ifstream file(path, std::ios::binary);
    Text text(std::string(std::istreambuf_iterator<char>(file), {}));
    return workspaceSymbols(Syntax(text.str()), {uriOf(path), text, client},
                            /*query=*/"");
  }

  void send(size_t done) {
    progress.advance(std::to_string(done) + " of " +
                         std::to_string(changed.size()) + " files",
                     static_cast<unsigned>(done * 100 / changed.size()));
    progress.part({{"files", std::exchange(found, Json::array())}});
    nextPart = std::chrono::steady_clock::now() + partTime;
  }

  const FunctionsRequest &request;
  JobProgress &progress;
  ClientOptions client;
  std::map<std::string, std::string> seen; ///< Paths with their stamps.
  std::vector<std::pair<std::string, std::string>> changed;
  Json found = Json::array(); ///< Since the last part.
  Json unread = Json::array();
  size_t entriesLeft = mostEntries;
  bool isCut = false;
  std::chrono::steady_clock::time_point nextPart =
      std::chrono::steady_clock::now() + partTime;
};

} // namespace

Json kernelscope::functionsJob(const FunctionsRequest &request,
                               JobProgress &progress) {
  FunctionSearch search(request, progress);
  for (const std::string &folder : request.folders)
    search.list(folder);
  return search.read();
}
