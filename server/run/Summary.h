//===- Summary.h - What the elements of a buffer are like ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_RUN_SUMMARY_H
#define KERNELSCOPE_SERVER_RUN_SUMMARY_H

#include "server/run/Report.h"

namespace kernelscope::run {

/// Some elements: how many there are of each kind, and of the finite ones the
/// range and the sum.
struct Summary {
  std::optional<Statistics> numbers; ///< without a mean
  double sum = 0;
  size_t count = 0, nans = 0, infinities = 0;
};

/// All elements of `buffer`, by all cores; the same on each machine.
/// `onProgress` may be empty.
Summary summarize(const ArgumentValue &buffer,
                  const executor::OnProgress &onProgress);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_SUMMARY_H
