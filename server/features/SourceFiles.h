//===- SourceFiles.h - the Python files that `loc` names --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FEATURES_SOURCEFILES_H
#define KERNELSCOPE_SERVER_FEATURES_SOURCEFILES_H

#include "server/analysis/Diagnostic.h"
#include "server/analysis/Document.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

/// Finds files by the names in `loc(...)`, which are of the machine that
/// compiled the kernel. Looks where the name says; then for as long an end of
/// it as there is, as in `kernels/softmax.py`, beside the dump and in
/// `folders`; then for its last part anywhere in them. One thread's own.
class SourceFiles {
public:
  /// `folders`: the user's setting, then the workspace's.
  SourceFiles(const std::string &documentPath,
              std::vector<std::string> folders);

  /// The path of the file; empty if it is not found.
  const std::string &find(const std::string &name);
  /// A link to the place, `file:///.../softmax.py#L9,24`; empty without one.
  std::string link(const SourcePlace &place);

private:
  std::string search(const std::string &name);
  std::string searchDeep(const std::string &last);
  void walk(const std::string &folder, size_t &left);

  struct Found {
    std::string path;
    std::chrono::steady_clock::time_point when;
  };
  std::string beside; ///< The dump's folder.
  std::vector<std::string> folders;
  std::map<std::string, Found> known;
  /// The Python files anywhere in the folders, by name, and when that was so.
  std::map<std::string, std::string> anywhere;
  std::optional<std::chrono::steady_clock::time_point> walked;
};

/// A place in a source file that the text names.
struct SourceLink {
  Span span; ///< `"softmax.py":9:24`
  SourcePlace place;
};

/// All in the text, in its order.
std::vector<SourceLink> sourceLinks(const Document &document);
/// The one at `offset`.
std::optional<SourceLink> sourceLinkAt(const Document &document, size_t offset);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FEATURES_SOURCEFILES_H
