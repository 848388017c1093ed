//===- Preview.h - the job that shows what a kernel becomes -----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_PREVIEW_H
#define KERNELSCOPE_SERVER_JOBS_PREVIEW_H

#include "server/jobs/Job.h"

namespace kernelscope {

/// Compiles IR for one GPU. Request:
///   {"path", "text", "emit"?, "arch"?, "kernel"?, "warps"? (for TTIR)}
/// Without "arch" it is what the module says, else a common one of the vendor
/// that "emit" names; without "emit" it is the arch's assembly. Answer:
///   {"arch", "emit", "text" or "base64" (of an object),
///    "lines": [[irLine, outputLine], ...], "kernels": [...], "milliseconds"}
/// All lines count from zero.
Json previewJob(const Json &request, JobProgress &progress);

/// Does once what each preview would else do first.
void prewarmPreview();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_PREVIEW_H
