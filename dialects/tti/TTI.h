//===- TTI.h - the tti dialect: Triton's sanitizers -------------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TTI_TTI_H
#define KERNELSCOPE_DIALECTS_TTI_TTI_H

#include "dialects/ttg/TTG.h"

#include "dialects/tti/TTIDialect.h.inc"
#include "dialects/tti/TTIEnums.h.inc"

namespace kernelscope::tti {

// Types that an op's declaration derives from others.
using tt::getI1SameShape;
using tt::getPointeeType;
using tt::getPointerTypeSameShape;

} // namespace kernelscope::tti

#define GET_OP_CLASSES
#include "dialects/tti/TTIOps.h.inc"

#endif
