//===- Report.h - What a run gave -------------------------------*- C++ -*-===//
//
// Results as plain data and as text.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_REPORT_H
#define KERNELSCOPE_SERVER_RUN_REPORT_H

#include "server/run/Comparison.h"
#include <nlohmann/json_fwd.hpp>

namespace kernelscope::run {

/// Of the elements that are finite.
struct Statistics {
  double minimum = 0, maximum = 0, mean = 0;
};

/// One buffer after the run.
struct OutputReport {
  std::string name, dtype;
  std::vector<int64_t> shape;
  uint64_t checksum = 0; ///< of the bytes: XXH3, 64 bits
  std::vector<std::string> first;
  size_t nans = 0, infinities = 0;
  std::optional<Statistics> statistics; ///< None if no element is a number.
  std::optional<Comparison> comparison;
  /// None if the buffers are equal, or not compared.
  std::optional<ErrorMap> errors;
};

struct InputReport {
  std::string name, dtype;
  std::vector<int64_t> shape; ///< empty for a scalar
  std::string value;          ///< a scalar's value, or a buffer's fill
};

struct RunReport {
  std::string kernel;
  std::string device; ///< "cuda: NVIDIA H200 (sm_90a)"
  executor::Grid grid;
  /// Of a run on the CPU; none on a GPU.
  std::optional<executor::Schedule> schedule;
  bool sanitized = false;
  unsigned threads = 0, ctas = 1, sharedBytes = 0; ///< of a GPU launch
  std::vector<InputReport> inputs;
  std::vector<OutputReport> outputs;
  std::optional<double> microseconds; ///< per launch, the median
  unsigned launches = 0;              ///< that were timed
  uint64_t bytes = 0;                 ///< of buffers that are read, and written
  /// Of the matrix products of a timed launch, where it is known.
  std::optional<double> operations;
  /// The most that the device can do, for operands of the products' size.
  std::optional<double> peakGigabytesPerSecond, peakTeraflops;
  std::vector<std::string> notes;

  /// No output is outside its tolerance.
  bool matches() const;
  /// Of a GPU; the executor's rate says nothing.
  std::optional<double> gigabytesPerSecond() const;
  std::optional<double> teraflops() const;
};

/// Reports buffer `found`; compares it when there is an `expected`, which came
/// of `with`. `onProgress` is called with the number of elements that are
/// summed up.
OutputReport reportOutput(const ArgumentValue &found,
                          const ArgumentValue *expected,
                          const Tolerance &tolerance,
                          llvm::StringRef with = "the CPU executor",
                          const executor::OnProgress &onProgress = {});

InputReport reportInput(const ArgumentValue &argument);

/// The element `number`, in row-major order, of a buffer: "10, 304".
std::string indexText(llvm::ArrayRef<int64_t> shape, size_t number);

std::string toText(const RunReport &report);
nlohmann::json toJson(const RunReport &report);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_REPORT_H
