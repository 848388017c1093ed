//===- TargetHooks.h - What one vendor does its own way ---------*- C++ -*-===//
//
// The patterns in `passes/lower` are written once; what differs between NVIDIA
// and AMD goes through this class (`passes/nvidia/NvidiaHooks.cpp`,
// `passes/amd/AmdHooks.cpp`). Integers are i32 unless said otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_LOWER_TARGETHOOKS_H
#define KERNELSCOPE_PASSES_LOWER_TARGETHOOKS_H

#include "passes/Target.h"
#include "passes/lower/Builder.h"
#include <memory>

namespace kernelscope::tt {
enum class CacheModifier : uint32_t;
enum class EvictionPolicy : uint32_t;
} // namespace kernelscope::tt

namespace kernelscope::lower {

/// Functions that a GPU may have an instruction for.
enum class MathFunction { Exp, Exp2, Log, Log2, Sqrt, Rsqrt, PreciseSqrt };

/// How a global access is done.
struct MemoryOptions {
  /// NONE and NORMAL: the enumerations are only declared here.
  tt::CacheModifier cache{1};
  tt::EvictionPolicy evict{1};
  bool isVolatile = false;
  /// Known alignment of the pointer in bytes; 0: that of the whole access.
  unsigned alignment = 0;
};

class TargetHooks {
public:
  /// `ctas` is the module's `ttg.num-ctas`.
  TargetHooks(const Target &target, unsigned ctas)
      : target(target), ctas(ctas) {}
  virtual ~TargetHooks();

  const Target &getTarget() const { return target; }
  unsigned getCtas() const { return ctas; }

  // Who am I.
  /// In the block, 0 to threads - 1.
  virtual mlir::Value threadId(Builder &b) const = 0;
  /// In the warp, 0 to warpSize - 1.
  virtual mlir::Value laneId(Builder &b) const;
  /// In the block, the same value in all lanes of a warp and known to be so.
  virtual mlir::Value warpId(Builder &b) const = 0;
  /// Of this block in its cluster; 0 without clusters.
  virtual mlir::Value ctaId(Builder &b) const = 0;
  /// Of the grid along `axis`, 0 to 2.
  virtual mlir::Value programId(Builder &b, unsigned axis) const = 0;
  virtual mlir::Value numPrograms(Builder &b, unsigned axis) const = 0;

  // Together.
  /// All threads of the block arrive, and see each other's shared memory.
  virtual void barrier(Builder &b) const = 0;
  /// The value of lane `laneId ^ mask`. Any type of up to 64 bits.
  mlir::Value shuffleXor(Builder &b, mlir::Value value, unsigned mask) const;
  /// The value of lane `lane`. Any type of up to 64 bits.
  mlir::Value shuffleIdx(Builder &b, mlir::Value value, mlir::Value lane) const;
  /// The value of lane `laneId - delta`; the own value where there is none.
  mlir::Value shuffleUp(Builder &b, mlir::Value value, unsigned delta) const;
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

  // Copies from global to shared memory that go on by themselves.
  /// Widths in bits of one copy that a lane can place freely, ascending; empty
  /// on a target without such copies, where the functions below have no use.
  virtual llvm::SmallVector<unsigned> asyncCopyBits() const { return {}; }
  /// Copies `bits` from `source` to `destination`. Where the predicate is false
  /// zeros are written.
  virtual void asyncCopy(Builder &b, mlir::Value destination,
                         mlir::Value source, unsigned bits,
                         mlir::Value predicate,
                         const MemoryOptions &options) const {}
  virtual void asyncCommitGroup(Builder &b) const {}
  /// Waits until at most `pending` groups are on their way.
  virtual void asyncWait(Builder &b, unsigned pending) const {}

  // Arithmetic.
  /// The target's own instruction or short sequence for `function` of an f32,
  /// approximate as Triton's is; null if there is none.
  virtual mlir::Value math(Builder &b, MathFunction function,
                           mlir::Value x) const = 0;
  /// Division: of f32 within 2 ulp unless `precise`, else as IEEE asks.
  virtual mlir::Value divide(Builder &b, mlir::Value x, mlir::Value y,
                             bool precise) const = 0;
  /// The function that libdevice (`__nv_sinf`) or ROCm's device library
  /// (`__ocml_sin_f32`) has for `name` ("sin") of f32 or f64.
  virtual std::string libraryFunction(llvm::StringRef name,
                                      bool isDouble) const = 0;

protected:
  /// One shuffle of an i32. `operand` is the mask, lane or delta.
  enum class Shuffle { Xor, Idx, Up };
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

#endif // KERNELSCOPE_PASSES_LOWER_TARGETHOOKS_H
