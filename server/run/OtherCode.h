//===- OtherCode.h - What another compiler made of a kernel -----*- C++ -*-===//
//
// So that Triton's own code runs on the same inputs, and is timed in the same
// way, as ours.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_OTHERCODE_H
#define KERNELSCOPE_SERVER_RUN_OTHERCODE_H

#include "server/run/Launcher.h"

namespace kernelscope::run {

/// Puts the code in the file `path` in the place of the program's own. What it
/// needs of a launch is read from `path` with the extension `.json`, if that
/// file is there, as Triton writes it beside each kernel in its cache:
/// `num_warps`, `shared` and `global_scratch_size`, each of which may be
/// missing. An error if a file cannot be read or is not as said.
llvm::Error replaceCode(DeviceProgram &program, const std::string &path);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_OTHERCODE_H
