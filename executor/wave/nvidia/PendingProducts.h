//===- PendingProducts.h - Products that a warp has not waited for -*- C++ -*-//
//
// A product of wgmma is computed as late as may be, when the warp waits for its
// group. Until then its registers hold tokens, which are NaN to any other
// instruction. PTX ISA, "wgmma.wait_group".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PENDINGPRODUCTS_H
#define KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PENDINGPRODUCTS_H

#include "executor/wave/Wave.h"
#include <deque>

namespace kernelscope::wave::nvidia {

class PendingProducts {
public:
  /// `multiply` adds to what is in the registers `sums` of all lanes, which
  /// hold tokens from here on.
  void issue(Wave &wave, Columns sums, std::function<void(Wave &)> multiply);
  /// The products so far, after the commit before, are a group.
  void commit() { ++groups; }
  /// Computes all groups but the newest `left`. Their sums replace tokens in
  /// the registers that they were issued with, and in `registers`.
  void wait(Wave &wave, uint64_t left, llvm::ArrayRef<Column> registers);

private:
  struct Product {
    Columns sums;
    std::function<void(Wave &)> multiply;
    uint64_t group;
    /// The number of its first token.
    uint64_t first;
    /// What the registers held when it was issued, then the sums: those of all
    /// lanes for the first register, and so on.
    std::vector<uint64_t> values;
    bool isDone = false;
  };
  void compute(Wave &wave, Product &product);
  /// The sum that a token stands for; other bits, and tokens of sums that are
  /// not there, as they are.
  uint64_t resolve(uint64_t bits) const;

  std::deque<Product> products;
  uint64_t groups = 0, tokens = 0;
};

} // namespace kernelscope::wave::nvidia

#endif // KERNELSCOPE_EXECUTOR_WAVE_NVIDIA_PENDINGPRODUCTS_H
