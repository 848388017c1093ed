//===- UpstreamSummaries.h - upstream's ops in one line each ----*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_UPSTREAMSUMMARIES_H
#define KERNELSCOPE_DIALECTS_UPSTREAMSUMMARIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kernelscope {

/// What an op of one of MLIR's own dialects does to which elements.
struct UpstreamSummary {
  llvm::StringLiteral op;
  llvm::StringLiteral summary;
};

/// All of them. `findDoc` returns them as the ops' summaries.
llvm::ArrayRef<UpstreamSummary> upstreamSummaries();

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_UPSTREAMSUMMARIES_H
