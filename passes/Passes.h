//===- Passes.h - The passes, as objects and by name ------------*- C++ -*-===//
//
// What `Passes.td` declares: `createX()` and `XOptions` of each pass X. Its
// descriptions say what the passes do.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_PASSES_H
#define KERNELSCOPE_PASSES_PASSES_H

#include "dialects/target/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kernelscope {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_PASSES_H
