//===- LaunchSpec.h - What to run a kernel on -------------------*- C++ -*-===//
//
// The launch spec as a user writes it, in JSON, in a file beside the kernel:
// `kernel.ttgir` has `kernel.ttgir.launch.json`. Everything may be left out;
// launch-spec.schema.json describes it for editors.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_LAUNCHSPEC_H
#define KERNELSCOPE_SERVER_RUN_LAUNCHSPEC_H

#include "executor/Schedule.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kernelscope::run {

/// How the elements of a buffer come to be.
struct Fill {
  enum class Kind {
    Zeros,
    Ones,
    Arange,
    Ascending,
    Constant,
    Normal,
    Uniform,
    File,
    Pointers ///< to buffers of the launch; not in a spec
  };
  Kind kind = Kind::Zeros;
  double value = 0; ///< of Constant
  /// Of Uniform: in [low, high). Of Ascending: the first element is 0, and each
  /// later one exceeds the one before by 0 to `high`.
  double low = 0, high = 1;
  std::optional<uint64_t> seed;
  std::string file; ///< an .npy file
};

/// What a spec says of one argument.
struct ArgumentSpec {
  /// A scalar's value; integers are exact.
  std::variant<std::monostate, int64_t, double> value;
  std::optional<std::vector<int64_t>> shape;
  std::optional<std::string> dtype;
  std::optional<Fill> fill;
  /// Report this buffer after the run; the default is what the kernel stores
  /// to.
  std::optional<bool> output;
  /// An .npy file that this buffer is compared with after the run, in place of
  /// the CPU executor's; it is then reported.
  std::optional<std::string> expected;
};

/// |found - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double absolute = 0, relative = 0;
};

struct LaunchSpec {
  std::optional<std::string> kernel;
  std::optional<std::array<uint32_t, 3>> grid;
  std::map<std::string, ArgumentSpec> arguments; ///< by name, or by number
  std::map<std::string, Tolerance> tolerance;    ///< by dtype
  unsigned warmup = 5, repeat = 50;
  uint64_t seed = 0;
  /// On a GPU, all blocks must run at once.
  bool cooperative = false;
  /// How often the default sizes are doubled from those that the CPU runs at
  /// once.
  unsigned doublings = 0;
  // Of a run on the CPU:
  executor::Schedule schedule;
  bool sanitize = true;
  std::optional<uint64_t> maxSteps; ///< work of a program, in ops on scalars
};

/// Whether a spec says anything of sizes: a grid, or an argument.
inline bool givesSizes(const LaunchSpec &spec) {
  return spec.grid || !spec.arguments.empty();
}

/// Reads a spec. `path` is for messages, and files in the spec are found beside
/// it. The error names the field, what it is and what it should be.
llvm::Expected<LaunchSpec> parseLaunchSpec(llvm::StringRef json,
                                           llvm::StringRef path);

/// Reads the spec in `path`.
llvm::Expected<LaunchSpec> readLaunchSpec(llvm::StringRef path);

/// The file beside `kernelPath` where its spec is kept.
std::string sidecarPath(llvm::StringRef kernelPath);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_LAUNCHSPEC_H
