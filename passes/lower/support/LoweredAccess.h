//===- LoweredAccess.h - What accesses of memory become ---------*- C++ -*-===//
//
// What the lowering will make of an access, for hover and hints.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_LOWEREDACCESS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_LOWEREDACCESS_H

#include "dialects/layout/SharedBanks.h"
#include "dialects/target/Target.h"
#include "dialects/tt/TT.h"
#include "passes/analysis/AxisInfo.h"

#include <string>

namespace kernelscope::lower {

/// How the lowering moves a tensor between registers and shared memory: by an
/// instruction that moves tiles, or by ordinary accesses.
struct LoweredAccess {
  /// `ldmatrix.x4.trans`, `ds_read_b64_tr_b16`; empty for ordinary accesses.
  std::string instruction;
  /// How many of these each warp executes.
  unsigned count = 0;
  /// What ordinary accesses cost, if they are taken.
  AccessCost cost;
  /// Lanes exchange bytes with each other, so that these accesses take words.
  bool needsExchange = false;
};

/// Of a `ttg.local_load`, `local_store` or `local_alloc` of a tensor that
/// verifies; nothing for other ops, where the layouts do not fit, and where
/// data goes to another CTA.
std::optional<LoweredAccess> loweredAccessOf(mlir::Operation *op,
                                             const Target &target);

/// The accesses of a thread to global memory, before the mask: how many, and
/// the neighbouring elements that each takes.
struct GlobalAccesses {
  unsigned count, elements;
};

/// Of an op that verifies and has a layout; `axes` is of the function around
/// it.
std::optional<GlobalAccesses> globalAccessesOf(tt::GlobalAccessOpInterface op,
                                               const AxisInfoAnalysis &axes,
                                               const Target &target);

/// Of a `ttg.async_copy_global_to_local` or `amdg.buffer_load_to_local` that
/// verifies: the copies of a thread. Nothing where the chip has no such copy.
std::optional<GlobalAccesses>
asyncCopyAccessesOf(tt::GlobalAccessOpInterface op,
                    const AxisInfoAnalysis &axes, const Target &target);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_LOWEREDACCESS_H
