//===- Indexed.cpp - Shared memory at computed positions ------------------===//
//
// Gathers, scatters and atomics along one axis of a memdesc: the position along
// the axis comes from a tensor, the others are the element's own.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/TTG.h"
#include "dialects/tti/TTI.h"
#include "executor/ops/Shared.h"
#include "executor/ops/Watched.h"

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
  SmallVector<Slot> offsets; ///< added to the coordinates, when there are any
  Owners registers;          ///< of the indices

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
            planner.slots(offsets),
            planner.owners(indices.getType())};
  }

  /// Tells the sanitizer of an access to one element.
  void watch(Frame &frame, const char *element, bool isWrite) const {
    if (!frame.watch)
      return;
    const sanitize::Piece piece{0, int64_t(elementSize)};
    frame.watch->access(op, {{element, piece}, isWrite});
  }

  /// Makes `element` the place in the cluster where the element for index `i`
  /// is; null when this CTA does not have that index. False after a fault.
  bool moveToOwner(Frame &frame, size_t i, char *&element) const {
    const Cluster &cluster = *frame.program.cluster;
    const Cluster::Buffer *buffer = cluster.find(frame.cta, element);
    const CTAs me = CTAs{1} << frame.cta;
    if (registers && !((*registers)[i] & me)) {
      element = nullptr;
      return true;
    }
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
                                   "whose bytes are apart");
    element = first;
    return true;
  }

  /// Calls `fn(i, element)` for each index, in order, until it returns false.
  /// False after a fault, too: an index outside of the axis.
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
        const bool isMine = !registers || ((*registers)[i] >> frame.cta & 1);
        for (size_t dim = 0; dim < shape.size(); ++dim) {
          int64_t position = dim == axis ? I::loadSigned(picked[i]) : at[dim];
          if (!offsets.empty())
            position += *frame.at<int32_t>(offsets[dim]);
          if (!isMine)
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
        if (frame.program.cluster && !moveToOwner(frame, i, element))
          return false;
        if (!frame.program.images.empty() && !resolve(frame, element))
          return false;
        if (element && !fn(i, element))
          return false;
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
      places.watch(frame, element, /*isWrite=*/false);
      std::memcpy(frame.at<char>(to) + i * places.elementSize, element,
                  places.elementSize);
      return true;
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
    return places.forEach(frame, [&](size_t i, char *element) {
      places.watch(frame, element, /*isWrite=*/true);
      std::memcpy(element, frame.at<char>(from) + i * places.elementSize,
                  places.elementSize);
      return true;
    });
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
  return
      [=,
       places = IndexedPlaces::of(planner, op, op.getDst(), op.getIndices(),
                                  op.getAxis()),
       from = planner.slot(op.getValues()), to = planner.slot(op.getResult()),
       bytes = planner.bytesOf(op.getResult()),
       mask = optionalSlot(planner, op.getMask())](Frame &frame) {
        const uint8_t *live = mask ? frame.at<uint8_t>(*mask) : nullptr;
        std::memset(frame.at<char>(to), 0, bytes);
        return places.forEach(frame, [&](size_t i, char *memory) {
          if (live && !live[i])
            return true;
          places.watch(frame, memory, /*isWrite=*/true);
          const size_t at = i * places.elementSize;
          std::memcpy(frame.at<char>(to) + at, memory, places.elementSize);
          combine(memory, frame.at<char>(from) + at, memory);
          return true;
        });
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
