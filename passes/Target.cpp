//===- Target.cpp - The chips that kernels are compiled for ---------------===//
//
// The table of architectures, and names to its rows.
//
//===----------------------------------------------------------------------===//

#include "passes/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;

static Target nvidia(unsigned capability, llvm::StringRef suffix,
                     unsigned ptxVersion, unsigned sharedKiB,
                     llvm::StringRef description) {
  Target target;
  target.vendor = Vendor::Nvidia;
  target.arch = ("sm_" + llvm::Twine(capability) + suffix).str();
  target.description = description.str();
  target.computeCapability = capability;
  target.ptxVersion = ptxVersion;
  target.maxSharedBytes = sharedKiB * 1024;
  target.triple = "nvptx64-nvidia-cuda";
  target.features = ("+ptx" + llvm::Twine(ptxVersion)).str();
  return target;
}

static Target amd(llvm::StringRef arch, AmdFamily family, unsigned sharedKiB,
                  llvm::StringRef description) {
  Target target;
  target.vendor = Vendor::Amd;
  target.arch = arch.str();
  target.description = description.str();
  target.amdFamily = family;
  target.warpSize = target.isCdna() ? 64 : 32;
  target.maxSharedBytes = sharedKiB * 1024;
  target.triple = "amdgcn-amd-amdhsa";
  return target;
}

llvm::ArrayRef<Target> kernelscope::knownArchs() {
  // PTX versions are the oldest that all of an architecture's instructions
  // need, so that drivers as old as possible take the text.
  static const Target targets[] = {
      nvidia(80, "", 80, 163, "NVIDIA Ampere (A100)"),
      nvidia(86, "", 80, 99, "NVIDIA Ampere (RTX 30, A10)"),
      nvidia(89, "", 81, 99, "NVIDIA Ada (RTX 40, L4, L40)"),
      nvidia(90, "a", 83, 227, "NVIDIA Hopper (H100, H200)"),
      nvidia(100, "a", 86, 227, "NVIDIA Blackwell (B100, B200)"),
      nvidia(103, "a", 88, 227, "NVIDIA Blackwell Ultra (B300)"),
      nvidia(120, "a", 87, 99, "NVIDIA Blackwell (RTX 50)"),
      amd("gfx942", AmdFamily::CDNA3, 64, "AMD CDNA 3 (MI300)"),
      amd("gfx950", AmdFamily::CDNA4, 160, "AMD CDNA 4 (MI350)"),
      amd("gfx1100", AmdFamily::RDNA3, 64, "AMD RDNA 3 (RX 7900)"),
      amd("gfx1200", AmdFamily::RDNA4, 64, "AMD RDNA 4 (RX 9060)"),
      amd("gfx1201", AmdFamily::RDNA4, 64, "AMD RDNA 4 (RX 9070)"),
      amd("gfx1250", AmdFamily::GFX1250, 320, "AMD gfx1250"),
  };
  return targets;
}

std::string Target::moduleTarget() const {
  return isNvidia() ? "cuda:" + std::to_string(computeCapability)
                    : "hip:" + arch;
}

llvm::Expected<Target> Target::parse(llvm::StringRef name) {
  for (const Target &target : knownArchs()) {
    bool isPlainName =
        target.isNvidia() &&
        name == ("sm_" + llvm::Twine(target.computeCapability)).str();
    if (name == target.arch || name == target.moduleTarget() || isPlainName)
      return target;
  }
  return llvm::createStringError(
      "unknown architecture '" + name + "'; known: " +
      llvm::join(
          llvm::map_range(knownArchs(), [](const Target &t) { return t.arch; }),
          ", "));
}
