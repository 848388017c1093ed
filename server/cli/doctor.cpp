//===- doctor.cpp - `kernelscope doctor`: what this machine has -----------===//
//
// GPUs with their drivers, the tools and libraries that previews can use, and
// the versions of everything; with the way out for what is missing.
//
//===----------------------------------------------------------------------===//

#include "passes/emit/DeviceLibrary.h"
#include "passes/emit/Objects.h"
#include "server/Version.h"
#include "server/cli/Arguments.h"
#include "server/cli/Commands.h"
#include "server/cli/Source.h"
#include "server/run/Launcher.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <nlohmann/json.hpp>

using namespace kernelscope;
using llvm::StringRef;

namespace {

/// One thing that was looked for.
struct Finding {
  std::string what;
  bool found;
  /// What was found, else why not and the way out.
  std::string detail;
};

/// The line of `tool --version` that has the release; empty if it cannot run.
std::string toolVersion(const std::string &path) {
  llvm::SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("kernelscope", "txt", output))
    return "";
  llvm::FileRemover remover(output);
  const std::optional<StringRef> redirects[] = {StringRef(), StringRef(output),
                                                StringRef(output)};
  llvm::sys::ExecuteAndWait(path, {path, "--version"}, std::nullopt, redirects,
                            /*SecondsToWait=*/10);
  std::string version;
  if (auto buffer = llvm::MemoryBuffer::getFile(output))
    for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n'))
      if (line.contains("release"))
        version = line.trim().str();
  return version;
}

Finding findGpu(const char *what,
                llvm::Expected<std::unique_ptr<run::Launcher>> launcher) {
  if (!launcher)
    return {what, false, llvm::toString(launcher.takeError())};
  return {what, true, (*launcher)->deviceName() + ", " + (*launcher)->arch()};
}

Finding findTool(const char *name) {
  std::optional<std::string> path = emit::findCudaTool(name);
  if (!path)
    return {name, false,
            llvm::StringRef("not on PATH, in CUDA_HOME or beside an installed "
                            "Triton; install the CUDA toolkit or Triton, or "
                            "set KERNELSCOPE_PTXAS to the path of ptxas. ")
                    .str() +
                (llvm::StringRef(name) == "ptxas"
                     ? "Needed for `--emit cubin` and `--emit sass`, and for "
                       "the registers that a kernel takes"
                     : "Needed for `--emit sass`")};
  std::string version = toolVersion(*path);
  return {name, true, *path + (version.empty() ? "" : " (" + version + ")")};
}

Finding findLibrary(const char *what, Vendor vendor, const char *variable) {
  std::vector<std::string> files = emit::findDeviceLibraries(vendor);
  if (files.empty())
    return {
        what, false,
        std::string("not found; using built-in math functions instead. Set ") +
            variable + " to use the vendor's"};
  return {what, true, llvm::join(files, ", ")};
}

std::string knownArchNames() {
  std::string names;
  for (const Target &target : knownArchs())
    names += (names.empty() ? "" : " ") + target.arch;
  return names;
}

} // namespace

int cli::doctor(int argc, char **argv) {
  CLI::App app(
      "Lists what this machine has: GPUs, drivers, ptxas, libdevice, versions. "
      "Diagnostics, PTX, AMDGCN and runs on the CPU need none of these.",
      "kernelscope doctor");
  std::string format = "text";
  app.add_option("--format", format, "Output format: text or json.")
      ->check(oneOf({"text", "json"}))
      ->capture_default_str();
  if (std::optional<int> exitCode = parse(app, argc, argv))
    return *exitCode;

  const Finding findings[] = {
      {"kernelscope", true, programVersion},
      {"LLVM and MLIR", true, llvmVersion},
      {"architectures", true, knownArchNames()},
      findGpu("NVIDIA GPU", run::openCuda()),
      findGpu("AMD GPU", run::openHip()),
      findTool("ptxas"),
      findTool("nvdisasm"),
      findLibrary("libdevice", Vendor::Nvidia, "KERNELSCOPE_LIBDEVICE"),
      findLibrary("ROCm device libraries", Vendor::Amd,
                  "KERNELSCOPE_ROCM_BITCODE"),
  };
  if (format == "json") {
    auto json = nlohmann::ordered_json::array();
    for (const Finding &finding : findings)
      json.push_back({{"what", finding.what},
                      {"found", finding.found},
                      {"detail", finding.detail}});
    return writeOutput("", json.dump(2) + "\n") ? 0 : 2;
  }
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Finding &finding : findings)
    out << (finding.found ? "ok  " : "--  ")
        << llvm::left_justify(finding.what, 23) << finding.detail << "\n";
  return writeOutput("", text) ? 0 : 2;
}
