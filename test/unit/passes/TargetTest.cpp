//===- TargetTest.cpp - Names of architectures ----------------------------===//

#include "passes/Target.h"
#include "gtest/gtest.h"

using namespace kernelscope;

namespace {

std::string archOf(llvm::StringRef name) {
  llvm::Expected<Target> target = Target::parse(name);
  return target ? target->arch : llvm::toString(target.takeError());
}

TEST(Target, TakesTheNamesInUse) {
  EXPECT_EQ(archOf("sm_90a"), "sm_90a");
  EXPECT_EQ(archOf("sm_90"), "sm_90a");
  EXPECT_EQ(archOf("cuda:90"), "sm_90a");
  EXPECT_EQ(archOf("cuda:80"), "sm_80");
  EXPECT_EQ(archOf("gfx950"), "gfx950");
  EXPECT_EQ(archOf("hip:gfx1250"), "gfx1250");
}

TEST(Target, AnUnknownNameListsTheKnown) {
  EXPECT_EQ(archOf("sm_91"),
            "unknown architecture 'sm_91'; known: sm_80, sm_86, sm_89, sm_90a, "
            "sm_100a, sm_103a, sm_120a, gfx942, gfx950, gfx1100, gfx1200, "
            "gfx1201, gfx1250");
  EXPECT_TRUE(llvm::StringRef(archOf("")).starts_with("unknown architecture"));
}

TEST(Target, WarpsAre64LanesOnCdnaOnly) {
  for (const Target &target : knownArchs())
    EXPECT_EQ(target.warpSize,
              target.arch == "gfx942" || target.arch == "gfx950" ? 64u : 32u)
        << target.arch;
}

TEST(Target, WhatTheModuleSaysParsesBack) {
  for (const Target &target : knownArchs())
    EXPECT_EQ(archOf(target.moduleTarget()), target.arch);
}

} // namespace
