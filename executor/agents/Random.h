//===- Random.h - The choices of a seeded schedule -------------*- C++ -*-===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_RANDOM_H
#define KERNELSCOPE_EXECUTOR_AGENTS_RANDOM_H

#include <cstddef>
#include <cstdint>

namespace kernelscope::executor {

/// Pseudo-random numbers, the same on every machine: SplitMix64, by Steele, Lea
/// and Flood, "Fast splittable pseudorandom number generators".
class Random {
public:
  /// Starts the sequence of program number `program`.
  void start(uint64_t seed, uint64_t program) {
    state = seed;
    state = next() ^ program;
  }
  /// A number below `bound`, which is not zero.
  size_t below(size_t bound) { return next() % bound; }

private:
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  uint64_t state = 0;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_RANDOM_H
