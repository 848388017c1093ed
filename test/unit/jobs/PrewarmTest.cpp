//===- PrewarmTest.cpp - what is done before the first preview ------------===//

#include "dialects/target/Target.h"
#include "server/jobs/Preview.h"

#include <gtest/gtest.h>

using namespace kernelscope;

namespace {

// If the small kernel does not compile, nobody notices, and each preview does
// again what it should have done once.
TEST(Prewarm, CompilesForEachChip) {
  for (const Target &chip : knownArchs())
    EXPECT_TRUE(prewarmPreview(chip.arch)) << chip.arch;
}

} // namespace
