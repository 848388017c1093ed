//===- HipTest.cpp - The HIP launcher, with a fake runtime ----------------===//

#include "FakeHip.h"
#include "LauncherTest.h"
#include <dlfcn.h>

using namespace kernelscope;
using namespace kernelscope::run;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

/// The header of an AMDGPU code object, as far as the runtime looks at it.
std::string codeObject() {
  std::string image(64, '\0');
  image.replace(0, 6,
                "\x7f"
                "ELF\x02\x01");
  image[18] = '\xe0';
  return image;
}

class Hip : public LauncherTest {
protected:
  void SetUp() override {
    void *library = dlopen("libamdhip64.so", RTLD_NOW);
    auto *getLog =
        library
            ? reinterpret_cast<FakeHipLog *(*)()>(dlsym(library, "fakeHipLog"))
            : nullptr;
    if (!getLog)
      GTEST_SKIP()
          << "run this through ctest, which puts the fake runtime in the way";
    log = getLog();
    *log = {};
    open(openHip());
    program.kernel.threadsPerWarp = 64;
    program.image = codeObject();
  }
  void TearDown() override {
    if (!log)
      return;
    launcher.reset();
    EXPECT_EQ(log->allocations, 0) << "all device memory is released";
    EXPECT_EQ(log->modules, 0) << "the code object is unloaded";
    EXPECT_EQ(log->events, 0) << "the events are destroyed";
  }

  FakeHipLog *log = nullptr;
};

TEST_F(Hip, NamesTheDevice) {
  EXPECT_EQ(launcher->deviceName(), "Fake AMD GPU");
}

TEST_F(Hip, LaunchesOnceForTheResultAndMoreForTheTime) {
  program.kernel.warps = 4;
  program.kernel.sharedBytes = 1024;
  llvm::Expected<LaunchTimes> times = launcher->launch(program, launch, 2, 5);
  ASSERT_TRUE(bool(times)) << llvm::toString(times.takeError());
  std::vector<float> out(3);
  std::memcpy(out.data(), launch.arguments[2].bytes.data(), 12);
  EXPECT_THAT(out, ElementsAre(2, 4, 6));
  EXPECT_THAT(*times, SizeIs(5));
  EXPECT_THAT(*times, Each(500.0)) << "microseconds";
  EXPECT_EQ(log->launches, 8u);
  EXPECT_THAT(log->grid, ElementsAre(7, 2, 1)) << "in blocks, not in threads";
  EXPECT_THAT(log->block, ElementsAre(256, 1, 1));
  EXPECT_THAT(log->cluster, Each(0)) << "no cluster";
  EXPECT_EQ(log->sharedBytes, 1024u);
  EXPECT_FALSE(log->isCooperative);
  EXPECT_EQ(log->refused, 0u);
}

TEST_F(Hip, CooperativeLaunchesAndScratchAreRequested) {
  program.kernel.isCooperative = true;
  program.kernel.scratchBytes = 64;
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_EQ(log->launches, 1u);
  EXPECT_TRUE(log->isCooperative);
  EXPECT_EQ(log->refused, 0u);
}

TEST_F(Hip, BlocksOfAClusterAreBlocksOfTheGrid) {
  program.kernel.ctas = 2;
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_THAT(log->grid, ElementsAre(14, 2, 1));
  EXPECT_THAT(log->cluster, ElementsAre(2, 1, 1));
  EXPECT_FALSE(log->isCooperative);
  program.kernel.isCooperative = true;
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_TRUE(log->isCooperative);
  EXPECT_EQ(log->refused, 0u);
}

TEST_F(Hip, ACodeObjectThatDoesNotLoadIsAnError) {
  program.image =
      "not a code object, but as long as the header of one is, 64 bytes";
  EXPECT_THAT(errorOf(launcher->launch(program, launch, 0, 0)),
              HasSubstr("loading the code object of 'add': device kernel image "
                        "is invalid"));
  EXPECT_EQ(log->launches, 0u);
}

TEST_F(Hip, AKernelThatIsNotInTheCodeObjectIsAnError) {
  program.kernel.name = "subtract";
  EXPECT_THAT(errorOf(launcher->launch(program, launch, 0, 0)),
              HasSubstr("finding kernel 'subtract': named symbol not found"));
  EXPECT_EQ(log->launches, 0u);
}

TEST_F(Hip, ALaunchThatTheRuntimeRefusesIsAnError) {
  program.kernel.warps = 32; // of 64 threads: 2,048
  EXPECT_THAT(errorOf(launcher->launch(program, launch, 0, 0)),
              HasSubstr("launching 'add': invalid argument"));
  program.kernel.warps = 4;
  program.kernel.sharedBytes = 65537;
  EXPECT_THAT(errorOf(launcher->launch(program, launch, 0, 0)),
              HasSubstr("launching 'add': invalid argument"));
  EXPECT_EQ(log->launches, 0u);
}

TEST_F(Hip, AKernelThatFailsIsAnErrorWhenItIsWaitedFor) {
  program.kernel.name = "crash";
  EXPECT_THAT(errorOf(launcher->launch(program, launch, 0, 0)),
              HasSubstr("running 'crash': unspecified launch failure"));
  EXPECT_EQ(log->launches, 1u);
}

} // namespace
