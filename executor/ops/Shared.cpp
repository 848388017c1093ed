//===- Shared.cpp - Shared memory -----------------------------------------===//
//
// An allocation is a dense row-major tensor, whatever its layout; a memdesc is
// a view of it with strides.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Shared.h"
#include "dialects/ttg/TTG.h"
#include "executor/ops/Access.h"
#include "executor/ops/Cells.h"

using namespace mlir;

namespace kernelscope::executor {

Strides stridesOf(const View &view, ArrayRef<int64_t> shape) {
  return {SmallVector<int64_t, 4>(shape),
          SmallVector<int64_t, 4>(view.strides, view.strides + shape.size())};
}

size_t elementBytes(Value memdesc) {
  return bytesInMemory(
      cast<ttg::MemDescType>(memdesc.getType()).getElementType());
}

SmallVector<int64_t, 4> shapeOf(Value memdesc) {
  return SmallVector<int64_t, 4>(
      cast<ttg::MemDescType>(memdesc.getType()).getShape());
}

void readView(const View &view, ArrayRef<int64_t> shape, size_t elementBytes,
              char *values) {
  withBytes(elementBytes, [&]<typename T>() {
    gatherStrided(reinterpret_cast<T *>(values),
                  reinterpret_cast<const T *>(view.base),
                  stridesOf(view, shape));
  });
}

void writeView(const View &view, ArrayRef<int64_t> shape, size_t elementBytes,
               const char *values) {
  withBytes(elementBytes, [&]<typename T>() {
    scatterStrided(reinterpret_cast<T *>(view.base),
                   reinterpret_cast<const T *>(values), stridesOf(view, shape));
  });
}

Step planReadView(Planner &planner, Operation *op, Value memdesc,
                  Value result) {
  return [=, from = planner.slot(memdesc), to = planner.slot(result),
          shape = shapeOf(memdesc), bytes = elementBytes(memdesc),
          registers = planner.owners(result.getType())](Frame &frame) {
    auto cells =
        Cells::of(frame, op, *frame.at<View>(from), shape, bytes, {registers});
    if (!cells)
      return false;
    watchCells(frame, op, *cells, /*isWrite=*/false);
    cells->read(frame.at<char>(to));
    return true;
  };
}

Step planWriteView(Planner &planner, Operation *op, Value value,
                   Value memdesc) {
  return [=, from = planner.slot(value), to = planner.slot(memdesc),
          shape = shapeOf(memdesc), bytes = elementBytes(memdesc),
          registers = planner.owners(value.getType())](Frame &frame) {
    auto cells =
        Cells::of(frame, op, *frame.at<View>(to), shape, bytes, {registers});
    if (!cells)
      return false;
    if (frame.watch && frame.program.cluster && areCopies(registers)) {
      Uses uses;
      cells->use(uses, /*isWrite=*/true);
      frame.watch->writeCopies(op, uses.all());
    } else {
      watchCells(frame, op, *cells, /*isWrite=*/true);
    }
    cells->write(frame.at<char>(from));
    return true;
  };
}

Allocate planAllocation(Planner &planner, Value memdesc, size_t bytes) {
  // An allocation that a loop carries on must not be the next round's.
  const bool escapes = llvm::any_of(memdesc.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
  if (escapes)
    return [=](Frame &frame) { return frame.allocate(bytes); };
  return [=, storage = planner.scratch(bytes)](Frame &frame) {
    char *memory = frame.at<char>(storage);
    std::memset(memory, 0, bytes);
    return memory;
  };
}

/// A barrier must be invalidated before its memory is another buffer's. Triton
/// up to 3.6 does not do that to barriers that it made and that no one uses.
static void watchAllocation(Frame &frame, const sanitize::Allocation &buffer) {
  MBarriers &barriers = frame.program.barriers;
  for (const sanitize::Allocation *old : frame.watch->allocate(buffer))
    if (const MBarrier *found = barriers.findIn(old->base, old->size);
        found && !ttg::isOlderDump(buffer.op)) {
      frame.watch->report(sanitize::notInvalidated(buffer.op, found->init));
      barriers.forget(old->base, old->size);
    }
}

Step planAllocate(Planner &planner, Operation *op, Value memdesc,
                  Value initial) {
  const Slot to = planner.slot(memdesc);
  const SmallVector<int64_t, 4> shape = shapeOf(memdesc),
                                strides = rowMajor(shape);
  size_t bytes = elementBytes(memdesc);
  for (int64_t size : shape)
    bytes *= size;
  const std::optional<uint32_t> place = placeOf(op);
  std::optional<sanitize::Piece> bytesAt;
  if (auto buffer = dyn_cast<ttg::AllocOpInterface>(op); buffer && place)
    if (std::optional<int64_t> size = buffer.getAllocSize())
      bytesAt = {*place, *place + *size};
  Step write = initial ? planWriteView(planner, op, initial, memdesc) : Step();
  return [=, allocate = planAllocation(planner, memdesc, bytes),
          size = elementBytes(memdesc),
          owners = planner.owners(memdesc.getType())](Frame &frame) {
    View &view = *frame.at<View>(to);
    view.base = view.buffer = allocate(frame);
    std::copy(strides.begin(), strides.end(), view.strides);
    frame.program.barriers.forget(view.base, bytes);
    if (place)
      frame.program.placedAt[view.base] = *place;
    if (frame.program.cluster)
      frame.program.cluster->allocate(frame.cta,
                                      {op, 0, view.base, bytes, size, owners});
    if (frame.watch)
      watchAllocation(frame,
                      {view.base, int64_t(bytes), ttg::MemorySpace::Shared, op,
                       frame.cta, bytesAt});
    return !write || write(frame);
  };
}

Step planNothing(Planner &, Operation *) {
  return [](Frame &) { return true; };
}

namespace {

Step planLocalAlloc(Planner &planner, ttg::LocalAllocOp op) {
  return planAllocate(planner, op, op.getResult(), op.getSrc());
}

Step planLocalDealloc(Planner &planner, ttg::LocalDeallocOp op) {
  return [from = planner.slot(op.getSrc()),
          operation = op.getOperation()](Frame &frame) {
    if (frame.watch)
      frame.watch->deallocate(operation, frame.at<View>(from)->base);
    return true;
  };
}

Step planLocalLoad(Planner &planner, ttg::LocalLoadOp op) {
  return planReadView(planner, op, op.getSrc(), op.getResult());
}

Step planLocalStore(Planner &planner, ttg::LocalStoreOp op) {
  return planWriteView(planner, op, op.getSrc(), op.getDst());
}

Step planIndex(Planner &planner, ttg::MemDescIndexOp op) {
  const SmallVector<int64_t, 4> shape = shapeOf(op.getSrc());
  return [=, from = planner.slot(op.getSrc()),
          to = planner.slot(op.getResult()), at = planner.slot(op.getIndex()),
          bytes = int64_t(elementBytes(op.getSrc())),
          operation = op.getOperation()](Frame &frame) {
    const View source = *frame.at<View>(from);
    const int64_t index = *frame.at<int32_t>(at);
    if (index < 0 || index >= shape[0])
      return frame.fault(operation, frame.programName() + ": index " +
                                        Twine(index) + " is outside the " +
                                        Twine(shape[0]) +
                                        " buffers of the memdesc");
    View &view = *frame.at<View>(to);
    view.buffer = source.buffer;
    view.base = source.base + index * source.strides[0] * bytes;
    std::copy(source.strides + 1, source.strides + shape.size(), view.strides);
    return true;
  };
}

Step planSubslice(Planner &planner, ttg::MemDescSubsliceOp op) {
  SmallVector<int64_t, 4> offsets(op.getOffsets().begin(),
                                  op.getOffsets().end());
  return
      [=, from = planner.slot(op.getSrc()), to = planner.slot(op.getResult()),
       bytes = int64_t(elementBytes(op.getSrc()))](Frame &frame) {
        View view = *frame.at<View>(from);
        for (auto [dim, offset] : llvm::enumerate(offsets))
          view.base += offset * view.strides[dim] * bytes;
        *frame.at<View>(to) = view;
        return true;
      };
}

Step planTranspose(Planner &planner, ttg::MemDescTransOp op) {
  SmallVector<int32_t> order(op.getOrder());
  return [=, from = planner.slot(op.getSrc()),
          to = planner.slot(op.getResult())](Frame &frame) {
    const View source = *frame.at<View>(from);
    View &view = *frame.at<View>(to);
    view.base = source.base;
    view.buffer = source.buffer;
    for (auto [dim, old] : llvm::enumerate(order))
      view.strides[dim] = source.strides[old];
    return true;
  };
}

/// Strides of `to` over the elements that `from` has with `strides`; none when
/// no strides can do it.
std::optional<SmallVector<int64_t, 4>> reshapeStrides(ArrayRef<int64_t> from,
                                                      ArrayRef<int64_t> strides,
                                                      ArrayRef<int64_t> to) {
  SmallVector<int64_t, 4> result(to.size(), 0);
  size_t in = 0, out = 0;
  while (in < from.size() && out < to.size()) {
    // The smallest groups of dimensions with as many elements on both sides.
    size_t inEnd = in + 1, outEnd = out + 1;
    int64_t inCount = from[in], outCount = to[out];
    while (inCount != outCount) {
      if (inCount < outCount)
        inCount *= from[inEnd++];
      else
        outCount *= to[outEnd++];
    }
    for (size_t dim = in; dim + 1 < inEnd; ++dim)
      if (from[dim] != 1 && strides[dim] != strides[dim + 1] * from[dim + 1])
        return std::nullopt;
    int64_t stride = strides[inEnd - 1];
    for (size_t dim = outEnd; dim-- > out;) {
      result[dim] = stride;
      stride *= to[dim];
    }
    in = inEnd;
    out = outEnd;
  }
  return result;
}

Step planReshape(Planner &planner, ttg::MemDescReshapeOp op) {
  return [from = planner.slot(op.getSrc()), to = planner.slot(op.getResult()),
          oldShape = shapeOf(op.getSrc()), newShape = shapeOf(op.getResult()),
          bytes = elementBytes(op.getSrc()),
          count = op.getSrc().getType().getNumElements(),
          owners = planner.owners(op.getResult().getType()),
          operation = op.getOperation()](Frame &frame) {
    const View source = *frame.at<View>(from);
    auto strides = reshapeStrides(
        oldShape, ArrayRef(source.strides, oldShape.size()), newShape);
    View &view = *frame.at<View>(to);
    view.base = source.base;
    view.buffer = source.buffer;
    if (!strides) {
      Images &images = frame.program.images;
      view.base = view.buffer = images.of(operation, source, [&] {
        Images::Places places;
        stridesOf(source, oldShape)
            .forEachRow([&](int64_t offset, int64_t stride, int64_t length) {
              for (int64_t i = 0; i < length * int64_t(bytes); ++i)
                places.push_back(images.resolve(
                    source.base + (offset + i / bytes * stride) * bytes +
                    i % bytes));
            });
        return places;
      });
      if (frame.program.cluster)
        frame.program.cluster->allocate(
            frame.cta, {operation, 0, view.base, count * bytes, bytes, owners});
      strides = rowMajor(newShape);
    }
    std::copy(strides->begin(), strides->end(), view.strides);
    return true;
  };
}

} // namespace

void registerShared(Registry &r) {
  r.add<ttg::LocalAllocOp>(planLocalAlloc);
  r.add<ttg::LocalLoadOp>(planLocalLoad);
  r.add<ttg::LocalStoreOp>(planLocalStore);
  r.add<ttg::MemDescIndexOp>(planIndex);
  r.add<ttg::MemDescSubsliceOp>(planSubslice);
  r.add<ttg::MemDescTransOp>(planTranspose);
  r.add<ttg::MemDescReshapeOp>(planReshape);
  r.add<ttg::LocalDeallocOp>(planLocalDealloc);
}

} // namespace kernelscope::executor
