//===- Target.cpp - The chips that kernels are compiled for ---------------===//
//
// The table of chips. A family says what it has that the one before it has not;
// a chip is a row of what it has of its own.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kernelscope;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

static Target turingFamily() {
  Target family;
  family.family = Family::Turing;
  family.triple = "nvptx64-nvidia-cuda";
  return family;
}

static Target ampereFamily() {
  static constexpr unsigned copyBits[] = {32, 64, 128};
  Target family = turingFamily();
  family.family = Family::Ampere;
  family.asyncCopyBits = copyBits;
  return family;
}

static Target adaFamily() {
  Target family = ampereFamily();
  family.family = Family::Ada;
  return family;
}

static Target hopperFamily() {
  Target family = adaFamily();
  family.family = Family::Hopper;
  family.maxClusterSize = 16;
  family.hasMbarriers = true;
  family.hasTma = true;
  family.hasGridDependencies = true;
  family.hasRegisterTransfer = true;
  family.hasWgmma = true;
  return family;
}

static Target blackwellRTXFamily() {
  Target family = hopperFamily();
  family.family = Family::BlackwellRTX;
  family.hasWgmma = false;
  family.hasTmaGather = true;
  family.hasClusterLaunchControl = true;
  family.hasScaledMma = true;
  family.hasFp4Conversions = true;
  family.hasPackedF32 = true;
  return family;
}

static Target blackwellFamily() {
  Target family = blackwellRTXFamily();
  family.family = Family::Blackwell;
  family.hasScaledMma = false;
  family.tensorMemoryColumns = 512;
  return family;
}

static Target rubinFamily() {
  Target family = blackwellFamily();
  family.family = Family::Rubin;
  family.ordersLeftScalesAlongK = true;
  return family;
}

static Target otherAmd() {
  Target family;
  family.vendor = Vendor::Amd;
  family.family = Family::OtherAmd;
  family.triple = "amdgcn-amd-amdhsa";
  family.hasArgumentsInRegisters = true;
  static constexpr unsigned wideLoadLanes[] = {1, 2, 20};
  family.wideLoadLanes = wideLoadLanes;
  return family;
}

/// 64 banks, of which a 128-bit load serves lanes 0-3, 12-15, 20-23 and 24-27
/// together, and so on.
static void useWideBanks(Target &family) {
  static constexpr unsigned wideLoadLanes[] = {1, 2, 12, 20};
  family.sharedBanks = 64;
  family.wideLoadLanes = wideLoadLanes;
}

static Target gcn5Family() {
  Target family = otherAmd();
  family.family = Family::GCN5;
  family.warpSize = 64;
  return family;
}

static Target cdna1Family() {
  Target family = gcn5Family();
  family.family = Family::CDNA1;
  return family;
}

static Target cdna2Family() {
  Target family = cdna1Family();
  family.family = Family::CDNA2;
  return family;
}

static Target cdna3Family() {
  static constexpr unsigned copyBits[] = {32};
  Target family = cdna2Family();
  family.family = Family::CDNA3;
  family.asyncCopyBits = copyBits;
  family.hasBufferLoadToShared = true;
  return family;
}

static Target cdna4Family() {
  static constexpr unsigned copyBits[] = {32, 128};
  Target family = cdna3Family();
  family.family = Family::CDNA4;
  family.asyncCopyBits = copyBits;
  family.scaledCastElements = 2;
  family.hasNanMinimum = true;
  useWideBanks(family);
  return family;
}

static Target rdna3Family() {
  Target family = otherAmd();
  family.family = Family::RDNA3;
  family.hasRowMoves = true;
  // Bit 24 must be set; 3 in bits 28 and 29 checks bounds on the offset.
  family.bufferResourceBits = 1 << 24 | 3 << 28;
  family.bufferCachePolicy = BufferCachePolicy::LevelBits;
  return family;
}

static Target rdna4Family() {
  Target family = rdna3Family();
  family.family = Family::RDNA4;
  // Halves of registers as operands. LLVM 22 uses them on RDNA 3 only, the LLVM
  // of Triton 3.9 here, too.
  family.features = "+real-true16";
  family.hasNanMinimum = true;
  family.hasWaveId = true;
  family.bufferCachePolicy = BufferCachePolicy::HintAndScope;
  return family;
}

static Target gfx1250Family() {
  static constexpr unsigned copyBits[] = {32, 64, 128};
  Target family = rdna4Family();
  family.family = Family::GFX1250;
  family.hasArgumentsInRegisters = false;
  family.maxClusterSize = 16;
  family.asyncCopyBits = copyBits;
  family.hasScatteredAsyncCopies = true;
  family.scaledCastElements = 8;
  family.hasMbarriers = true;
  family.hasTensorDataMover = true;
  family.bufferResourceBits = 0;
  family.bufferCachePolicy = BufferCachePolicy::HintAndScopeWithWriteBack;
  useWideBanks(family);
  return family;
}

//===----------------------------------------------------------------------===//
// Chips
//===----------------------------------------------------------------------===//

static Target nvidiaChip(Target chip, unsigned capability, StringRef suffix,
                         unsigned ptxVersion, unsigned sharedKiB,
                         llvm::StringLiteral description) {
  chip.arch = archName(Vendor::Nvidia, capability / 10, capability % 10);
  chip.arch += suffix;
  chip.description = description;
  chip.isaVersion = capability;
  chip.maxSharedBytes = sharedKiB * 1024;
  chip.features = ("+ptx" + llvm::Twine(ptxVersion)).str();
  return chip;
}

/// "gfx90a" is 9, 0, 10: of three or four digits the last two are hexadecimal.
static std::optional<unsigned> amdVersion(StringRef arch) {
  unsigned major = 0, minor = 0, stepping = 0;
  if (!arch.consume_front("gfx") || arch.size() < 3 || arch.size() > 4 ||
      arch.drop_back(2).getAsInteger(10, major) ||
      arch.drop_back(1).take_back(1).getAsInteger(16, minor) ||
      arch.take_back(1).getAsInteger(16, stepping))
    return std::nullopt;
  return 1000 * major + 100 * minor + stepping;
}

static Target amdChip(Target chip, StringRef arch, unsigned sharedKiB,
                      llvm::StringLiteral description) {
  chip.arch = arch.str();
  chip.description = description;
  chip.isaVersion = amdVersion(arch).value_or(0);
  chip.maxSharedBytes = sharedKiB * 1024;
  return chip;
}

static Target onlyRead(Target chip) {
  chip.canCompile = false;
  return chip;
}

/// All chips; of each vendor from old to new.
static llvm::ArrayRef<Target> allChips() {
  // PTX versions are the oldest that an architecture's instructions need, but
  // for a few (emit/PtxVersion.h), so that drivers as old as possible take the
  // text.
  static const Target chips[] = {
      onlyRead(nvidiaChip(turingFamily(), 75, "", 63, 64, "NVIDIA Turing")),
      nvidiaChip(ampereFamily(), 80, "", 80, 163, "NVIDIA Ampere (A100)"),
      nvidiaChip(ampereFamily(), 86, "", 80, 99, "NVIDIA Ampere (RTX 30, A10)"),
      nvidiaChip(adaFamily(), 89, "", 84, 99, "NVIDIA Ada (RTX 40, L4, L40)"),
      nvidiaChip(hopperFamily(), 90, "a", 84, 227,
                 "NVIDIA Hopper (H100, H200)"),
      nvidiaChip(blackwellFamily(), 100, "a", 87, 227,
                 "NVIDIA Blackwell (B100, B200)"),
      nvidiaChip(blackwellFamily(), 103, "a", 88, 227,
                 "NVIDIA Blackwell Ultra (B300)"),
      onlyRead(nvidiaChip(rubinFamily(), 107, "a", 90, 227, "NVIDIA Rubin")),
      nvidiaChip(blackwellRTXFamily(), 120, "a", 87, 99,
                 "NVIDIA Blackwell (RTX 50)"),
      nvidiaChip(blackwellRTXFamily(), 121, "a", 88, 99,
                 "NVIDIA Blackwell (GB10)"),
      onlyRead(
          amdChip(gcn5Family(), "gfx906", 64, "AMD GCN 5 (MI50, Radeon VII)")),
      onlyRead(amdChip(cdna1Family(), "gfx908", 64, "AMD CDNA 1 (MI100)")),
      amdChip(cdna2Family(), "gfx90a", 64, "AMD CDNA 2 (MI200)"),
      amdChip(cdna3Family(), "gfx942", 64, "AMD CDNA 3 (MI300)"),
      amdChip(cdna4Family(), "gfx950", 160, "AMD CDNA 4 (MI350)"),
      amdChip(rdna3Family(), "gfx1100", 64, "AMD RDNA 3 (RX 7900)"),
      amdChip(rdna3Family(), "gfx1101", 64, "AMD RDNA 3 (RX 7800)"),
      amdChip(rdna3Family(), "gfx1151", 64, "AMD RDNA 3.5 (Ryzen AI Max)"),
      amdChip(rdna4Family(), "gfx1200", 64, "AMD RDNA 4 (RX 9060)"),
      amdChip(rdna4Family(), "gfx1201", 64, "AMD RDNA 4 (RX 9070)"),
      amdChip(gfx1250Family(), "gfx1250", 320, "AMD gfx1250"),
  };
  return chips;
}

llvm::ArrayRef<Target> kernelscope::knownArchs() {
  static const auto chips = llvm::to_vector(llvm::make_filter_range(
      allChips(), [](const Target &chip) { return chip.canCompile; }));
  return chips;
}

const Target &Target::usual(Vendor vendor, unsigned warpSize) {
  Family family = vendor == Vendor::Nvidia ? Family::Hopper
                  : warpSize == 64         ? Family::CDNA4
                                           : Family::RDNA4;
  const Target *newest = knownArchs().begin();
  for (const Target &chip : knownArchs())
    if (chip.family == family)
      newest = &chip;
  return *newest;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string kernelscope::archName(Vendor vendor, unsigned major, unsigned minor,
                                  unsigned stepping) {
  if (vendor == Vendor::Nvidia)
    return llvm::formatv("sm_{0}{1}", major, minor);
  return llvm::formatv("gfx{0}{1:x-}{2:x-}", major, minor, stepping);
}

std::optional<Vendor> kernelscope::vendorOf(StringRef name) {
  if (name.starts_with("cuda:") || name.starts_with("sm_"))
    return Vendor::Nvidia;
  if (name.starts_with("hip:") || name.starts_with("gfx"))
    return Vendor::Amd;
  return std::nullopt;
}

std::string Target::moduleTarget() const {
  return isNvidia() ? "cuda:" + std::to_string(isaVersion) : "hip:" + arch;
}

bool Target::runsOn(const Target &device) const {
  if (vendor != device.vendor)
    return false;
  // Code for an architecture with a suffix runs on that one only, other PTX on
  // later ones too, AMD's never elsewhere.
  bool isExact = isAmd() || !llvm::isDigit(arch.back());
  return isExact ? arch == device.arch : isaVersion <= device.isaVersion;
}

llvm::Expected<Target> Target::parse(StringRef name) {
  for (const Target &target : knownArchs()) {
    bool isPlainName = target.isNvidia() &&
                       name == archName(target.vendor, target.isaVersion / 10,
                                        target.isaVersion % 10);
    if (name == target.arch || name == target.moduleTarget() || isPlainName)
      return target;
  }
  return llvm::createStringError(
      "unknown architecture '" + name + "'; known: " +
      llvm::join(
          llvm::map_range(knownArchs(), [](const Target &t) { return t.arch; }),
          ", "));
}

std::optional<Target> Target::ofModule(StringRef name) {
  unsigned version = 0;
  Target found;
  if (name.consume_front("cuda:")) {
    if (name.getAsInteger(10, version) || version == 0)
      return std::nullopt;
    found = turingFamily();
  } else {
    if (!name.consume_front("hip:"))
      return std::nullopt;
    // What follows a colon are the chip's settings: "gfx90a:xnack+".
    name = name.split(':').first;
    std::optional<unsigned> known = amdVersion(name);
    if (!known)
      return std::nullopt;
    version = *known;
    found = otherAmd();
  }
  for (const Target &chip : allChips()) {
    if (chip.vendor != found.vendor)
      continue;
    if (chip.isaVersion == version)
      return chip;
    bool isLike = chip.isNvidia() || chip.isaVersion / 1000 == version / 1000;
    if (isLike && chip.isaVersion < version)
      found = chip;
  }
  found.arch = found.isNvidia()
                   ? archName(found.vendor, version / 10, version % 10)
                   : name.str();
  found.isaVersion = version;
  found.canCompile = false;
  return found;
}

std::string
kernelscope::archsThat(Vendor vendor,
                       llvm::function_ref<bool(const Target &)> has) {
  llvm::SmallVector<StringRef> names;
  for (const Target &chip : knownArchs())
    if (chip.vendor == vendor && has(chip))
      names.push_back(chip.arch);
  if (names.size() < 2)
    return llvm::join(names, "");
  StringRef last = names.pop_back_val();
  return (llvm::join(names, ", ") + " and " + last).str();
}
