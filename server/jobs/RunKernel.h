//===- RunKernel.h - the job that runs a kernel -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
#define KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H

#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"
#include "server/run/LaunchSpec.h"

namespace kernelscope {

/// The launch spec of a request on the file `path`: an object, the path of a
/// spec, or, when it is null or empty, the one beside the file if there is one.
llvm::Expected<run::LaunchSpec> launchSpecOf(const Json &spec,
                                             const std::string &path);

/// Runs one kernel on a device. "auto", the default, is the GPU that the module
/// is for if the machine has it, else the CPU. Returns a `RunAnswer` or a
/// `JobError`.
Json runKernelJob(const RunRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
