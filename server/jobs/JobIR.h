//===- JobIR.h - the IR that a job works on ---------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_JOBIR_H
#define KERNELSCOPE_SERVER_JOBS_JOBIR_H

#include "server/analysis/Diagnostic.h"
#include "server/jobs/Job.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>

namespace kernelscope {

/// The context of all jobs of this process, with every dialect loaded; made on
/// first use, so that a parent makes it for its children, and never taken down,
/// as a job's process ends with its answer.
mlir::MLIRContext &jobContext();

/// The module in the "text" of a request, from "path", with locations that are
/// lines of the text; of a text that `// -----` splits, the part with the
/// "line", from 0. Null, with the job's answer in `failure`, if it does not
/// parse or verify.
mlir::OwningOpRef<mlir::ModuleOp> parseRequest(const Json &request,
                                               Json &failure);

/// `request[key]` if it is a string, else empty.
std::string stringOf(const Json &request, const char *key);

/// Collects what MLIR reports while it lives, as
///   [{"severity": "error"|"warning"|"note", "line"?, "column"?, "message"}]
class IRDiagnostics {
public:
  explicit IRDiagnostics(JobProgress &progress);

  const Json &list() const { return diagnostics; }
  /// The answer of a job that failed with these diagnostics.
  Json failure(JobFailure kind = JobFailure::InvalidIR) const;

private:
  void add(mlir::Diagnostic &diagnostic);

  JobProgress &progress;
  Json diagnostics = Json::array();
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_JOBIR_H
