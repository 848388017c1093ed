//===- CachePolicy.h - Cache modifiers as AMD's accesses have them -*- C++ -*-//

#ifndef KERNELSCOPE_PASSES_LOWER_AMD_CACHEPOLICY_H
#define KERNELSCOPE_PASSES_LOWER_AMD_CACHEPOLICY_H

#include "dialects/target/Target.h"
#include "dialects/tt/TT.h"

namespace kernelscope::lower {

/// The cache policy of an access as LLVM's last operand has it. Its bits: sc0,
/// nt, sc1 are 0, 1, 4; glc, slc, dlc 0, 1, 2; the temporal hint 0 to 2 and the
/// scope 3 and 4.
int32_t cachePolicyOf(tt::CacheModifier cache, bool isLoad,
                      BufferCachePolicy encoding);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_AMD_CACHEPOLICY_H
