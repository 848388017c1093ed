//===- Preview.h - the job that shows what a kernel becomes -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_PREVIEW_H
#define KERNELSCOPE_SERVER_JOBS_PREVIEW_H

#include "passes/emit/Emit.h"
#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

#include "mlir/IR/BuiltinOps.h"

namespace kernelscope {

/// Compiles IR for one GPU. Without an arch it is what the module says, else a
/// common one of the vendor that `emit` names. Returns a `PreviewAnswer` or a
/// `JobError`.
Json previewJob(const PreviewRequest &request, JobProgress &progress);

/// The arch to compile for: the request's, or `previewArch`.
std::string archOf(mlir::ModuleOp module, std::optional<Emit> emit,
                   const PreviewRequest &request);

/// Does once what each preview for `arch` would else do first: code generators
/// fill tables about a chip's registers. False if it fails.
bool prewarmPreview(const std::string &arch);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_PREVIEW_H
