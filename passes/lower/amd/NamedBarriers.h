//===- NamedBarriers.h - Barriers of some of a block's warps ----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_NAMEDBARRIERS_H
#define KERNELSCOPE_PASSES_LOWER_AMD_NAMEDBARRIERS_H

#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// The warps of the builder's scope, some of the block's, arrive at the named
/// barrier with the scope's number and wait for each other; gfx1250. Orders no
/// memory.
void namedBarrier(Builder &b);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_NAMEDBARRIERS_H
