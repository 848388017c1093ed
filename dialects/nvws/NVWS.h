//===- NVWS.h - Warp specialisation on NVIDIA -------------------*- C++ -*-===//
//
// Asynchronous references, tokens and groups of warps.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_NVWS_NVWS_H
#define KERNELSCOPE_DIALECTS_NVWS_NVWS_H

#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"

#include "dialects/nvws/NVWSDialect.h.inc"
#include "dialects/nvws/NVWSEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/nvws/NVWSAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/nvws/NVWSTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/nvws/NVWSOps.h.inc"

#endif // KERNELSCOPE_DIALECTS_NVWS_NVWS_H
