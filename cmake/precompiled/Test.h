//===- Test.h - What most tests include ------------------------*- C++ -*-===//
//
// GoogleTest, MLIR's parser and the dialects, parsed once per build tree.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_CMAKE_PRECOMPILED_TEST_H
#define KERNELSCOPE_CMAKE_PRECOMPILED_TEST_H

#include "cmake/precompiled/Dialects.h"
#include "mlir/Parser/Parser.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#endif // KERNELSCOPE_CMAKE_PRECOMPILED_TEST_H
