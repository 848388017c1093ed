//===- CheckFiles.h - the diagnostics of many files -------------*- C++ -*-===//
//
// Files are checked in children, some in each. What kills a child, or keeps it
// too long, is left out in the next one and costs the part of the file that it
// is in.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_JOBS_CHECKFILES_H
#define KERNELSCOPE_SERVER_JOBS_CHECKFILES_H

#include "server/analysis/Diagnostic.h"
#include "server/jobs/Job.h"
#include "server/jobs/Requests.h"

namespace kernelscope {

struct FileToCheck {
  std::string path;
  std::string text;
};

/// The diagnostics of each file, in the order of `files`. Where analysis
/// crashed, or took longer than `time` for a file, there is one `stopped`.
/// `onFile` is called with the number of files that are done, after each.
std::vector<std::vector<Diagnostic>>
checkFiles(const std::vector<FileToCheck> &files,
           std::chrono::milliseconds time, const ClientSettings &settings = {},
           const std::function<void(size_t done)> &onFile = {});

/// The parts of the answer are the diagnostics of one file after the other.
Json checkJob(const CheckRequest &request, JobProgress &progress);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_CHECKFILES_H
