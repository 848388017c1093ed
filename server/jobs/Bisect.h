//===- Bisect.h - the job that finds the pass that breaks a kernel --------===//

#ifndef KERNELSCOPE_SERVER_JOBS_BISECT_H
#define KERNELSCOPE_SERVER_JOBS_BISECT_H

#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

namespace kernelscope {

/// Runs each section of a dump of all passes on the CPU, on the same inputs,
/// until one does not do what the first that runs does: its results differ, or
/// it ends with an error, as a deadlock is. Sections that cannot be run are
/// passed over. Returns a `BisectAnswer` or a `JobError`.
Json bisectJob(const BisectRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_BISECT_H
