//===- Preview.cpp - the job that shows what a kernel becomes -------------===//

#include "server/jobs/Preview.h"

#include "passes/Compile.h"
#include "passes/emit/Objects.h"
#include "server/jobs/JobIR.h"

#include "llvm/Support/Base64.h"

using namespace kernelscope;

namespace {

bool isAmdOnly(Emit emit) {
  return emit == Emit::Amdgcn || emit == Emit::Hsaco;
}
bool isNvidiaOnly(Emit emit) {
  return emit == Emit::Ptx || emit == Emit::Sass || emit == Emit::Cubin;
}

/// The arch to compile for when the request names none.
std::string defaultArch(mlir::ModuleOp module, std::optional<Emit> emit) {
  auto ofModule = module->getAttrOfType<mlir::StringAttr>("ttg.target");
  bool wantsAmd = emit && isAmdOnly(*emit);
  bool wantsNvidia = emit && isNvidiaOnly(*emit);
  if (ofModule) {
    bool isAmd = ofModule.getValue().starts_with("hip:");
    if (!(wantsAmd && !isAmd) && !(wantsNvidia && isAmd))
      return ofModule.getValue().str();
  }
  if (!wantsAmd)
    return "sm_90a";
  // Code for 32 lanes suits no chip of the CDNA families.
  auto lanes = module->getAttrOfType<mlir::IntegerAttr>("ttg.threads-per-warp");
  return lanes && lanes.getInt() == 32 ? "gfx1201" : "gfx950";
}

/// What a compilation that failed with diagnostics failed of.
JobFailure failureOf(const Target &target, Emit emit) {
  if (target.isAmd() ? isNvidiaOnly(emit) : isAmdOnly(emit))
    return JobFailure::InvalidUsage;
  bool lacksAssembler = (emit == Emit::Cubin || emit == Emit::Sass) &&
                        !emit::findCudaTool("ptxas");
  bool lacksDisassembler =
      emit == Emit::Sass && !emit::findCudaTool("nvdisasm");
  return lacksAssembler || lacksDisassembler ? JobFailure::MissingTool
                                             : JobFailure::InvalidIR;
}

bool isObject(Emit emit) { return emit == Emit::Hsaco || emit == Emit::Cubin; }

Json kernelValue(const KernelInfo &kernel) {
  Json arguments = Json::array();
  for (const KernelArgument &argument : kernel.arguments)
    arguments.push_back(
        {{"name", argument.name},
         {"type", argument.type},
         {"pointer", argument.kind == KernelArgument::Kind::Pointer},
         {"bytes", argument.bytes}});
  return {{"name", kernel.name},
          {"warps", kernel.warps},
          {"threadsPerWarp", kernel.threadsPerWarp},
          {"ctas", kernel.ctas},
          {"sharedBytes", kernel.sharedBytes},
          {"scratchBytes", kernel.scratchBytes},
          {"arguments", std::move(arguments)}};
}

} // namespace

Json kernelscope::previewJob(const Json &request, JobProgress &progress) {
  auto start = std::chrono::steady_clock::now();
  std::optional<Emit> emit;
  if (std::string name = stringOf(request, "emit"); !name.empty()) {
    emit = parseEmit(name);
    if (!emit)
      return jobError(JobFailure::InvalidUsage,
                      "'" + name +
                          "' is nothing to emit; there are ttgir, llvm, ptx, "
                          "amdgcn, hsaco, sass, cubin");
  }

  progress.stage("parse");
  Json failure;
  mlir::OwningOpRef<mlir::ModuleOp> module = parseRequest(request, failure);
  if (!module)
    return failure;

  std::string archName = stringOf(request, "arch");
  if (archName.empty())
    archName = defaultArch(*module, emit);
  llvm::Expected<Target> target = Target::parse(archName);
  if (!target)
    return jobError(JobFailure::InvalidUsage,
                    llvm::toString(target.takeError()));
  if (!emit)
    emit = target->isAmd() ? Emit::Amdgcn : Emit::Ptx;

  CompileOptions options;
  options.kernel = stringOf(request, "kernel");
  if (auto warps = request.find("warps");
      warps != request.end() && warps->is_number_unsigned())
    options.warps = *warps;
  options.onStage = [&](llvm::StringRef stage) { progress.stage(stage.str()); };
  IRDiagnostics diagnostics(progress);
  std::optional<Artifact> artifact = compile(*module, *target, *emit, options);
  if (!artifact)
    return diagnostics.failure(failureOf(*target, *emit));

  Json lines = Json::array();
  for (const LineLink &link : artifact->lines)
    lines.push_back({link.irLine - 1, link.outputLine - 1});
  Json kernels = Json::array();
  for (const KernelInfo &kernel : artifact->kernels)
    kernels.push_back(kernelValue(kernel));
  auto time = std::chrono::duration<double, std::milli>(
      std::chrono::steady_clock::now() - start);
  Json answer = {{"arch", target->arch},
                 {"emit", emitName(*emit).str()},
                 {"lines", std::move(lines)},
                 {"kernels", std::move(kernels)},
                 {"diagnostics", diagnostics.list()},
                 {"milliseconds", time.count()}};
  if (isObject(*emit))
    answer["base64"] = llvm::encodeBase64(artifact->output);
  else
    answer["text"] = std::move(artifact->output);
  return answer;
}

void kernelscope::prewarmPreview() {
  // The first use of each code generator fills tables that all later ones
  // share.
  constexpr const char *kernel = R"(
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @warm(%p: !tt.ptr<f32>) {
    %x = tt.load %p : !tt.ptr<f32>
    tt.store %p, %x : !tt.ptr<f32>
    tt.return
  }
})";
  JobProgress silent([](const Json &) {});
  for (const char *arch : {"sm_90a", "gfx950"})
    previewJob({{"path", "warm"}, {"text", kernel}, {"arch", arch}}, silent);
}
