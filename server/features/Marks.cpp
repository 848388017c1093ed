//===- Marks.cpp - what passes write on ops and modules -------------------===//

#include "server/features/Marks.h"

std::string kernelscope::describeMark(llvm::StringRef name) {
  struct Mark {
    llvm::StringLiteral name, text;
  };
  static constexpr Mark marks[] = {
      {"ttg.amdg.syncedViaAsyncWait",
       "an asynchronous wait comes before this load\n\n"
       "On gfx942 and gfx950, LLVM waits for all direct-to-LDS copies before "
       "each load of LDS. A load with this mark gets alias scopes that say "
       "that "
       "it reads none of their data, so that it does not wait; a "
       "`ttg.async_wait` before it must have done so. The warning "
       "`async-wait-missing` finds loads without one."},
      {"ttng.two-ctas",
       "whether CTAs work in pairs\n\n"
       "Kernels with tcgen05 and TMA run as `cta_group::2` if it is true. CTAs "
       "2i and 2i + 1 are a pair, and the even one leads: it issues products, "
       "and the barrier of a copy to either CTA may be in it, with a CGALayout "
       "of `[[0], [1], [2], ...]`. TMA signals the CTA of the pair whose "
       "number "
       "has the parity of the one that holds the barrier (PTX ISA, "
       "*cp.async.bulk.tensor*). If it is false each CTA works by itself, and "
       "has a barrier of its own: `[[1], [2], ...]`."},
      {"ttg.partition",
       "the partitions of warps that run this op\n\n"
       "Numbers of the partitions of the loop that `ttg.warp_specialize.tag` "
       "names. Until they are split, one op may be in several."},
  };
  for (const Mark &mark : marks)
    if (mark.name == name)
      return ("**" + name + "**: " + mark.text + "\n").str();
  return "";
}
