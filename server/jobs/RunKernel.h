//===- RunKernel.h - the job that runs a kernel -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
#define KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H

#include "server/jobs/Job.h"

namespace kernelscope {

/// Runs one kernel on a device. Request:
///   {"path", "text", "kernel"?, "device"?: "auto"|"cuda"|"hip"|"cpu",
///    "arch"?, "spec"?: a launch spec or the path of one, "output"?: a folder,
///    "compare"?: bool}
/// "auto", the default, is the GPU that the module is for if the machine has
/// it, else the CPU. Without "spec" it is the file beside "path", if there is
/// one. Answer:
///   {"report": text, "data": the same as values, "printed": of tt.print,
///    "diagnostics": [...], "matches": bool}
/// "matches" is false when results differ from the CPU executor's.
Json runKernelJob(const Json &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
