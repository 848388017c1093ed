//===- RunKernel.h - the job that runs a kernel -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
#define KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H

#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

namespace kernelscope {

/// Runs one kernel on a device. "auto", the default, is the GPU that the module
/// is for if the machine has it, else the CPU. Gives a `RunAnswer` or a
/// `JobError`.
Json runKernelJob(const RunRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
