//===- Answers.h - what the jobs answer -------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_ANSWERS_H
#define KERNELSCOPE_SERVER_JOBS_ANSWERS_H

#include "server/jobs/Job.h"

#include <utility>

namespace kernelscope {

/// Of a preview that worked.
struct PreviewAnswer {
  std::string arch;
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
  std::string report;
  Json data;           ///< The report for programs.
  std::string printed; ///< By `tt.print` on the CPU.
  std::vector<JobDiagnostic> diagnostics;
  bool matches = true; ///< False: the results differ from the CPU executor's.
};

void to_json(Json &json, PreviewAnswer answer);
void to_json(Json &json, RunAnswer answer);
void from_json(Json &json, PreviewAnswer &answer);
void from_json(Json &json, RunAnswer &answer);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_ANSWERS_H
