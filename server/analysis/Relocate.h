//===- Relocate.h - locations that name the IR text -------------*- C++ -*-===//
//
// A dump's `loc(...)` names a Python line. Whoever works with the IR's text
// wants the place of the op in that text.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_RELOCATE_H
#define KERNELSCOPE_SERVER_ANALYSIS_RELOCATE_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"

namespace kernelscope {

/// Gives each op of a successful parse a location that `opAt` recognises, and
/// answers what the locations were before.
llvm::DenseMap<mlir::Operation *, mlir::Location>
relocate(const mlir::AsmParserState &state, mlir::MLIRContext &context);

/// The op that `relocate` gave this location to, or null.
mlir::Operation *opAt(mlir::Location location,
                      const mlir::AsmParserState &state);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_RELOCATE_H
