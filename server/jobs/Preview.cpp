//===- Preview.cpp - the job that shows what a kernel becomes -------------===//

#include "server/jobs/Preview.h"

#include "dialects/ttg/LaunchConfig.h"
#include "passes/Compile.h"
#include "passes/LaunchTarget.h"
#include "passes/emit/Objects.h"
#include "server/features/PreviewGaps.h"
#include "server/jobs/Answers.h"
#include "server/jobs/JobIR.h"

#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope;

namespace {

/// What a compilation that failed with diagnostics failed of.
JobFailure failureOf(const Target &target, Emit emit) {
  const EmitInfo &info = infoOf(emit);
  if (!info.isFor(target.vendor))
    return JobFailure::InvalidUsage;
  return llvm::all_of(info.tools, emit::findCudaTool) ? JobFailure::InvalidIR
                                                      : JobFailure::MissingTool;
}

/// The chip that `ttg.target` names, without "hip:".
std::string nameOfChip(mlir::StringAttr target) {
  llvm::Expected<Target> chip = Target::parse(target.getValue());
  if (chip)
    return chip->arch;
  llvm::consumeError(chip.takeError());
  return target.str();
}

Json kernelValue(const KernelInfo &kernel) {
  Json arguments = Json::array();
  for (const KernelArgument &argument : kernel.arguments)
    arguments.push_back(
        {{"name", argument.name},
         {"type", argument.type},
         {"pointer", argument.kind == KernelArgument::Kind::Pointer},
         {"bytes", argument.bytes}});
  Json resources;
  if (kernel.resources)
    resources = {{"registers", kernel.resources->registers},
                 {"spilledBytes", kernel.resources->spilledBytes}};
  return {{"name", kernel.name},
          {"resources", std::move(resources)},
          {"warps", kernel.warps},
          {"threadsPerWarp", kernel.threadsPerWarp},
          {"ctas", kernel.ctas},
          {"sharedBytes", kernel.sharedBytes},
          {"scratchBytes", kernel.scratchBytes},
          {"profileScratchBytes", kernel.profileScratchBytes},
          {"arguments", std::move(arguments)}};
}

} // namespace

std::string kernelscope::archOf(mlir::ModuleOp module, std::optional<Emit> emit,
                                const PreviewRequest &request) {
  return request.arch.empty() ? previewArch(module, emit, request.archs)
                              : request.arch;
}

Json kernelscope::previewJob(const PreviewRequest &request,
                             JobProgress &progress) {
  auto start = std::chrono::steady_clock::now();
  std::optional<Emit> emit;
  if (const std::string &name = request.emit; !name.empty()) {
    emit = parseEmit(name);
    if (!emit)
      return jobError(JobFailure::InvalidUsage,
                      "'" + name +
                          "' is not a kind of output; it must be one of " +
                          listEmits());
  }

  progress.stage("parse");
  Json failure;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseRequest(request, failure);
  if (!module)
    return failure;

  llvm::Expected<Target> target = Target::parse(archOf(*module, emit, request));
  if (!target)
    return jobError(JobFailure::InvalidUsage,
                    llvm::toString(target.takeError()));
  if (!emit)
    emit = assemblyOf(target->vendor);
  auto own = (*module)->getAttrOfType<mlir::StringAttr>(ttg::targetName);
  const bool namesVendor = own && vendorOf(own.getValue()) == target->vendor;

  CompileOptions options;
  options.kernel = request.kernel;
  if (llvm::Error error = readChoices(*module, request, target->arch, options))
    return jobError(JobFailure::InvalidUsage, llvm::toString(std::move(error)));
  options.onStage = [&](llvm::StringRef stage) { progress.stage(stage.str()); };
  IRDiagnostics diagnostics(progress);
  std::optional<Artifact> artifact = compile(*module, *target, *emit, options);
  if (!artifact) {
    // Nobody chose this chip, so what it lacks is not what is wrong.
    if (own && !namesVendor && request.arch.empty() && infoOf(*emit).vendor)
      diagnostics.explain(*module, describeWrongVendor(*emit, nameOfChip(own)));
    return diagnostics.failure(failureOf(*target, *emit));
  }

  PreviewAnswer answer;
  answer.arch = target->arch;
  answer.isDefaultArch =
      request.arch.empty() && request.archs.empty() && !namesVendor;
  answer.emit = infoOf(*emit).name.str();
  for (const LineLink &link : artifact->lines)
    answer.lines.emplace_back(link.irLine - 1, link.outputLine - 1);
  answer.kernels = Json::array();
  for (const KernelInfo &kernel : artifact->kernels)
    answer.kernels.push_back(kernelValue(kernel));
  answer.diagnostics = diagnostics.list();
  answer.milliseconds = std::chrono::duration<double, std::milli>(
                            std::chrono::steady_clock::now() - start)
                            .count();
  if (infoOf(*emit).isObject)
    answer.base64 = llvm::encodeBase64(artifact->output);
  else
    answer.text = std::move(artifact->output);
  return answer;
}

bool kernelscope::prewarmPreview(const std::string &arch) {
  // TTIR, for warps of any size. Something of all that kernels are made of.
  constexpr const char *kernel = R"(
tt.func public @warm(%from: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %to: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %end = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %i, %end : tensor<64xi32>
  %p = tt.splat %from : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %place = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %x = tt.load %place, %mask, %zero : tensor<64x!tt.ptr<f32>>
  %e = math.exp %x : tensor<64xf32>
  %sum = "tt.reduce"(%e) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %both = arith.addf %a, %b : f32
    tt.reduce.return %both : f32
  }) : (tensor<64xf32>) -> f32
  tt.store %to, %sum : !tt.ptr<f32>
  tt.return
})";
  JobProgress silent([](const JobNews &) {});
  PreviewRequest request;
  request.path = "warm";
  request.text = kernel;
  request.arch = arch;
  return !errorOf(previewJob(request, silent));
}
