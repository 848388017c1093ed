//===- LaneSwaps.cpp - Chips whose lanes trade registers ------------------===//

#include "dialects/target/LaneSwaps.h"

unsigned kernelscope::swappedLaneBits(const Target &target) {
  switch (target.family) {
  case Family::CDNA4:
    return 16 | 32;
  case Family::GFX1250:
    return 16;
  default:
    return 0;
  }
}
