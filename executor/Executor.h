//===- Executor.h - Runs the IR itself on the CPU --------------*- C++ -*-===//
//
// The reference executor: it interprets a kernel of the tt and ttg dialects
// over whole tensors, program by program of the grid. Layouts do not change a
// result, so the same kernel before and after a pass, and on every target,
// produces the same values: it is the oracle for passes and for GPUs.
//
// What the IR leaves undefined has a defined result here, the one that GPUs
// give where they agree:
//  - integer division by zero gives all ones, a remainder by zero the dividend;
//    the smallest integer divided by -1 wraps;
//  - a shift by the width or more gives zero, or the sign for an arithmetic
//  one;
//  - a load without `other` gives zero where its mask is false;
//  - a float outside an integer's range converts to the nearest integer, NaN to
//  0;
//  - shared memory is zero until it is written;
//  - asynchronous work takes effect as late as a wait orders it, or as the
//    schedule says.
// An access outside the arguments' buffers is an error on the op, and so is a
// wait that nothing can end: a deadlock.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_EXECUTOR_H
#define KERNELSCOPE_EXECUTOR_EXECUTOR_H

#include "executor/Schedule.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace kernelscope::executor {

struct Plan;
class Trace;

/// Memory that a pointer argument points to. It stays the caller's.
struct Buffer {
  void *data = nullptr;
  uint64_t bytes = 0;
  /// The kernel does not store to it, so no programs conflict in it: the
  /// sanitizer need not look.
  bool isReadOnly = false;
  /// Of an array of pointers: what its elements, 64 bits each, point to. A run
  /// writes the addresses into the elements.
  std::vector<Buffer> pointees = {};
  /// The kernel does not load from it, so that the sanitizer need not look at
  /// copies of whole blocks into it.
  bool isNeverLoaded = false;
  /// What findings call the argument; its number if empty.
  std::string name = {};
};

/// A scalar argument: its bits, in the low part.
struct Scalar {
  uint64_t bits = 0;
};

/// A tensor descriptor argument: the tensor in memory that it describes, with
/// strides in elements.
struct TensorDescriptor {
  Buffer buffer;
  std::vector<int64_t> shape, strides;
  /// Elements outside the tensor are NaN, not zero.
  bool padWithNan = false;
  /// Of an im2col descriptor: how far the box of pixels is from the first and
  /// from the last pixel, in each dimension but batch and channel; zeros when
  /// they are missing. (CUDA's cuTensorMapEncodeIm2col: pixelBoxLowerCorner.)
  std::vector<int16_t> lower = {}, upper = {};
  /// From a pixel of the box to the next, in each dimension; ones when missing.
  std::vector<uint8_t> steps = {};
};

using Argument = std::variant<Buffer, Scalar, TensorDescriptor>;

/// Programs along each axis of the launch.
struct Grid {
  uint32_t x = 1, y = 1, z = 1;
};

/// The bytes of one argument's buffer that a run touched.
struct Extent {
  int64_t begin = 0; ///< lowest offset in bytes
  int64_t end = 0;   ///< one past the highest; equal to `begin` when untouched
  bool loaded = false, stored = false;
};

/// Called periodically with the number of programs that have run.
using OnProgress = std::function<void(uint64_t run, uint64_t programs)>;

struct Options {
  /// Threads to run programs on; 0 takes the machine's. Kernels with atomics or
  /// prints run in order on one.
  unsigned threads = 0;
  /// Where tt.print writes; nowhere when null.
  llvm::raw_ostream *print = nullptr;
  /// When set, gets one extent per argument and then one for each pointee of
  /// each of them, and an access out of bounds is not an error: a load gives
  /// zero and a store is dropped. This is how a caller finds how big the
  /// buffers must be.
  std::vector<Extent> *measure = nullptr;
  /// When set, becomes true when a program does more than `maxSteps` ops, which
  /// then only ends it: it may wait for what another stores to a buffer that is
  /// still too small.
  bool *isCutShort = nullptr;
  Schedule schedule;
  /// Look for accesses to memory that nothing orders: each finding is an error
  /// on the op. Not while measuring.
  bool sanitize = false;
  /// Of these, look for what later passes put right, too: barriers that are
  /// invalidated too early.
  bool isFinal = true;
  /// The pass that adds proxy fences has run: a missing one is a finding.
  bool hasFences = true;
  /// The work that a program may do, in ops on scalars; more is an error on the
  /// loop that it is in. An op on a tensor counts a quarter of its elements,
  /// and a product of matrices one for 32 multiplications.
  uint64_t maxSteps = 100'000'000;
  /// When set, gets the work that all programs have done, in the units of
  /// `maxSteps`.
  uint64_t *steps = nullptr;
  OnProgress onProgress;
  /// When set, gets the timeline of the first program. The kernel must have
  /// been made for that.
  Trace *trace = nullptr;
};

/// A prepared kernel: every op is resolved once, then run per program.
class Kernel {
public:
  /// Null, with errors on the ops, when the kernel has an op or type that the
  /// executor does not run. The kernel must outlive what is returned.
  /// With `isTraced` its runs can write a timeline, which makes them slower.
  static std::unique_ptr<Kernel> create(mlir::FunctionOpInterface kernel,
                                        bool isTraced = false);
  ~Kernel();

  /// Runs all programs of `grid`. Fails with an error on the op at fault, which
  /// names the program and the element, or with one for each finding of the
  /// sanitizer in the first program that has any.
  llvm::LogicalResult run(llvm::ArrayRef<Argument> arguments, Grid grid,
                          const Options &options = {});

private:
  Kernel(mlir::FunctionOpInterface kernel, std::unique_ptr<Plan> plan);
  mlir::FunctionOpInterface kernel;
  std::unique_ptr<Plan> plan;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_EXECUTOR_H
