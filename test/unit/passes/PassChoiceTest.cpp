//===- PassChoiceTest.cpp - What of LLVM's pipelines kernels need ---------===//

#include "passes/emit/PassChoice.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelscope;

namespace {

/// Stands for LLVM's pass of that name.
struct SLPVectorizer : PassInfoMixin<SLPVectorizer> {
  static StringRef name() { return "SLPVectorizerPass"; }
};

/// Whether a function with `body` is searched for vectors.
bool isSearched(const std::string &body, bool forPairs) {
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(
      "define void @f(float %x, half %h, i32 %i, i8 %b) {\n" + body +
          "ret void\n}\ndeclare float @llvm.fma.f32(float, float, float)\n",
      error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  PassInstrumentationCallbacks callbacks;
  emit::chooseOptimizations(*module, callbacks, forPairs);
  SLPVectorizer pass;
  return PassInstrumentation(&callbacks)
      .runBeforePass<Function>(pass, *module->getFunction("f"));
}

/// Puts `count` bytes into vectors, one by one.
std::string insertBytes(unsigned count) {
  std::string body;
  for (unsigned i = 0; i < count; ++i)
    body += "%v" + std::to_string(i) +
            " = insertelement <4 x i8> poison, i8 %b, i32 0\n";
  return body;
}

/// Two results of `operation`.
std::string twice(const std::string &operation) {
  return "%y = " + operation + "\n%z = " + operation + "\n";
}

TEST(PassChoice, FunctionsWithTwoOfAnOperationAreSearchedForPairs) {
  EXPECT_TRUE(isSearched(twice("fadd float %x, %x"), true));
  EXPECT_TRUE(isSearched(twice("fmul half %h, %h"), true));
  EXPECT_TRUE(isSearched(
      twice("call float @llvm.fma.f32(float %x, float %x, float %x)"), true));
  EXPECT_FALSE(isSearched(twice("add i32 %i, %i"), true));
  EXPECT_FALSE(isSearched(twice("fdiv float %x, %x"), true));
  EXPECT_FALSE(isSearched(twice("fptrunc float %x to half"), true));
  EXPECT_FALSE(isSearched("%y = fadd float %x, %x\n", true));
  EXPECT_FALSE(
      isSearched("%y = fadd float %x, %x\n%z = fsub float %x, %x\n", true));
  EXPECT_FALSE(isSearched("%y = fadd float %x, %x\nbr label %next\nnext:\n"
                          "%z = fadd float %x, %x\n",
                          true));
  EXPECT_TRUE(isSearched(twice("add i32 %i, %i"), false));
}

/// Whether reductions in a function with `body` are searched for pairs.
bool seeksReductions(const std::string &body) {
  isSearched(body, true);
  return static_cast<cl::opt<bool> *>(
             cl::getRegisteredOptions().lookup("slp-vectorize-hor"))
      ->getValue();
}

TEST(PassChoice, OnlyReductionsOfHalvesAreSearched) {
  EXPECT_FALSE(seeksReductions(twice("fadd float %x, %x")));
  EXPECT_TRUE(seeksReductions(twice("fadd half %h, %h")));
}

TEST(PassChoice, ManyBytesAreNotSearched) {
  EXPECT_TRUE(isSearched(insertBytes(16) + twice("fadd float %x, %x"), true));
  EXPECT_FALSE(isSearched(insertBytes(600) + twice("fadd float %x, %x"), true));
  EXPECT_TRUE(isSearched(insertBytes(600) + twice("fadd float %x, %x"), false));
}

/// Whether code generation for a kernel with `count` addresses runs `pass`.
bool isGeneratedWith(StringRef pass, unsigned count) {
  std::string body;
  for (unsigned i = 0; i < count; ++i)
    body += "%p" + std::to_string(i) +
            " = getelementptr float, ptr addrspace(1) %p, i32 %i\n";
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module =
      parseAssemblyString("define void @f(ptr addrspace(1) %p, i32 %i) {\n" +
                              body + "ret void\n}\n",
                          error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  emit::chooseCodeGeneration(*module);
  return context.getOptPassGate().shouldRunPass(pass, "");
}

TEST(PassChoice, ManyAddressesAreNotReduced) {
  for (StringRef pass : {"slsr", "Loop Strength Reduction"}) {
    EXPECT_TRUE(isGeneratedWith(pass, 500)) << pass.str();
    EXPECT_FALSE(isGeneratedWith(pass, 1100)) << pass.str();
  }
  EXPECT_TRUE(isGeneratedWith("machine-sink", 1100));
}

/// Whether LLVM leaves out a stage of AMD's scheduler for a kernel with a block
/// of `count` instructions.
bool isScheduledWithout(StringRef stage, unsigned count, bool hasAccumulators) {
  std::string body;
  for (unsigned i = 0; i < count; ++i)
    body += "store float 0.0, ptr addrspace(1) %p\n";
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(
      "define void @f(ptr addrspace(1) %p) {\n" + body + "ret void\n}\n", error,
      context);
  EXPECT_TRUE(module) << error.getMessage().str();
  emit::chooseAmdCodeGeneration(*module, hasAccumulators);
  return static_cast<cl::opt<bool> *>(cl::getRegisteredOptions().lookup(stage))
      ->getValue();
}

TEST(PassChoice, LongBlocksAreNotScheduledForWavesAgain) {
  for (StringRef stage :
       {"amdgpu-disable-unclustered-high-rp-reschedule",
        "amdgpu-disable-clustered-low-occupancy-reschedule"}) {
    EXPECT_TRUE(isScheduledWithout(stage, 1000, /*hasAccumulators=*/true));
    EXPECT_FALSE(isScheduledWithout(stage, 1000, /*hasAccumulators=*/false));
    EXPECT_FALSE(isScheduledWithout(stage, 100, /*hasAccumulators=*/true));
  }
}

} // namespace
