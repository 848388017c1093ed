//===- LdsBarriers.cpp - Barriers in LDS, and that of a cluster -----------===//
//
// amdg.init_barrier, arrive_barrier, wait_barrier, async_copy_mbarrier_arrive
// and cluster_barrier_*, gfx1250. A barrier is 64 bits of LDS, as Triton's code
// has them: the arrivals that its phase lacks less one in bits 28:0, the number
// of the phase in 31:29, and the arrivals of every phase less one in 60:32. One
// thread sets it up; every thread arrives, and every thread looks until the
// phase has changed.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/LdsBarriers.h"
#include "dialects/amdg/AMDG.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/lower/support/AtomicAccess.h"
#include "passes/lower/support/MemDesc.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// The lowest bit of the number of the phase.
static constexpr unsigned phaseBit = 29;
/// A barrier's bytes, and the alignment that its instructions ask for.
static constexpr unsigned barrierBytes = 8;

Value lower::ldsBarrierAddress(lower::Builder &b, Value packed,
                               ttg::MemDescType type) {
  MemDesc memory = MemDesc::unpack(b, packed);
  return b.gep(b.intType(64), memory.base, windowStart(b, memory, type));
}

namespace {

/// True if `parity`, an i32, is that of the phase at work in `state`, an i64.
Value isAtWork(lower::Builder &b, Value state, Value parity) {
  Value phase = b.trunc(b.intType(32), b.lshr(state, b.i64(phaseBit)));
  return b.icmp(ICmp::eq, b.bitAnd(phase, b.i32(1)),
                b.bitAnd(parity, b.i32(1)));
}

LogicalResult emit(lower::Builder &b, ConversionPatternRewriter &rewriter,
                   const TargetHooks &hooks, amdg::InitBarrierOp op,
                   amdg::InitBarrierOp::Adaptor, Value address) {
  const int64_t less1 = int64_t{op.getCount()} - 1;
  Value isFirst = b.icmp(ICmp::eq, hooks.threadId(b), b.i32(0));
  actWhere(b, rewriter, isFirst, [&] {
    b.store(b.i64(less1 << 32 | less1), address, barrierBytes,
            /*isVolatile=*/false);
  });
  rewriter.eraseOp(op);
  return success();
}

LogicalResult emit(lower::Builder &b, ConversionPatternRewriter &rewriter,
                   const TargetHooks &, amdg::ArriveBarrierOp op,
                   amdg::ArriveBarrierOp::Adaptor, Value address) {
  Value before = b.intrinsic("llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64",
                             b.intType(64), {address, b.i64(op.getCount())});
  Value phase = b.trunc(b.intType(32), b.lshr(before, b.i64(phaseBit)));
  rewriter.replaceOp(op, b.bitAnd(phase, b.i32(1)));
  return success();
}

LogicalResult emit(lower::Builder &b, ConversionPatternRewriter &rewriter,
                   const TargetHooks &, amdg::AsyncCopyMbarrierArriveOp op,
                   amdg::AsyncCopyMbarrierArriveOp::Adaptor, Value address) {
  b.intrinsic("llvm.amdgcn.ds.atomic.async.barrier.arrive.b64", {}, {address});
  rewriter.eraseOp(op);
  return success();
}

/// No instruction waits for a barrier in LDS: a loop reads it, and naps.
LogicalResult emit(lower::Builder &b, ConversionPatternRewriter &rewriter,
                   const TargetHooks &, amdg::WaitBarrierOp op,
                   amdg::WaitBarrierOp::Adaptor adaptor, Value address) {
  Location loc = b.getLoc();
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  Block *loop = rewriter.createBlock(after);
  b.intrinsic("llvm.amdgcn.s.sleep", {}, {b.i32(1)});
  Value state = b.load(b.intType(64), address, barrierBytes,
                       /*isVolatile=*/true);
  LLVM::CondBrOp::create(rewriter, loc, isAtWork(b, state, adaptor.getPhase()),
                         loop, ValueRange(), after, ValueRange());
  rewriter.setInsertionPointToEnd(before);
  LLVM::BrOp::create(rewriter, loc, loop);
  rewriter.setInsertionPointToStart(after);
  rewriter.eraseOp(op);
  return success();
}

/// An op on one barrier, which is its first operand.
template <typename Op> class LdsBarrierPattern : public lower::Pattern<Op> {
public:
  using lower::Pattern<Op>::Pattern;

  LogicalResult
  matchAndRewrite(Op op, Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    auto type = cast<ttg::MemDescType>(op->getOperand(0).getType());
    Value address = ldsBarrierAddress(b, adaptor.getOperands().front(), type);
    return emit(b, rewriter, this->hooks, op, adaptor, address);
  }
};

/// The hardware's number of the barrier of a cluster.
constexpr int32_t clusterBarrier = -3;

/// A workgroup arrives by one signal, when all of its warps are there.
class ClusterArrivePattern
    : public lower::Pattern<amdg::ClusterBarrierArriveOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::ClusterBarrierArriveOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    hooks.barrier(b);
    Value isFirst = b.icmp(ICmp::eq, hooks.uniformWarpId(b), b.i32(0));
    actWhere(b, rewriter, isFirst, [&] {
      b.intrinsic("llvm.amdgcn.s.barrier.signal", {}, {b.i32(clusterBarrier)});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

class ClusterWaitPattern : public lower::Pattern<amdg::ClusterBarrierWaitOp> {
public:
  using Pattern::Pattern;

  LogicalResult
  matchAndRewrite(amdg::ClusterBarrierWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    lower::Builder b(op, rewriter);
    b.intrinsic("llvm.amdgcn.s.barrier.wait", {},
                {b.intConstant(b.intType(16), clusterBarrier)});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void lower::populateLdsBarrierPatterns(const TypeConverter &converter,
                                       Patterns &patterns,
                                       const TargetHooks &hooks) {
  patterns.add<LdsBarrierPattern<amdg::InitBarrierOp>,
               LdsBarrierPattern<amdg::ArriveBarrierOp>,
               LdsBarrierPattern<amdg::WaitBarrierOp>,
               LdsBarrierPattern<amdg::AsyncCopyMbarrierArriveOp>,
               ClusterArrivePattern, ClusterWaitPattern>(converter, hooks);
}
