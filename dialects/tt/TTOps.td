//===- TTOps.td - all ops of tt, by kind -------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TT_OPS_TD
#define KERNELSCOPE_TT_OPS_TD

include "dialects/tt/TTElementwiseOps.td"
include "dialects/tt/TTMemoryOps.td"
include "dialects/tt/TTShapeOps.td"
include "dialects/tt/TTDotOps.td"
include "dialects/tt/TTRegionOps.td"
include "dialects/tt/TTDescriptorOps.td"
include "dialects/tt/TTProgramOps.td"
include "dialects/tt/TTBlockPointerOps.td"

#endif
