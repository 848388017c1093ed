//===- BytePermutes.h - Bytes regrouped by v_perm_b32 -----------*- C++ -*-===//
//
// Where a thread transposes bytes on their way, as of 8-bit operands of matrix
// products, its words are made of single bytes of others. LLVM's code generator
// for AMD shifts and masks each byte.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_BYTEPERMUTES_H
#define KERNELSCOPE_PASSES_EMIT_BYTEPERMUTES_H

namespace llvm {
class Function;
} // namespace llvm

namespace kernelscope::emit {

/// Replaces vectors of bytes that shuffles gather from others by words, each
/// made from up to four words by `v_perm_b32`, which takes any bytes of two. If
/// `takesLoads`, bytes that are loaded alone are words of one byte; loads that
/// fill half of a register are better at those.
void permuteBytes(llvm::Function &function, bool takesLoads);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_BYTEPERMUTES_H
