//===- FlatFunction.h - a function with what it calls -----------*- C++ -*-===//
//
// What a function does to barriers and copies may be spread over the functions
// that it calls, as in Gluon's kernels before inlining, and over blocks, as
// where a kernel returns early. A copy of it in which calls are replaced by
// what they do, and branches between blocks by 'scf' ops, is one function with
// one block to all analyses.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_FLATFUNCTION_H
#define KERNELSCOPE_PASSES_ANALYSIS_FLATFUNCTION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"

namespace kernelscope {

class FlatFunction {
public:
  /// The function of a name, without errors; null for one that is not known.
  using Resolve = llvm::function_ref<mlir::Operation *(llvm::StringRef)>;

  /// Copies `function`, in a module with the attributes of its own. A call
  /// stays where the function is not known or calls itself, and where the copy
  /// would become very large; branches stay if 'scf' has no ops for them.
  explicit FlatFunction(
      mlir::Operation *function,
      Resolve resolve = [](llvm::StringRef) -> mlir::Operation * {
        return nullptr;
      });

  /// The same, with the functions of its module.
  static FlatFunction withCallees(mlir::Operation *function);

  /// Whether `function` has branches between blocks.
  static bool hasBranches(mlir::Operation *function);

  /// The copy.
  mlir::Operation *function() const { return copy; }
  /// What an op, value or operand of the copy is a copy of; null if nothing.
  mlir::Operation *originalOf(mlir::Operation *op) const {
    return origins.lookup(op);
  }
  mlir::Value originalOf(mlir::Value value) const;
  mlir::OpOperand *originalOf(mlir::OpOperand &operand) const;
  /// Whether the copy has `original` just once.
  bool isOnlyCopied(mlir::Operation *original) const {
    return copies.lookup(original) == 1;
  }

private:
  void inlineCalls(mlir::Operation *root, Resolve resolve,
                   llvm::SmallVectorImpl<mlir::Operation *> &callers);
  mlir::Operation *add(mlir::Operation *function);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::Operation *copy = nullptr;
  size_t numCopied = 0;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> origins;
  llvm::DenseMap<mlir::Operation *, unsigned> copies;
};

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_FLATFUNCTION_H
