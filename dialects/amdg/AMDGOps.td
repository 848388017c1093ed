//===- AMDGOps.td - all ops of amdg, by kind ---------------*- tablegen -*-===//

#ifndef KERNELSCOPE_AMDG_OPS_TD
#define KERNELSCOPE_AMDG_OPS_TD

include "dialects/amdg/AMDGBufferOps.td"
include "dialects/amdg/AMDGLaneOps.td"

#endif
