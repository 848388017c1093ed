//===- ProtonGPU.h - the proton_gpu dialect: the profiler's buffer -*- C++
//-*-===//

#ifndef KERNELSCOPE_DIALECTS_PROTON_GPU_PROTONGPU_H
#define KERNELSCOPE_DIALECTS_PROTON_GPU_PROTONGPU_H

#include "dialects/proton/Proton.h"
#include "dialects/ttg/TTG.h"

#include "dialects/proton_gpu/ProtonGPUDialect.h.inc"
#include "dialects/proton_gpu/ProtonGPUEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/proton_gpu/ProtonGPUAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/proton_gpu/ProtonGPUTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/proton_gpu/ProtonGPUOps.h.inc"

#endif
