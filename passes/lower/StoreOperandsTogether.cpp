//===- StoreOperandsTogether.cpp - Conversions that wait once -------------===//
//
// A conversion between warps stores all elements, waits and loads them. Two of
// them, such as those of the operands of a product, need only wait once if both
// are stored before either is loaded, which takes memory for both.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/LaunchConfig.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/support/ConversionCost.h"
#include "passes/memory/Allocation.h"

using namespace mlir;

namespace kernelscope {

#define GEN_PASS_DEF_STOREOPERANDSTOGETHER
#include "passes/Passes.h.inc"

namespace {

/// A conversion through shared memory, and the buffer that it could go through.
struct BlockExchange {
  ttg::ConvertLayoutOp conversion;
  ttg::MemDescType memory;

  /// Whether no warp needs what another stores.
  bool isWithinWarps() const {
    ttg::ConvertLayoutOp op = conversion;
    auto scratch = dyn_cast<ttg::ScratchOpInterface>(op.getOperation());
    return scratch && scratch.withinWarps();
  }
  int64_t bytes() const { return ttg::allocationBytes(memory).value_or(0); }
};

struct StoreOperandsTogether
    : impl::StoreOperandsTogetherBase<StoreOperandsTogether> {
  using StoreOperandsTogetherBase::StoreOperandsTogetherBase;
  void runOnOperation() override;

private:
  void storeOperands(tt::DotOp dot, const Target &target);
  /// Loads the one operand of `dot` that is converted where threads have waited
  /// for copies of the other, with the same barrier.
  void loadAfterWait(const BlockExchange &exchange, tt::DotOp dot,
                     FunctionOpInterface function, const Target &target);
  void storePairs(Block &block, FunctionOpInterface function,
                  const Target &target);

  /// Whether a function may take more shared memory than before.
  bool mayGrow = false;
};

} // namespace

static std::optional<BlockExchange>
exchangeOf(ttg::ConvertLayoutOp conversion) {
  RankedTensorType type = conversion.getType();
  constexpr unsigned leastBits = 8; // of an element of a buffer
  if (!type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() < leastBits)
    return std::nullopt;
  auto layout = lower::conversionMemory(conversion);
  if (!layout)
    return std::nullopt;
  MLIRContext *context = type.getContext();
  constexpr unsigned alignment = 16; // of the widest access
  return BlockExchange{
      conversion,
      ttg::MemDescType::get(
          type.getShape(), type.getElementType(),
          ttg::SharedLinearEncodingAttr::get(context, *layout, alignment),
          ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/false)};
}

/// That of an operand of `dot` that a conversion yields for it alone.
static std::optional<BlockExchange> findExchange(Value operand, tt::DotOp dot) {
  auto conversion = operand.getDefiningOp<ttg::ConvertLayoutOp>();
  if (!conversion || !conversion->hasOneUse() ||
      conversion->getBlock() != dot->getBlock() ||
      !isa<ttg::DotOperandEncodingAttr>(conversion.getType().getEncoding()))
    return std::nullopt;
  return exchangeOf(conversion);
}

/// The bytes of all buffers under `root`, whether they live at once or not.
static int64_t bytesOfBuffers(Operation *root) {
  int64_t bytes = 0;
  root->walk([&](ttg::LocalAllocOp alloc) {
    bytes += ttg::allocationBytes(alloc.getType()).value_or(0);
  });
  return bytes;
}

namespace {

/// What stands for a conversion.
struct BufferedExchange {
  ttg::LocalAllocOp alloc;
  ttg::LocalLoadOp load;
};

} // namespace

/// Stores at `storeAt` and loads at `loadAt`; null: where the conversion is.
static BufferedExchange replace(const BlockExchange &exchange,
                                Operation *storeAt, Operation *loadAt) {
  ttg::ConvertLayoutOp conversion = exchange.conversion;
  OpBuilder builder(storeAt ? storeAt : conversion);
  BufferedExchange buffered;
  buffered.alloc = ttg::LocalAllocOp::create(
      builder, conversion.getLoc(), exchange.memory, conversion.getSrc());
  builder.setInsertionPoint(loadAt ? loadAt : conversion);
  buffered.load =
      ttg::LocalLoadOp::create(builder, conversion.getLoc(),
                               conversion.getType(), buffered.alloc, Value());
  conversion.replaceAllUsesWith(buffered.load.getResult());
  conversion.erase();
  return buffered;
}

/// Converts again, at `place`.
static ttg::ConvertLayoutOp restore(BufferedExchange buffered,
                                    Operation *place) {
  OpBuilder builder(place);
  auto conversion = ttg::ConvertLayoutOp::create(
      builder, buffered.load.getLoc(), buffered.load.getType(),
      buffered.alloc.getSrc());
  buffered.load.replaceAllUsesWith(conversion.getResult());
  buffered.load.erase();
  buffered.alloc.erase();
  return conversion;
}

/// Whether threads wait between `op` and `end`, in one block, for copies.
static bool waitsForCopies(Operation *op, Operation *end) {
  for (; op != end; op = op->getNextNode())
    if (isa<ttg::AsyncWaitOpInterface>(op))
      return true;
  return false;
}

void StoreOperandsTogether::loadAfterWait(const BlockExchange &exchange,
                                          tt::DotOp dot,
                                          FunctionOpInterface function,
                                          const Target &target) {
  if (mayGrow && !exchange.isWithinWarps() &&
      waitsForCopies(exchange.conversion, dot) &&
      bytesOfBuffers(function) + exchange.bytes() <= target.maxSharedBytes)
    replace(exchange, nullptr, dot);
}

void StoreOperandsTogether::storeOperands(tt::DotOp dot, const Target &target) {
  auto function = dot->getParentOfType<FunctionOpInterface>();
  if (!function)
    return;
  auto a = findExchange(dot.getA(), dot), b = findExchange(dot.getB(), dot);
  if (bool(a) != bool(b))
    loadAfterWait(a ? *a : *b, dot, function, target);
  if (!a || !b || a->conversion == b->conversion)
    return;
  // One within warps needs no barrier, unless the other takes its place.
  if ((a->isWithinWarps() || b->isWithinWarps()) &&
      (!mayGrow || (a->isWithinWarps() && b->isWithinWarps())))
    return;
  if (bytesOfBuffers(function) + a->bytes() + b->bytes() >
      target.maxSharedBytes)
    return;
  // On AMD, whose warps wait for each other at less cost than on NVIDIA and
  // whose memory is smaller, only where it happens again and again. Elsewhere
  // they are pairs like others if blocks have the memory for both.
  const bool areTogether =
      target.isNvidia() || dot->getParentOfType<LoopLikeOpInterface>();
  if (!areTogether && mayGrow &&
      a->bytes() + b->bytes() <= memory::bytesOfShare(function, target))
    return;
  // A conversion in a single round counts: more rounds cost barriers.
  const int64_t most = mayGrow
                           ? INT64_MAX
                           : std::max<int64_t>({memory::sharedBytesOf(function),
                                                a->bytes(), b->bytes()});
  SmallVector<BufferedExchange, 2> buffered;
  for (const BlockExchange &operand : {*a, *b})
    buffered.push_back(replace(operand, nullptr, areTogether ? dot : nullptr));
  if (!mayGrow && memory::sharedBytesOf(function) > most)
    for (BufferedExchange each : buffered)
      restore(each, each.alloc);
}

/// Whether `op` does nothing to memory but read global memory.
static bool onlyReadsGlobal(Operation *op) {
  auto effects = getEffectsRecursively(op);
  return effects &&
         llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &each) {
           return isa<MemoryEffects::Read>(each.getEffect()) &&
                  isa<tt::GlobalMemory>(each.getResource());
         });
}

/// The ops between `first` and `second` that make the source of `second`, in
/// order; nothing if one of them needs `first` or must stay after it. Loads
/// must unless they `mayMove`.
static std::optional<SmallVector<Operation *>>
sourceBetween(ttg::ConvertLayoutOp first, ttg::ConvertLayoutOp second,
              bool mayMove) {
  SmallPtrSet<Operation *, 16> needed{second};
  SmallVector<Operation *> source;
  bool reads = false, isWritten = false;
  for (Operation *op = second; op != first; op = op->getPrevNode()) {
    if (!needed.contains(op)) {
      isWritten |= !isMemoryEffectFree(op) && !onlyReadsGlobal(op) &&
                   !isa<ttg::LocalLoadOp>(op);
      continue;
    }
    if (op != second) {
      if (op->getNumRegions() || !onlyReadsGlobal(op))
        return std::nullopt;
      reads |= !isMemoryEffectFree(op);
      source.push_back(op);
    }
    for (Value operand : op->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (maker == first)
        return std::nullopt;
      if (maker && maker->getBlock() == first->getBlock())
        needed.insert(maker);
    }
  }
  if (reads && (isWritten || !mayMove))
    return std::nullopt;
  std::reverse(source.begin(), source.end());
  return source;
}

void StoreOperandsTogether::storePairs(Block &block,
                                       FunctionOpInterface function,
                                       const Target &target) {
  std::optional<BlockExchange> first;
  for (auto conversion :
       llvm::to_vector(block.getOps<ttg::ConvertLayoutOp>())) {
    auto second = exchangeOf(conversion);
    if (!second || second->isWithinWarps())
      continue;
    auto source = first ? sourceBetween(first->conversion, conversion, mayGrow)
                        : std::nullopt;
    const int64_t both = first ? first->bytes() + second->bytes() : 0;
    const int64_t most = std::max<int64_t>(
        source ? memory::sharedBytesOf(function) : 0, mayGrow ? both : 0);
    if (!source || both > std::min<int64_t>(most, target.maxSharedBytes)) {
      first = second;
      continue;
    }
    Operation *old = first->conversion;
    SmallVector<Operation *> previous;
    for (Operation *op : *source)
      previous.push_back(op->getPrevNode());
    for (Operation *op : *source)
      op->moveBefore(old);
    BufferedExchange ofSecond = replace(*second, old, nullptr);
    BufferedExchange ofFirst = replace(*first, ofSecond.alloc, nullptr);
    first.reset();
    if (memory::sharedBytesOf(function) <= most)
      continue;
    restore(ofSecond, ofSecond.load);
    Operation *restored = restore(ofFirst, ofFirst.load);
    for (auto [op, before] : llvm::zip_equal(*source, previous))
      op->moveAfter(before == old ? restored : before);
  }
}

void StoreOperandsTogether::runOnOperation() {
  ModuleOp module = getOperation();
  if (arch.empty() && !ttg::lookupTarget(module))
    return;
  FailureOr<Target> target = findLaunchTarget(module, arch);
  if (failed(target))
    return signalPassFailure();
  mayGrow = module->hasAttr(ownLayoutsName);
  module.walk([&](tt::DotOp dot) { storeOperands(dot, *target); });
  for (auto function : module.getOps<FunctionOpInterface>())
    function.walk([&](Block *block) { storePairs(*block, function, *target); });
}

} // namespace kernelscope
