//===- Matrix.h - Matrices in kernels of tests -----------------*- C++ -*-===//
//
// IR text that loads and stores row-major matrices without layouts.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_TEST_EXECUTOR_MATRIX_H
#define KERNELSCOPE_TEST_EXECUTOR_MATRIX_H

#include "Program.h"

namespace kernelscope::executor {

/// "tensor<4x8xf32>".
inline std::string matrixType(int rows, int columns, const std::string &type) {
  return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
         "x" + type + ">";
}

/// Pointers %`name`.at to the elements of a row-major matrix at %p`name`.
inline std::string matrixAddresses(const std::string &name, int rows,
                                   int columns, const std::string &type) {
  const std::string n = std::to_string(rows * columns),
                    indices = matrixType(rows, columns, "i32"),
                    pointers =
                        matrixType(rows, columns, "!tt.ptr<" + type + ">"),
                    v = "%" + name;
  return v + ".n = tt.make_range {start = 0 : i32, end = " + n +
         " : i32} : tensor<" + n + "xi32>\n" + v + ".i = tt.reshape " + v +
         ".n : tensor<" + n + "xi32> -> " + indices + "\n" + v +
         ".p = tt.splat %p" + name + " : !tt.ptr<" + type + "> -> " + pointers +
         "\n" + v + ".at = tt.addptr " + v + ".p, " + v + ".i : " + pointers +
         ", " + indices + "\n";
}

/// %`name` is the matrix at %p`name`.
inline std::string loadMatrix(const std::string &name, int rows, int columns,
                              const std::string &type) {
  return matrixAddresses(name, rows, columns, type) + "%" + name +
         " = tt.load %" + name +
         ".at : " + matrixType(rows, columns, "!tt.ptr<" + type + ">") + "\n";
}

/// The matrix at %p`name` becomes %`name`.
inline std::string storeMatrix(const std::string &name, int rows, int columns,
                               const std::string &type) {
  return matrixAddresses(name, rows, columns, type) + "tt.store %" + name +
         ".at, %" + name + " : " +
         matrixType(rows, columns, "!tt.ptr<" + type + ">") + "\n";
}

} // namespace kernelscope::executor

#endif // KERNELSCOPE_TEST_EXECUTOR_MATRIX_H
