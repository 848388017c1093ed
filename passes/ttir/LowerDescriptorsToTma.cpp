//===- LowerDescriptorsToTma.cpp - Blocks of tensors by TMA ---------------===//
//
// `lower-descriptors-to-tma`: what goes through a descriptor becomes a copy
// between global and shared memory, done before the next op. Descriptors that
// the kernel makes are written to scratch memory.
//
//===----------------------------------------------------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/target/Target.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/ttir/DataMoverBlocks.h"
#include "passes/ttir/DescriptorLayouts.h"
#include "passes/ttir/DeviceDescriptors.h"
#include "passes/ttir/GatheredRows.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_LOWERDESCRIPTORSTOTMA
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// Builds what an op on a descriptor becomes, before it.
class TmaBuilder {
public:
  TmaBuilder(Operation *op, unsigned ctas)
      : b(op), loc(op->getLoc()), ctas(ctas) {}

  /// A buffer for the block of type `tensor`, with what it holds at first.
  Value buffer(Value desc, RankedTensorType tensor, Value content = {}) {
    return ttg::LocalAllocOp::create(b, loc,
                                     memory(tensor.getShape(),
                                            tensor.getElementType(),
                                            blockLayout(desc, tensor, ctas)),
                                     content);
  }

  /// `type` in a layout in which each CTA has in registers what is in its
  /// buffer for `desc`.
  RankedTensorType inBuffers(Value desc, RankedTensorType type, unsigned warps,
                             unsigned lanes) {
    const auto rank = static_cast<unsigned>(type.getRank());
    SmallVector<unsigned> one(rank, 1),
        order(llvm::reverse(llvm::seq(0u, rank)));
    auto cluster = cast<ttg::LayoutEncodingTrait>(blockLayout(desc, type, ctas))
                       .getCGALayout();
    return type.cloneWithEncoding(ttg::BlockedEncodingAttr::getFor(
        b.getContext(), type.getShape(), one, order, warps, lanes, cluster));
  }

  /// Waits for `bytes` that `copy(barrier, yes)` starts to copy.
  void await(int64_t bytes, llvm::function_ref<void(Value, Value)> copy) {
    MLIRContext *context = b.getContext();
    auto cga = ttg::CGAEncodingAttr::fromSplitParams(context, {ctas}, {1}, {0});
    auto plain =
        ttg::SwizzledSharedEncodingAttr::get(context, 1, 1, 1, {0}, cga);
    Value barrier =
        ttg::LocalAllocOp::create(b, loc, memory({1}, b.getI64Type(), plain));
    ttng::InitBarrierOp::create(b, loc, barrier, uint32_t(1));
    Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
    ttng::BarrierExpectOp::create(b, loc, barrier, static_cast<uint32_t>(bytes),
                                  yes, IntegerAttr());
    copy(barrier, yes);
    Value phase = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
    ttng::WaitBarrierOp::create(b, loc, barrier, phase, Value(), ValueRange());
    ttng::InvalBarrierOp::create(b, loc, barrier);
  }

  OpBuilder b;
  Location loc;

private:
  ttg::MemDescType memory(ArrayRef<int64_t> shape, Type element,
                          Attribute layout) {
    return ttg::MemDescType::get(
        shape, element, layout, ttg::SharedMemorySpaceAttr::get(b.getContext()),
        /*mutableMemory=*/true);
  }

  unsigned ctas;
};

class LowerDescriptorsToTma
    : public kernelscope::impl::LowerDescriptorsToTmaBase<
          LowerDescriptorsToTma> {
public:
  using LowerDescriptorsToTmaBase::LowerDescriptorsToTmaBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Target> target = parseTarget(module, arch);
    if (failed(target))
      return signalPassFailure();
    if (target->hasTensorDataMover)
      return moveBlocksByDataMover(module);
    if (!target->hasTma)
      return markAllAnalysesPreserved();
    ctas = static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1));
    layOutDescriptorsForTma(module);
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      auto reduce = dyn_cast<tt::DescriptorReduceOp>(op);
      auto make = dyn_cast<tt::MakeTensorDescOp>(op);
      if ((reduce && failed(checkParts(reduce))) ||
          (make && failed(checkStrides(make))))
        return signalPassFailure();
    }
    for (Operation *op : ops)
      rewrite(op, *target);
  }

private:
  /// The lowering of `ttng.tensormap_create` sees only constants in bytes.
  static LogicalResult checkStrides(tt::MakeTensorDescOp op) {
    constexpr int64_t multiple = 16;
    const int64_t elementBytes =
        tt::bytesInMemory(op.getType().getElementType());
    for (auto [dim, stride] : llvm::enumerate(op.getStrides().drop_back())) {
      auto elements = tt::constantOf(stride);
      if (elements && *elements * elementBytes % multiple)
        return op.emitOpError("has a stride of ")
               << *elements * elementBytes << " bytes along dimension " << dim
               << "; TMA needs a multiple of " << multiple;
    }
    return success();
  }

  /// Each CTA adds its part of a block, so there must be one for each.
  LogicalResult checkParts(tt::DescriptorReduceOp op) const {
    RankedTensorType block = op.getSrc().getType();
    if (splitsBlock(op.getDesc(), block, ctas))
      return success();
    return op.emitOpError("updates memory with a block of ")
           << block.cloneWithEncoding({}) << ", which the "
           << counted(ctas, "CTA")
           << " of a cluster cannot share: each needs a part of "
           << "its own, of at least 16 bytes of a row";
  }

  void rewrite(Operation *op, const Target &target) const {
    if (auto make = dyn_cast<tt::MakeTensorDescOp>(op)) {
      writeTensormap(make);
      return;
    }
    TmaBuilder tma(op, ctas);
    OpBuilder &b = tma.b;
    Location loc = tma.loc;
    const int warps = ttg::lookupNumWarps(op).value_or(4);
    auto load = [&](RankedTensorType result, auto copy) {
      Value desc = op->getOperand(0), buffer = tma.buffer(desc, result);
      std::optional<int64_t> bytes =
          ttg::bytesInCTA(cast<ttg::MemDescType>(buffer.getType()));
      tma.await(bytes.value_or(0),
                [&](Value barrier, Value yes) { copy(buffer, barrier, yes); });
      auto loaded = ctas > 1 && splitsBlock(desc, result, ctas)
                        ? tma.inBuffers(desc, result, warps, target.warpSize)
                        : result;
      Value value = ttg::LocalLoadOp::create(b, loc, loaded, buffer);
      if (loaded != result)
        value = ttg::ConvertLayoutOp::create(b, loc, result, value);
      op->getResult(0).replaceAllUsesWith(value);
    };
    auto store = [&](Value source, auto copy) {
      Value desc = op->getOperand(0);
      auto type = cast<RankedTensorType>(source.getType());
      if (ctas > 1) {
        type = tma.inBuffers(desc, type, warps, target.warpSize);
        source = ttg::ConvertLayoutOp::create(b, loc, type, source);
      }
      Value buffer = tma.buffer(desc, type, source);
      ttng::FenceAsyncSharedOp::create(b, loc, /*bCluster=*/false);
      copy(buffer);
      ttng::TMAStoreWaitOp::create(b, loc, uint32_t(0));
    };
    auto rows = [&](Value numbers) {
      return gatheredRows(b, loc, numbers, warps,
                          static_cast<int>(target.warpSize));
    };
    if (auto read = dyn_cast<tt::DescriptorLoadOp>(op)) {
      load(read.getType(), [&](Value buffer, Value barrier, Value yes) {
        ttng::AsyncTMACopyGlobalToLocalOp::create(
            b, loc, read.getDesc(), read.getIndices(), ValueRange(), barrier,
            buffer, yes, /*multicast=*/false, read.getCache(), read.getEvict(),
            /*isVolatile=*/false, /*cachePolicy=*/Attribute());
      });
    } else if (auto write = dyn_cast<tt::DescriptorStoreOp>(op)) {
      store(write.getSrc(), [&](Value buffer) {
        ttng::AsyncTMACopyLocalToGlobalOp::create(b, loc, write.getDesc(),
                                                  write.getIndices(), buffer,
                                                  /*cachePolicy=*/Attribute());
      });
    } else if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(op)) {
      store(reduce.getSrc(), [&](Value buffer) {
        ttng::AsyncTMAReduceOp::create(b, loc, reduce.getKind(),
                                       reduce.getDesc(), reduce.getIndices(),
                                       buffer);
      });
    } else if (auto gather = dyn_cast<tt::DescriptorGatherOp>(op);
               gather && target.hasTmaGather) {
      load(gather.getType(), [&](Value buffer, Value barrier, Value yes) {
        ttng::AsyncTMAGatherOp::create(
            b, loc, gather.getDesc(), rows(gather.getXOffsets()),
            gather.getYOffset(), barrier, buffer, yes, /*multicast=*/false,
            /*cachePolicy=*/Attribute());
      });
    } else if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(op);
               scatter && target.hasTmaGather) {
      store(scatter.getSrc(), [&](Value buffer) {
        ttng::AsyncTMAScatterOp::create(
            b, loc, scatter.getDesc(), rows(scatter.getXOffsets()),
            scatter.getYOffset(), buffer, /*cachePolicy=*/Attribute());
      });
    } else {
      return;
    }
    op->erase();
  }

  unsigned ctas = 1;
};

} // namespace
