//===- JobDiagnostics.h - MLIR's diagnostics in a job's answer --*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_JOBDIAGNOSTICS_H
#define KERNELSCOPE_SERVER_JOBS_JOBDIAGNOSTICS_H

#include "server/analysis/Diagnostic.h"
#include "server/jobs/Job.h"
#include "server/text/Text.h"

#include "mlir/IR/Diagnostics.h"

#include <vector>

namespace kernelscope {

/// Collects what MLIR reports while it lives, as
///   [{"severity": "error"|"warning"|"note", "line"?, "column"?, "message"}]
/// Locations are those that `parseForCompile` gives.
class IRDiagnostics {
public:
  IRDiagnostics(mlir::MLIRContext &context, JobProgress &progress);

  const Json &list() const { return diagnostics; }
  /// The answer of a job that failed with these diagnostics.
  Json failure() const;

private:
  void add(mlir::Diagnostic &diagnostic);

  JobProgress &progress;
  Json diagnostics = Json::array();
  mlir::ScopedDiagnosticHandler handler;
};

/// The answer of a job whose IR does not parse or verify.
Json failureOf(const std::vector<Diagnostic> &found, const Text &text);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_JOBDIAGNOSTICS_H
