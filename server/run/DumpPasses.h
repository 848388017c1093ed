//===- DumpPasses.h - what each pass of a dump did --------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_RUN_DUMPPASSES_H
#define KERNELSCOPE_SERVER_RUN_DUMPPASSES_H

#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope::run {

/// The IR between two passes, as one reads it.
struct DumpState {
  size_t line = 0;  ///< Of its section's title in the dump, from zero.
  std::string text; ///< Without locations.
};

/// One pass of a dump.
struct DumpPass {
  std::string name;
  size_t line = 0; ///< Of its title in the dump, from zero.
  /// Numbers of states; nothing where the dump does not have that one.
  std::optional<size_t> before, after;
  /// Lines that differ in more than names and locations.
  size_t added = 0, removed = 0;
  /// The lines of the op that is followed, in the dump, after the pass.
  std::vector<size_t> followed;
  /// They differ, in more than names, from those before the pass.
  bool changesFollowed = false;
};

struct DumpHistory {
  std::vector<DumpState> states;
  std::vector<DumpPass> passes;
  /// What is followed: `kernel.py:12:3` or `%acc`; empty for nothing.
  std::string what;
};

/// The passes of `dump` in their order. `line`, from zero, is that of an op to
/// follow: by its location, as it is written out, or where it has none by the
/// name of its result.
DumpHistory historyOf(llvm::StringRef dump, std::optional<size_t> line);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_DUMPPASSES_H
