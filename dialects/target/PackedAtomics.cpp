//===- PackedAtomics.cpp - Atomic additions of pairs ----------------------===//

#include "dialects/target/PackedAtomics.h"

bool kernelscope::hasPackedAtomicAdd(const Target &target) {
  return target.family == Family::CDNA3 || target.family == Family::CDNA4 ||
         target.family == Family::RDNA4 || target.family == Family::GFX1250;
}
