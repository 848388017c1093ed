//===- TritonWheel.h - What an installed Triton brings along ----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_EMIT_TRITONWHEEL_H
#define KERNELSCOPE_PASSES_EMIT_TRITONWHEEL_H

#include <string>
#include <vector>

namespace kernelscope::emit {

/// The folders `triton/backends` of the Pythons at hand: the one that this
/// program is installed in, the active environment's (`VIRTUAL_ENV`,
/// `CONDA_PREFIX`), that of `python3` on PATH, the user's and Debian's. There
/// are ptxas, nvdisasm and libdevice in `nvidia/`, and ROCm's device libraries
/// in `amd/`. Looked for once: previews ask each time.
const std::vector<std::string> &tritonBackends();

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_TRITONWHEEL_H
