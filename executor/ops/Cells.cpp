//===- Cells.cpp - The memory that an access of a CTA touches -------------===//

#include "executor/ops/Cells.h"
#include "executor/ops/Shared.h"

using namespace mlir;

namespace kernelscope::executor {

std::optional<Cells> Cells::of(Frame &frame, Operation *op, const View &view,
                               ArrayRef<int64_t> shape, size_t elementBytes,
                               const Tile &tile) {
  Cells made;
  made.view = view;
  made.shape.assign(shape.begin(), shape.end());
  made.elementBytes = made.placeBytes = elementBytes;
  const Images &images = frame.program.images;
  const bool isImage = images.resolve(view.base) != view.base;
  Cluster *cluster = frame.program.cluster.get();
  const Cluster::Buffer *buffer =
      cluster ? cluster->find(frame.cta, view.base) : nullptr;
  if (!buffer) {
    if (isImage) {
      stridesOf(view, shape)
          .forEachRow([&](int64_t offset, int64_t stride, int64_t length) {
            for (int64_t i = 0; i < length; ++i)
              made.places.push_back(view.base + (offset + i * stride) *
                                                    int64_t(elementBytes));
          });
      made.resolve(images);
    }
    return made;
  }

  const CTAs me = CTAs{1} << frame.cta;
  std::vector<CTAs> target; // whose memory each element is in; none: 0
  CTAs all = 0;
  stridesOf(view, shape)
      .forEachRow([&](int64_t offset, int64_t stride, int64_t length) {
        for (int64_t i = 0; i < length; ++i) {
          const CTAs having = buffer->ownersAt(
              view.base + (offset + i * stride) * int64_t(elementBytes));
          CTAs owners = having;
          if (tile.inMemory)
            owners &= tile.inMemory;
          if (tile.registers && !((*tile.registers)[target.size()] & me))
            owners = 0;
          const CTAs to = owners & me ? me : owners & -owners;
          target.push_back(to & tile.keptBy);
          made.isFirst.push_back(target.back() && !(having & (me - 1)));
          all |= target.back();
        }
      });
  auto isAllocated = [&] {
    for (unsigned cta = 0; cta < cluster->size(); ++cta)
      if ((all >> cta & 1) && !cluster->peer(frame.cta, cta, view.base))
        return false;
    return true;
  };
  if (!frame.wait({op, isAllocated, [] {
                     return std::string(
                         "other CTAs to allocate the buffer that it accesses");
                   }}))
    return std::nullopt;
  made.places.reserve(target.size());
  stridesOf(view, shape)
      .forEachRow([&](int64_t offset, int64_t stride, int64_t length) {
        for (int64_t i = 0; i < length; ++i) {
          const CTAs to = target[made.places.size()];
          char *at = view.base + (offset + i * stride) * int64_t(elementBytes);
          made.places.push_back(
              to ? cluster->peer(frame.cta, llvm::countr_zero(to), at)
                 : nullptr);
        }
      });
  if (isImage)
    made.resolve(images);
  return made;
}

void Cells::resolve(const Images &images) {
  auto adjoin = [&](char *element) {
    char *first = images.resolve(element);
    for (size_t byte = 1; element && byte < elementBytes; ++byte)
      if (images.resolve(element + byte) != first + byte)
        return false;
    return true;
  };
  placeBytes = llvm::all_of(places, adjoin) ? elementBytes : 1;
  std::vector<char *> resolved;
  resolved.reserve(places.size() * elementBytes / placeBytes);
  for (char *element : places)
    for (size_t byte = 0; byte < elementBytes; byte += placeBytes)
      resolved.push_back(element ? images.resolve(element + byte) : nullptr);
  places = std::move(resolved);
}

size_t Cells::count() const {
  if (!places.empty())
    return (places.size() - llvm::count(places, nullptr)) * placeBytes /
           elementBytes;
  size_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::vector<bool> Cells::touched() const {
  std::vector<bool> isTouched;
  for (size_t i = 0; i < places.size(); i += elementBytes / placeBytes)
    isTouched.push_back(places[i]);
  return isTouched;
}

void Cells::read(char *values) const {
  if (places.empty())
    return readView(view, shape, elementBytes, values);
  for (auto [i, place] : llvm::enumerate(places))
    if (place)
      std::memcpy(values + i * placeBytes, place, placeBytes);
}

void Cells::write(const char *values) const {
  if (places.empty())
    return writeView(view, shape, elementBytes, values);
  for (auto [i, place] : llvm::enumerate(places))
    if (place)
      std::memcpy(place, values + i * placeBytes, placeBytes);
}

void Cells::use(Uses &uses, bool isWrite) const {
  if (places.empty())
    return uses.add(view, shape, elementBytes, isWrite);
  // Of each CTA's buffer the runs of bytes; buffers are far apart or adjoin.
  std::vector<char *> touched;
  for (char *place : places)
    if (place)
      touched.push_back(place);
  llvm::sort(touched);
  uses.addRuns(touched, placeBytes, isWrite);
}

void watchCells(Frame &frame, Operation *op, const Cells &cells, bool isWrite,
                ttg::Proxy proxy) {
  if (!frame.watch)
    return;
  Uses uses;
  cells.use(uses, isWrite);
  for (const sanitize::Use &use : uses.all())
    frame.watch->access(op, use, proxy);
}

sanitize::Watch::Started watchStart(Frame &frame, Operation *op,
                                    const Cells &cells, bool isWrite,
                                    ttg::Proxy proxy, const MBarrier *signals) {
  if (!frame.watch)
    return {};
  Uses uses;
  cells.use(uses, isWrite);
  return frame.watch->start(op, uses.all(), proxy,
                            signals ? signals->init : nullptr);
}

void watchSkip(Frame &frame, const Cells &cells) {
  if (!frame.watch)
    return;
  Uses uses;
  cells.use(uses, /*isWrite=*/true);
  for (const sanitize::Use &use : uses.all())
    frame.watch->skip(use);
}

bool issueWrite(Frame &frame, const BarrierAddress &barrier, Cells cells,
                ttg::Proxy proxy, int64_t bytes,
                std::function<std::optional<std::vector<char>>()> values,
                llvm::function_ref<void(sanitize::Moment)> started) {
  const MBarrier *found = barrier.find(frame);
  if (!found)
    return false;
  auto [end, done] =
      watchStart(frame, barrier.op, cells, /*isWrite=*/true, proxy, found);
  if (started)
    started(end);
  // Its bytes signal the copy alone; what its agent knew is published by those
  // who arrive (PTX ISA, "Memory Consistency Model": no release comes with
  // them).
  sanitize::Release written;
  if (end) {
    auto own = std::make_shared<sanitize::Knowledge>();
    own->done.learn(end);
    written = std::move(own);
  }
  return frame.program.barriers.issue(
      barrier.at, barrier.op, done,
      [=, &frame, cells = std::move(cells), values = std::move(values)] {
        auto made = values();
        if (!made)
          return false;
        cells.write(made->data());
        return barrier.complete(frame, bytes, written);
      });
}

} // namespace kernelscope::executor
