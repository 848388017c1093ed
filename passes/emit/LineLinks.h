//===- LineLinks.h - From lines of the output to lines of the IR *- C++ -*-===//
//
// Reads the line tables that LLVM writes into its own text.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_LINELINKS_H
#define KERNELSCOPE_PASSES_EMIT_LINELINKS_H

#include "passes/Compile.h"

namespace kernelscope::emit {

/// Of PTX or AMDGCN: each instruction belongs to the last `.loc` before it.
std::vector<LineLink> linksFromAssembly(llvm::StringRef text);

/// Of LLVM IR: through each instruction's `!dbg`.
std::vector<LineLink> linksFromLlvm(llvm::StringRef text);

/// Of `nvdisasm --print-line-info`: each instruction belongs to the last
/// "//## File ..., line N" before it.
std::vector<LineLink> linksFromSass(llvm::StringRef text);

/// Prints TTGIR, and links each op's first line to the line that it came from.
std::string printWithLinks(mlir::ModuleOp module, std::vector<LineLink> &links);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_LINELINKS_H
