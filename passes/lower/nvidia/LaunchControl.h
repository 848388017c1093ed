//===- LaunchControl.h - Cluster launch control -----------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_LAUNCHCONTROL_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_LAUNCHCONTROL_H

#include "passes/lower/support/Lowering.h"

namespace kernelscope::lower {

/// `ttng.clc_*`: taking over the work of a cluster that has not started.
void populateLaunchControlPatterns(const TypeConverter &, Patterns &,
                                   const TargetHooks &);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_LAUNCHCONTROL_H
