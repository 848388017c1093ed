//===- Allocation.cpp - A place for each buffer ---------------------------===//

#include "passes/memory/Allocation.h"
#include "dialects/target/TensorMemoryShapes.h"
#include "dialects/ttg/Layouts.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/memory/Buffers.h"
#include "llvm/Support/MathExtras.h"
#include <map>

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
  auto findPlace = [&](const Buffer &buffer, bool isUpper) {
    SmallVector<Interval> taken;
    for (Buffer *other : placed) {
      const bool isBeside =
          buffer.isHalf && other->isHalf && other->isUpper != isUpper;
      if (other->livesWith(buffer) && !isBeside)
        taken.push_back(other->place);
    }
    llvm::sort(taken, [](const Interval &a, const Interval &b) {
      return a.begin < b.begin;
    });
    unsigned at = llvm::alignTo(begin, buffer.alignment);
    for (const Interval &range : taken)
      if (range.overlaps({at, at + buffer.size}))
        at = llvm::alignTo(range.end, buffer.alignment);
    return at;
  };
  std::map<size_t, bool> isUpper; // of the first of those in the same lanes
  for (Buffer *buffer : order) {
    if (buffer->isHalf)
      buffer->isUpper =
          isUpper
              .try_emplace(sameLanes.getLeaderValue(buffer - buffers.data()),
                           findPlace(*buffer, true) < findPlace(*buffer, false))
              .first->second;
    const unsigned at = findPlace(*buffer, buffer->isUpper);
    buffer->place = {at, at + buffer->size};
    placed.push_back(buffer);
    end = std::max(end, buffer->place.end);
  }
  return end;
}

/// Sets how many rounds an op uses its scratch memory in; 1 is the usual.
static void setRounds(Operation *op, unsigned rounds) {
  if (rounds == 1)
    op->removeAttr(scratchRoundsName);
  else
    op->setAttr(scratchRoundsName,
                Builder(op->getContext()).getI32IntegerAttr(rounds));
}

/// Doubles the rounds of the scratch memory `buffer`, unless that saves nothing
/// or costs more than it does; only a total above the chip's memory
/// (`isTooMuch`) is worth any price. Returns the rounds that it had.
static std::optional<unsigned> doubleRounds(const Buffers::Buffer &buffer,
                                            bool isTooMuch) {
  auto scratch = dyn_cast<ttg::ScratchOpInterface>(buffer.owner);
  if (!scratch || !buffer.isScratch)
    return std::nullopt;
  auto attribute = buffer.owner->getAttrOfType<IntegerAttr>(scratchRoundsName);
  const unsigned rounds = attribute ? unsigned(attribute.getInt()) : 1;
  setRounds(buffer.owner, 0);
  const unsigned withWideAccesses = scratch.getScratchBytes();
  setRounds(buffer.owner, 2 * rounds);
  const unsigned halved = scratch.getScratchBytes();
  // A round costs two barriers, which fewer bytes than Triton takes for one are
  // not worth.
  constexpr unsigned leastBytes = 128;
  if (halved < buffer.size &&
      (isTooMuch || halved >= std::max(withWideAccesses, leastBytes)))
    return rounds;
  setRounds(buffer.owner, rounds);
  return std::nullopt;
}

/// The buffers in `space` that lie on each other up to `end`, from the top: the
/// total is less only if one of them is smaller.
static SmallVector<const Buffers::Buffer *>
stackBelow(unsigned end, const Buffers &buffers, MemorySpace space) {
  SmallVector<const Buffers::Buffer *> stack;
  auto addBelow = [&](unsigned top, const Buffers::Buffer *upper) {
    for (const Buffers::Buffer &buffer : buffers.getBuffers())
      if (buffer.space == space && buffer.size &&
          !llvm::is_contained(stack, &buffer) &&
          (upper ? buffer.livesWith(*upper) &&
                       llvm::alignTo(buffer.place.end, upper->alignment) == top
                 : buffer.place.end == top))
        stack.push_back(&buffer);
  };
  addBelow(end, nullptr);
  for (size_t i = 0; i < stack.size(); ++i)
    addBelow(stack[i]->place.begin, stack[i]);
  return stack;
}

int64_t memory::bytesOfShare(FunctionOpInterface function,
                             const Target &target) {
  constexpr int64_t warpsBeside = 32; // with their registers, of one memory
  return target.maxSharedBytes / warpsBeside *
         ttg::lookupNumWarps(function).value_or(1);
}

/// The bytes of the elements of `value` that a CTA has.
static unsigned bytesInCta(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getEncoding())
    return 0;
  const LinearLayout layout = ttg::toLinearLayout(type);
  const ttg::LayoutDims names(value.getContext());
  const unsigned log2Elements =
      layout
          .sublayout({names.reg, names.lane, names.warp},
                     layout.getOutDimNames())
          .getMatrix()
          .rank();
  return tt::bytesInMemory(type.getElementType()) << log2Elements;
}

/// The same, if `conversion` of it, or to it, goes through scratch memory.
static unsigned bytesInScratch(const Buffers &buffers, Operation *conversion,
                               Value value) {
  return isa_and_nonnull<ttg::ConvertLayoutOp>(conversion) &&
                 buffers.scratchOf(conversion)
             ? bytesInCta(value)
             : 0;
}

/// What Triton's kernel has in shared memory for `dot` itself: both operands on
/// NVIDIA, one after the other on AMD, and the result of NVIDIA's FMA units.
/// Operands that are converted before the loop of `dot` do not count with
/// `inLoop`.
static unsigned bytesOfProduct(const Buffers &buffers, tt::DotOp dot,
                               const Target &target, bool inLoop) {
  auto ofOperand = [&](Value operand) {
    Operation *conversion = operand.getDefiningOp();
    return inLoop && conversion && conversion->getBlock() != dot->getBlock()
               ? 0
               : bytesInScratch(buffers, conversion, operand);
  };
  const unsigned a = ofOperand(dot.getA()), b = ofOperand(dot.getB());
  if (target.isAmd())
    return std::max(a, b);
  unsigned bytes = a + b;
  if (isa<ttg::BlockedEncodingAttr>(dot.getType().getEncoding()))
    for (Operation *user : dot->getUsers())
      bytes = std::max(bytes, bytesInScratch(buffers, user, dot.getResult()));
  return bytes;
}

/// What may lie beside the buffers of a loop on NVIDIA: what its products
/// convert in each iteration, for which Triton's kernel has memory, too, and
/// reductions in the memory that it has for operands from before the loop.
static unsigned bytesInLoops(const Buffers &buffers,
                             FunctionOpInterface function,
                             const Target &target) {
  unsigned converted = 0, before = 0, reduced = 0;
  function->walk([&](tt::DotOp dot) {
    auto loop = dot->getParentOfType<LoopLikeOpInterface>();
    if (!loop)
      return;
    converted = std::max(converted,
                         bytesOfProduct(buffers, dot, target, /*inLoop=*/true));
    for (Value operand : {dot.getA(), dot.getB()})
      if (loop.isDefinedOutsideOfLoop(operand))
        before = std::max(before, bytesInCta(operand));
  });
  for (const Buffers::Buffer &buffer : buffers.getBuffers())
    if (buffer.isScratch && isa<tt::ReduceOp>(buffer.owner) &&
        buffer.owner->getParentOfType<LoopLikeOpInterface>())
      reduced = std::max(reduced, buffer.size);
  return converted ? converted + std::min(before, reduced) : 0;
}

/// The end of what `function` may take whatever it needs: its buffers and what
/// Triton's kernel has for a product, and a reduction in one round, within the
/// share of its warps; and what lies beside the buffers of loops.
static unsigned endOfSpare(const Buffers &buffers, FunctionOpInterface function,
                           unsigned begin) {
  const auto target = ttg::lookupTarget(function);
  if (!target)
    return 0;
  constexpr unsigned alignment = 128; // of any buffer
  unsigned end = begin, ofProduct = 0, endOfReduction = 0;
  for (const Buffers::Buffer &buffer : buffers.getBuffers())
    if (buffer.space == MemorySpace::Shared && !buffer.isScratch)
      end = std::max(end, buffer.place.end);
    else if (isa<tt::ReduceOp>(buffer.owner))
      endOfReduction = std::max(endOfReduction, buffer.place.end);
  function->walk([&](tt::DotOp dot) {
    ofProduct = std::max(
        ofProduct, bytesOfProduct(buffers, dot, *target, /*inLoop=*/false));
  });
  auto endOf = [&](unsigned bytes) {
    return bytes ? static_cast<unsigned>(llvm::alignTo(end, alignment)) + bytes
                 : 0;
  };
  const auto withinShare = static_cast<unsigned>(
      std::min<int64_t>(std::max(endOf(ofProduct), endOfReduction),
                        bytesOfShare(function, *target)));
  return target->isNvidia()
             ? std::max(withinShare,
                        endOf(bytesInLoops(buffers, function, *target)))
             : withinShare;
}

/// Where scratch memory makes the total what it is, lets ops do with less of
/// it, in more rounds, as far as that makes the total less, until it is at most
/// `enough`. Returns the new end of `buffers`, those of `function`; `most` is
/// what the chip has, or 0.
static unsigned shrinkScratch(std::unique_ptr<Buffers> &buffers,
                              FunctionOpInterface function, unsigned begin,
                              unsigned end, unsigned most,
                              unsigned enough = 0) {
  while (end > enough) {
    SmallVector<std::pair<Operation *, unsigned>> tried;
    for (const Buffers::Buffer *buffer :
         stackBelow(end, *buffers, MemorySpace::Shared))
      if (auto rounds = doubleRounds(*buffer, most && end > most))
        tried.push_back({buffer->owner, *rounds});
    if (tried.empty())
      return end;
    auto smaller = std::make_unique<Buffers>(function);
    const unsigned newEnd = smaller->assignPlaces(MemorySpace::Shared, begin);
    if (newEnd >= end) {
      for (auto [op, rounds] : tried)
        setRounds(op, rounds);
      return end;
    }
    buffers = std::move(smaller);
    end = newEnd;
  }
  return end;
}

unsigned memory::sharedBytesOf(FunctionOpInterface function) {
  SmallVector<std::pair<Operation *, Attribute>> rounds;
  function->walk([&](ttg::ScratchOpInterface op) {
    rounds.push_back({op, op->getAttr(scratchRoundsName)});
  });
  auto buffers = std::make_unique<Buffers>(function);
  const unsigned end = buffers->assignPlaces(MemorySpace::Shared, /*begin=*/0);
  const unsigned shrunk =
      shrinkScratch(buffers, function, /*begin=*/0, end, /*most=*/0);
  for (auto [op, attribute] : rounds)
    if (attribute)
      op->setAttr(scratchRoundsName, attribute);
    else
      op->removeAttr(scratchRoundsName);
  return shrunk;
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

/// Notes what else lives while `largest` does, the largest first.
static void noteOthers(InFlightDiagnostic &error,
                       ArrayRef<std::unique_ptr<Buffers>> all,
                       const Buffers::Buffer &largest) {
  SmallVector<const Buffers::Buffer *> others;
  for (const auto &buffers : all) {
    const auto list = buffers->getBuffers();
    if (list.empty() || &largest < list.begin() || &largest >= list.end())
      continue;
    for (const Buffers::Buffer &buffer : list)
      if (&buffer != &largest && buffer.space == largest.space && buffer.size &&
          buffer.livesWith(largest))
        others.push_back(&buffer);
  }
  llvm::sort(others, [](const Buffers::Buffer *a, const Buffers::Buffer *b) {
    return std::pair(b->size, a) < std::pair(a->size, b);
  });
  constexpr size_t most = 8;
  for (const Buffers::Buffer *buffer : ArrayRef(others).take_front(most))
    error.attachNote(buffer->owner->getLoc())
        << "at the same time this op takes " << buffer->size;
}

void memory::hoistFromPartition(Operation *op) {
  auto partitions = op->getParentOfType<ttg::WarpSpecializePartitionsOp>();
  Region *partition = op->getParentRegion();
  while (partition->getParentOp() != partitions)
    partition = partition->getParentRegion();
  Value result = op->getResult(0);
  for (Region &region : partitions.getPartitionRegions()) {
    BlockArgument argument = region.addArgument(result.getType(), op->getLoc());
    if (&region == partition)
      result.replaceAllUsesWith(argument);
  }
  op->moveBefore(partitions->getParentOp());
  partitions->insertOperands(partitions->getNumOperands(), result);
}

/// Sets the places of the buffers in `space` on their ops. From then on a
/// buffer that is written once counts as written there.
static void recordPlaces(const Buffers &buffers, MemorySpace space) {
  for (const Buffers::Buffer &buffer : buffers.getBuffers()) {
    if (buffer.space != space)
      continue;
    Builder builder(buffer.owner->getContext());
    buffer.owner->setAttr(
        placeNameOf(space),
        builder.getI32IntegerAttr(static_cast<int32_t>(buffer.place.begin)));
    buffer.owner->removeAttr(tensorMemoryRowName);
    if (buffer.isUpper)
      buffer.owner->setAttr(tensorMemoryRowName,
                            builder.getI32IntegerAttr(rowsOfWarp / 2));
  }
}

LogicalResult memory::allocate(ModuleOp module, MemorySpace space,
                               const Supply &supply) {
  const auto [most, arch, mayGrow] = supply;
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
      unsigned spare = 0;
      if (space == MemorySpace::Shared) {
        spare = mayGrow ? endOfSpare(*buffers, function, called) : 0;
        end = shrinkScratch(buffers, function, called, end, most, spare);
      }
      recordPlaces(*buffers, space);
      if (space == MemorySpace::Shared) {
        end = buffers->separatePlaces(function, called, std::max(end, spare));
        recordPlaces(*buffers, space);
      }
      total = std::max(total, end);
      if (!isKernel)
        called = llvm::alignTo(end, words.alignment);
    }
  const Buffers::Buffer *largest = nullptr;
  for (auto &buffers : all)
    for (const Buffers::Buffer &buffer : buffers->getBuffers())
      if (buffer.space == space && (!largest || buffer.size > largest->size))
        largest = &buffer;
  auto i32 = IntegerType::get(module.getContext(), 32);
  module->setAttr(words.total, IntegerAttr::get(i32, total));
  if (most && total > most) {
    InFlightDiagnostic error = largest->owner->emitError();
    error << "the kernel needs " << total << " " << words.units
          << ", but a block " << (arch.empty() ? "" : "on ") << arch
          << (arch.empty() ? "" : " ") << "has at most " << most
          << "; this op takes " << largest->size;
    noteOthers(error, all, *largest);
    return error;
  }
  return success();
}
