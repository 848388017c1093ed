//===- RecordPhis.h - Tensors that blocks pass on ---------------*- C++ -*-===//
//
// A tensor is a struct of a thread's elements. LLVM splits structs within a
// block, but not those that a loop carries, of which its code generator copies
// all fields for each that is used.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_RECORDPHIS_H
#define KERNELSCOPE_PASSES_EMIT_RECORDPHIS_H

namespace llvm {
class Function;
} // namespace llvm

namespace kernelscope::emit {

/// Replaces each phi of a struct by one for each of its fields. For the end of
/// O3: before it, casts move over such phis, so that two no longer become one
/// instruction.
void splitRecordPhis(llvm::Function &function);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_RECORDPHIS_H
