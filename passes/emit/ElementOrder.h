//===- ElementOrder.h - One element after the other -------------*- C++ -*-===//
//
// Ops on tensors become code op by op: the first step of all elements of a
// thread, then the second step of all. Where a step has many intermediate
// values, all elements have theirs at once.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_ELEMENTORDER_H
#define KERNELSCOPE_PASSES_EMIT_ELEMENTORDER_H

namespace llvm {
class Module;
} // namespace llvm

namespace kernelscope::emit {

/// Orders arithmetic between two accesses of memory such that what one result
/// needs stands together, where that leaves clearly fewer registers live at
/// once. For code generators that keep the order of the IR, as LLVM's for
/// NVIDIA does; ptxas keeps most of it, too.
void orderByElement(llvm::Module &module);

} // namespace kernelscope::emit

#endif // KERNELSCOPE_PASSES_EMIT_ELEMENTORDER_H
