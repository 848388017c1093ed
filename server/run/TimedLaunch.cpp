//===- TimedLaunch.cpp - Sizes that are worth timing ----------------------===//

#include "server/run/TimedLaunch.h"
#include "dialects/tt/TT.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace kernelscope::run {

/// What a plane doubles by at once, in each of its three directions.
static constexpr unsigned atOnce = 3;
/// 32,768 programs along a line, 64 by 64 of a plane.
static constexpr unsigned mostDoublings = 9;
/// Of all buffers. Limits on time would give two runs of one kernel launches of
/// two sizes. The first is enough for 50 microseconds of the fastest memory;
/// products take long to follow.
static constexpr uint64_t mostBytes = uint64_t(512) << 20,
                          mostBytesOfProducts = uint64_t(128) << 20;
/// For kernels whose accesses take long to follow: three seconds of 16 cores.
static constexpr uint64_t mostSteps = uint64_t(1) << 31;

static uint64_t programsOf(const Launch &launch) {
  return uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z;
}

static uint64_t bytesOf(const Launch &launch) {
  uint64_t bytes = 0;
  for (const ArgumentValue &argument : launch.arguments)
    bytes += argument.bytes.size();
  return bytes;
}

/// Whether the kernel, or a function beside it, has an op of this kind.
template <typename Op> static bool has(mlir::Operation *kernel) {
  return kernel->getParentOp()
      ->walk([](Op) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

std::optional<Launch> launchToTime(mlir::FunctionOpInterface kernel,
                                   executor::Kernel *executable,
                                   const LaunchSpec &spec,
                                   const Launch &small) {
  // What a kernel prints would be timed, and there would be much of it.
  if (givesSizes(spec) || !executable || has<tt::PrintOp>(kernel))
    return std::nullopt;
  const uint64_t limit =
      has<tt::DotOpInterface>(kernel) ? mostBytesOfProducts : mostBytes;
  // A kernel that does not run at another size is timed at this one.
  mlir::ScopedDiagnosticHandler quiet(
      kernel.getContext(), [](mlir::Diagnostic &) { return success(); });
  std::optional<Launch> largest;
  LaunchSpec larger = spec;
  while (larger.doublings < mostDoublings) {
    const Launch &before = largest ? *largest : small;
    unsigned step = atOnce;
    while (step && (bytesOf(before) << step > limit ||
                    before.sizingSteps << step > mostSteps))
      --step;
    if (!step)
      break;
    larger.doublings += step;
    Expected<Launch> launch = resolveLaunch(kernel, executable, larger);
    if (!launch) {
      consumeError(launch.takeError());
      break;
    }
    if (programsOf(*launch) <= programsOf(before) &&
        bytesOf(*launch) <= bytesOf(before))
      break;
    largest = std::move(*launch);
  }
  return largest;
}

std::string describeDifference(const Launch &larger, const Launch &small) {
  std::string text = formatv("grid {0} x {1} x {2}", larger.grid.x,
                             larger.grid.y, larger.grid.z)
                         .str();
  for (auto [a, b] : zip_equal(larger.arguments, small.arguments))
    if (!a.info.isPointer && a.scalar.bits != b.scalar.bits)
      text += formatv(", {0} {1}", a.info.name,
                      elementText(
                          a.info.element,
                          reinterpret_cast<const char *>(&a.scalar.bits), 0))
                  .str();
  return text;
}

} // namespace kernelscope::run
