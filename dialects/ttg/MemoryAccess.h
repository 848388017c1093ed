//===- MemoryAccess.h - What ops do to memory, and when ---------*- C++ -*-===//
// MLIR's memory effects say what an op reads and writes. The interfaces that
// use these types say the rest: through which proxy memory is accessed, when
// that completes, and what happens to mbarriers. Each dialect answers in its
// Effects.cpp.
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_TTG_MEMORYACCESS_H
#define KERNELSCOPE_DIALECTS_TTG_MEMORYACCESS_H

#include "mlir/IR/Operation.h"

#include <optional>

namespace kernelscope::ttg {

class MemDescType;

/// Where a buffer, or an op's scratch, was placed in shared memory: bytes.
constexpr llvm::StringLiteral allocationOffsetName = "allocation.offset";
/// Where a buffer was placed in tensor memory: 32-bit columns.
constexpr llvm::StringLiteral tensorMemoryColumnName =
    "tensor_memory_col_offset";

enum class MemorySpace : uint8_t {
  Global,
  /// Of a CTA; AMD's LDS.
  Shared,
  /// Tensor memory of Blackwell's SMs.
  Tensor
};

/// The path by which memory is accessed (PTX ISA, "Proxies"). Accesses through
/// different proxies are ordered by a proxy fence, in addition to whatever
/// orders threads.
enum class Proxy : uint8_t {
  /// Loads and stores of threads; `cp.async` and AMD's loads to LDS too.
  Generic,
  /// Engines that copy by descriptor: TMA, cluster launch control, AMD's TDM.
  Async,
  /// Matrix units that read memory: wgmma and tcgen05.
  TensorCore
};

/// How the completion of an access is signalled.
enum class Completion : uint8_t {
  /// The op itself: it is done before the thread's next one.
  AtOnce,
  /// `ttg.async_wait` on groups of `ttg.async_commit_group`, or on AMD's
  /// counter of loads.
  CommitGroup,
  /// `ttng.async_tma_store_wait`.
  BulkGroup,
  /// `ttng.warp_group_dot_wait`.
  WgmmaGroup,
  /// A later `ttng.tc_gen5_commit`, which arrives on its barrier.
  TensorCommit,
  /// `amdg.async_tdm_wait`, on AMD's counter of tensor copies.
  TensorCounter,
  /// An mbarrier that the op names.
  MBarrier
};

/// How an op makes its accesses; see `MemoryAccessOpInterface`.
struct AccessMode {
  Proxy proxy = Proxy::Generic;
  Completion completion = Completion::AtOnce;
  /// The op does nothing where this is false; null for always.
  mlir::Value predicate = {};
};

/// Something that an op does to an mbarrier.
struct BarrierAction {
  enum Kind : uint8_t {
    Init,
    Invalidate,
    /// Announces bytes, and arrives.
    Expect,
    Arrive,
    /// Arrives when asynchronous work is done: that of this op, or all that
    /// its thread started before.
    ArriveWhenDone,
    /// Bytes that the op copies complete on the barrier.
    Complete,
    Wait
  };
  Kind kind;
  mlir::Value barrier;
  /// Init: the arrivals that end a phase. Expect, Arrive, ArriveWhenDone: the
  /// arrivals at each barrier. Nothing if that is not known.
  std::optional<int64_t> count = {};
  /// Expect: the bytes announced. Complete: the bytes that come in each CTA.
  /// Nothing if that is not known.
  std::optional<int64_t> bytes = {};
  /// Wait: the parity of the phase.
  mlir::Value phase = {};
  /// It happens only if all of these are true.
  llvm::SmallVector<mlir::Value, 2> predicates = {};
  /// It reaches barriers of several CTAs.
  bool isMulticast = false;

  bool arrives() const {
    return kind == Expect || kind == Arrive || kind == ArriveWhenDone;
  }
  /// How often the barrier counts it: nothing if that is not known.
  std::optional<int64_t> arrivals() const {
    return arrives() ? count : std::optional<int64_t>(0);
  }
};

/// One access of an op.
struct MemoryAccess {
  /// A memory descriptor, pointers, or a tensor descriptor; null where the op
  /// does not say.
  mlir::Value memory;
  MemorySpace space;
  bool isWrite;
  AccessMode mode = {};
  /// With `Completion::MBarrier`, the barriers that are signalled.
  llvm::SmallVector<mlir::Value, 1> barriers = {};
  /// What it does to `memory`, if that is an mbarrier. All but Init and
  /// Invalidate are atomic.
  std::optional<BarrierAction::Kind> onBarrier = {};
};

/// All that `op` itself reads and writes, without its regions. From its memory
/// effects; an op without `MemoryAccessOpInterface` does it at once, by loads
/// and stores.
llvm::SmallVector<MemoryAccess> accessesOf(mlir::Operation *op);

/// What `op` does to mbarriers; nothing for most ops.
llvm::SmallVector<BarrierAction> barrierActionsOf(mlir::Operation *op);

/// Whether `op` is a barrier of all threads that run it, after which what each
/// did to `space` is visible to all.
bool ordersThreads(mlir::Operation *op, MemorySpace space);

/// The space that a memory descriptor points into.
MemorySpace spaceOf(MemDescType memory);

} // namespace kernelscope::ttg

#endif // KERNELSCOPE_DIALECTS_TTG_MEMORYACCESS_H
