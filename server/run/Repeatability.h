//===- Repeatability.h - Whether two runs give the same bits ----*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_RUN_REPEATABILITY_H
#define KERNELSCOPE_SERVER_RUN_REPEATABILITY_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>
#include <vector>

namespace kernelscope::run {

/// Why two runs of `kernel` on the same inputs may give other bits, one note
/// for each reason, which names the op: atomic updates whose order matters,
/// addresses as numbers, clocks. Empty for most kernels.
std::vector<std::string> whyRunsMayDiffer(mlir::FunctionOpInterface kernel);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_REPEATABILITY_H
