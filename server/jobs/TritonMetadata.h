//===- TritonMetadata.h - the options that Triton compiled with -*- C++ -*-===//
//
// Triton's cache has a file NAME.json beside NAME.ttir and NAME.ttgir: the
// options of the compilation, of which the IR holds only a part.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_JOBS_TRITONMETADATA_H
#define KERNELSCOPE_SERVER_JOBS_TRITONMETADATA_H

#include "server/jobs/Requests.h"

namespace kernelscope {

/// Sets the options for AMD that `request` leaves out as the metadata beside
/// its file say, if there are any and they are of a kernel for AMD; for TTIR
/// also warps, CTAs and stages.
void addTritonMetadata(CompileRequest &request, bool isTtir);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_JOBS_TRITONMETADATA_H
