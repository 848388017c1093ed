//===- OlderDump.h - what dumps of Triton 3.6 and older mean ----*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TTG_OLDERDUMP_H
#define KERNELSCOPE_DIALECTS_TTG_OLDERDUMP_H

#include "mlir/IR/BuiltinOps.h"

namespace kernelscope::ttg {

/// Sets `ttng.two-ctas` on a module whose products are of pairs of CTAs. A dump
/// for which `isOlderDump` held before remains one.
void setTwoCTAs(mlir::ModuleOp module);

} // namespace kernelscope::ttg

#endif
