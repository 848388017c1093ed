//===- Graft.h - edited ops in the place of those before --------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_GRAFT_H
#define KERNELSCOPE_SERVER_ANALYSIS_GRAFT_H

#include "server/analysis/EditedStatements.h"
#include "server/analysis/Unit.h"

namespace kernelscope {

/// A value that edited ops use; all results of an op that have one name.
struct UsedValue {
  mlir::Value first;
  unsigned count = 1;

  llvm::SmallVector<mlir::Value, 1> values() const;
};

/// The edited ops of a function, as they were and as they were parsed, in a
/// small text: a copy of the large one up to the function's body, then a hole
/// for each value that they use, the ops, and what follows the body.
struct ParsedEdit {
  EditedStatements place;
  llvm::SmallVector<mlir::Operation *, 4> oldOps, newOps;
  /// One that stays, in the block of the old ops: after or before them.
  mlir::Operation *next = nullptr, *previous = nullptr;
  llvm::SmallVector<UsedValue, 4> used;
  llvm::SmallVector<mlir::Operation *, 4> holes; ///< By `used`.

  std::string text;
  size_t copyEnd = 0, opsBegin = 0, rest = 0; ///< Its parts.
  llvm::SourceMgr sources;
  mlir::AsmParserState state;
  mlir::OwningOpRef<mlir::ModuleOp> top;
  mlir::Operation *function = nullptr; ///< In `top`, around the new ops.
};

/// Puts the new ops into the place of the old ones, which `earlier` then does
/// not have any more. What comes out is what a parse of `patched` would make.
std::shared_ptr<Fragment> graft(ParsedEdit &edit, const Unit &earlier,
                                const PatchedText &patched);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_GRAFT_H
