//===- StoreOperandsTogether.cpp - Operands that wait once ----------------===//
//
// A conversion between warps stores all elements, waits and loads them. The two
// operands of a product need only wait once if both are stored before either is
// loaded, which takes memory for both.
//
//===----------------------------------------------------------------------===//

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

/// An operand of a product that a conversion between warps yields for it alone.
struct ExchangedOperand {
  ttg::ConvertLayoutOp conversion;
  ttg::MemDescType memory;
};

struct StoreOperandsTogether
    : impl::StoreOperandsTogetherBase<StoreOperandsTogether> {
  using StoreOperandsTogetherBase::StoreOperandsTogetherBase;
  void runOnOperation() override;
};

} // namespace

static std::optional<ExchangedOperand> findExchange(Value operand,
                                                    tt::DotOp dot) {
  auto conversion = operand.getDefiningOp<ttg::ConvertLayoutOp>();
  if (!conversion || !conversion->hasOneUse() ||
      conversion->getBlock() != dot->getBlock() ||
      !isa<ttg::DotOperandEncodingAttr>(conversion.getType().getEncoding()))
    return std::nullopt;
  auto layout = lower::conversionMemory(conversion);
  if (!layout)
    return std::nullopt;
  RankedTensorType type = conversion.getType();
  MLIRContext *context = type.getContext();
  constexpr unsigned alignment = 16; // of the widest access
  return ExchangedOperand{
      conversion,
      ttg::MemDescType::get(
          type.getShape(), type.getElementType(),
          ttg::SharedLinearEncodingAttr::get(context, *layout, alignment),
          ttg::SharedMemorySpaceAttr::get(context), /*mutableMemory=*/false)};
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
struct Exchange {
  ttg::LocalAllocOp alloc;
  ttg::LocalLoadOp load;
};

} // namespace

static Exchange replace(const ExchangedOperand &operand, Operation *loadAt) {
  ttg::ConvertLayoutOp conversion = operand.conversion;
  OpBuilder builder(conversion);
  Exchange exchange;
  exchange.alloc = ttg::LocalAllocOp::create(
      builder, conversion.getLoc(), operand.memory, conversion.getSrc());
  if (loadAt)
    builder.setInsertionPoint(loadAt);
  exchange.load =
      ttg::LocalLoadOp::create(builder, conversion.getLoc(),
                               conversion.getType(), exchange.alloc, Value());
  conversion.replaceAllUsesWith(exchange.load.getResult());
  conversion.erase();
  return exchange;
}

static void restore(Exchange exchange) {
  OpBuilder builder(exchange.alloc);
  exchange.load.replaceAllUsesWith(
      ttg::ConvertLayoutOp::create(builder, exchange.load.getLoc(),
                                   exchange.load.getType(),
                                   exchange.alloc.getSrc())
          .getResult());
  exchange.load.erase();
  exchange.alloc.erase();
}

void StoreOperandsTogether::runOnOperation() {
  ModuleOp module = getOperation();
  if (arch.empty() && !ttg::lookupTarget(module))
    return;
  FailureOr<Target> target = findLaunchTarget(module, arch);
  if (failed(target))
    return signalPassFailure();
  module.walk([&](tt::DotOp dot) {
    auto function = dot->getParentOfType<FunctionOpInterface>();
    if (!function)
      return;
    auto a = findExchange(dot.getA(), dot), b = findExchange(dot.getB(), dot);
    if (!a || !b || a->conversion == b->conversion)
      return;
    int64_t bytes = bytesOfBuffers(function);
    for (const ExchangedOperand &operand : {*a, *b})
      bytes += ttg::allocationBytes(operand.memory).value_or(0);
    if (bytes > target->maxSharedBytes)
      return;
    // On AMD, whose warps wait for each other at less cost than on NVIDIA and
    // whose memory is smaller, only where it happens again and again.
    const bool areTogether =
        target->isNvidia() || dot->getParentOfType<LoopLikeOpInterface>();
    // A conversion in a single round counts: more rounds cost barriers.
    unsigned before = mayGrow ? UINT_MAX : memory::sharedBytesOf(function);
    for (const ExchangedOperand &operand : {*a, *b})
      before = std::max<unsigned>(
          before, ttg::allocationBytes(operand.memory).value_or(0));
    SmallVector<Exchange, 2> exchanges;
    for (const ExchangedOperand &operand : {*a, *b})
      exchanges.push_back(replace(operand, areTogether ? dot : nullptr));
    if (!mayGrow && memory::sharedBytesOf(function) > before)
      llvm::for_each(exchanges, restore);
  });
}

} // namespace kernelscope
