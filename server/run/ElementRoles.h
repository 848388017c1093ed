//===- ElementRoles.h - What the elements of a buffer are for ---*- C++ -*-===//
//
// Of the integers in a buffer the kernel may make rows or pointers, and it may
// assert what they are; a default launch needs such ones.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_ELEMENTROLES_H
#define KERNELSCOPE_SERVER_RUN_ELEMENTROLES_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// Sets `namesRows`, `isOffset`, `isNotNegative`, `isFlag`, `isScale`,
/// `indices`, `below`, `awaited` and `pointee` of the arguments.
void markElements(mlir::FunctionOpInterface kernel,
                  std::vector<ArgumentInfo> &arguments);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_ELEMENTROLES_H
