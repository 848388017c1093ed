//===- JobIR.h - the IR that a job works on ---------------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_JOBIR_H
#define KERNELSCOPE_SERVER_JOBS_JOBIR_H

#include "passes/Compile.h"
#include "server/analysis/Diagnostic.h"
#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

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

/// The module in the text of a request, with locations that are lines of the
/// text. Null, with the job's answer in `failure`, if it does not parse or
/// verify.
mlir::OwningOpRef<mlir::ModuleOp> parseRequest(const KernelRequest &request,
                                               Json &failure);

/// Sets what `request` says of its kernel in `options`, and what it leaves out
/// as Triton's metadata beside the file say (TritonMetadata.h). An error where
/// `module` has layouts, which are made for other numbers, or `arch` is a chip
/// that an option is not for; it is empty if a device decides later.
llvm::Error readChoices(mlir::ModuleOp module, const CompileRequest &request,
                        llvm::StringRef arch, CompileOptions &options);

/// Collects what MLIR reports while it lives.
class IRDiagnostics {
public:
  explicit IRDiagnostics(JobProgress &progress);

  const std::vector<JobDiagnostic> &list() const { return diagnostics; }
  /// Makes `message`, on `op`, the first error and the others its notes.
  void explain(mlir::Operation *op, llvm::StringRef message);
  /// The answer of a job that failed with these diagnostics.
  Json failure(JobFailure kind = JobFailure::InvalidIR) const;

private:
  void add(mlir::Diagnostic &diagnostic);

  JobProgress &progress;
  std::vector<JobDiagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_JOBIR_H
