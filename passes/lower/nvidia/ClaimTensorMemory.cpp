//===- ClaimTensorMemory.cpp - Columns of the SM for a kernel -------------===//
//
// A kernel allocates all its columns from the SM when it begins and frees them
// at its end; each buffer is at the column that `allocate-tensor-memory` gave
// it, from the first of those. PTX ISA, "tcgen05.alloc".
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/OlderDump.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/nvidia/TensorMemoryAccess.h"
#include "passes/lower/support/Lowering.h"
#include "passes/memory/Allocation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace kernelscope {
#define GEN_PASS_DEF_CLAIMTENSORMEMORY
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace kernelscope::lower {

/// Says on the module that CTAs work in pairs if an op does: all tcgen05
/// instructions of a kernel are of one kind.
static LogicalResult noteCtaGroup(ModuleOp module) {
  const bool isPaired = ttng::lookupTwoCTAs(module).value_or(false);
  const auto ctas =
      static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1));
  Operation *pair = nullptr, *single = nullptr;
  module.walk([&](Operation *op) {
    if (auto product = dyn_cast<ttng::TCGen5MMAOp>(op))
      (product.getTwoCtas() ? pair : single) = op;
    else if (auto scaled = dyn_cast<ttng::TCGen5MMAScaledOp>(op))
      (scaled.getTwoCtas() ? pair : single) = op;
  });
  if (pair && ctas < 2)
    return pair->emitOpError("has two_ctas; it needs a cluster of 2 CTAs or "
                             "more, and the module has ttg.num-ctas = ")
           << ctas;
  if (single && (pair || isPaired))
    return single->emitOpError(
        "is for one CTA in a kernel with products of CTA pairs; either all or "
        "none must have two_ctas");
  if (pair)
    ttg::setTwoCTAs(module);
  return success();
}

static TensorMemoryPlace placeOf(ttng::TMEMAllocOp op) {
  auto numberOf = [&](StringRef name) {
    auto number = op->getAttrOfType<IntegerAttr>(name);
    return number ? static_cast<int32_t>(number.getInt()) : 0;
  };
  return {numberOf(memory::tensorMemoryRowName),
          numberOf(ttg::tensorMemoryColumnName)};
}

/// The columns that are asked for: a power of two, from 32 on.
static int64_t columnsFor(ArrayRef<ttng::TMEMAllocOp> ops) {
  int64_t columns = 32;
  for (ttng::TMEMAllocOp op : ops)
    columns =
        std::max(columns, placeOf(op).column + op.getAllocSize().value_or(0));
  return static_cast<int64_t>(llvm::PowerOf2Ceil(columns));
}

/// Emits what claims `columns` and returns where they begin.
static Value claim(Builder &b, const TargetHooks &hooks, StringRef group,
                   int64_t columns) {
  // The first bytes of shared memory serve until all have read them.
  Value slot = LLVM::AddressOfOp::create(
      b.getBuilder(), b.getLoc(), b.pointerType(Shared), sharedMemoryName);
  Value isFirst = b.icmp(ICmp::eq, hooks.uniformWarpId(b), b.i32(0));
  {
    Ptx ptx(b);
    std::string guard = ptx.predicate(isFirst), to = ptx.input(slot, "r");
    ptx.emit(llvm::formatv(
                 "{0}tcgen05.alloc{1}.sync.aligned.shared::cta.b32 [{2}], {3};",
                 guard, group, to, columns)
                 .str());
  }
  hooks.barrier(b);
  Value base = b.load(b.intType(32), slot, 4);
  hooks.barrier(b);
  Ptx ptx(b);
  std::string guard = ptx.predicate(isFirst);
  ptx.emit(llvm::formatv("{0}tcgen05.relinquish_alloc_permit{1}.sync.aligned;",
                         guard, group)
               .str());
  return base;
}

static void giveBack(Builder &b, const TargetHooks &hooks, StringRef group,
                     int64_t columns, Value base) {
  hooks.barrier(b);
  Ptx ptx(b);
  std::string guard =
      ptx.predicate(b.icmp(ICmp::eq, hooks.uniformWarpId(b), b.i32(0)));
  std::string from = ptx.input(base, "r");
  ptx.emit(llvm::formatv("{0}tcgen05.dealloc{1}.sync.aligned.b32 {2}, {3};",
                         guard, group, from, columns)
               .str());
}

/// Puts the address of its buffer in the place of `op`.
static void lowerAlloc(ttng::TMEMAllocOp op, Value base) {
  OpBuilder builder(op);
  Builder b(op, builder);
  Value address = b.add(base, b.i32(placeOf(op).bits()));
  auto as = [&](ttg::MemDescType type) {
    return UnrealizedConversionCastOp::create(builder, op.getLoc(), type,
                                              address)
        .getResult(0);
  };
  Value memory = as(op.getType());
  if (op.getSrc()) {
    // Tokens are not followed any more.
    auto yes = arith::ConstantOp::create(builder, op.getLoc(),
                                         builder.getBoolAttr(true));
    auto type = op.getType();
    auto written = ttg::MemDescType::get(
        type.getShape(), type.getElementType(), type.getEncoding(),
        type.getMemorySpace(), /*mutableMemory=*/true, type.getAllocShape());
    ttng::TMEMStoreOp::create(builder, op.getLoc(), Type(), as(written),
                              Value(), op.getSrc(), yes);
  }
  if (op.getToken())
    op.getToken().replaceAllUsesWith(
        UnrealizedConversionCastOp::create(builder, op.getLoc(),
                                           op.getToken().getType(), b.i32(0))
            .getResult(0));
  op.getResult().replaceAllUsesWith(memory);
  op.erase();
}

static void lowerKernel(tt::FuncOp function, const TargetHooks &hooks) {
  SmallVector<ttng::TMEMAllocOp> ops;
  function.walk([&](ttng::TMEMAllocOp op) { ops.push_back(op); });
  if (ops.empty())
    return;
  StringRef group = ctaGroupOf(function);
  const int64_t columns = columnsFor(ops);
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Builder start(function, builder);
  // Both CTAs of a pair must run.
  if (ttng::lookupTwoCTAs(function).value_or(false) && hooks.cluster())
    hooks.cluster()->barrier(start);
  Value base = claim(start, hooks, group, columns);
  for (ttng::TMEMAllocOp op : ops)
    lowerAlloc(op, base);
  for (auto exit : llvm::to_vector(function.getBody().getOps<tt::ReturnOp>())) {
    builder.setInsertionPoint(exit);
    Builder b(exit, builder);
    giveBack(b, hooks, group, columns, base);
  }
}

namespace {

struct ClaimTensorMemory
    : kernelscope::impl::ClaimTensorMemoryBase<ClaimTensorMemory> {
  using ClaimTensorMemoryBase::ClaimTensorMemoryBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<Target> target = findLaunchTarget(module, arch);
    if (failed(target))
      return signalPassFailure();
    if (!target->hasTensorMemory())
      return;
    if (failed(noteCtaGroup(module)))
      return signalPassFailure();
    auto size = module->getAttrOfType<IntegerAttr>(ttg::tensorMemorySizeName);
    if (!size || size.getInt() == 0)
      return;
    constexpr int32_t slotBytes = 4;
    auto shared = module->getAttrOfType<IntegerAttr>(ttg::sharedBytesName);
    if (shared && shared.getInt() < slotBytes)
      module->setAttr(ttg::sharedBytesName,
                      IntegerAttr::get(shared.getType(), slotBytes));
    declareSharedMemory(module);
    auto hooks = createHooks(
        *target, static_cast<unsigned>(ttg::lookupNumCTAs(module).value_or(1)));
    for (auto function : module.getOps<tt::FuncOp>())
      if (!function.isExternal())
        lowerKernel(function, *hooks);
  }
};

} // namespace
} // namespace kernelscope::lower
