//===- Allocation.cpp - A place for each buffer ---------------------------===//

#include "passes/memory/Allocation.h"
#include "dialects/ttg/TTG.h"
#include "passes/memory/Buffers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::memory;

unsigned Buffers::assignPlaces(MemorySpace space, unsigned begin) {
  // Large ones first: small ones fit into what they leave.
  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    if (buffer.space == space)
      order.push_back(&buffer);
  llvm::sort(order, [](const Buffer *a, const Buffer *b) {
    return std::pair(b->size, a) < std::pair(a->size, b);
  });
  unsigned end = begin;
  SmallVector<Buffer *> placed;
  for (Buffer *buffer : order) {
    SmallVector<Interval> taken;
    for (Buffer *other : placed)
      if (other->lifetime.overlaps(buffer->lifetime))
        taken.push_back(other->place);
    llvm::sort(taken, [](const Interval &a, const Interval &b) {
      return a.begin < b.begin;
    });
    unsigned at = llvm::alignTo(begin, buffer->alignment);
    for (const Interval &range : taken)
      if (range.overlaps({at, at + buffer->size}))
        at = llvm::alignTo(range.end, buffer->alignment);
    buffer->place = {at, at + buffer->size};
    placed.push_back(buffer);
    end = std::max(end, buffer->place.end);
  }
  return end;
}

namespace {
/// What differs between the spaces that are allocated.
struct Words {
  /// The module's attribute with the total.
  StringLiteral total;
  StringLiteral units;
  /// What a function's memory begins at a multiple of.
  unsigned alignment;
};
} // namespace

static Words wordsOf(MemorySpace space) {
  if (space == MemorySpace::Shared)
    return {ttg::sharedBytesName, "bytes of shared memory", 16};
  return {ttg::tensorMemorySizeName, "columns of tensor memory", 4};
}

LogicalResult memory::allocate(ModuleOp module, MemorySpace space,
                               unsigned most) {
  Words words = wordsOf(space);
  // Functions that are called may run while their callers' buffers live: each
  // has its own memory. Kernels do not run at once.
  unsigned called = 0, total = 0;
  SmallVector<std::unique_ptr<Buffers>> all;
  for (bool isKernel : {false, true})
    for (auto function : module.getOps<FunctionOpInterface>()) {
      if (function.isExternal() || function.isPublic() != isKernel)
        continue;
      auto &buffers = all.emplace_back(std::make_unique<Buffers>(function));
      unsigned end = buffers->assignPlaces(space, called);
      total = std::max(total, end);
      if (!isKernel)
        called = llvm::alignTo(end, words.alignment);
    }
  auto i32 = IntegerType::get(module.getContext(), 32);
  const Buffers::Buffer *largest = nullptr;
  for (auto &buffers : all)
    for (const Buffers::Buffer &buffer : buffers->getBuffers()) {
      if (buffer.space != space)
        continue;
      buffer.owner->setAttr(placeNameOf(space),
                            IntegerAttr::get(i32, buffer.place.begin));
      if (!largest || buffer.size > largest->size)
        largest = &buffer;
    }
  module->setAttr(words.total, IntegerAttr::get(i32, total));
  if (most && total > most)
    return largest->owner->emitError()
           << "the kernel needs " << total << " " << words.units << ", but "
           << "a block has at most " << most << "; this op takes "
           << largest->size;
  return success();
}
