//===- AMDG.h - the amdg dialect: what only AMD GPUs do ---------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_AMDG_AMDG_H
#define KERNELSCOPE_DIALECTS_AMDG_AMDG_H

#include "dialects/tt/TT.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

#include "dialects/amdg/AMDGDialect.h.inc"

namespace kernelscope::amdg {

// Types that an op's declaration derives from others.
using tt::getI1SameShape;
using tt::getI32SameShape;
using tt::getPointerTypeToElement;

} // namespace kernelscope::amdg

#define GET_OP_CLASSES
#include "dialects/amdg/AMDGOps.h.inc"

#endif
