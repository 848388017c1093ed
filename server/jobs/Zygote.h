//===- Zygote.h - the process that jobs are forked from ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_ZYGOTE_H
#define KERNELSCOPE_SERVER_JOBS_ZYGOTE_H

namespace kernelscope {

/// Serves jobs to the parent over `parentSocket` until that closes
/// (server/jobs/Messages.h). Each start gets any number of news and then one
/// answer.
int serveJobs();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_ZYGOTE_H
