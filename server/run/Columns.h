//===- Columns.h - Buffers whose elements name columns ----------*- C++ -*-===//
//
// The label of a row names one of its columns. It is read in the place of a
// column, or compared with one, and what bounds the columns bounds the label.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_RUN_COLUMNS_H
#define KERNELSCOPE_SERVER_RUN_COLUMNS_H

#include "server/run/Arguments.h"

namespace kernelscope::run {

/// Sets `below`, and `indices` where a constant bounds them, of the arguments
/// whose elements stand for an index that the kernel compares with a bound:
/// in an address that is otherwise the same, by asking whether both are equal,
/// or because an element in an address is compared with the bound itself.
void markColumns(mlir::FunctionOpInterface kernel,
                 std::vector<ArgumentInfo> &arguments);

} // namespace kernelscope::run

#endif // KERNELSCOPE_SERVER_RUN_COLUMNS_H
