//===- Tdm.cpp - AMD's tensor data mover ----------------------------------===//
//
// Copies by descriptor on gfx1250, which the mover does in order for each
// agent. They take effect at the wait for the counter of such copies, or when
// an agent cannot continue without the arrival at a barrier of one of them.
// Every warp that takes part issues one and arrives once, or as often as it has
// instructions for the rows that it gathers or scatters to.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/Layouts.h"
#include "executor/ops/AsyncCopy.h"
#include "executor/ops/Barrier.h"
#include "executor/ops/Block.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"

using namespace mlir;
using kernelscope::ttg::Completion;

namespace kernelscope::executor {
namespace {

int64_t warpsOf(Operation *op, std::optional<uint32_t> hint = std::nullopt) {
  return hint ? llvm::popcount(*hint) : ttg::lookupNumWarps(op).value_or(1);
}

/// Hands the work of an op to the mover.
struct Mover {
  std::optional<BarrierOperand> barrier;
  int64_t arrivals;
  /// Instructions at the most.
  size_t instructions = 1;

  /// An instruction whose descriptor is disabled: it moves nothing, and the
  /// counter counts it.
  bool issueNothing(Frame &frame) const {
    if (barrier)
      return true;
    AsyncQueue &copies = frame.queue(Completion::TensorCounter);
    AsyncWork nothing;
    nothing.write = [] { return true; };
    nothing.instructions = instructions;
    const bool issued = copies.issue(std::move(nothing));
    copies.commit();
    return issued;
  }

  /// `uses` are the accesses to LDS of the work, which is `op`'s; `started`
  /// gets the moment at which it is done.
  bool issue(Frame &frame, Operation *op, const Uses &uses, AsyncWork work,
             llvm::function_ref<void(sanitize::Moment)> started) const {
    AsyncQueue &copies = frame.queue(Completion::TensorCounter);
    const std::optional<BarrierAddress> address =
        barrier ? std::optional(barrier->at(frame)) : std::nullopt;
    const MBarrier *found = address ? address->find(frame) : nullptr;
    if (address && !found)
      return false;
    sanitize::Release done;
    if (frame.watch) {
      // The mover does what one agent gives it in order.
      auto begun =
          frame.watch->start(op, uses.all(), ttg::Proxy::Generic,
                             found ? found->init : nullptr, &copies.allDone());
      work.done = begun.done;
      done = begun.release;
      started(work.done);
    }
    work.instructions = instructions;
    if (!address) {
      work.op = op;
      const bool issued = copies.issue(std::move(work));
      copies.commit();
      return issued;
    }
    work.write = [=, &frame, arrivals = arrivals,
                  write = std::move(work.write)] {
      if (!write())
        return false;
      for (int64_t i = 0; i < arrivals; ++i)
        if (!address->arrive(frame, 1, done))
          return false;
      return true;
    };
    const bool issued = copies.issue(std::move(work));
    copies.commit();
    copies.signal();
    // What was given to the mover before is done before it arrives.
    return issued &&
           frame.program.barriers.issue(address->at, address->op, done,
                                        [&copies, end = copies.issued()] {
                                          return copies.finishUntil(end);
                                        });
  }
};

Mover moverOf(Planner &planner, Operation *op,
              TypedValue<ttg::MemDescType> barrier,
              std::optional<uint32_t> hint = std::nullopt) {
  Mover mover{std::nullopt, warpsOf(op, hint)};
  if (barrier)
    mover.barrier = planBarrier(planner, op, barrier);
  return mover;
}

/// The shape of what `op` moves to or from `memory`: all of it, or as many rows
/// as a gather or scatter has indices. None after an error on `op`.
std::optional<SmallVector<int64_t, 4>>
movedShape(Operation *op, const BlockSource &block, Value memory) {
  SmallVector<int64_t, 4> shape = shapeOf(memory);
  if (block.rows && shape[0] > block.shape[0])
    shape[0] = block.shape[0];
  if (ShapedType::getNumElements(shape) ==
      ShapedType::getNumElements(block.shape))
    return shape;
  op->emitError("moves a block of ")
      << ShapedType::getNumElements(block.shape)
      << " elements, but the memory has " << ShapedType::getNumElements(shape);
  return std::nullopt;
}

/// The block as the mover sees it, which has no signs: a block that begins
/// before the tensor is outside of it.
Block blockAt(const BlockSource &source, Frame &frame) {
  Block block = source.at(frame);
  for (auto [first, size] : llvm::zip(block.first, block.tensor.shape))
    if (first < 0)
      size = 0;
  return block;
}

/// What the block reads comes into the memory; false after an error.
bool moveIn(Frame &frame, const Block &from, const Cells &cells) {
  std::vector<char> values(from.bytes());
  if (!from.read(frame, values.data()))
    return false;
  cells.write(values.data());
  return true;
}

Step planLoad(Planner &planner, Operation *op, const BlockOperands &operands,
              Value memory, Mover mover, Value predicate = {}) {
  auto block = planBlock(planner, op, operands);
  auto shape = block ? movedShape(op, *block, memory) : std::nullopt;
  if (!shape)
    return {};
  return
      [op, block = std::move(*block), mover, to = planner.slot(memory),
       shape = *shape, live = optionalSlot(planner, predicate)](Frame &frame) {
        Block from = blockAt(block, frame);
        auto cells = Cells::of(frame, op, *frame.at<View>(to), shape,
                               from.elementBytes, Tile::own(frame));
        if (!cells)
          return false;
        if (!isTrue(frame, live) || !from.tensor.enabled) {
          watchSkip(frame, *cells);
          return mover.issueNothing(frame);
        }
        from.isMoved = cells->touched();
        Uses uses;
        if (frame.watch)
          cells->use(uses, /*isWrite=*/true);
        return mover.issue(frame, op, uses,
                           {.read = {},
                            .write =
                                [&frame, from, cells = std::move(*cells)] {
                                  return moveIn(frame, from, cells);
                                }},
                           [&](sanitize::Moment end) {
                             from.note(frame, /*isStore=*/false, end);
                           });
      };
}

Step planStore(Planner &planner, Operation *op, const BlockOperands &operands,
               Value memory, Mover mover) {
  auto block = planBlock(planner, op, operands);
  auto shape = block ? movedShape(op, *block, memory) : std::nullopt;
  if (!shape)
    return {};
  return [op, block = std::move(*block), mover, from = planner.slot(memory),
          shape = *shape](Frame &frame) {
    Block to = blockAt(block, frame);
    if (!to.tensor.enabled)
      return mover.issueNothing(frame);
    auto cells = Cells::of(frame, op, *frame.at<View>(from), shape,
                           to.elementBytes, Tile::own(frame));
    if (!cells)
      return false;
    const std::vector<bool> moved = cells->firsts();
    to.isMoved = moved;
    Uses uses;
    if (frame.watch)
      cells->use(uses, /*isWrite=*/false);
    return mover.issue(
        frame, op, uses,
        {.read = {},
         .write =
             [&frame, to = std::move(to), cells = std::move(*cells)] {
               std::vector<char> values(to.bytes());
               cells.read(values.data());
               return to.write(frame, values.data());
             }},
        [&](sanitize::Moment end) {
          Block noted = blockAt(block, frame);
          noted.isMoved = moved;
          noted.note(frame, /*isStore=*/true, end);
        });
  };
}

Step planCopyToLocal(Planner &planner, amdg::AsyncTDMCopyGlobalToLocalOp op) {
  return planLoad(planner, op, {op.getDesc(), op.getIndices()}, op.getResult(),
                  moverOf(planner, op, op.getBarrier(), op.getWarpUsedHint()),
                  op.getPred());
}

/// Its members are one instruction of the mover, so one item of its counter.
Step planFusedCopy(Planner &planner,
                   amdg::AsyncTDMFusedCopyGlobalToLocalOp op) {
  struct Member {
    BlockSource block;
    Slot to;
    SmallVector<int64_t, 4> shape;
  };
  std::vector<Member> members;
  for (auto [descriptor, memory] : llvm::zip(op.getDescs(), op.getDests())) {
    auto block = planBlock(planner, op, {descriptor, {}});
    auto shape = block ? movedShape(op, *block, memory) : std::nullopt;
    if (!shape)
      return {};
    members.push_back({std::move(*block), planner.slot(memory), *shape});
  }
  return [members = std::move(members), mover = Mover{std::nullopt, 1},
          operation = op.getOperation()](Frame &frame) {
    std::vector<std::pair<Block, Cells>> issued;
    Uses uses;
    for (const Member &member : members) {
      Block from = blockAt(member.block, frame);
      auto cells = Cells::of(frame, operation, *frame.at<View>(member.to),
                             member.shape, from.elementBytes, Tile::own(frame));
      if (!cells)
        return false;
      if (frame.watch && from.tensor.enabled)
        cells->use(uses, /*isWrite=*/true);
      issued.emplace_back(std::move(from), std::move(*cells));
    }
    return mover.issue(frame, operation, uses,
                       {.read = {},
                        .write =
                            [&frame, issued = std::move(issued)] {
                              for (const auto &[from, cells] : issued) {
                                if (from.tensor.enabled &&
                                    !moveIn(frame, from, cells))
                                  return false;
                              }
                              return true;
                            }},
                       [&](sanitize::Moment end) {
                         for (const Member &member : members) {
                           const Block from = blockAt(member.block, frame);
                           if (from.tensor.enabled)
                             from.note(frame, /*isStore=*/false, end);
                         }
                       });
  };
}

Step planCopyToGlobal(Planner &planner, amdg::AsyncTDMCopyLocalToGlobalOp op) {
  return planStore(planner, op, {op.getDesc(), op.getIndices()}, op.getSrc(),
                   moverOf(planner, op, op.getBarrier()));
}

/// An instruction moves up to 16 rows that 16 bits name, or 8 that 32 name, of
/// those that its warp names; each of them arrives.
Mover rowMoverOf(Planner &planner, Operation *op, Value rows,
                 TypedValue<ttg::MemDescType> barrier) {
  Mover mover = moverOf(planner, op, barrier);
  auto type = cast<RankedTensorType>(rows.getType());
  int64_t warps = 1;
  if (type.getEncoding()) {
    LinearLayout layout = ttg::toLinearLayout(type);
    StringAttr warp = ttg::LayoutDims(op->getContext()).warp;
    warps = int64_t{layout.getInDimSize(warp)} >>
            llvm::popcount(static_cast<unsigned>(layout.getZeroMask(warp)));
  }
  const int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  mover.arrivals = warps * llvm::divideCeil(bits, 256 * warps);
  mover.instructions = mover.arrivals;
  return mover;
}

Step planGather(Planner &planner, amdg::AsyncTDMGatherOp op) {
  Value rows = op.getSrcRowIndices();
  return planLoad(planner, op, {op.getDesc(), {}, rows}, op.getDst(),
                  rowMoverOf(planner, op, rows, op.getBarrier()));
}

Step planScatter(Planner &planner, amdg::AsyncTDMScatterOp op) {
  Value rows = op.getDstRowIndices();
  return planStore(planner, op, {op.getDesc(), {}, rows}, op.getSrc(),
                   rowMoverOf(planner, op, rows, op.getBarrier()));
}

Step planUpdate(Planner &planner, amdg::UpdateTensorDescriptorOp op) {
  const auto element = elementOf(op.getDesc().getType().getElementType());
  if (!element || *element >= Element::View ||
      std::max(op.getAddOffsets().size(), op.getSetBounds().size()) >
          Descriptor::maxRank) {
    op.emitError("the CPU executor does not run '")
        << op->getName() << "' on " << op.getDesc().getType();
    return {};
  }
  return
      [from = planner.slot(op.getDesc()), to = planner.slot(op.getResult()),
       offsets = planner.slots(op.getAddOffsets()),
       bounds = planner.slots(op.getSetBounds()),
       live = optionalSlot(planner, op.getPred()), clamps = op.getClampBounds(),
       bytes = int64_t(sizeOf(*element))](Frame &frame) {
        Descriptor made = *frame.at<Descriptor>(from);
        for (auto [dim, slot] : llvm::enumerate(bounds))
          made.shape[dim] = *frame.at<int32_t>(slot);
        for (auto [dim, slot] : llvm::enumerate(offsets)) {
          const int64_t offset = *frame.at<int32_t>(slot);
          made.address += offset * made.strides[dim] * bytes;
          if (clamps)
            made.shape[dim] =
                offset < 0 ? 0 : std::max<int64_t>(0, made.shape[dim] - offset);
        }
        if (live)
          made.enabled = *frame.at<int32_t>(*live) != 0;
        *frame.at<Descriptor>(to) = made;
        return true;
      };
}

} // namespace

void registerTdm(Registry &r) {
  r.add<amdg::AsyncTDMCopyGlobalToLocalOp>(planCopyToLocal);
  r.add<amdg::AsyncTDMFusedCopyGlobalToLocalOp>(planFusedCopy);
  r.add<amdg::AsyncTDMCopyLocalToGlobalOp>(planCopyToGlobal);
  r.add<amdg::AsyncTDMGatherOp>(planGather);
  r.add<amdg::AsyncTDMScatterOp>(planScatter);
  r.add("amdg.async_tdm_wait", planAsyncWait);
  r.add("amdg.async_tdm_intrinsic_wait", planAsyncWait);
  r.add<amdg::UpdateTensorDescriptorOp>(planUpdate);
}

} // namespace kernelscope::executor
