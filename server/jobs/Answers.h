//===- Answers.h - what the jobs answer -------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_ANSWERS_H
#define KERNELSCOPE_SERVER_JOBS_ANSWERS_H

#include "server/analysis/EmittedCode.h"
#include "server/jobs/Job.h"

#include <utility>

namespace kernelscope {

/// Of a preview that worked.
struct PreviewAnswer {
  std::string arch;
  /// Neither the request nor the module names a chip of this vendor.
  bool isDefaultArch = false;
  std::string emit;
  std::optional<std::string> text;   ///< Of what is text.
  std::optional<std::string> base64; ///< Of an object.
  /// Lines of the IR and lines of the output that belong together, from zero.
  std::vector<std::pair<unsigned, unsigned>> lines;
  Json kernels; ///< What a launcher must know of each; for the client alone.
  std::vector<JobDiagnostic> diagnostics;
  double milliseconds = 0;
};

/// Of a run that came to an end.
struct RunAnswer {
  std::string report;  ///< With what the kernel printed before it.
  Json data;           ///< The report for programs.
  std::string printed; ///< By `tt.print`.
  std::vector<JobDiagnostic> diagnostics;
  bool matches = true; ///< False: the results differ from the CPU executor's.
};

/// Of a search for the pass that breaks a kernel.
struct BisectAnswer {
  /// The IR of one section of the dump, as one reads it: without locations.
  struct Side {
    std::string title;
    size_t line = 0; ///< Of the title in the dump, from zero.
    std::string text;
  };
  std::string report;
  /// The passes one of which does it; empty: no section differs from the first.
  std::vector<std::string> passes;
  /// The last section that does what the first does, and the next that runs.
  std::optional<Side> before, after;
  Json sections; ///< What came of each, for programs.
  std::vector<JobDiagnostic> diagnostics;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmittedCode::Line, line, label, details)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmittedCode::Kernel, name, title)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EmittedCode, arch, lines, kernels)

void to_json(Json &json, BisectAnswer answer);
void from_json(Json &json, BisectAnswer &answer);
void to_json(Json &json, PreviewAnswer answer);
void to_json(Json &json, RunAnswer answer);
void from_json(Json &json, PreviewAnswer &answer);
void from_json(Json &json, RunAnswer &answer);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_ANSWERS_H
