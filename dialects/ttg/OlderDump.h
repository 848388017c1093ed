//===- OlderDump.h - what dumps of older releases mean ----------*- C++ -*-===//

#ifndef KERNELSCOPE_DIALECTS_TTG_OLDERDUMP_H
#define KERNELSCOPE_DIALECTS_TTG_OLDERDUMP_H

#include "mlir/IR/BuiltinOps.h"

namespace kernelscope::ttg {

/// Sets `ttng.two-ctas` on a module whose products are of pairs of CTAs. A dump
/// for which `isOlderDump` held before remains one.
void setTwoCTAs(mlir::ModuleOp module);

/// Whether Triton 3.7 or older wrote the function around `op`: its location is
/// column 0 of the text in Python. Triton 3.8 counts from 1
/// (triton-lang/triton#9540), and no attribute differs on AMD.
bool countsColumnsFromZero(mlir::Operation *op);

/// Records on a dump whether `countsColumnsFromZero` holds, before its
/// locations are replaced.
void recordColumns(mlir::ModuleOp module);

} // namespace kernelscope::ttg

#endif
