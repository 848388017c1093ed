//===- RunTests.h - the main function of a test program ---------*- C++ -*-===//

#ifndef KERNELSCOPE_TEST_UNIT_RUNTESTS_H
#define KERNELSCOPE_TEST_UNIT_RUNTESTS_H

namespace kernelscope {

/// Runs the registered tests; returns the exit code. Takes GoogleTest's options
/// and `--source=FILE`, which runs the tests that stand in FILE,
/// `LinearLayoutTest.cpp` or `hover.txt`, and fails if there are none.
int runTests(int argc, char **argv);

} // namespace kernelscope

#endif // KERNELSCOPE_TEST_UNIT_RUNTESTS_H
