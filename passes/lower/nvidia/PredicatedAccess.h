//===- PredicatedAccess.h - Loads and stores with a predicate ---*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_NVIDIA_PREDICATEDACCESS_H
#define KERNELSCOPE_PASSES_LOWER_NVIDIA_PREDICATEDACCESS_H

#include "passes/lower/nvidia/AccessWords.h"
#include "passes/lower/support/Builder.h"

namespace kernelscope::lower {

/// The elements' bits, packed into words of the width that the access has.
llvm::SmallVector<mlir::Value> packWords(Builder &b, mlir::ValueRange elements,
                                         AccessWords words);
/// The inverse of `packWords`.
llvm::SmallVector<mlir::Value> unpackWords(Builder &b,
                                           llvm::ArrayRef<mlir::Value> words,
                                           mlir::Type element, unsigned count);

/// Loads by inline PTX, "ld.global" or "ld.shared" with their qualifiers, as
/// `TargetHooks::loadGlobal` says. `policy` is the operand of
/// `.L2::cache_hint`, which the qualifiers then contain; null without it.
llvm::SmallVector<mlir::Value>
loadPredicated(Builder &b, const std::string &opcode, mlir::Value pointer,
               mlir::Type element, unsigned count, mlir::Value predicate,
               mlir::ValueRange other, mlir::Value policy = {});
/// The same for "st.global" and "st.shared".
void storePredicated(Builder &b, const std::string &opcode, mlir::Value pointer,
                     mlir::ValueRange values, mlir::Value predicate,
                     mlir::Value policy = {});

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_NVIDIA_PREDICATEDACCESS_H
