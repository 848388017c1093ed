//===- OldLibc.cpp - what C libraries before this machine's lack ----------===//
//
// The packages run where Ubuntu 22.04's C library (2.35) is. Of all that the
// libraries we link need from a newer one, this is what they use.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdlib>

#include <sys/random.h>

/// A random number; glibc has it since 2.36.
extern "C" uint32_t arc4random() noexcept {
  uint32_t number;
  // Never fails for so few bytes, once the kernel has booted.
  if (getrandom(&number, sizeof(number), 0) != sizeof(number))
    std::abort();
  return number;
}
