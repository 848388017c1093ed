//===- RunKernel.h - the job that runs a kernel -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
#define KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H

#include "server/jobs/Job.h"

namespace kernelscope {

/// Runs one kernel on a device. Request:
///   {"path", "text", "kernel"?, "device"?: "cuda"|"hip"|"cpu", "arch"?,
///    "spec"?: a launch spec or the path of one, "output"?: a folder,
///    "compare"?: bool}
/// Without "device" it is the GPU that the machine has and the module is for,
/// else the CPU; without "spec" the file beside "path", if there is one.
/// Answer:
///   {"report": text, "data": the same as values, "printed": of tt.print,
///    "diagnostics": [...], "matches": bool}
/// "matches" is false when results differ from the CPU executor's.
Json runKernelJob(const Json &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_RUNKERNEL_H
