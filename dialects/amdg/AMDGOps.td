//===- AMDGOps.td - all ops of amdg, by kind ---------------*- tablegen -*-===//

#ifndef KERNELSCOPE_AMDG_OPS_TD
#define KERNELSCOPE_AMDG_OPS_TD

include "dialects/amdg/AMDGLaneOps.td"
include "dialects/amdg/AMDGMemoryOps.td"
include "dialects/amdg/AMDGTensorOps.td"

#endif
