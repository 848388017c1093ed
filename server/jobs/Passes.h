//===- Passes.h - the job that reads a dump of all passes -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_PASSES_H
#define KERNELSCOPE_SERVER_JOBS_PASSES_H

#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

namespace kernelscope {

/// The passes of a dump, what each changed, and where the op on `line` is after
/// each. Returns `{passes, states, what}` (docs/architecture.md) or a
/// `JobError`.
Json passesJob(const PassesRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_PASSES_H
