//===- BufferAccesses.h - Accesses through buffer resources -----*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_TTGIR_BUFFERACCESSES_H
#define KERNELSCOPE_PASSES_TTGIR_BUFFERACCESSES_H

#include "mlir/IR/BuiltinOps.h"

namespace kernelscope::ttgir {

/// Turns loads and stores under `module`, which is for an AMD GPU, into
/// amdg.buffer_load and amdg.buffer_store where the address is an argument with
/// `tt.pointer_range = 32`, whose buffer has less than 2 GiB, and offsets, also
/// where a loop carries it.
void useBufferAccesses(mlir::ModuleOp module);

} // namespace kernelscope::ttgir

#endif // KERNELSCOPE_PASSES_TTGIR_BUFFERACCESSES_H
