//===- Indexed.cpp - Shared memory at computed positions ------------------===//
//
// Gathers, scatters and atomics along one axis of a memdesc: the position along
// the axis comes from a tensor, the others are the element's own.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/tti/TTI.h"
#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

/// The places in `memory` that a tensor of indices names.
struct IndexedPlaces {
  Operation *op;
  Slot memory, indices;
  Element index;
  SmallVector<int64_t, 4> shape, memoryShape;
  size_t axis, elementSize;
  sanitize::Piece bytes;     ///< of an element
  SmallVector<Slot> offsets; ///< added to the coordinates, when there are any
  Owners registers;          ///< of the indices
  std::optional<Slot> mask = std::nullopt;
  /// Only the first CTA that has an index accesses its element.
  bool isOnce = false;

  static IndexedPlaces of(Planner &planner, Operation *op, Value memory,
                          Value indices, size_t axis, ValueRange offsets = {}) {
    const Storage &index = planner.storage(indices);
    return {op,
            planner.slot(memory),
            planner.slot(indices),
            index.element,
            index.shape,
            shapeOf(memory),
            axis,
            elementBytes(memory),
            {0, int64_t(elementBytes(memory))},
            planner.slots(offsets),
            planner.owners(indices.getType())};
  }

  /// An access to one element.
  sanitize::Use use(const char *element, bool isWrite) const {
    return {{element, bytes}, isWrite};
  }

  /// Whether the CTA of `frame` accesses the element for index `i`.
  bool accesses(Frame &frame, size_t i) const {
    const CTAs having = registers ? (*registers)[i] : ~CTAs{0};
    return (!mask || frame.at<uint8_t>(*mask)[i]) &&
           (isOnce ? llvm::countr_zero(having) == int(frame.cta)
                   : having >> frame.cta & 1);
  }

  /// Makes `element` the place in the cluster where it is
  /// kept. False after a fault.
  bool moveToOwner(Frame &frame, char *&element) const {
    const Cluster &cluster = *frame.program.cluster;
    const Cluster::Buffer *buffer = cluster.find(frame.cta, element);
    const CTAs me = CTAs{1} << frame.cta;
    const CTAs owners = buffer ? buffer->ownersAt(element) : me;
    const char *at = element;
    const unsigned to = owners & me ? frame.cta : llvm::countr_zero(owners);
    return frame.wait(
        {op,
         [&] {
           element = cluster.peer(frame.cta, to, at);
           return element || !buffer;
         },
         [] { return std::string("another CTA to allocate the buffer"); }});
  }

  /// Makes `element`, of an image, the place where it is kept. False after a
  /// fault.
  bool resolve(Frame &frame, char *&element) const {
    const Images &images = frame.program.images;
    char *first = images.resolve(element);
    for (size_t byte = 1; element && byte < elementSize; ++byte)
      if (images.resolve(element + byte) != first + byte)
        return frame.fault(op, "the CPU executor does not run '" +
                                   op->getName().getStringRef() +
                                   "' on elements of a reinterpreted buffer "
                                   "whose bytes are not adjacent");
    element = first;
    return true;
  }

  /// Calls `fn(i, element)` for each index whose element the CTA accesses, in
  /// order. False after a fault, too: an index outside of the axis.
  template <typename Fn> bool forEach(Frame &frame, Fn fn) const {
    const View &view = *frame.at<View>(memory);
    SmallVector<int64_t, 4> at(shape.size(), 0);
    return withInt(index, [&]<typename I>() {
      const auto *picked = frame.at<typename I::Storage>(indices);
      size_t count = 1;
      for (int64_t size : shape)
        count *= size;
      for (size_t i = 0; i < count; ++i) {
        int64_t place = 0;
        const bool isAccessed = accesses(frame, i);
        for (size_t dim = 0; dim < shape.size(); ++dim) {
          int64_t position = dim == axis ? I::loadSigned(picked[i]) : at[dim];
          if (!offsets.empty())
            position += *frame.at<int32_t>(offsets[dim]);
          if (!isAccessed)
            position = 0;
          if (position < 0 || position >= memoryShape[dim])
            return frame.fault(op, frame.programName() + elementName(shape, i) +
                                       ": index " + Twine(position) +
                                       " is outside of dimension " +
                                       Twine(dim) + ", which has " +
                                       Twine(memoryShape[dim]) + " elements");
          place += position * view.strides[dim];
        }
        char *element = view.base + place * int64_t(elementSize);
        if (isAccessed) {
          if (frame.program.cluster && !moveToOwner(frame, element))
            return false;
          if (!frame.program.images.empty() && !resolve(frame, element))
            return false;
          fn(i, element);
        }
        for (size_t dim = shape.size(); dim-- > 0;) {
          if (++at[dim] < shape[dim])
            break;
          at[dim] = 0;
        }
      }
      return true;
    });
  }
};

/// result[i] = the element at place i.
Step planGatherFrom(Planner &planner, IndexedPlaces places, Value result) {
  return [places = std::move(places), to = planner.slot(result)](Frame &frame) {
    return places.forEach(frame, [&](size_t i, const char *element) {
      if (frame.watch)
        frame.watch->access(places.op, places.use(element, /*isWrite=*/false));
      std::memcpy(frame.at<char>(to) + i * places.elementSize, element,
                  places.elementSize);
    });
  };
}

Step planGather(Planner &planner, ttg::LocalGatherOp op) {
  return planGatherFrom(planner,
                        IndexedPlaces::of(planner, op, op.getSrc(),
                                          op.getIndices(), op.getAxis()),
                        op.getResult());
}

Step planGatherWithOffsets(Planner &planner,
                           tti::ExperimentalLocalGatherOp op) {
  return planGatherFrom(planner,
                        IndexedPlaces::of(planner, op, op.getSrc(),
                                          op.getIndices(), op.getAxis(),
                                          op.getOffsets()),
                        op.getResult());
}

Step planScatter(Planner &planner, ttg::LocalScatterOp op) {
  return [places = IndexedPlaces::of(planner, op, op.getDst(), op.getIndices(),
                                     op.getAxis()),
          from = planner.slot(op.getValues())](Frame &frame) {
    SmallVector<sanitize::Use> written;
    const bool isDone = places.forEach(frame, [&](size_t i, char *element) {
      if (frame.watch)
        written.push_back(places.use(element, /*isWrite=*/true));
      std::memcpy(element, frame.at<char>(from) + i * places.elementSize,
                  places.elementSize);
    });
    if (frame.program.cluster && areCopies(places.registers)) {
      if (frame.watch)
        frame.watch->writeCopies(places.op, written);
    } else {
      for (const sanitize::Use &use : written)
        frame.watch->access(places.op, use);
    }
    return isDone;
  };
}

Step planAtomicScatter(Planner &planner, ttg::LocalAtomicScatterRMWOp op) {
  const Element element = planner.storage(op.getValues()).element;
  Combiner combine = planCombiner(element, op.getAtomicRmwOp());
  if (!combine) {
    op.emitError("the CPU executor has no atomic ")
        << tt::stringifyRMWOp(op.getAtomicRmwOp()) << " on "
        << op.getValues().getType();
    return {};
  }
  IndexedPlaces places = IndexedPlaces::of(planner, op, op.getDst(),
                                           op.getIndices(), op.getAxis());
  places.mask = optionalSlot(planner, op.getMask());
  places.isOnce = true;
  const bool isTold = planner.plan.ctas > 1 && !op.getResult().use_empty();
  return [=, places = std::move(places), from = planner.slot(op.getValues()),
          to = planner.slot(op.getResult()),
          bytes = planner.bytesOf(op.getResult())](Frame &frame) {
    std::memset(frame.at<char>(to), 0, bytes);
    const bool isDone = places.forEach(frame, [&](size_t i, char *memory) {
      if (frame.watch)
        frame.watch->accessAtomically(places.op,
                                      places.use(memory, /*isWrite=*/true));
      const size_t at = i * places.elementSize;
      std::memcpy(frame.at<char>(to) + at, memory, places.elementSize);
      combine(memory, frame.at<char>(from) + at, memory);
    });
    return isDone &&
           (!isTold || frame.exchange(places.op, to, places.elementSize,
                                      places.registers));
  };
}

} // namespace

void registerIndexed(Registry &r) {
  r.add<ttg::LocalGatherOp>(planGather);
  r.add<ttg::LocalScatterOp>(planScatter);
  r.add<ttg::LocalAtomicScatterRMWOp>(planAtomicScatter);
  r.add<tti::ExperimentalLocalGatherOp>(planGatherWithOffsets);
}

} // namespace kernelscope::executor
