//===- CompileTest.cpp - The compiler as its callers see it ---------------===//

#include "passes/Compile.h"
#include "dialects/Dialects.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/Source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelscope;
using testing::HasSubstr;

namespace {

/// Line 4 of each source is the kernel's first op.
const char *const kernel =
    R"(#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @answer(%out: !tt.ptr<f32> loc("out"), %scale: f32, %n: i64) {
    %id = tt.get_program_id x : i32 loc("kernel.py":17:26)
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    tt.return
  }
}
)";

struct Result {
  bool compiled = false;
  Artifact artifact;
  /// "line: message" of each error.
  std::string errors;
};

Result run(llvm::StringRef source, llvm::StringRef arch, Emit emit,
           const CompileOptions &options = {}) {
  Result result;
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    auto loc = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
    result.errors += std::to_string(loc ? loc.getLine() : 0) + ": " +
                     diagnostic.str() + "\n";
  });
  auto target = Target::parse(arch);
  auto module = parseSource(source, "k.ttgir", &context);
  if (!module || !target)
    return result;
  std::optional<Artifact> artifact = compile(*module, *target, emit, options);
  result.compiled = artifact.has_value();
  if (artifact.has_value())
    result.artifact = std::move(*artifact);
  return result;
}

std::string replaced(std::string text, llvm::StringRef from,
                     llvm::StringRef to) {
  size_t at = text.find(from);
  return text.replace(at, from.size(), to);
}

TEST(Compile, TheMetadataDescribesTheKernel) {
  Result result = run(kernel, "sm_90a", Emit::Ptx);
  ASSERT_TRUE(result.compiled) << result.errors;
  ASSERT_EQ(result.artifact.kernels.size(), 1u);
  const KernelInfo &info = result.artifact.kernels[0];
  EXPECT_EQ(info.name, "answer");
  EXPECT_EQ(info.threads(), 128u);
  EXPECT_EQ(info.sharedBytes, 0u);
  ASSERT_EQ(info.arguments.size(), 3u);
  EXPECT_EQ(info.arguments[0].kind, KernelArgument::Kind::Pointer);
  EXPECT_EQ(info.arguments[0].name, "out");
  EXPECT_EQ(info.arguments[0].type, "f32");
  EXPECT_EQ(info.arguments[0].bytes, 8u);
  EXPECT_EQ(info.arguments[1].kind, KernelArgument::Kind::Float);
  EXPECT_EQ(info.arguments[2].bytes, 8u);
  EXPECT_THAT(result.artifact.output, HasSubstr(".target sm_90a"));
  EXPECT_THAT(result.artifact.output, HasSubstr(".reqntid 128"));
}

TEST(Compile, TheMetadataHasTensorMapsAndScratch) {
  Result result = run(R"(
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
  tt.func public @kernel(%desc: !tt.tensordesc<512x64xf16, #shared>) {
    %map = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 200 : i32} : !tt.ptr<i8>
    ttng.tensormap_fenceproxy_acquire %map : !tt.ptr<i8>
    tt.return
  }
})",
                      "sm_90a", Emit::Ptx);
  ASSERT_TRUE(result.compiled) << result.errors;
  const KernelInfo &info = result.artifact.kernels[0];
  EXPECT_EQ(info.scratchBytes, 256u);
  EXPECT_EQ(info.scratchAlignment, 128u);
  ASSERT_EQ(info.arguments.size(), 1u);
  EXPECT_EQ(info.arguments[0].kind, KernelArgument::Kind::TensorMap);
  EXPECT_EQ(info.arguments[0].bytes, 128u);
  ASSERT_TRUE(info.arguments[0].tensorMap);
  EXPECT_THAT(info.arguments[0].tensorMap->box, testing::ElementsAre(256, 32));
  EXPECT_EQ(info.arguments[0].tensorMap->swizzleBytes, 64u);
  EXPECT_THAT(result.artifact.output,
              HasSubstr(".param .align 64 .b8 kernel_param_0[128],"));
}

TEST(Compile, LinksLinesOfTheFileNotOfPython) {
  for (auto [arch, emit] :
       {std::pair("sm_80", Emit::Ptx), std::pair("gfx1100", Emit::Amdgcn),
        std::pair("sm_80", Emit::Llvm), std::pair("sm_80", Emit::Ttgir)}) {
    Result result = run(kernel, arch, emit);
    ASSERT_TRUE(result.compiled) << result.errors;
    bool hasReturn = false;
    for (const LineLink &link : result.artifact.lines)
      hasReturn |= link.irLine == 6;
    EXPECT_TRUE(hasReturn) << arch << " " << infoOf(emit).name.str();
  }
}

TEST(Compile, WithoutNumWarpsSaysWhatToAdd) {
  Result result = run(replaced(kernel, "\"ttg.num-warps\" = 4 : i32, ", ""),
                      "sm_90a", Emit::Ptx);
  EXPECT_FALSE(result.compiled);
  EXPECT_THAT(result.errors,
              HasSubstr("'ttg.num-warps': add it to the module"));
}

TEST(Compile, LayoutsForOtherWarpsAreRejected) {
  Result result = run(kernel, "gfx942", Emit::Amdgcn);
  EXPECT_FALSE(result.compiled);
  EXPECT_THAT(result.errors, HasSubstr("whose warps have 64 lanes"));
}

TEST(Compile, AnOpWithoutALoweringIsNamedOnItsLine) {
  Result result = run(
      replaced(kernel, "tt.return", "proton.record start \"x\"\n    tt.return"),
      "sm_90a", Emit::Ptx);
  EXPECT_FALSE(result.compiled);
  EXPECT_EQ(result.errors,
            "6: no lowering for 'proton.record' on sm_90a yet\n");
}

TEST(Compile, ReportsEachPassAndEachLlvmStage) {
  std::vector<std::string> stages;
  CompileOptions options;
  options.onStage = [&](llvm::StringRef stage) {
    stages.push_back(stage.str());
  };
  ASSERT_TRUE(run("tt.func public @nothing() {\n  tt.return\n}\n", "gfx950",
                  Emit::Amdgcn, options)
                  .compiled);
  EXPECT_THAT(
      stages,
      testing::ElementsAre(
          "select-kernel", "ensure-ttgir", "rewrite-block-pointers",
          "rewrite-descriptors-to-pointers", "decompose-scaled-products",
          "convert-ttir-to-ttgir", "combine-after-loops", "pipeline-loops",
          "use-buffer-accesses", "lower-descriptors-to-tma",
          "remove-proxy-fences", "lower-masks", "inline-into-kernels",
          "branch-over-sums", "place-scales", "convert-combined-operands",
          "sink-operands", "store-operands-together", "assign-warps",
          "annotate-access-runs", "count-async-waits", "relax-store-waits",
          "allocate-global-scratch", "allocate-tensor-memory",
          "allocate-shared-memory", "lower-warp-pipelines",
          "insert-proxy-fences", "insert-barriers", "claim-tensor-memory",
          "convert-scf-to-cf", "lower-warp-specialization",
          "convert-ttgir-to-llvm", "lower-cluster-barriers",
          "ensure-debug-info-scope-on-llvm-func", "translation to LLVM IR",
          "linking device libraries", "optimisation", "AMDGCN generation"));
}

TEST(Compile, AStageIsReportedBeforeItFails) {
  std::string last;
  CompileOptions options;
  options.onStage = [&](llvm::StringRef stage) { last = stage.str(); };
  EXPECT_FALSE(run(kernel, "gfx942", Emit::Amdgcn, options).compiled);
  EXPECT_EQ(last, "store-operands-together");
}

TEST(Emit, NamesAreReadBack) {
  for (const EmitInfo &info : knownEmits()) {
    EXPECT_EQ(parseEmit(info.name), info.emit);
    EXPECT_EQ(&infoOf(info.emit), &info);
  }
  EXPECT_EQ(parseEmit("spirv"), std::nullopt);
}

TEST(Emit, ListsWhatOnlyOneVendorHas) {
  EXPECT_EQ(listEmits(), "ttgir, llvm, ptx, sass, cubin, amdgcn, hsaco");
  EXPECT_EQ(listEmits(Vendor::Amd), "amdgcn, hsaco");
  EXPECT_TRUE(infoOf(Emit::Llvm).isFor(Vendor::Amd));
  EXPECT_FALSE(infoOf(Emit::Ptx).isFor(Vendor::Amd));
}

TEST(Compile, OutputOfTheOtherVendorIsRejected) {
  EXPECT_THAT(
      run(kernel, "sm_90a", Emit::Hsaco).errors,
      HasSubstr("'hsaco' is AMD's object file; for sm_90a, use ptx, sass or "
                "cubin"));
  EXPECT_THAT(
      run(kernel, "gfx1100", Emit::Ptx).errors,
      HasSubstr(
          "'ptx' is NVIDIA's assembly; for gfx1100, use amdgcn or hsaco"));
}

TEST(Compile, AnUnknownKernelNameListsTheKernels) {
  CompileOptions options;
  options.kernel = "question";
  EXPECT_THAT(run(kernel, "sm_90a", Emit::Ptx, options).errors,
              HasSubstr("no kernel 'question'; it has answer"));
}

TEST(Compile, LinksACodeObject) {
  Result result = run(kernel, "gfx1201", Emit::Hsaco);
  ASSERT_TRUE(result.compiled) << result.errors;
  EXPECT_TRUE(llvm::StringRef(result.artifact.output)
                  .starts_with("\x7f"
                               "ELF"));
}

} // namespace
