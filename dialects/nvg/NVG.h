//===- NVG.h - the nvg dialect: NVIDIA instructions -------------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_NVG_NVG_H
#define KERNELSCOPE_DIALECTS_NVG_NVG_H

#include "dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

#include "dialects/nvg/NVGDialect.h.inc"
#include "dialects/nvg/NVGEnums.h.inc"

#define GET_OP_CLASSES
#include "dialects/nvg/NVGOps.h.inc"

#endif
