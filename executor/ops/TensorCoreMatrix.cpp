//===- TensorCoreMatrix.cpp - What a tensor core reads and writes ---------===//

#include "executor/ops/TensorCoreMatrix.h"
#include "dialects/ttng/TTNG.h"

using namespace mlir;

namespace kernelscope::executor {

std::optional<TensorCoreMatrix>
TensorCoreMatrix::of(Planner &planner, Operation *op, Value memdesc) {
  auto type = cast<ttg::MemDescType>(memdesc.getType());
  TensorCoreMatrix made;
  made.op = op;
  made.slot = planner.slot(memdesc);
  made.element = *elementOf(type.getElementType());
  made.shape = shapeOf(memdesc);
  made.count = type.getNumElements();
  made.bytes = made.count * sizeOf(made.element);
  if (isInTensorMemory(memdesc)) {
    made.places = TensorMemoryPlaces::of(op, memdesc);
    made.owners = planner.owners(memdesc.getType());
    if (made.owners && made.owners->size() != made.count)
      made.owners = nullptr; // a part of an allocation
    if (!made.places)
      return std::nullopt;
    auto layout = dyn_cast<ttng::TensorMemoryEncodingAttr>(type.getEncoding());
    made.isPadded = layout && layout.getFp4Padded();
  }
  return made;
}

void TensorCoreMatrix::Issued::watch(Uses &uses, bool isWrite) const {
  for (const Cells &part : cells)
    part.use(uses, isWrite);
  for (auto [cta, base] : bases)
    uses.add(base, matrix->places->pieces(), isWrite);
}

std::vector<char> TensorCoreMatrix::Issued::read() const {
  std::vector<char> dense(matrix->bytes);
  for (const Cells &part : cells)
    part.read(dense.data());
  const size_t size = sizeOf(matrix->element);
  for (auto [cta, base] : bases) {
    std::vector<char> part(matrix->bytes);
    withBytes(size, [&, base = base]<typename T>() {
      matrix->places->read(base, reinterpret_cast<T *>(part.data()));
    });
    if (matrix->isPadded) {
      // Bits 2 to 5 of two bytes (PTX ISA, "Packing formats used in Tensor
      // Memory").
      std::vector<uint8_t> odd(matrix->bytes);
      matrix->places->read(base + 1, odd.data());
      for (auto [low, high] : llvm::zip_equal(part, odd))
        low = static_cast<char>((low >> 2 & 0xf) | (high >> 2 & 0xf) << 4);
    }
    // What no CTA of a pair has is as the first of them computed it: a layout
    // may split scales along K, which a tensor core reads whole.
    const bool isFirst = cta == bases.front().first;
    for (size_t i = 0; i < matrix->count; ++i)
      if (isFirst || !matrix->owners || ((*matrix->owners)[i] >> cta & 1))
        std::memcpy(dense.data() + i * size, part.data() + i * size, size);
  }
  return dense;
}

void TensorCoreMatrix::Issued::write(const char *dense) const {
  for (auto [cta, base] : bases)
    withBytes(sizeOf(matrix->element), [&, base = base]<typename T>() {
      matrix->places->write(base, reinterpret_cast<const T *>(dense));
    });
}

std::optional<TensorCoreMatrix::Issued>
TensorCoreMatrix::at(Frame &frame, ArrayRef<unsigned> ctas) const {
  const View &view = *frame.at<View>(slot);
  Issued made{this, {}, {}};
  for (unsigned cta : ctas) {
    if (!places) {
      auto part = Cells::of(frame, op, view, shape, sizeOf(element),
                            {nullptr, CTAs{1} << cta});
      if (!part)
        return std::nullopt;
      made.cells.push_back(std::move(*part));
      continue;
    }
    char *base = view.base;
    auto isAllocated = [&] {
      base = frame.program.cluster->peer(frame.cta, cta, view.base);
      return base != nullptr;
    };
    if (cta != frame.cta && !frame.wait({op, isAllocated, [] {
                                           return std::string(
                                               "the other CTA of the pair to "
                                               "allocate tensor memory");
                                         }}))
      return std::nullopt;
    made.bases.emplace_back(cta, base);
  }
  return made;
}

} // namespace kernelscope::executor
