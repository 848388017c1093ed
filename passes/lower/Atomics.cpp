//===- Atomics.cpp - Atomic operations on global memory -------------------===//
//
// tt.atomic_rmw and tt.atomic_cas, and their forms that take a base and offsets
// (amdg.buffer_atomic_*). One thread among those that hold copies of an element
// acts, under its mask; where the others need the old value too, they read it
// from shared memory.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/Layouts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "passes/lower/GlobalAccess.h"
#include "passes/lower/Indices.h"
#include "passes/lower/Scratch.h"

using namespace mlir;

namespace kernelscope::lower {

/// Whether threads that do not act need what `op` gives.
static bool sharesResult(Operation *op) {
  if (op->use_empty())
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return true;
  return llvm::any_of(ttg::toLinearLayout(type).getFreeVariableMasks(),
                      [](const LinearLayout::NamedValue &mask) {
                        return mask.second && mask.first != "register";
                      });
}

unsigned atomicScratchBytes(Operation *op) {
  if (!isa<tt::AtomicRMWOp, tt::AtomicCASOp, amdg::BufferAtomicRMWOp,
           amdg::BufferAtomicCASOp>(op) ||
      !sharesResult(op))
    return 0;
  Type type = op->getResult(0).getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  int64_t elements = tensor ? tensor.getNumElements() : 1;
  return elements * (storedBits(getElementTypeOrSelf(type)) / 8);
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

/// The scope as LLVM's back end for `target` names it.
StringRef lowered(tt::MemSyncScope scope, const Target &target) {
  if (scope == tt::MemSyncScope::CTA)
    return target.isNvidia() ? "block" : "workgroup";
  if (scope == tt::MemSyncScope::GPU)
    return target.isNvidia() ? "device" : "agent";
  return "";
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

/// Emits what `act` does in the threads where `predicate` (null: everywhere)
/// holds, and gives its value there, an unspecified one elsewhere.
Value actWhere(Builder &b, ConversionPatternRewriter &rewriter, Value predicate,
               Type type, llvm::function_ref<Value()> act) {
  if (!predicate)
    return act();
  Value nothing = b.undef(type);
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, rewriter.getInsertionPoint());
  Value result = after->addArgument(type, b.getLoc());
  Block *acting = rewriter.createBlock(after);
  LLVM::BrOp::create(rewriter, b.getLoc(), ValueRange(act()), after);
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, b.getLoc(), predicate, acting, ValueRange(),
                         after, ValueRange(nothing));
  rewriter.setInsertionPointToStart(after);
  return result;
}

/// Gives all threads the results of those that acted, through shared memory.
void shareResults(Builder &b, Operation *op, const TargetHooks &hooks,
                  Value first, MutableArrayRef<Value> results) {
  Type element = results[0].getType();
  SmallVector<Value> places(results.size(), b.i32(0));
  if (auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType()))
    for (auto [place, coordinates] :
         llvm::zip(places, emitIndices(b, ttg::toLinearLayout(type), hooks)))
      for (auto [coordinate, size] : llvm::zip(coordinates, type.getShape()))
        place =
            b.add(b.mul(place, b.i32(static_cast<int32_t>(size))), coordinate);

  Value base = sharedMemoryOf(b, op);
  hooks.barrier(b);
  for (auto [place, result] : llvm::zip(places, results))
    hooks.storeShared(b, b.gep(element, base, place), result, first);
  hooks.barrier(b);
  for (auto [place, result] : llvm::zip(places, results))
    result = hooks.loadShared(b, b.gep(element, base, place), element, 1)[0];
}

template <typename Op> class AtomicPattern : public Pattern<Op> {
public:
  using Pattern<Op>::Pattern;
  using Adaptor = Op::Adaptor;

  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Builder b(op.getLoc(), rewriter);
    const TargetHooks &hooks = this->hooks;
    Type type = op.getResult().getType();
    Type element = this->converter.convertElement(getElementTypeOrSelf(type));
    SmallVector<Value> pointers = pointersOf(b, adaptor, element);
    SmallVector<Value> masks = masksOf(b, adaptor);
    SmallVector<Value> values = unpackElements(b, valueOf(adaptor));
    SmallVector<Value> expected = expectedOf(b, adaptor);

    Value first = holdsFirstCopy(b, type, hooks, op);
    AccessPlan plan = planAccesses(op, type);
    SmallVector<Value> results(pointers.size());
    for (ArrayRef<unsigned> access : plan.accesses)
      for (unsigned r : access)
        results[r] = actWhere(
            b, rewriter, bothHold(b, first, masks.empty() ? Value() : masks[r]),
            element, [&] {
              return emit(op, b, element, pointers[r], values[r],
                          expected.empty() ? Value() : expected[r]);
            });
    results = pick(results, plan.sources);
    if (sharesResult(op))
      shareResults(b, op, hooks, first, results);
    rewriter.replaceOp(op, packElements(b, this->converter, results, type));
    return success();
  }

private:
  static constexpr bool isBuffer =
      std::is_same_v<Op, amdg::BufferAtomicRMWOp> ||
      std::is_same_v<Op, amdg::BufferAtomicCASOp>;
  static constexpr bool isCas = std::is_same_v<Op, tt::AtomicCASOp> ||
                                std::is_same_v<Op, amdg::BufferAtomicCASOp>;

  static SmallVector<Value> pointersOf(Builder &b, Adaptor adaptor,
                                       Type element) {
    if constexpr (isBuffer)
      return llvm::map_to_vector(
          unpackElements(b, adaptor.getOffsets()), [&](Value offset) {
            return b.gep(element, adaptor.getPtr(), offset);
          });
    else
      return unpackElements(b, adaptor.getPtr());
  }
  static SmallVector<Value> masksOf(Builder &b, Adaptor adaptor) {
    if constexpr (isCas)
      return {};
    else
      return unpackOptional(b, adaptor.getMask());
  }
  static Value valueOf(Adaptor adaptor) {
    if constexpr (std::is_same_v<Op, amdg::BufferAtomicRMWOp>)
      return adaptor.getValue();
    else
      return adaptor.getVal();
  }
  static SmallVector<Value> expectedOf(Builder &b, Adaptor adaptor) {
    if constexpr (isCas)
      return unpackElements(b, adaptor.getCmp());
    else
      return {};
  }

  Value emit(Op op, Builder &b, Type element, Value pointer, Value value,
             Value expected) const {
    LLVM::AtomicOrdering ordering = lowered(op.getSem());
    StringRef scope = lowered(op.getScope(), this->hooks.getTarget());
    if constexpr (isCas) {
      // Bits are compared, whatever they stand for.
      Value pair = LLVM::AtomicCmpXchgOp::create(
          b.getBuilder(), b.getLoc(), pointer, b.toBits(expected),
          b.toBits(value), ordering, LLVM::AtomicOrdering::monotonic, scope);
      return b.fromBits(element, b.extractValue(pair, 0));
    } else {
      return LLVM::AtomicRMWOp::create(b.getBuilder(), b.getLoc(),
                                       lowered(op.getAtomicRmwOp(), element),
                                       pointer, value, ordering, scope);
    }
  }
};

} // namespace

void populateAtomicPatterns(const TypeConverter &converter, Patterns &patterns,
                            const TargetHooks &hooks) {
  patterns.add<AtomicPattern<tt::AtomicRMWOp>, AtomicPattern<tt::AtomicCASOp>,
               AtomicPattern<amdg::BufferAtomicRMWOp>,
               AtomicPattern<amdg::BufferAtomicCASOp>>(converter, hooks);
}

} // namespace kernelscope::lower
