//===- FunctionIndex.h - functions of the workspace's files -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_FUNCTIONINDEX_H
#define KERNELSCOPE_SERVER_FRONT_FUNCTIONINDEX_H

#include "server/ipc/Message.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kernelscope {

/// The functions of files, as the job `functions` finds them part by part.
class FunctionIndex {
public:
  /// Takes a part of the job's answer.
  void addFiles(const Json &part);
  /// Forgets the files that the job's answer says are gone.
  void removeFiles(const Json &answer);

  /// The stamps of all files, by path.
  std::map<std::string, std::string> stamps() const;
  size_t fileCount() const { return files.size(); }

  /// Calls `take` with each function whose name matches the query, a
  /// `SymbolInformation` as JSON text, except those of files that `isLeftOut`.
  void search(const std::string &query,
              const std::function<bool(const std::string &path)> &isLeftOut,
              const std::function<void(const std::string &symbol)> &take) const;

private:
  struct Function {
    std::string name;
    std::string symbol; ///< As JSON text.
  };
  struct File {
    std::string stamp;
    std::vector<Function> functions;
  };
  std::map<std::string, File> files; ///< By path.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_FUNCTIONINDEX_H
