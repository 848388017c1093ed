//===- ParseForCompile.h - IR whose locations are IR lines ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_PARSEFORCOMPILE_H
#define KERNELSCOPE_SERVER_ANALYSIS_PARSEFORCOMPILE_H

#include "server/analysis/Diagnostic.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace kernelscope {

/// Parses and verifies `text` for a compilation or a run. The location of each
/// op is the `FileLineColLoc` of its name in the text (`path`, line and column
/// from 1, columns in bytes), whatever its `loc(...)` said. Null if there is an
/// error; `diagnostics` then has all that `analyze` finds. The registered
/// dialects of `context` are used as they are. Of a text that `// -----` splits
/// it is the part with `line`, from 0; there must be one if several parts have
/// ops.
mlir::OwningOpRef<mlir::ModuleOp>
parseForCompile(llvm::StringRef text, llvm::StringRef path,
                mlir::MLIRContext &context,
                std::vector<Diagnostic> &diagnostics,
                std::optional<size_t> line = std::nullopt);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_PARSEFORCOMPILE_H
