//===- Dialects.h - What passes and the executor see of the IR -*- C++ -*-===//
//
// The dialects that most units of the passes, the executor and the tests
// include, parsed once per build tree.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_CMAKE_PRECOMPILED_DIALECTS_H
#define KERNELSCOPE_CMAKE_PRECOMPILED_DIALECTS_H

#include "cmake/precompiled/Libraries.h"
#include "dialects/amdg/AMDG.h"
#include "dialects/nvws/NVWS.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#endif // KERNELSCOPE_CMAKE_PRECOMPILED_DIALECTS_H
