//===- Proton.h - the proton dialect: marks for the profiler ----*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_PROTON_PROTON_H
#define KERNELSCOPE_DIALECTS_PROTON_PROTON_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/proton/ProtonDialect.h.inc"
#include "dialects/proton/ProtonEnums.h.inc"

#define GET_OP_CLASSES
#include "dialects/proton/ProtonOps.h.inc"

#endif
