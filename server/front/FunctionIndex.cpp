//===- FunctionIndex.cpp - functions of the workspace's files -------------===//

#include "server/front/FunctionIndex.h"

#include "server/lsp/WorkspaceSymbols.h"

#include <utility>

using namespace kernelscope;

void FunctionIndex::addFiles(const Json &part) {
  for (const Json &entry : part.value("files", Json::array())) {
    File file;
    file.stamp = entry.at("stamp");
    for (const Json &symbol : entry.at("functions"))
      file.functions.push_back({symbol.at("name"), toText(symbol)});
    files[entry.at("path").get<std::string>()] = std::move(file);
  }
}

void FunctionIndex::removeFiles(const Json &answer) {
  for (const Json &path : answer.value("gone", Json::array()))
    files.erase(path.get<std::string>());
}

std::map<std::string, std::string> FunctionIndex::stamps() const {
  std::map<std::string, std::string> all;
  for (const auto &[path, file] : files)
    all.emplace(path, file.stamp);
  return all;
}

void FunctionIndex::search(
    const std::string &query,
    const std::function<bool(const std::string &path)> &isLeftOut,
    const std::function<void(const std::string &symbol)> &take) const {
  for (const auto &[path, file] : files) {
    if (isLeftOut(path))
      continue;
    for (const Function &function : file.functions)
      if (matchesQuery(query, function.name))
        take(function.symbol);
  }
}
