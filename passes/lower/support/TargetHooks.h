//===- TargetHooks.h - Primitives that both vendors have --------*- C++ -*-===//
//
// The patterns in `passes/lower/common` are written once; the primitives that
// each vendor has in its own way go through this class
// (`nvidia/NvidiaHooks.cpp`, `amd/AmdHooks.cpp`). Instructions that only one
// vendor has are patterns of its own instead (`PatternFamilies.cpp`). Integers
// are i32 unless said otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_SUPPORT_TARGETHOOKS_H
#define KERNELSCOPE_PASSES_LOWER_SUPPORT_TARGETHOOKS_H

#include "dialects/target/Target.h"
#include "passes/lower/support/Builder.h"
#include "passes/lower/support/LoadMatrixPlan.h"
#include <memory>

namespace kernelscope::tt {
enum class CacheModifier : uint32_t;
enum class EvictionPolicy : uint32_t;
enum class MemSemantic : uint32_t;
enum class MemSyncScope : uint32_t;
enum class RMWOp : uint32_t;
} // namespace kernelscope::tt

namespace kernelscope::lower {

/// Functions that a GPU may have an instruction for.
enum class MathFunction { Exp, Exp2, Log, Log2, Sqrt, Rsqrt, PreciseSqrt };

/// Operations of integers that a warp may have an instruction for.
enum class WarpReduction { Add, Min, Max, UMin, UMax, And, Or, Xor };

/// How a global access is done.
struct MemoryOptions {
  /// NONE and NORMAL: the enumerations are only declared here.
  tt::CacheModifier cache{1};
  tt::EvictionPolicy evict{1};
  bool isVolatile = false;
  /// Known alignment of the pointer in bytes; 0: that of the whole access.
  unsigned alignment = 0;
  /// The op's `cachePolicy`, which says more than the first two; may be null.
  mlir::Attribute policy = {};
};

/// Order and scope of an atomic operation.
struct AtomicOrder {
  tt::MemSemantic semantic;
  tt::MemSyncScope scope;
};

/// A place in the source, for messages at run time.
struct SourcePlace {
  std::string file, function;
  unsigned line = 0;
};

/// What a chip has that can read the shared memory of the cluster's other CTAs.
class ClusterHooks {
public:
  virtual ~ClusterHooks();
  /// The builder's warps arrive, and those of the other CTAs that execute the
  /// same code, and see each other's shared memory.
  virtual void barrier(Builder &b) const = 0;
  /// Where CTA `cta` has what this one has at `pointer` in shared memory.
  virtual mlir::Value sharedOf(Builder &b, mlir::Value pointer,
                               mlir::Value cta) const = 0;
};

class TargetHooks {
public:
  /// `ctas` is the module's `ttg.num-ctas`.
  TargetHooks(const Target &target, unsigned ctas)
      : target(target), ctas(ctas) {}
  virtual ~TargetHooks();

  const Target &getTarget() const { return target; }
  unsigned getCtas() const { return ctas; }

  // Ids. Threads and warps are counted within the builder's scope.
  /// 0 to the scope's threads - 1.
  mlir::Value threadId(Builder &b) const;
  /// In the warp, 0 to warpSize - 1.
  mlir::Value laneId(Builder &b) const;
  /// 0 to the scope's warps - 1.
  virtual mlir::Value warpId(Builder &b) const;
  /// The same, and known to be the same in all lanes of a warp: to branch on,
  /// and for operands that the chip takes once for a warp.
  virtual mlir::Value uniformWarpId(Builder &b) const;
  /// Of this block in its cluster; 0 without clusters.
  virtual mlir::Value ctaId(Builder &b) const = 0;
  /// Of the grid along `axis`, 0 to 2.
  virtual mlir::Value programId(Builder &b, unsigned axis) const = 0;
  virtual mlir::Value numPrograms(Builder &b, unsigned axis) const = 0;

  /// For people: the program, and the warp and the thread of the block. Printed
  /// by `executingThreadFormat`.
  llvm::SmallVector<mlir::Value> executingThread(Builder &b) const;
  static constexpr llvm::StringLiteral executingThreadFormat =
      "program (%u, %u, %u), warp %u, thread %u";

  // Together.
  /// All threads of the builder's scope arrive, and see each other's shared
  /// memory.
  virtual void barrier(Builder &b) const = 0;
  /// The same for the lanes of a warp.
  virtual void warpBarrier(Builder &b) const = 0;
  /// Access to the shared memory of other CTAs; null where the chip has none.
  virtual const ClusterHooks *cluster() const { return nullptr; }
  /// The value of lane `laneId ^ mask`. Any type of up to 64 bits.
  mlir::Value shuffleXor(Builder &b, mlir::Value value, unsigned mask) const;
  /// The value of lane `lane`. Any type of up to 64 bits.
  mlir::Value shuffleIdx(Builder &b, mlir::Value value, mlir::Value lane) const;
  /// The i32 `first` and `second` after the lanes with `bit` set have given
  /// their `first` for the `second` of those without, for a bit of those that
  /// LaneSwaps.h has for the chip.
  virtual std::pair<mlir::Value, mlir::Value>
  swapLanes(Builder &, mlir::Value first, mlir::Value second,
            unsigned /*bit*/) const {
    return {first, second};
  }
  /// What `reduction` makes of the values, i32, of all lanes of a warp; null if
  /// there is no instruction for it.
  virtual mlir::Value reduceWarp(Builder &, WarpReduction,
                                 mlir::Value /*value*/) const {
    return {};
  }
  /// A bit per lane where the i1 `predicate` holds; an integer of warpSize
  /// bits.
  virtual mlir::Value ballot(Builder &b, mlir::Value predicate) const = 0;

  // Memory. `predicate` is an i1, or null for always.
  /// Widest single access in bits, global and shared.
  virtual unsigned maxGlobalBits() const { return 128; }
  virtual unsigned maxSharedBits() const { return 128; }
  /// Loads `count` elements of LLVM type `element` that lie one after another.
  /// Where the predicate is false the result is `other`'s elements, or
  /// unspecified when `other` is empty. `count` times the element's size is at
  /// most `maxGlobalBits()`, and a power of two.
  virtual llvm::SmallVector<mlir::Value>
  loadGlobal(Builder &b, mlir::Value pointer, mlir::Type element,
             unsigned count, mlir::Value predicate, mlir::ValueRange other,
             const MemoryOptions &options) const = 0;
  virtual void storeGlobal(Builder &b, mlir::Value pointer,
                           mlir::ValueRange values, mlir::Value predicate,
                           const MemoryOptions &options) const = 0;
  /// The same for shared memory: zero where the predicate is false.
  virtual llvm::SmallVector<mlir::Value>
  loadShared(Builder &b, mlir::Value pointer, mlir::Type element,
             unsigned count, mlir::Value predicate = {}) const = 0;
  virtual void storeShared(Builder &b, mlir::Value pointer,
                           mlir::ValueRange values,
                           mlir::Value predicate = {}) const = 0;

  /// Whether a warp moves tiles of 8 x 8 elements to and from shared memory at
  /// once, as LoadMatrixPlan.h says.
  virtual TileInstructions tileInstructions() const { return {}; }
  /// The words that this lane receives from `tiles` tiles; it gives the address
  /// of a `row` of them.
  virtual llvm::SmallVector<mlir::Value>
  loadTiles(Builder &, mlir::Value /*row*/, unsigned /*tiles*/,
            bool /*isTransposed*/) const {
    return {};
  }
  /// Stores as many tiles as there are `words`.
  virtual void storeTiles(Builder &, mlir::Value /*row*/,
                          llvm::ArrayRef<mlir::Value> /*words*/,
                          bool /*isTransposed*/) const {}

  /// How many neighbouring elements of LLVM type `element` in global memory
  /// one instruction updates, each atomically.
  virtual unsigned maxAtomicElements(tt::RMWOp, mlir::Type /*element*/) const {
    return 1;
  }
  /// Updates as many elements as there are `values` by one instruction that
  /// takes the predicate, and returns the old ones, unspecified where the
  /// predicate is false. None if the target leaves it to LLVM.
  virtual llvm::SmallVector<mlir::Value>
  atomicRMWGlobal(Builder &, tt::RMWOp, const AtomicOrder &,
                  mlir::Value /*pointer*/, mlir::ValueRange /*values*/,
                  mlir::Value /*predicate*/) const {
    return {};
  }
  /// Whether several ordered updates cost more than relaxed ones between two
  /// fences.
  virtual bool fencesAtomics() const { return false; }
  /// LLVM's name of a scope of atomic operations, for the target's back end.
  virtual llvm::StringRef syncScope(tt::MemSyncScope scope) const = 0;

  // Messages to a person, from each thread that reaches the op.
  /// Prints as C's `printf` does. The arguments are i32, i64 and f64.
  virtual void print(Builder &b, llvm::StringRef format,
                     mlir::ValueRange arguments) const = 0;
  /// Says that an assertion failed and stops the kernel.
  virtual void failAssertion(Builder &b, llvm::StringRef message,
                             const SourcePlace &place) const = 0;
  /// An i64 that counts nanoseconds.
  virtual mlir::Value nanoseconds(Builder &b) const = 0;

  /// Whether there is an instruction for `permuteBytes`.
  virtual bool hasPermuteBytes() const { return false; }
  /// The word whose byte `i` is that of `low` and `high`, 0 to 7, which nibble
  /// `i` of `selector` selects.
  virtual mlir::Value permuteBytes(Builder &, mlir::Value /*low*/,
                                   mlir::Value /*high*/,
                                   mlir::Value /*selector*/) const {
    return {};
  }

  // Arithmetic.
  /// The target's own instruction or short sequence for `function` of an f32,
  /// approximate as Triton's is; null if there is none.
  virtual mlir::Value math(Builder &b, MathFunction function,
                           mlir::Value x) const = 0;
  /// Converts a thread's elements, as `convertFloat` does each, by instructions
  /// for several at once; none if the target has none for these types.
  virtual llvm::SmallVector<mlir::Value>
  convertFloats(Builder &, llvm::ArrayRef<mlir::Value> /*x*/,
                mlir::Type /*from*/, mlir::Type /*to*/, bool /*toZero*/) const {
    return {};
  }
  /// The e2m1 values of bytes, of each the lower four bits first, as values of
  /// `to`; none if the target has no way of its own.
  virtual llvm::SmallVector<mlir::Value>
  unpackFp4(Builder &, llvm::ArrayRef<mlir::Value> /*bytes*/,
            mlir::Type /*to*/) const {
    return {};
  }
  /// Division: of f32 within 2 ulp unless `precise`, else as IEEE asks.
  virtual mlir::Value divide(Builder &b, mlir::Value x, mlir::Value y,
                             bool precise) const = 0;
  /// The function that libdevice (`__nv_sinf`) or ROCm's device library
  /// (`__ocml_sin_f32`) has for `name` ("sin") of f32 or f64.
  virtual std::string libraryFunction(llvm::StringRef name,
                                      bool isDouble) const = 0;

protected:
  /// The thread id in the block, 0 to threads - 1, in any region.
  virtual mlir::Value blockThreadId(Builder &b) const = 0;
  /// `value`, which all lanes of the warp have, known to be the same in them.
  virtual mlir::Value uniform(Builder &b, mlir::Value value) const = 0;
  /// One shuffle of an i32. `operand` is the mask or the lane.
  enum class Shuffle { Xor, Idx };
  virtual mlir::Value shuffle32(Builder &b, Shuffle kind, mlir::Value value,
                                mlir::Value operand) const = 0;

private:
  mlir::Value shuffle(Builder &b, Shuffle kind, mlir::Value value,
                      mlir::Value operand) const;

  Target target;
  unsigned ctas;
};

std::unique_ptr<TargetHooks> createNvidiaHooks(const Target &, unsigned ctas);
std::unique_ptr<TargetHooks> createAmdHooks(const Target &, unsigned ctas);
/// The hooks of `target`'s vendor.
std::unique_ptr<TargetHooks> createHooks(const Target &, unsigned ctas);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SUPPORT_TARGETHOOKS_H
