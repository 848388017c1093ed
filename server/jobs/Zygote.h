//===- Zygote.h - the process that jobs are forked from ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_JOBS_ZYGOTE_H
#define KERNELSCOPE_SERVER_JOBS_ZYGOTE_H

namespace kernelscope {

/// Serves jobs to the parent over `parentSocket` until that closes. From the
/// parent:
///   {"start": id, "job": name, "request": {...}}   {"cancel": id}
/// To the parent: {"progress": id, "stage"?, "line"?} and then once {"answer":
/// id, "value": {...}}.
int serveJobs();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_ZYGOTE_H
