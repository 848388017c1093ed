//===- Functions.h - the functions of a workspace's files -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_FUNCTIONS_H
#define KERNELSCOPE_SERVER_JOBS_FUNCTIONS_H

#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

namespace kernelscope {

/// All functions in the files of Triton's IR in the folders and below, as a
/// list of LSP's `SymbolInformation`. Leaves out hidden folders, and what it
/// finds after 100,000 entries of folders, 256 MiB of text or 4 seconds.
Json functionsJob(const FunctionsRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_FUNCTIONS_H
