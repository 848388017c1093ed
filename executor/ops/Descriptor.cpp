//===- Descriptor.cpp - Loads and stores by descriptor --------------------===//
//
// Tensor descriptors, and the loads and stores of blocks through them that take
// effect at once.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "executor/ops/Block.h"
#include "executor/ops/Shared.h"
#include <limits>

using namespace mlir;

namespace kernelscope::executor {
namespace {

Step planBlockLoad(Planner &planner, Operation *op,
                   const BlockOperands &operands, Value result) {
  auto block = planBlock(planner, op, operands);
  if (!block)
    return {};
  return [block = std::move(*block), to = planner.slot(result)](Frame &frame) {
    return block.at(frame).read(frame, frame.at<char>(to));
  };
}

/// The block at which `value` is stored, of which a CTA of a cluster has a
/// part.
struct BlockTarget {
  BlockSource block;
  Owners owners;

  Block at(Frame &frame) const {
    Block made = block.at(frame);
    for (size_t i = 0; owners && i < owners->size(); ++i)
      made.isMoved.push_back(llvm::countr_zero((*owners)[i]) == int(frame.cta));
    return made;
  }
};

Step planBlockStore(Planner &planner, Operation *op,
                    const BlockOperands &operands, Value value) {
  auto block = planBlock(planner, op, operands);
  if (!block)
    return {};
  return
      [block = BlockTarget{std::move(*block), planner.owners(value.getType())},
       from = planner.slot(value)](Frame &frame) {
        return block.at(frame).write(frame, frame.at<char>(from));
      };
}

Step planMakeDescriptor(Planner &planner, tt::MakeTensorDescOp op) {
  if (op.getShape().size() > Descriptor::maxRank) {
    op.emitError("a tensor descriptor has at most ")
        << Descriptor::maxRank << " dimensions";
    return {};
  }
  return
      [base = planner.slot(op.getBase()), shape = planner.slots(op.getShape()),
       strides = planner.slots(op.getStrides()),
       to = planner.slot(op.getResult()),
       padWithNan =
           op.getPadding() == tt::PaddingOption::PAD_NAN](Frame &frame) {
        Descriptor made;
        made.address = *frame.at<int64_t>(base);
        made.padWithNan = padWithNan;
        for (size_t dim = 0; dim < shape.size(); ++dim) {
          made.shape[dim] = *frame.at<int32_t>(shape[dim]);
          made.strides[dim] = *frame.at<int64_t>(strides[dim]);
        }
        *frame.at<Descriptor>(to) = made;
        return true;
      };
}

Step planLoadBlock(Planner &planner, tt::DescriptorLoadOp op) {
  return planBlockLoad(planner, op, {op.getDesc(), op.getIndices()},
                       op.getResult());
}

Step planStoreBlock(Planner &planner, tt::DescriptorStoreOp op) {
  return planBlockStore(planner, op, {op.getDesc(), op.getIndices()},
                        op.getSrc());
}

Step planReduceBlock(Planner &planner, tt::DescriptorReduceOp op) {
  planner.runInOrder();
  auto block = planBlock(planner, op, {op.getDesc(), op.getIndices()});
  Combiner combiner = planReduction(op, op.getKind(), op.getDesc());
  if (!block || !combiner)
    return {};
  return [block = BlockTarget{std::move(*block),
                              planner.owners(op.getSrc().getType())},
          combiner = std::move(combiner),
          from = planner.slot(op.getSrc())](Frame &frame) {
    return block.at(frame).combine(frame, frame.at<char>(from), combiner);
  };
}

Step planGatherBlock(Planner &planner, tt::DescriptorGatherOp op) {
  return planBlockLoad(planner, op,
                       {op.getDesc(), op.getYOffset(), op.getXOffsets()},
                       op.getResult());
}

Step planScatterBlock(Planner &planner, tt::DescriptorScatterOp op) {
  return planBlockStore(planner, op,
                        {op.getDesc(), op.getYOffset(), op.getXOffsets()},
                        op.getSrc());
}

/// A prefetch has an effect on nothing but time. The offsets that it may return
/// are counted in elements from the start of the tensor, one for each line of
/// 256 bytes; what is not prefetched has zero.
Step planPrefetch(Planner &planner, amdg::TDMPrefetchOp op) {
  if (!op.getMaybeOffsets())
    return planNothing(planner, op);
  const Storage &storage = planner.storage(op.getMaybeOffsets());
  return [tensor = planner.slot(op.getDesc()),
          first = planner.slots(op.getIndices()),
          live = planner.slot(op.getPred()),
          to = planner.slot(op.getMaybeOffsets()), shape = storage.shape,
          isSpeculative = op.getSpeculative(),
          perLine = op.getElementsPerLine()](Frame &frame) {
    const Descriptor &from = *frame.at<Descriptor>(tensor);
    Strides lines{shape, {}};
    int64_t begin = 0;
    for (auto [dim, slot] : llvm::enumerate(first)) {
      begin += *frame.at<int32_t>(slot) * from.strides[dim];
      lines.strides.push_back(from.strides[dim]);
    }
    lines.strides.back() = perLine;
    const int64_t end = isSpeculative ? std::numeric_limits<int64_t>::max()
                                      : from.shape[0] * from.strides[0];
    const bool isLive = *frame.at<uint8_t>(live) && from.enabled;
    int64_t *offsets = frame.at<int64_t>(to);
    lines.forEachRow([&](int64_t offset, int64_t stride, int64_t length) {
      for (int64_t i = 0; i < length; ++i) {
        const int64_t at = begin + offset + i * stride;
        *offsets++ = isLive && at < end ? at : 0;
      }
    });
    return true;
  };
}

} // namespace

void registerDescriptor(Registry &r) {
  r.add<amdg::TDMPrefetchOp>(planPrefetch);
  r.add<tt::MakeTensorDescOp>(planMakeDescriptor);
  r.add<tt::DescriptorLoadOp>(planLoadBlock);
  r.add<tt::DescriptorStoreOp>(planStoreBlock);
  r.add<tt::DescriptorReduceOp>(planReduceBlock);
  r.add<tt::DescriptorGatherOp>(planGatherBlock);
  r.add<tt::DescriptorScatterOp>(planScatterBlock);
}

} // namespace kernelscope::executor
