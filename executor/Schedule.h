//===- Schedule.h - When asynchronous work takes effect --------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_SCHEDULE_H
#define KERNELSCOPE_EXECUTOR_SCHEDULE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace kernelscope::executor {

/// Asynchronous work may take effect at any time between its issue and the wait
/// that orders it, and agents may take turns in any order. A schedule is one of
/// the choices; the same one produces the same run.
struct Schedule {
  enum class Kind : uint8_t {
    Late,   ///< at the wait; agents take turns in the order of their start
    Eager,  ///< at the issue; agents as above
    Seeded, ///< at pseudo-random times, and agents in a pseudo-random order
  };
  Kind kind = Kind::Late;
  uint64_t seed = 0; ///< of Seeded

  /// "late", "eager" or "seed:N"; none for another text.
  static std::optional<Schedule> parse(llvm::StringRef text);
  /// What `parse` reads.
  std::string name() const;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_SCHEDULE_H
