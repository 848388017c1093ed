//===- AtomicAccess.cpp - Atomic operations, element by element -----------===//

#include "passes/lower/support/AtomicAccess.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/lower/support/GlobalAccess.h"
#include "passes/lower/support/Indices.h"
#include "passes/lower/support/SharedAccess.h"

using namespace mlir;

namespace kernelscope::lower {

/// Whether threads that do not act need the result of `op`. They know that of a
/// poll without a timeout.
static bool sharesResult(Operation *op) {
  auto poll = dyn_cast<tt::AtomicPollOp>(op);
  if (op->use_empty() || (poll && !poll.getTimeout()))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return true;
  return llvm::any_of(ttg::toLinearLayout(type).getFreeVariableMasks(),
                      [](const LinearLayout::NamedValue &mask) {
                        return mask.second && mask.first != "register";
                      });
}

/// Where each element of a CTA is among all that it holds: the out-dim is
/// `offset`.
static LinearLayout placesInCTA(RankedTensorType type) {
  ttg::LayoutDims dims(type.getContext());
  LinearLayout layout = ttg::toLinearLayout(type);
  SmallVector<StringAttr> ins = {dims.lane, dims.warp, dims.reg};
  LinearLayout ofCTA =
      layout.sublayout(ins, layout.getOutDimNames()).transposeIns(ins);
  const F2Matrix &map = ofCTA.getMatrix();
  const F2Matrix elements{map.rows, map.image()};
  return LinearLayout::fromColumns(
      ofCTA.getInDimSizes(),
      {{dims.offset, int32_t(1) << elements.columns.size()}},
      elements.solve(map)->columns);
}

unsigned atomicScratchBytes(Operation *op) {
  if (!sharesResult(op))
    return 0;
  Type type = op->getResult(0).getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t elements = tensor ? placesInCTA(tensor).getTotalOutDimSize() : 1;
  return elements * tt::bytesInMemory(getElementTypeOrSelf(type));
}

namespace {

LLVM::AtomicOrdering lowered(tt::MemSemantic semantic) {
  switch (semantic) {
  case tt::MemSemantic::RELAXED:
    return LLVM::AtomicOrdering::monotonic;
  case tt::MemSemantic::ACQUIRE:
    return LLVM::AtomicOrdering::acquire;
  case tt::MemSemantic::RELEASE:
    return LLVM::AtomicOrdering::release;
  case tt::MemSemantic::ACQUIRE_RELEASE:
    return LLVM::AtomicOrdering::acq_rel;
  }
  return LLVM::AtomicOrdering::acq_rel;
}

LLVM::AtomicBinOp lowered(tt::RMWOp op, Type element) {
  bool isFloat = isa<FloatType>(element);
  switch (op) {
  case tt::RMWOp::AND:
    return LLVM::AtomicBinOp::_and;
  case tt::RMWOp::OR:
    return LLVM::AtomicBinOp::_or;
  case tt::RMWOp::XOR:
    return LLVM::AtomicBinOp::_xor;
  case tt::RMWOp::ADD:
    return LLVM::AtomicBinOp::add;
  case tt::RMWOp::FADD:
    return LLVM::AtomicBinOp::fadd;
  case tt::RMWOp::MAX:
    return isFloat ? LLVM::AtomicBinOp::fmax : LLVM::AtomicBinOp::max;
  case tt::RMWOp::MIN:
    return isFloat ? LLVM::AtomicBinOp::fmin : LLVM::AtomicBinOp::min;
  case tt::RMWOp::UMAX:
    return LLVM::AtomicBinOp::umax;
  case tt::RMWOp::UMIN:
    return LLVM::AtomicBinOp::umin;
  case tt::RMWOp::XCHG:
    return LLVM::AtomicBinOp::xchg;
  }
  return LLVM::AtomicBinOp::xchg;
}

/// The bits of a block's id in its cluster that only distinguish blocks with
/// copies of the results of `op`.
int32_t blocksWithCopies(Operation *op, const TargetHooks &hooks) {
  if (hooks.getCtas() == 1)
    return 0;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return static_cast<int32_t>(hooks.getCtas()) - 1;
  return ttg::toLinearLayout(type).getZeroMask(
      ttg::LayoutDims(op->getContext()).block);
}

/// Gives all threads the results of those that acted, through shared memory: of
/// the first of the blocks that `copies` distinguishes.
void shareResults(Builder &b, Operation *op, const TargetHooks &hooks,
                  Value first, int32_t copies, MutableArrayRef<Value> results) {
  Type element = results[0].getType(), stored = memoryType(b, element);
  SmallVector<Value> places(results.size(), b.i32(0));
  if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
    for (auto [place, offset] :
         llvm::zip_equal(places, emitIndices(b, placesInCTA(type), hooks)))
      place = offset.front();

  Value base = sharedMemoryOf(b, op);
  for (auto [place, result] : llvm::zip(places, results))
    hooks.storeShared(b, b.gep(stored, base, place), toMemory(b, result),
                      first);
  if (copies) {
    hooks.cluster()->barrier(b);
    base = hooks.cluster()->sharedOf(b, base,
                                     b.bitAnd(hooks.ctaId(b), b.i32(~copies)));
  } else {
    hooks.barrier(b);
  }
  for (auto [place, result] : llvm::zip(places, results))
    result = fromMemory(
        b, element,
        hooks.loadShared(b, b.gep(stored, base, place), stored, 1)[0]);
  if (copies)
    hooks.cluster()->barrier(b); // before any block stores there again, or ends
}

/// The types that every target can update by `operation` atomically.
StringRef atomicTypes(std::optional<tt::RMWOp> operation) {
  switch (operation.value_or(tt::RMWOp::XCHG)) {
  case tt::RMWOp::AND:
  case tt::RMWOp::OR:
  case tt::RMWOp::XOR:
  case tt::RMWOp::ADD:
  case tt::RMWOp::UMAX:
  case tt::RMWOp::UMIN:
    return "i8, i16, i32 and i64";
  case tt::RMWOp::FADD:
    return "f16, bf16, f32 and f64";
  case tt::RMWOp::MAX:
  case tt::RMWOp::MIN:
    return "i8, i16, i32, i64, f16, bf16, f32 and f64";
  case tt::RMWOp::XCHG:
    break;
  }
  return "integers and floats of 8, 16, 32 and 64 bits";
}

bool hasAtomic(std::optional<tt::RMWOp> operation, Type element) {
  if (!element.isIntOrFloat() ||
      !llvm::is_contained({8u, 16u, 32u, 64u}, element.getIntOrFloatBitWidth()))
    return !element.isIntOrFloat(); // a pointer
  const bool isFloat = isa<FloatType>(element);
  switch (operation.value_or(tt::RMWOp::XCHG)) {
  case tt::RMWOp::XCHG:
    return true;
  case tt::RMWOp::FADD:
    return isFloat && element.getIntOrFloatBitWidth() > 8;
  case tt::RMWOp::MAX:
  case tt::RMWOp::MIN:
    return !isFloat || element.getIntOrFloatBitWidth() > 8;
  default:
    return !isFloat;
  }
}

} // namespace

LogicalResult checkAtomic(Operation *op, const TargetHooks &hooks,
                          std::optional<tt::RMWOp> operation, Type element) {
  if (hasAtomic(operation, element))
    return success();
  return op->emitOpError("needs an atomic '")
         << (operation ? tt::stringifyRMWOp(*operation) : "cas") << "' of "
         << element << ", which " << hooks.getTarget().arch
         << " does not have; it has one of " << atomicTypes(operation);
}

Value emitAtomicRMW(Builder &b, const TargetHooks &hooks, tt::RMWOp operation,
                    AtomicOrder order, Value pointer, Value value) {
  return LLVM::AtomicRMWOp::create(
      b.getBuilder(), b.getLoc(), lowered(operation, value.getType()), pointer,
      value, lowered(order.semantic), hooks.syncScope(order.scope));
}

Value emitAtomicCAS(Builder &b, const TargetHooks &hooks, AtomicOrder order,
                    Value pointer, Value expected, Value value) {
  Value pair = LLVM::AtomicCmpXchgOp::create(
      b.getBuilder(), b.getLoc(), pointer, b.toBits(expected), b.toBits(value),
      lowered(order.semantic), LLVM::AtomicOrdering::monotonic,
      hooks.syncScope(order.scope));
  return b.fromBits(value.getType(), b.extractValue(pair, 0));
}

Value emitAtomicLoad(Builder &b, const TargetHooks &hooks, AtomicOrder order,
                     Type type, Value pointer) {
  Type bits = b.intType(std::max(8u, bitWidth(type)));
  Value loaded = LLVM::LoadOp::create(
      b.getBuilder(), b.getLoc(), bits, pointer, bitWidth(bits) / 8,
      /*isVolatile=*/false, /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, lowered(order.semantic),
      hooks.syncScope(order.scope));
  if (type.isInteger(1))
    return b.trunc(type, loaded);
  return b.fromBits(type, loaded);
}

void emitAtomicStore(Builder &b, const TargetHooks &hooks, AtomicOrder order,
                     Value pointer, Value value) {
  Value bits = b.toBits(value);
  if (value.getType().isInteger(1))
    bits = b.zext(b.intType(8), value);
  LLVM::StoreOp::create(b.getBuilder(), b.getLoc(), bits, pointer,
                        bitWidth(bits.getType()) / 8, /*isVolatile=*/false,
                        /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                        lowered(order.semantic), hooks.syncScope(order.scope));
}

Value actWhere(Builder &b, ConversionPatternRewriter &rewriter, Value predicate,
               Type type, llvm::function_ref<Value()> act) {
  if (!predicate)
    return act();
  Value nothing = b.undef(type);
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  Value result = after->addArgument(type, b.getLoc());
  Block *acting = rewriter.createBlock(after);
  Value done = act();
  LLVM::BrOp::create(rewriter, b.getLoc(), ValueRange(done), after);
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, b.getLoc(), predicate, acting, ValueRange(),
                         after, ValueRange(nothing));
  rewriter.setInsertionPointToStart(after);
  return result;
}

void actWhere(Builder &b, ConversionPatternRewriter &rewriter, Value predicate,
              llvm::function_ref<void()> act) {
  if (!predicate)
    return act();
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  Block *acting = rewriter.createBlock(after);
  act();
  LLVM::BrOp::create(rewriter, b.getLoc(), after);
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, b.getLoc(), predicate, acting, after);
  rewriter.setInsertionPointToStart(after);
}

static constexpr AtomicOrder relaxed = {tt::MemSemantic::RELAXED,
                                        tt::MemSyncScope::GPU};

/// Orders what is before `b` with all relaxed atomics of an op after it, and
/// those with what comes later.
static void releaseFence(Builder &b, const TargetHooks &hooks,
                         const AtomicOrder &order) {
  if (order.semantic == tt::MemSemantic::RELEASE ||
      order.semantic == tt::MemSemantic::ACQUIRE_RELEASE)
    b.fence(Builder::Ordering::Release, hooks.syncScope(order.scope));
}
static void acquireFence(Builder &b, const TargetHooks &hooks,
                         const AtomicOrder &order) {
  if (order.semantic == tt::MemSemantic::ACQUIRE ||
      order.semantic == tt::MemSemantic::ACQUIRE_RELEASE)
    b.fence(Builder::Ordering::Acquire, hooks.syncScope(order.scope));
}

/// Replaces `op` by what `access` returns for the registers of each access of
/// `accesses` under a predicate, between fences for `fences`.
static LogicalResult replaceAccesses(
    Operation *op, ConversionPatternRewriter &rewriter,
    const TypeConverter &converter, const TargetHooks &hooks,
    ArrayRef<Value> masks, const AtomicOrder &fences, unsigned maxElements,
    llvm::function_ref<SmallVector<Value>(Builder &, ArrayRef<unsigned>, Value)>
        access) {
  Builder b(op, rewriter);
  Type type = op->getResult(0).getType();
  const int32_t copies = sharesResult(op) ? blocksWithCopies(op, hooks) : 0;
  if (copies && failed(checkClusterExchange(b, hooks, op)))
    return failure();
  Value first = holdsFirstCopy(b, type, hooks, op);
  AccessPlan plan = planAccesses(op, type);
  SmallVector<Value> results(plan.sources.size());
  releaseFence(b, hooks, fences);
  for (ArrayRef<unsigned> all : plan.accesses)
    for (size_t i = 0; i < all.size(); i += maxElements) {
      ArrayRef<unsigned> some =
          all.slice(i, std::min<size_t>(maxElements, all.size() - i));
      Value mask = masks.empty() ? Value() : masks[some.front()];
      for (auto [r, old] :
           llvm::zip_equal(some, access(b, some, bothHold(b, first, mask))))
        results[r] = old;
    }
  acquireFence(b, hooks, fences);
  results = pick(results, plan.sources);
  if (sharesResult(op))
    shareResults(b, op, hooks, first, copies, results);
  rewriter.replaceOp(op, packElements(b, converter, results, type));
  return success();
}

LogicalResult
replaceAtomic(Operation *op, ConversionPatternRewriter &rewriter,
              const TypeConverter &converter, const TargetHooks &hooks,
              ArrayRef<Value> masks,
              llvm::function_ref<Value(Builder &, unsigned)> act) {
  Type element = converter.convertElement(
      getElementTypeOrSelf(op->getResult(0).getType()));
  return replaceAccesses(
      op, rewriter, converter, hooks, masks, relaxed, /*maxElements=*/1,
      [&](Builder &b, ArrayRef<unsigned> registers, Value where) {
        return SmallVector<Value>{actWhere(b, rewriter, where, element, [&] {
          return act(b, registers.front());
        })};
      });
}

LogicalResult replaceFencedAtomics(
    Operation *op, ConversionPatternRewriter &rewriter,
    const TypeConverter &converter, const TargetHooks &hooks, AtomicOrder order,
    ArrayRef<Value> masks,
    llvm::function_ref<Value(Builder &, unsigned, Value)> act) {
  return replaceAccesses(
      op, rewriter, converter, hooks, masks, order, /*maxElements=*/1,
      [&](Builder &b, ArrayRef<unsigned> registers, Value where) {
        return SmallVector<Value>{act(b, registers.front(), where)};
      });
}

LogicalResult replaceGlobalRMW(Operation *op,
                               ConversionPatternRewriter &rewriter,
                               const TypeConverter &converter,
                               const TargetHooks &hooks, tt::RMWOp operation,
                               AtomicOrder order, ArrayRef<Value> pointers,
                               ArrayRef<Value> values, ArrayRef<Value> masks) {
  Type element = values.front().getType();
  AtomicOrder fences = relaxed;
  if (hooks.fencesAtomics() && values.size() > 1)
    std::swap(fences, order);
  return replaceAccesses(
      op, rewriter, converter, hooks, masks, fences,
      hooks.maxAtomicElements(operation, element),
      [&](Builder &b, ArrayRef<unsigned> registers, Value where) {
        Value pointer = pointers[registers.front()];
        SmallVector<Value> old = hooks.atomicRMWGlobal(
            b, operation, order, pointer, pick(values, registers), where);
        if (!old.empty())
          return old;
        // LLVM has the instruction for several, where there is one.
        const unsigned count = registers.size();
        Value value = count == 1 ? values[registers.front()]
                                 : b.makeVector(pick(values, registers));
        Value before = actWhere(b, rewriter, where, value.getType(), [&] {
          return emitAtomicRMW(b, hooks, operation, order, pointer, value);
        });
        return count == 1 ? SmallVector<Value>{before} : b.splitVector(before);
      });
}

} // namespace kernelscope::lower
