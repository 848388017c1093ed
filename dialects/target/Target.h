//===- Target.h - The chips that kernels are compiled for -------*- C++ -*-===//
//
// What verifiers, passes and launchers must know of a GPU architecture. They
// ask for what a chip has; only this folder compares names and numbers.
//
// A chip of a known family is one row in Target.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_TARGET_H
#define KERNELSCOPE_DIALECTS_TARGET_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace kernelscope {

enum class Vendor { Nvidia, Amd };

/// Generations of chips that share an instruction set, each vendor's in the
/// order in which they came.
enum class Family {
  Turing,
  Ampere,
  Ada,
  Hopper,
  Blackwell,
  /// Blackwell of workstations and desktops, without tensor memory.
  BlackwellRTX,
  Rubin,
  GCN5,
  CDNA1,
  CDNA2,
  CDNA3,
  CDNA4,
  RDNA3,
  RDNA4,
  GFX1250,
  /// An AMD chip that is like none of these.
  OtherAmd
};

/// How the cache policy of a buffer access is encoded (AMD's ISA documents,
/// "Vector Memory Buffer Instructions"; LLVM's AMDGPUUsage, "Memory Model").
enum class BufferCachePolicy {
  /// Bits sc0, nt, sc1 (glc, slc, scc before CDNA 3).
  ScopeBits,
  /// Bits glc, slc, dlc: RDNA 3.
  LevelBits,
  /// A temporal hint and a scope: gfx12.
  HintAndScope,
  /// The same, with a hint for stores that write back: gfx1250.
  HintAndScopeWithWriteBack
};

/// One GPU architecture: a row of the table in Target.cpp. The defaults are
/// those of a chip without the feature.
struct Target {
  /// Canonical name and LLVM's CPU: "sm_90a", "gfx950".
  std::string arch;
  /// For people: "NVIDIA Hopper (H100, H200)".
  llvm::StringLiteral description = "";
  Vendor vendor = Vendor::Nvidia;
  Family family = Family::Turing;
  /// NVIDIA: the compute capability, 10 * major + minor. AMD: what ROCm's
  /// libraries call the ISA version, 1000 * major + 100 * minor + stepping.
  unsigned isaVersion = 0;
  /// LLVM's target triple and subtarget features.
  llvm::StringLiteral triple = "";
  std::string features;
  /// Whether we generate code for it; else it is known for reading IR only.
  bool canCompile = true;

  /// Lanes of a warp (a wave on AMD): 32 or 64.
  unsigned warpSize = 32;
  /// Threads that one block can have.
  unsigned maxThreads = 1024;
  /// Most CTAs of a cluster (16 needs the non-portable size); 1 without them.
  unsigned maxClusterSize = 1;
  /// Shared memory (LDS) that one block can have, in bytes.
  unsigned maxSharedBytes = 0;
  /// Banks of shared memory, each 32 bits wide. CUDA C++ Programming Guide,
  /// "Shared Memory"; AMD's ISA documents, "Local Data Share".
  unsigned sharedBanks = 32;
  /// The lanes that a 128-bit load serves at once, as a basis over F2 of their
  /// numbers; empty where they are neighbours.
  llvm::ArrayRef<unsigned> wideLoadLanes;

  /// Bits that one lane can copy from global to shared memory without a stop in
  /// registers, ascending; empty without such copies.
  llvm::ArrayRef<unsigned> asyncCopyBits;
  /// `buffer_load ... lds`: such copies through a buffer resource.
  bool hasBufferLoadToShared = false;
  /// AMD's `global_load_async_to_lds`: copies to an address of each lane's own,
  /// with a counter of their own. Older ones write one lane after another, and
  /// LLVM knows what waits for them.
  bool hasScatteredAsyncCopies = false;

  /// mbarriers that count transactions, and waits that suspend.
  bool hasMbarriers = false;
  /// Copies of blocks by the Tensor Memory Accelerator.
  bool hasTma = false;
  /// TMA's `tile::gather4` and `tile::scatter4`.
  bool hasTmaGather = false;
  /// Copies of blocks by AMD's tensor data mover.
  bool hasTensorDataMover = false;
  /// `griddepcontrol`.
  bool hasGridDependencies = false;
  /// `clusterlaunchcontrol`.
  bool hasClusterLaunchControl = false;

  /// `setmaxnreg`: warps hand registers to each other.
  bool hasRegisterTransfer = false;

  /// `wgmma`: products by four warps, asynchronously.
  bool hasWgmma = false;
  /// Columns of tensor memory of a CTA, and with them `tcgen05`; 0 without.
  unsigned tensorMemoryColumns = 0;
  /// tcgen05 walks over the left scales of e2m1 with e4m3 scales along K first.
  bool ordersLeftScalesAlongK = false;
  /// `mma` with block scales.
  bool hasScaledMma = false;
  /// `cvt` from fp4 (e2m1).
  bool hasFp4Conversions = false;
  /// Arithmetic on pairs of f32.
  bool hasPackedF32 = false;
  /// Elements that AMD's conversions of small floats with a scale take: 2 of
  /// `v_cvt_scalef32_pk_*`, 8 of `v_cvt_scale_pk8_*`; 0 without them.
  unsigned scaledCastElements = 0;
  /// Minima and maxima of f32 that keep NaNs, in one instruction.
  bool hasNanMinimum = false;

  /// Cross-lane moves between rows of 16 lanes: DPP `row_xmask` and
  /// `v_permlanex16`.
  bool hasRowMoves = false;
  /// A kernel's arguments are `inreg`, as in Triton 3.9's code. Firmware that
  /// can do so loads them into SGPRs before the kernel starts (LLVM's
  /// AMDGPUUsage, "Preloaded Kernel Arguments"); on other chips LLVM loads each
  /// argument where it is used.
  bool hasArgumentsInRegisters = false;
  /// Waves know their number in the workgroup (`TTMP8`; LLVM's AMDGPUUsage,
  /// "Architected SGPRs").
  bool hasWaveId = false;
  /// The bits of word 3 of a buffer resource that the chip needs besides its
  /// format. AMD's ISA documents, "Buffer Resource Descriptor".
  unsigned bufferResourceBits = 0;
  BufferCachePolicy bufferCachePolicy = BufferCachePolicy::ScopeBits;

  bool isNvidia() const { return vendor == Vendor::Nvidia; }
  bool isAmd() const { return vendor == Vendor::Amd; }
  bool hasCpAsync() const { return isNvidia() && !asyncCopyBits.empty(); }
  /// Copies to shared memory of 128 bits: with them loops bring operands of
  /// products there ahead of time. As in Triton 3.9, whose loops load to
  /// registers on gfx942.
  bool hasWideAsyncCopies() const {
    return !asyncCopyBits.empty() && asyncCopyBits.back() >= 128;
  }
  /// Whether the lanes of a warp copy to shared memory one after another.
  bool copiesLaneAfterLane() const {
    return isAmd() && !asyncCopyBits.empty() && !hasScatteredAsyncCopies;
  }
  /// Stages of a loop with products if nothing says otherwise, as in Triton.
  unsigned defaultStages() const { return isAmd() ? 2 : 3; }
  bool hasClusters() const { return maxClusterSize > 1; }
  bool hasTensorMemory() const { return tensorMemoryColumns > 0; }

  /// What the attribute `ttg.target` says: "cuda:90", "hip:gfx950".
  std::string moduleTarget() const;
  /// Whether code for this chip runs on `device`.
  bool runsOn(const Target &device) const;

  /// Reads "sm_90a", "sm_90", "cuda:90", "gfx950" or "hip:gfx950". The error
  /// names the architectures that are known, since LLVM only warns.
  static llvm::Expected<Target> parse(llvm::StringRef name);

  /// The target that `ttg.target` names, "cuda:90" or "hip:gfx950"; nothing for
  /// a text of another form. A chip that has no row takes that of the newest
  /// one that is not newer, on AMD of the same major version.
  static std::optional<Target> ofModule(llvm::StringRef moduleTarget);

  /// The chip that stands for `vendor` where none is named; on AMD one with
  /// warps of `warpSize` lanes.
  static const Target &usual(Vendor vendor, unsigned warpSize);
};

/// Every architecture that `Target::parse` knows, NVIDIA's first.
llvm::ArrayRef<Target> knownArchs();

/// "gfx942, gfx950 and gfx1250": of `vendor`'s known architectures those that
/// have what `has` asks for.
std::string archsThat(Vendor vendor,
                      llvm::function_ref<bool(const Target &)> has);

/// The vendor of a name in any form that `Target::parse` reads, known or not.
std::optional<Vendor> vendorOf(llvm::StringRef name);

/// The name of the architecture that a driver numbers so: "sm_90", "gfx90a".
/// NVIDIA's chips have no stepping.
std::string archName(Vendor vendor, unsigned major, unsigned minor,
                     unsigned stepping = 0);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_TARGET_H
