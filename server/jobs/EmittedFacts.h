//===- EmittedFacts.h - the job that says what ops became -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_EMITTEDFACTS_H
#define KERNELSCOPE_SERVER_JOBS_EMITTEDFACTS_H

#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

namespace kernelscope {

/// Compiles IR to the assembly of one GPU, chosen as for a preview, and says
/// what each line became (see server/analysis/EmittedCode.h). NVIDIA's
/// registers and spills need ptxas, and are left out without it. Returns an
/// `EmittedCode` or a `JobError`.
Json emittedFactsJob(const PreviewRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_EMITTEDFACTS_H
