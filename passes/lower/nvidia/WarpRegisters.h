//===- WarpRegisters.h - Registers moved between warps ----------*- C++ -*-===//
//
// A block is launched with as many registers for every thread. From Hopper on,
// warp groups can give some of theirs back and take what others gave back
// (PTX ISA, "setmaxnreg"). All counts are registers per thread, and multiples
// of eight.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_WARPREGISTERS_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_WARPREGISTERS_H

#include "passes/lower/support/ExecutionScope.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace kernelscope::lower {

/// Limits of setmaxnreg.
constexpr unsigned minRegisters = 24, maxRegisters = 256;

/// Warps that set their registers together: groups of four, joined if a
/// partition continues from one into the next.
struct RegisterGroup {
  unsigned firstWarp, warps;
  /// While the partitions run.
  unsigned registers = 0;
  /// The partitions in it, by number.
  llvm::SmallVector<unsigned> partitions;

  unsigned end() const { return firstWarp + warps; }
};

/// The warps from `begin` to `end` in groups, for partitions that these scopes
/// run.
llvm::SmallVector<RegisterGroup>
groupsFor(llvm::ArrayRef<ExecutionScope> partitions, unsigned begin,
          unsigned end);

/// What a kernel with partitions starts with, and has between them.
class WarpRegisters {
public:
  /// The block has `totalWarps` warps, of which the kernel itself runs on the
  /// first `defaultWarps`; both are whole warp groups, and there are more in
  /// all than by default. `launch` is what every thread is launched with; 0: as
  /// many as the register file has for so many threads.
  WarpRegisters(unsigned defaultWarps, unsigned totalWarps,
                unsigned launch = 0);

  /// The request `registers`, as setmaxnreg can have it.
  static unsigned rounded(int64_t registers);

  unsigned warps() const { return totalWarps; }
  unsigned launched() const { return launch; }
  /// Of the default warps and of the others while no partition runs: the
  /// default warps have what they can use.
  unsigned defaultIdle() const { return idleDefault; }
  unsigned extraIdle() const { return idleExtra; }
  /// Gives each group what the partitions in it ask for, of `requests` for each
  /// partition; none at all when they ask for nothing.
  void grant(llvm::MutableArrayRef<RegisterGroup> groups,
             llvm::ArrayRef<int32_t> requests) const;
  /// What the default warps can have beside `groups`; none when less is left
  /// than a warp can run with.
  std::optional<unsigned>
  defaultBeside(llvm::ArrayRef<RegisterGroup> groups) const;

private:
  unsigned defaultWarps, totalWarps, launch, idleDefault, idleExtra;
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_WARPREGISTERS_H
