//===- LauncherTest.h - A launch for tests of launchers ---------*- C++ -*-===//

#ifndef KERNELSCOPE_TEST_UNIT_RUN_LAUNCHERTEST_H
#define KERNELSCOPE_TEST_UNIT_RUN_LAUNCHERTEST_H

#include "server/run/Launcher.h"
#include "gmock/gmock.h"
#include <cstring>

namespace kernelscope::run {

/// A test with a launch of `add(a, b, out, n)` on vectors of three f32, through
/// a runtime that is a fake.
class LauncherTest : public testing::Test {
protected:
  void open(llvm::Expected<std::unique_ptr<Launcher>> opened) {
    ASSERT_TRUE(bool(opened)) << llvm::toString(opened.takeError());
    launcher = std::move(*opened);
    program.kernel.name = "add";
    const std::vector<float> values = {1, 2, 3};
    for (const char *name : {"a", "b", "out"}) {
      ArgumentValue buffer;
      buffer.info.name = name;
      buffer.info.isPointer = true;
      buffer.info.element = executor::Element::F32;
      buffer.bytes.resize(12);
      if (buffer.info.name != "out")
        std::memcpy(buffer.bytes.data(), values.data(), 12);
      launch.arguments.push_back(buffer);
    }
    ArgumentValue n;
    n.info.name = "n";
    n.info.element = executor::Element::I32;
    n.scalar.bits = 3;
    launch.arguments.push_back(n);
    launch.grid = {7, 2, 1};
  }

  static std::string errorOf(llvm::Expected<LaunchTimes> times) {
    return times ? "" : llvm::toString(times.takeError());
  }

  std::unique_ptr<Launcher> launcher;
  DeviceProgram program;
  Launch launch;
};

} // namespace kernelscope::run

#endif // KERNELSCOPE_TEST_UNIT_RUN_LAUNCHERTEST_H
