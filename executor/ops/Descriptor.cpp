//===- Descriptor.cpp - Loads and stores by descriptor --------------------===//
//
// Tensor descriptors, and the loads and stores of blocks through them that take
// effect at once.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "executor/ops/Block.h"

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

} // namespace

void registerDescriptor(Registry &r) {
  r.add<tt::MakeTensorDescOp>(planMakeDescriptor);
  r.add<tt::DescriptorLoadOp>(planLoadBlock);
  r.add<tt::DescriptorStoreOp>(planStoreBlock);
  r.add<tt::DescriptorReduceOp>(planReduceBlock);
  r.add<tt::DescriptorGatherOp>(planGatherBlock);
  r.add<tt::DescriptorScatterOp>(planScatterBlock);
}

} // namespace kernelscope::executor
