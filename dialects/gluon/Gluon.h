//===- Gluon.h - the gluon dialect: layouts left open -----------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_GLUON_GLUON_H
#define KERNELSCOPE_DIALECTS_GLUON_GLUON_H

#include "dialects/tt/TT.h"

#include "dialects/gluon/GluonDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/gluon/GluonAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/gluon/GluonOps.h.inc"

#endif
