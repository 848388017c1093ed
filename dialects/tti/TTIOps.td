//===- TTIOps.td - all ops of tti, by sanitizer ------------*- tablegen -*-===//

#ifndef KERNELSCOPE_TTI_OPS_TD
#define KERNELSCOPE_TTI_OPS_TD

include "dialects/tti/TTIConSanOps.td"
include "dialects/tti/TTIFPSanOps.td"
include "dialects/tti/TTIGSanOps.td"

#endif
