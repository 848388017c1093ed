//===- Ptx.h - Inline PTX -------------------------------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_PTX_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_PTX_H

#include "passes/lower/support/Builder.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace kernelscope::lower {

/// Inline PTX under construction: numbers the operands as they are added, all
/// outputs before the first input.
class Ptx {
public:
  explicit Ptx(Builder &b) : b(b) {}

  /// The constraint of an integer register: "h", "r" or "l".
  static llvm::StringRef constraintOf(unsigned bits);

  /// Adds an output register of at least 16 bits and returns its name, "$0".
  std::string output(unsigned bits);
  /// Adds an output register of `type`.
  std::string output(mlir::Type type, llvm::StringRef constraint);
  /// Adds an input and returns its name.
  std::string input(mlir::Value value, llvm::StringRef constraint);
  /// "@$3 " for an input that is the predicate, or nothing without one.
  std::string predicate(mlir::Value value);
  /// "{$0, $1}" or "$0".
  static std::string group(llvm::ArrayRef<std::string> names);

  /// Emits `assembly` with the operands so far and returns its outputs.
  llvm::SmallVector<mlir::Value> emit(llvm::StringRef assembly) {
    return emit(assembly, /*hasSideEffects=*/true);
  }
  /// The same for what depends on the inputs alone.
  llvm::SmallVector<mlir::Value> emitPure(llvm::StringRef assembly) {
    return emit(assembly, /*hasSideEffects=*/false);
  }

private:
  llvm::SmallVector<mlir::Value> emit(llvm::StringRef assembly,
                                      bool hasSideEffects);

  Builder &b;
  llvm::SmallVector<mlir::Type> outputs;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<std::string> constraints;
  unsigned next = 0;
};

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_PTX_H
