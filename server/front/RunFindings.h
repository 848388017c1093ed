//===- RunFindings.h - what a run found, as diagnostics ---------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_FRONT_RUNFINDINGS_H
#define KERNELSCOPE_SERVER_FRONT_RUNFINDINGS_H

#include "server/jobs/Job.h"
#include "server/text/Text.h"

#include <string>
#include <vector>

namespace kernelscope {

/// LSP's diagnostics of the errors and warnings of a run of `text`, the
/// document `uri`; notes are related information of what they follow. Each
/// reaches from the op to the end of its line.
Json diagnosticsOfRun(const std::vector<JobDiagnostic> &found, const Text &text,
                      const std::string &uri, PositionEncoding encoding);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_FRONT_RUNFINDINGS_H
