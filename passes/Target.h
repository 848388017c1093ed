//===- Target.h - The chips that kernels are compiled for -------*- C++ -*-===//
//
// What the passes and the launchers must know of a GPU architecture.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_TARGET_H
#define KERNELSCOPE_PASSES_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace kernelscope {

enum class Vendor { Nvidia, Amd };

/// Families of AMD chips that share an instruction set.
enum class AmdFamily { None, CDNA3, CDNA4, RDNA3, RDNA4, GFX1250 };

/// One GPU architecture.
struct Target {
  Vendor vendor = Vendor::Nvidia;
  /// Canonical name and LLVM's CPU: "sm_90a", "gfx950".
  std::string arch;
  /// For people: "NVIDIA Hopper (H100, H200)".
  std::string description;
  /// Lanes of a warp (a wave on AMD): 32 or 64.
  unsigned warpSize = 32;
  /// NVIDIA: 10 * major + minor, so 90 or 103; 0 on AMD.
  unsigned computeCapability = 0;
  /// NVIDIA: PTX version as LLVM counts it, 10 * major + minor; 0 on AMD.
  unsigned ptxVersion = 0;
  AmdFamily amdFamily = AmdFamily::None;
  /// Shared memory (LDS) that one block can have, in bytes.
  unsigned maxSharedBytes = 0;
  /// LLVM's target triple and subtarget features.
  std::string triple;
  std::string features;

  bool isNvidia() const { return vendor == Vendor::Nvidia; }
  bool isAmd() const { return vendor == Vendor::Amd; }
  bool isCdna() const {
    return amdFamily == AmdFamily::CDNA3 || amdFamily == AmdFamily::CDNA4;
  }
  /// What the attribute `ttg.target` says: "cuda:90", "hip:gfx950".
  std::string moduleTarget() const;

  /// Reads "sm_90a", "sm_90", "cuda:90", "gfx950" or "hip:gfx950". The error
  /// names the architectures that are known, since LLVM only warns.
  static llvm::Expected<Target> parse(llvm::StringRef name);
};

/// Every architecture that `Target::parse` knows, NVIDIA's first.
llvm::ArrayRef<Target> knownArchs();

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_TARGET_H
