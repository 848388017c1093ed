//===- Functions.h - the functions of a workspace's files -------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_FUNCTIONS_H
#define KERNELSCOPE_SERVER_JOBS_FUNCTIONS_H

#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

namespace kernelscope {

/// Finds the functions in the files of Triton's IR in the folders and below,
/// except hidden ones. Its parts are `{files: [{path, stamp, functions}]}`, of
/// the files that are new or have changed, with a list of LSP's
/// `SymbolInformation` for each. The answer is `{gone: [path], unread: [path],
/// isCut}`: known files that no longer exist, files that are too large, and
/// whether the folders have more entries than are looked at.
Json functionsJob(const FunctionsRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_FUNCTIONS_H
