//===- Requests.h - what the jobs are asked ---------------------*- C++ -*-===//
//
// The command line sends these, and so does an editor's command, whose argument
// has the same members: one that is missing or of another type counts as not
// given.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_JOBS_REQUESTS_H
#define KERNELSCOPE_SERVER_JOBS_REQUESTS_H

#include "server/analysis/Diagnostic.h"
#include "server/ipc/Message.h"
#include "server/text/Text.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope {

/// About a kernel of one text.
struct KernelRequest {
  std::string path;
  std::string text;
  /// Of a text that `// -----` splits, the part with this line, from zero.
  std::optional<size_t> line;
  std::string kernel; ///< Empty: all, or the only one.
  std::string arch;   ///< Empty: what the text or the device says.
};

/// Of a kernel that is compiled: what TTIR does not say.
struct CompileRequest : KernelRequest {
  std::optional<unsigned> warps;
  std::optional<unsigned> ctas;
  std::optional<unsigned> stages;
  // Options of the kernel that no IR holds, by their names in Triton. All but
  // the first are for AMD.
  std::optional<bool> enableFpFusion;
  std::optional<unsigned> wavesPerEu;
  std::optional<bool> allowFlushDenorm;
  std::string wgpCuMode;   ///< "wgp" or "cu".
  std::string llvmFnAttrs; ///< "name=value,name".
};

struct PreviewRequest : CompileRequest {
  /// Without an arch: the first of these that suits the text and `emit`.
  std::vector<std::string> archs;
  std::string emit; ///< Empty: the arch's assembly.
};

struct RunRequest : CompileRequest {
  std::string device; ///< Empty: auto.
  /// The launch spec, an object, or the path of its file; null or empty: the
  /// file beside the text's, if it is there.
  Json spec;
  std::string output; ///< A folder for the outputs; empty: none.
  std::string inputs; ///< One for the inputs.
  std::string trace;  ///< A file for the timeline; empty: none.
  std::string code;   ///< A file with code for the GPU; empty: compile.
  std::optional<bool> compare;
  // Of a run on the CPU, before what the spec says:
  std::string schedule; ///< Empty: as the spec says.
  std::optional<bool> sanitize;
  std::optional<uint64_t> maxSteps;
};

/// Its text is a dump of all passes.
struct BisectRequest : KernelRequest {
  Json spec;          ///< As a `RunRequest`'s.
  bool exact = false; ///< Any bit that differs counts.
};

/// Its text is a dump of all passes; `line` is in it, that of an op to follow.
struct PassesRequest : KernelRequest {};

struct CheckRequest {
  struct File {
    std::string path;
    std::string text;
    /// The offsets at which an analysis of it died before.
    std::vector<size_t> quarantine;
  };
  std::vector<File> files;
  ClientSettings settings;
};

/// About the files of these folders.
struct FunctionsRequest {
  std::vector<std::string> folders;
  /// The stamps, by path, of the files that were read before.
  std::map<std::string, std::string> known;
  PositionEncoding encoding = PositionEncoding::UTF16;
};

void to_json(Json &json, PreviewRequest request);
void to_json(Json &json, RunRequest request);
void to_json(Json &json, BisectRequest request);
void to_json(Json &json, PassesRequest request);
void to_json(Json &json, CheckRequest request);
void from_json(const Json &json, PreviewRequest &request);
void from_json(const Json &json, RunRequest &request);
void from_json(const Json &json, BisectRequest &request);
void from_json(const Json &json, PassesRequest &request);
void from_json(const Json &json, CheckRequest &request);
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FunctionsRequest, folders, known, encoding)

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_REQUESTS_H
