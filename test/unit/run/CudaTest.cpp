//===- CudaTest.cpp - The CUDA launcher, with a fake driver ---------------===//

#include "FakeCuda.h"
#include "LauncherTest.h"
#include "server/run/DeviceOutput.h"
#include "server/run/OtherCode.h"
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

using namespace kernelscope;
using namespace kernelscope::run;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

class Cuda : public LauncherTest {
protected:
  void SetUp() override {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    auto *getLog = library ? reinterpret_cast<FakeCudaLog *(*)()>(
                                 dlsym(library, "fakeCudaLog"))
                           : nullptr;
    if (!getLog)
      GTEST_SKIP()
          << "run this through ctest, which puts the fake driver in the way";
    log = getLog();
    *log = {};
    open(openCuda());
    program.image = "ptx";
  }

  FakeCudaLog *log = nullptr;
};

TEST_F(Cuda, NamesTheDevice) {
  EXPECT_EQ(launcher->deviceName(), "Fake GPU");
  EXPECT_EQ(launcher->arch(), "sm_90");
}

TEST_F(Cuda, LaunchesOnceForTheResultAndMoreForTheTime) {
  program.kernel.warps = 4;
  program.kernel.sharedBytes = 1024;
  llvm::Expected<LaunchTimes> times = launcher->launch(program, launch, 2, 5);
  ASSERT_TRUE(bool(times)) << llvm::toString(times.takeError());
  std::vector<float> out(3);
  std::memcpy(out.data(), launch.arguments[2].bytes.data(), 12);
  EXPECT_THAT(out, ElementsAre(2, 4, 6));
  EXPECT_THAT(*times, SizeIs(5));
  EXPECT_THAT(*times, Each(250.0));
  EXPECT_EQ(log->launches, 8u);
  EXPECT_EQ(launch.written, "added\n") << "of the launch for the results only";
  EXPECT_THAT(log->grid, ElementsAre(7, 2, 1));
  EXPECT_THAT(log->block, ElementsAre(128, 1, 1));
  EXPECT_EQ(log->sharedBytes, 1024u);
  EXPECT_EQ(log->maxSharedBytes, 0) << "48 KiB need no asking";
  EXPECT_THAT(log->cluster, ElementsAre(0, 0, 0));
  EXPECT_EQ(log->allocations, 0) << "all device memory is released";
}

TEST_F(Cuda, ClustersAndLargeSharedMemoryAreRequested) {
  program.kernel.ctas = 2;
  program.kernel.sharedBytes = 100'000;
  program.kernel.scratchBytes = 64;
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_EQ(log->launches, 1u);
  EXPECT_THAT(log->grid, ElementsAre(14, 2, 1));
  EXPECT_THAT(log->cluster, ElementsAre(2, 1, 1));
  EXPECT_EQ(log->maxSharedBytes, 100'000);
  EXPECT_EQ(log->allocations, 0);
}

TEST_F(Cuda, CooperativeAndDependentLaunchesAreRequested) {
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_FALSE(log->isCooperative || log->isDependent);
  program.kernel.isDependent = true;
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_TRUE(log->isDependent);
  EXPECT_FALSE(log->isCooperative);
  program.kernel.ctas = 2;
  program.kernel.isCooperative = true;
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_TRUE(log->isCooperative);
  EXPECT_THAT(log->cluster, ElementsAre(2, 1, 1));
}

/// Writes `code` and, if there are any, `metadata` beside it; the path of the
/// code.
std::string otherCode(const std::string &code, const std::string &metadata) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "other-code";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "add.cubin") << code;
  if (!metadata.empty())
    std::ofstream(folder / "add.json") << metadata;
  return folder / "add.cubin";
}

TEST_F(Cuda, OtherCodeRunsInsteadOfOurs) {
  program.kernel.sharedBytes = 512;
  ASSERT_EQ(llvm::toString(replaceCode(program, otherCode("\x7f"
                                                          "ELF",
                                                          ""))),
            "");
  EXPECT_EQ(program.image, "\x7f"
                           "ELF");
  EXPECT_EQ(program.kernel.sharedBytes, 512u) << "nothing says otherwise";
}

TEST_F(Cuda, TritonsMetadataStateWhatOtherCodeNeeds) {
  program.kernel.warps = 4;
  program.kernel.scratchBytes = 128;
  ASSERT_EQ(llvm::toString(replaceCode(
                program, otherCode("ptx", R"({"name": "add", "num_warps": 8,
                                              "shared": 4096,
                                              "launch_pdl": true,
                                              "launch_cooperative_grid": true
                                             })"))),
            "");
  EXPECT_TRUE(program.kernel.isDependent);
  EXPECT_TRUE(program.kernel.isCooperative);
  EXPECT_EQ(program.kernel.warps, 8u);
  EXPECT_EQ(program.kernel.sharedBytes, 4096u);
  EXPECT_EQ(program.kernel.scratchBytes, 128u);
}

TEST_F(Cuda, OtherCodeThatCannotBeLoadedIsAnError) {
  EXPECT_THAT(llvm::toString(replaceCode(program, "/no/such/file")),
              HasSubstr("cannot read '/no/such/file'"));
  EXPECT_THAT(
      llvm::toString(
          replaceCode(program, otherCode("ptx", "{\"shared\": -1}"))),
      HasSubstr("add.json: 'shared' is -1; it must be a number of bytes or "
                "warps, 0 or more"));
  EXPECT_THAT(llvm::toString(replaceCode(program, otherCode("ptx", "["))),
              HasSubstr("add.json: is not a JSON object"));
}

/// A descriptor of 100 x 96 f16, moved in blocks of 128 x 64.
ArgumentValue descriptor() {
  ArgumentValue argument;
  argument.info.name = "desc";
  argument.info.isPointer = true;
  argument.info.rank = 2;
  argument.info.element = executor::Element::F16;
  argument.shape = {100, 96};
  argument.bytes.resize(size_t{2} * 100 * 96);
  return argument;
}

TEST_F(Cuda, ADescriptorIsPassedAsATensorMap) {
  launch.arguments = {descriptor()};
  KernelArgument &parameter = program.kernel.arguments.emplace_back();
  parameter.kind = KernelArgument::Kind::TensorMap;
  parameter.tensorMap = {{128, 64}, 128};
  ASSERT_EQ(errorOf(launcher->launch(program, launch, 0, 0)), "");
  EXPECT_EQ(log->mapType, 6) << "CU_TENSOR_MAP_DATA_TYPE_FLOAT16";
  EXPECT_THAT(log->mapSizes, ElementsAre(96, 100));
  EXPECT_EQ(log->mapStride, 192u);
  EXPECT_THAT(log->mapBox, ElementsAre(64, 128));
  EXPECT_EQ(log->mapSwizzle, 3) << "CU_TENSOR_MAP_SWIZZLE_128B";
  EXPECT_TRUE(log->passedMap);
  EXPECT_EQ(log->allocations, 0);
}

TEST_F(Cuda, ATensorThatTmaCannotCopyIsAnError) {
  launch.arguments = {descriptor()};
  launch.arguments.front().shape = {64, 62};
  KernelArgument &parameter = program.kernel.arguments.emplace_back();
  parameter.tensorMap = {{64, 64}, 128};
  EXPECT_EQ(errorOf(launcher->launch(program, launch, 0, 0)),
            "argument 'desc' has a stride of 124 bytes along dimension 0; TMA "
            "needs a multiple of 16");
  parameter.tensorMap = std::nullopt;
  EXPECT_EQ(errorOf(launcher->launch(program, launch, 0, 0)),
            "argument 'desc' describes blocks that TMA cannot lay out in "
            "shared memory");
  EXPECT_EQ(log->allocations, 0);
}

TEST_F(Cuda, ErrorsQuoteTheDriver) {
  program.image = "bad ptx";
  EXPECT_EQ(errorOf(launcher->launch(program, launch, 0, 0)),
            "CUDA: the driver rejects the PTX of 'add': device kernel "
            "image is invalid\n"
            "ptxas error: line 1");
  program.image = "ptx";
  program.kernel.name = "crash";
  EXPECT_EQ(errorOf(launcher->launch(program, launch, 0, 0)),
            "CUDA: running 'crash': unspecified launch failure");
  EXPECT_EQ(log->allocations, 0);
  program.kernel.ctas = 2;
  std::vector<FailedAssertion> failed =
      failedAssertions(launch.written, program.kernel);
  ASSERT_THAT(failed, SizeIs(1));
  EXPECT_EQ(failed[0].file, "k.ttir");
  EXPECT_EQ(failed[0].line, 7u);
  EXPECT_EQ(failed[0].text, "program (1, 1, 0), warp 1, thread 40: assertion "
                            "failed: i < n");
}

TEST_F(Cuda, NoGpuIsAMissingDevice) {
  setenv("KS_FAKE_CUDA_NO_GPU", "1", 1);
  llvm::Expected<std::unique_ptr<Launcher>> opened = openCuda();
  unsetenv("KS_FAKE_CUDA_NO_GPU");
  ASSERT_FALSE(bool(opened));
  llvm::Error error = opened.takeError();
  EXPECT_TRUE(error.isA<MissingDevice>());
  EXPECT_THAT(llvm::toString(std::move(error)), HasSubstr("no CUDA device"));
}

} // namespace
