//===- Tma.cpp - Bulk copies of NVIDIA's tensor memory accelerator --------===//
//
// The engine works by itself. A load completes its bytes on an mbarrier and
// takes effect when an agent cannot continue without them; a store belongs to a
// group that a wait orders (PTX ISA, "cp.async.bulk.tensor").
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/NVWS.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttng/CopyParts.h"
#include "dialects/ttng/TTNG.h"
#include "executor/ops/AsyncCopy.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Block.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"

using namespace mlir;
using kernelscope::ttg::Completion;

namespace kernelscope::executor {
namespace {

/// The block that TMA copies from or to `memory`. Until Triton 3.6 the indices
/// of padded 4-bit floats are those of its tensor map, which counts floats.
std::optional<BlockSource> planCopied(Planner &planner, Operation *op,
                                      const BlockOperands &operands,
                                      TypedValue<ttg::MemDescType> memory) {
  auto block = planBlock(planner, op, operands);
  auto layout =
      dyn_cast<ttg::NVMMASharedEncodingAttr>(memory.getType().getEncoding());
  if (block && layout && layout.getFp4Padded() && ttg::isOlderDump(op))
    block->indicesPerElement = 2;
  return block;
}

/// Which elements of a window each CTA copies, and the bits of a CTA id along
/// which one CTA has all of them.
struct SharedCopy {
  Owners copiers; ///< null: each copies what it has
  CTAs inOneCTA = 0;
};

SharedCopy divide(ttg::MemDescType memory, unsigned ctas) {
  auto parts = ttng::divideCopy(memory);
  if (!parts || !parts->inOneCTA)
    return {};
  ArrayRef<int64_t> shape = memory.getShape();
  const StringAttr block = ttg::LayoutDims(memory.getContext()).block;
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  std::vector<CTAs> copiers(elements);
  for (unsigned cta = 0; cta < ctas; ++cta) {
    auto start = parts->starts.apply({{block, static_cast<int32_t>(cta)}});
    for (int64_t i = 0; i < elements; ++i) {
      bool isOwn = true;
      for (int64_t dim = int64_t(shape.size()) - 1, rest = i; dim >= 0; --dim) {
        int64_t inPart = rest % shape[dim] - start[dim].second;
        isOwn &= inPart >= 0 && inPart < parts->sizes[dim];
        rest /= shape[dim];
      }
      if (isOwn)
        copiers[i] |= CTAs{1} << cta;
    }
  }
  return {std::make_shared<const std::vector<CTAs>>(std::move(copiers)),
          static_cast<CTAs>(parts->inOneCTA)};
}

/// A copy to `memory`, which each CTA makes for itself, or a part of it if one
/// CTA of a pair has all of it. With `isMulticast` the first CTA of those that
/// have the same data makes it for all of them.
Step planLoad(Planner &planner, Operation *op, const BlockOperands &operands,
              TypedValue<ttg::MemDescType> memory,
              TypedValue<ttg::MemDescType> barrierMemory, Value predicate,
              bool isMulticast) {
  auto block = planCopied(planner, op, operands, memory);
  if (!block)
    return {};
  return [block = std::move(*block),
          barrier = planBarrier(planner, op, barrierMemory),
          to = planner.slot(memory), shape = shapeOf(memory),
          live = planner.slot(predicate), bytes = bytesPerCTA(memory),
          copies = isMulticast ? copiesOf(memory) : 0,
          shared = divide(memory.getType(), planner.plan.ctas),
          ctas = planner.plan.ctas](Frame &frame) {
    const View view = *frame.at<View>(to);
    if (frame.cta & copies)
      return true;
    for (unsigned cta : ctasOfGroup(frame.cta, copies, ctas)) {
      CTAs targets = 0;
      for (unsigned each : ctasOfGroup(cta, shared.inOneCTA, ctas))
        targets |= CTAs{1} << each;
      auto cells = Cells::of(frame, block.op, view, shape, block.elementBytes,
                             {shared.copiers, targets});
      if (!cells)
        return false;
      if (!isTrue(frame, live)) {
        watchSkip(frame, *cells);
        continue;
      }
      Block from = block.at(frame);
      from.isMoved = cells->touched();
      auto readBlock = [&frame, from] {
        std::optional<std::vector<char>> values(from.bytes());
        if (!from.read(frame, values->data()))
          values.reset();
        return values;
      };
      if (!issueWrite(frame, barrier.at(frame, cta), std::move(*cells),
                      ttg::Proxy::Async, bytes, std::move(readBlock),
                      [&](sanitize::Moment end) {
                        from.note(frame, /*isStore=*/false, end);
                      }))
        return false;
    }
    return true;
  };
}

/// A store that makes memory what `combiner` says, or just its values when that
/// is null. Of CTAs that have the same data the first stores it.
Step planStore(Planner &planner, Operation *op, const BlockOperands &operands,
               TypedValue<ttg::MemDescType> memory, Combiner combiner = {}) {
  auto block = planCopied(planner, op, operands, memory);
  if (!block)
    return {};
  return [op, block = std::move(*block), combiner = std::move(combiner),
          from = planner.slot(memory), shape = shapeOf(memory)](Frame &frame) {
    Block to = block.at(frame);
    auto values = std::make_shared<std::vector<char>>(to.bytes());
    auto cells = Cells::of(frame, op, *frame.at<View>(from), shape,
                           to.elementBytes, Tile::own(frame));
    if (!cells)
      return false;
    to.isMoved = cells->firsts();
    const sanitize::Moment done =
        watchStart(frame, op, *cells, /*isWrite=*/false, ttg::Proxy::Async)
            .done;
    if (!frame.program.memory.isNeverLoaded(to.tensor.address))
      to.note(frame, /*isStore=*/true, done, /*isAtomic=*/bool(combiner));
    AsyncQueue &stores = frame.queue(Completion::BulkGroup);
    const bool issued = stores.issue(
        {.read =
             [=, cells = std::move(*cells)] {
               cells.read(values->data());
               return true;
             },
         .write =
             [=, &frame, &combiner, to = std::move(to)] {
               return combiner ? to.combine(frame, values->data(), combiner)
                               : to.write(frame, values->data());
             },
         .done = done,
         .op = op});
    stores.commit();
    return issued;
  };
}

Step planCopyToLocal(Planner &planner, ttng::AsyncTMACopyGlobalToLocalOp op) {
  BlockOperands block{op.getDesc(), op.getCoord()};
  if (isa<ttng::TensorDescIm2ColType>(op.getDesc().getType()))
    block.window = op.getOffsets();
  return planLoad(planner, op, block, op.getResult(), op.getBarrier(),
                  op.getPred(), op.getMulticast());
}

Step planGather(Planner &planner, ttng::AsyncTMAGatherOp op) {
  return planLoad(
      planner, op, {op.getDesc(), op.getYOffset(), op.getXOffsets()},
      op.getResult(), op.getBarrier(), op.getPred(), op.getMulticast());
}

Step planCopyToGlobal(Planner &planner, ttng::AsyncTMACopyLocalToGlobalOp op) {
  return planStore(planner, op, {op.getDesc(), op.getCoord()}, op.getSrc());
}

Step planScatter(Planner &planner, ttng::AsyncTMAScatterOp op) {
  return planStore(planner, op,
                   {op.getDesc(), op.getYOffset(), op.getXOffsets()},
                   op.getSrc());
}

Step planReduce(Planner &planner, ttng::AsyncTMAReduceOp op) {
  planner.runInOrder();
  Combiner combiner = planReduction(op, op.getKind(), op.getDesc());
  if (!combiner)
    return {};
  return planStore(planner, op, {op.getDesc(), op.getCoord()}, op.getSrc(),
                   std::move(combiner));
}

Step planStoreWait(Planner &planner, ttng::TMAStoreWaitOp op) {
  if (!op.getReadOnly())
    return planAsyncWait(planner, op);
  return [pending = op.getPendings()](Frame &frame) {
    return frame.queue(Completion::BulkGroup).waitForReads(pending);
  };
}

/// A store of threads to the cluster's memory that completes its bytes on a
/// barrier (PTX ISA, "st.async").
Step planSharedStore(Planner &planner, ttng::AsyncSharedStoreOp op) {
  return [barrier = planBarrier(planner, op, op.getMbarrier()),
          from = planner.slot(op.getSrc()),
          registers = planner.owners(op.getSrc().getType()),
          size = planner.bytesOf(op.getSrc()), to = planner.slot(op.getDst()),
          shape = shapeOf(op.getDst()), element = elementBytes(op.getDst()),
          ctas = planner.plan.ctas](Frame &frame) {
    const char *values = frame.at<char>(from);
    for (unsigned cta = 0; cta < ctas; ++cta) {
      auto cells =
          Cells::of(frame, barrier.op, *frame.at<View>(to), shape, element,
                    {registers, 0, ctas == 1 ? ~CTAs{0} : CTAs{1} << cta});
      if (!cells)
        return false;
      const auto bytes = static_cast<int64_t>(cells->count() * element);
      if (bytes == 0)
        continue;
      if (!issueWrite(frame, barrier.at(frame, cta), std::move(*cells),
                      ttg::Proxy::Generic, bytes,
                      [values = std::vector<char>(values, values + size)] {
                        return values;
                      }))
        return false;
    }
    return true;
  };
}

/// Loads of nvws have no barrier yet and complete at once: the exit of the
/// reference around them signals others.
Step planLoadAtOnce(Planner &planner, Operation *op,
                    const BlockOperands &operands, Value memory) {
  auto block = planBlock(planner, op, operands);
  if (!block)
    return {};
  return [op, block = std::move(*block), to = planner.slot(memory),
          shape = shapeOf(memory)](Frame &frame) {
    auto cells = Cells::of(frame, op, *frame.at<View>(to), shape,
                           block.elementBytes, Tile::own(frame));
    if (!cells)
      return false;
    watchCells(frame, op, *cells, /*isWrite=*/true, ttg::Proxy::Async);
    const Block from = block.at(frame);
    from.note(frame, /*isStore=*/false);
    std::vector<char> values(from.bytes());
    if (!from.read(frame, values.data()))
      return false;
    cells->write(values.data());
    return true;
  };
}

Step planNvwsLoad(Planner &planner, nvws::DescriptorLoadOp op) {
  return planLoadAtOnce(planner, op, {op.getDesc(), op.getIndices()},
                        op.getResult());
}

Step planNvwsGather(Planner &planner, nvws::DescriptorGatherOp op) {
  return planLoadAtOnce(planner, op,
                        {op.getDesc(), op.getYOffset(), op.getXOffsets()},
                        op.getResult());
}

} // namespace

void registerTma(Registry &r) {
  r.add<ttng::AsyncTMACopyGlobalToLocalOp>(planCopyToLocal);
  r.add<ttng::AsyncTMACopyLocalToGlobalOp>(planCopyToGlobal);
  r.add<ttng::AsyncTMAReduceOp>(planReduce);
  r.add<ttng::AsyncTMAGatherOp>(planGather);
  r.add<ttng::AsyncTMAScatterOp>(planScatter);
  r.add<nvws::DescriptorLoadOp>(planNvwsLoad);
  r.add<nvws::DescriptorGatherOp>(planNvwsGather);
  r.add<ttng::TMAStoreWaitOp>(planStoreWait);
  r.add<ttng::AsyncSharedStoreOp>(planSharedStore);
}

} // namespace kernelscope::executor
