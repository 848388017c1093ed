//===- TargetTest.cpp - Names of architectures ----------------------------===//

#include "dialects/target/Target.h"
#include "dialects/target/PeakRates.h"
#include "gtest/gtest.h"

using namespace kernelscope;

namespace {

std::string archOf(llvm::StringRef name) {
  llvm::Expected<Target> target = Target::parse(name);
  return target ? target->arch : llvm::toString(target.takeError());
}

TEST(Target, AcceptsTheNamesInUse) {
  EXPECT_EQ(archOf("sm_90a"), "sm_90a");
  EXPECT_EQ(archOf("sm_90"), "sm_90a");
  EXPECT_EQ(archOf("cuda:90"), "sm_90a");
  EXPECT_EQ(archOf("cuda:80"), "sm_80");
  EXPECT_EQ(archOf("gfx950"), "gfx950");
  EXPECT_EQ(archOf("hip:gfx1250"), "gfx1250");
}

TEST(Target, AnUnknownNameListsTheKnown) {
  EXPECT_EQ(
      archOf("sm_91"),
      "unknown architecture 'sm_91'; known: sm_80, sm_86, sm_89, sm_90a, "
      "sm_100a, sm_103a, sm_120a, sm_121a, gfx90a, gfx942, gfx950, gfx1100, "
      "gfx1101, gfx1151, gfx1200, gfx1201, gfx1250");
  EXPECT_TRUE(llvm::StringRef(archOf("")).starts_with("unknown architecture"));
}

TEST(Target, WarpsAre64LanesOnCdnaOnly) {
  for (const Target &target : knownArchs())
    EXPECT_EQ(target.warpSize,
              llvm::StringRef(target.arch).starts_with("gfx9") ? 64u : 32u)
        << target.arch;
}

TEST(Target, WhatTheModuleSaysParsesBack) {
  for (const Target &target : knownArchs())
    EXPECT_EQ(archOf(target.moduleTarget()), target.arch);
}

std::optional<std::string> archOfModule(llvm::StringRef name) {
  std::optional<Target> target = Target::ofModule(name);
  return target ? std::optional(target->arch) : std::nullopt;
}

Family familyOfModule(llvm::StringRef name) {
  return Target::ofModule(name).value().family;
}

TEST(Target, AModuleMayNameAChipThatIsNotCompiledFor) {
  EXPECT_EQ(archOfModule("cuda:90"), "sm_90a");
  EXPECT_EQ(archOfModule("hip:gfx1250"), "gfx1250");
  EXPECT_EQ(archOfModule("cuda:75"), "sm_75");
  EXPECT_EQ(archOfModule("cuda:87"), "sm_87");
  EXPECT_EQ(archOfModule("hip:gfx90a:sramecc+:xnack-"), "gfx90a");
  for (llvm::StringRef name :
       {"cuda:75", "cuda:87", "cuda:107", "hip:gfx908", "hip:gfx1150"}) {
    EXPECT_FALSE(Target::ofModule(name)->canCompile) << name.str();
    EXPECT_EQ(Target::ofModule(name)->moduleTarget(), name.str());
  }
}

TEST(Target, AnUnlistedChipIsTreatedLikeTheNewestOlderOne) {
  EXPECT_EQ(familyOfModule("cuda:70"), Family::Turing);
  EXPECT_EQ(familyOfModule("cuda:87"), Family::Ampere);
  EXPECT_EQ(familyOfModule("cuda:101"), Family::Blackwell);
  EXPECT_EQ(familyOfModule("cuda:107"), Family::Rubin);
  EXPECT_EQ(familyOfModule("cuda:1000"), Family::BlackwellRTX);
  EXPECT_EQ(familyOfModule("hip:gfx90a"), Family::CDNA2);
  EXPECT_EQ(familyOfModule("hip:gfx900"), Family::OtherAmd);
  EXPECT_EQ(familyOfModule("hip:gfx906"), Family::GCN5);
  EXPECT_EQ(Target::ofModule("hip:gfx906")->warpSize, 64u);
  EXPECT_EQ(familyOfModule("hip:gfx1150"), Family::RDNA3);
  EXPECT_EQ(familyOfModule("hip:gfx1251"), Family::GFX1250);
  EXPECT_EQ(familyOfModule("hip:gfx1030"), Family::OtherAmd);
  EXPECT_EQ(familyOfModule("hip:gfx1310"), Family::OtherAmd);
}

TEST(Target, AModulesTextMustHaveTheForm) {
  for (llvm::StringRef name :
       {"", "cuda", "cuda:", "cuda:0", "cuda:x", "cuda:90a", "cudda", "sm_90",
        "hip:", "hip:gfx", "hip:gfx9", "hip:gfx94z", "hip:gfx123456", "gfx942"})
    EXPECT_EQ(archOfModule(name), std::nullopt) << name.str();
}

TEST(Target, FamiliesHaveWhatTheirManualsSay) {
  auto chip = [](llvm::StringRef name) {
    return llvm::cantFail(Target::parse(name));
  };
  EXPECT_FALSE(chip("sm_89").hasTma);
  EXPECT_FALSE(chip("sm_89").hasClusters());
  EXPECT_TRUE(chip("sm_90").hasWgmma);
  EXPECT_TRUE(chip("sm_120").hasRegisterTransfer);
  EXPECT_FALSE(chip("sm_89").hasRegisterTransfer);
  EXPECT_FALSE(chip("sm_100").hasWgmma);
  EXPECT_TRUE(chip("sm_103").hasTensorMemory());
  EXPECT_FALSE(chip("sm_120").hasTensorMemory());
  EXPECT_TRUE(chip("sm_120").hasTma);
  EXPECT_EQ(chip("gfx942").asyncCopyBits, llvm::ArrayRef<unsigned>({32}));
  EXPECT_EQ(chip("gfx950").asyncCopyBits, llvm::ArrayRef<unsigned>({32, 128}));
  EXPECT_EQ(chip("gfx1250").asyncCopyBits,
            llvm::ArrayRef<unsigned>({32, 64, 128}));
  EXPECT_TRUE(chip("gfx1201").asyncCopyBits.empty());
  EXPECT_FALSE(chip("gfx1250").hasBufferLoadToShared);
  EXPECT_TRUE(chip("gfx1250").hasScatteredAsyncCopies);
  EXPECT_FALSE(chip("gfx950").hasScatteredAsyncCopies);
  EXPECT_EQ(chip("gfx942").sharedBanks, 32u);
  EXPECT_EQ(chip("gfx950").sharedBanks, 64u);
  EXPECT_FALSE(chip("sm_90").hasTensorDataMover);
}

TEST(Target, CodeRunsOnItsChipOrPlainPtxOnLaterOnes) {
  auto runs = [](llvm::StringRef code, llvm::StringRef device) {
    return llvm::cantFail(Target::parse(code))
        .runsOn(llvm::cantFail(Target::parse(device)));
  };
  EXPECT_TRUE(runs("sm_80", "sm_90"));
  EXPECT_FALSE(runs("sm_89", "sm_80"));
  EXPECT_TRUE(runs("sm_90", "sm_90"));
  EXPECT_FALSE(runs("sm_90", "sm_100"));
  EXPECT_FALSE(runs("gfx942", "gfx950"));
  EXPECT_FALSE(runs("sm_80", "gfx950"));
}

TEST(Target, DriversNumbersAreNames) {
  EXPECT_EQ(archName(Vendor::Nvidia, 9, 0), "sm_90");
  EXPECT_EQ(archName(Vendor::Nvidia, 12, 1), "sm_121");
  EXPECT_EQ(archName(Vendor::Amd, 9, 4, 2), "gfx942");
  EXPECT_EQ(archName(Vendor::Amd, 9, 0, 10), "gfx90a");
  EXPECT_EQ(archName(Vendor::Amd, 12, 5, 0), "gfx1250");
}

TEST(Target, ANameTellsItsVendor) {
  EXPECT_EQ(vendorOf("cuda:999"), Vendor::Nvidia);
  EXPECT_EQ(vendorOf("sm_90a"), Vendor::Nvidia);
  EXPECT_EQ(vendorOf("hip:gfx950"), Vendor::Amd);
  EXPECT_EQ(vendorOf("gfx0"), Vendor::Amd);
  EXPECT_EQ(vendorOf("cudda"), std::nullopt);
}

TEST(Target, ListsReadAsASentence) {
  EXPECT_EQ(archsThat(Vendor::Amd,
                      [](const Target &chip) { return chip.warpSize == 64; }),
            "gfx90a, gfx942 and gfx950");
  EXPECT_EQ(
      archsThat(Vendor::Amd,
                [](const Target &chip) { return chip.hasTensorDataMover; }),
      "gfx1250");
  EXPECT_EQ(
      archsThat(Vendor::Nvidia,
                [](const Target &chip) { return chip.hasTensorDataMover; }),
      "");
}

TEST(Target, WithoutANameACommonChipStandsForItsVendor) {
  EXPECT_EQ(Target::usual(Vendor::Nvidia, 32).arch, "sm_90a");
  EXPECT_EQ(Target::usual(Vendor::Amd, 64).arch, "gfx950");
  EXPECT_EQ(Target::usual(Vendor::Amd, 32).arch, "gfx1201");
}

/// Devices with the clocks and the rates that their makers publish.
TEST(PeakRates, AreThePublishedOnes) {
  struct Device {
    const char *arch;
    DeviceClocks clocks;
    double gigabytes, teraflops, with8Bits;
  };
  const Device devices[] = {
      // H100 SXM, MI300X, MI355X, RX 7900 XTX, RX 9070 XT.
      {"sm_90a", {132, 1.83, 2.619, 5120}, 3352, 989.4, 1979},
      {"gfx942", {304, 2.1, 1.3, 8192, 4}, 5325, 1307, 2615},
      {"gfx950", {256, 2.4, 2.0, 8192, 4}, 8192, 2517, 5033},
      {"gfx1100", {96, 2.5, 1.25, 384, 16}, 960, 122.8, 122.8},
      {"gfx1201", {64, 2.97, 1.25, 256, 16}, 640, 195, 389},
  };
  for (const Device &device : devices) {
    SCOPED_TRACE(device.arch);
    Target target = llvm::cantFail(Target::parse(device.arch));
    EXPECT_NEAR(*peakGigabytesPerSecond(device.clocks), device.gigabytes,
                0.01 * device.gigabytes);
    EXPECT_NEAR(*peakTeraflops(target, device.clocks, 16), device.teraflops,
                0.01 * device.teraflops);
    EXPECT_NEAR(*peakTeraflops(target, device.clocks, 8), device.with8Bits,
                0.01 * device.with8Bits);
  }
}

TEST(PeakRates, UnknownOnesAreNotGuessed) {
  DeviceClocks clocks{256, 2.4, 2.0, 8192};
  EXPECT_FALSE(
      peakTeraflops(llvm::cantFail(Target::parse("gfx1250")), clocks, 16));
  EXPECT_FALSE(
      peakTeraflops(llvm::cantFail(Target::parse("gfx950")), clocks, 32));
  EXPECT_FALSE(peakGigabytesPerSecond(DeviceClocks()));
}

} // namespace
