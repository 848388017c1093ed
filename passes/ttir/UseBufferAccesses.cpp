//===- UseBufferAccesses.cpp - Accesses through buffer resources ----------===//
//
// `use-buffer-accesses`: amdg.buffer_load, buffer_store and
// buffer_load_to_local where the address is an argument with `tt.pointer_range
// = 32`, whose buffer has less than 2 GiB, and offsets, also where a loop
// carries it.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "dialects/tt/TT.h"
#include "dialects/ttg/TTG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;

namespace kernelscope {
#define GEN_PASS_DEF_USEBUFFERACCESSES
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// Splits tensors of pointers into an argument and offsets.
class Addresses {
public:
  explicit Addresses(OpBuilder &builder) : builder(builder) {}

  /// The argument that `pointers` are in; null if that is not known.
  Value baseOf(Value pointers) const {
    while (Operation *op = pointers.getDefiningOp()) {
      if (Value base = carried.lookup(pointers))
        return base;
      if (!isa<tt::AddPtrOp, tt::SplatOp, tt::BroadcastOp, tt::ExpandDimsOp,
               ttg::ConvertLayoutOp>(op))
        return {};
      pointers = op->getOperand(0);
    }
    if (Value base = carried.lookup(pointers))
      return base;
    auto argument = cast<BlockArgument>(pointers);
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    auto range = function && argument.getOwner()->isEntryBlock()
                     ? function.getArgAttrOfType<IntegerAttr>(
                           argument.getArgNumber(), "tt.pointer_range")
                     : nullptr;
    return range && range.getInt() == 32 ? argument : Value();
  }

  /// How far `pointers` are from their base, in elements: an i32 for each; null
  /// where they are the base itself.
  Value offsetsOf(Value pointers) {
    if (auto known = offsets.find(pointers); known != offsets.end())
      return known->second;
    Operation *op = pointers.getDefiningOp();
    if (!op)
      return {};
    Value before = offsetsOf(op->getOperand(0)), sum;
    builder.setInsertionPointAfter(op);
    if (auto step = dyn_cast<tt::AddPtrOp>(op)) {
      sum = inWords(step.getOffset());
      if (before)
        sum = arith::AddIOp::create(builder, op->getLoc(), before, sum);
    } else if (before) {
      IRMapping mapping;
      mapping.map(op->getOperand(0), before);
      sum = builder.clone(*op, mapping)->getResult(0);
      sum.setType(offsetsType(pointers.getType()));
    }
    return offsets[pointers] = sum;
  }

  /// Has a loop that carries pointers carry their offsets, too.
  void carryOffsets(scf::ForOp loop) {
    SmallVector<unsigned> places;
    SmallVector<Value> inits;
    for (auto [i, init] : llvm::enumerate(loop.getInitArgs())) {
      auto type = dyn_cast<RankedTensorType>(init.getType());
      if (!type || !isa<tt::PointerType>(type.getElementType()))
        continue;
      Value base = baseOf(init), argument = loop.getRegionIterArg(i);
      Value start = base ? offsetsOf(init) : Value();
      if (!start)
        continue;
      // As it is in one round, so it is in the next.
      carried[argument] = base;
      if (baseOf(loop.getYieldedValues()[i]) != base) {
        carried.erase(argument);
        continue;
      }
      places.push_back(i);
      inits.push_back(start);
    }
    if (places.empty())
      return;
    IRRewriter rewriter(builder);
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> bases = llvm::map_to_vector(places, [&](unsigned i) {
      return carried.lookup(loop.getRegionIterArg(i));
    });
    for (unsigned i : places)
      carried.erase(loop.getRegionIterArg(i));
    auto yields = [&](OpBuilder &, Location, ArrayRef<BlockArgument> added) {
      return SmallVector<Value>(added.begin(), added.end());
    };
    auto next = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yields));
    const unsigned first = next.getNumRegionIterArgs() - places.size();
    for (auto [k, i] : llvm::enumerate(places)) {
      carried[next.getRegionIterArg(i)] = carried[next.getResult(i)] = bases[k];
      offsets[next.getRegionIterArg(i)] = next.getRegionIterArg(first + k);
      offsets[next.getResult(i)] = next.getResult(first + k);
    }
    Operation *end = next.getBody()->getTerminator();
    for (auto [k, i] : llvm::enumerate(places))
      end->setOperand(first + k, offsetsOf(end->getOperand(i)));
  }

private:
  static Type offsetsType(Type pointers) {
    Type word = IntegerType::get(pointers.getContext(), 32);
    auto tensor = dyn_cast<RankedTensorType>(pointers);
    return tensor ? Type(tensor.clone(word)) : word;
  }
  /// In a buffer of less than 2 GiB the lower bits of an offset are enough.
  Value inWords(Value offset) {
    const unsigned bits = getElementTypeOrSelf(offset).getIntOrFloatBitWidth();
    Type type = offsetsType(offset.getType());
    if (bits == 32)
      return offset;
    if (bits > 32)
      return arith::TruncIOp::create(builder, offset.getLoc(), type, offset);
    return arith::ExtSIOp::create(builder, offset.getLoc(), type, offset);
  }

  OpBuilder &builder;
  DenseMap<Value, Value> offsets;
  /// The bases of what loops carry, and give.
  DenseMap<Value, Value> carried;
};

} // namespace

/// Whether a buffer resource accesses elements of `type`.
static bool isBufferElement(Type type) {
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8;
}

static void useBufferAccesses(ModuleOp module, const Target &target) {
  OpBuilder builder(module.getContext());
  Addresses addresses(builder);
  auto split = [&](Operation *op, Value pointers) -> std::pair<Value, Value> {
    // Block pointers are rewritten before.
    auto type = dyn_cast<RankedTensorType>(pointers.getType());
    Value base = type ? addresses.baseOf(pointers) : Value();
    if (!base ||
        !isBufferElement(
            cast<tt::PointerType>(type.getElementType()).getPointeeType()))
      return {};
    Value offsets = addresses.offsetsOf(pointers);
    builder.setInsertionPoint(op);
    return {base, offsets};
  };
  // Outer loops first.
  SmallVector<scf::ForOp> loops;
  module.walk<WalkOrder::PreOrder>(
      [&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops)
    addresses.carryOffsets(loop);
  module.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](tt::LoadOp load) {
          auto [base, offsets] = split(load, load.getPtr());
          if (!offsets || load.getIsVolatile())
            return;
          Value loaded = amdg::BufferLoadOp::create(
              builder, load.getLoc(), load.getType(), base, offsets,
              /*stride=*/Value(), load.getCache(), load.getMask(),
              load.getOther());
          load.replaceAllUsesWith(loaded);
          load.erase();
        })
        .Case([&](ttg::AsyncCopyGlobalToLocalOp copy) {
          auto [base, offsets] = split(copy, copy.getSrc());
          if (!offsets)
            return;
          if (!target.hasBufferLoadToShared || copy.getIsVolatile()) {
            // An address in scalars and an offset of 32 bits.
            Type pointers = copy.getSrc().getType();
            copy.getSrcMutable().assign(tt::AddPtrOp::create(
                builder, copy.getLoc(), pointers,
                tt::SplatOp::create(builder, copy.getLoc(), pointers, base),
                offsets));
            return;
          }
          Value token = amdg::BufferLoadToLocalOp::create(
              builder, copy.getLoc(), copy.getToken().getType(),
              copy.getResult(), base, offsets, copy.getMask(), copy.getOther(),
              /*stride=*/Value(), copy.getCache(), copy.getContiguity());
          copy.replaceAllUsesWith(token);
          copy.erase();
        })
        .Case([&](tt::StoreOp store) {
          auto [base, offsets] = split(store, store.getPtr());
          if (!offsets)
            return;
          amdg::BufferStoreOp::create(builder, store.getLoc(), store.getValue(),
                                      base, offsets, /*stride=*/Value(),
                                      store.getCache(), store.getMask());
          store.erase();
        });
  });
}

namespace {
class UseBufferAccesses
    : public kernelscope::impl::UseBufferAccessesBase<UseBufferAccesses> {
public:
  using UseBufferAccessesBase::UseBufferAccessesBase;
  void runOnOperation() override {
    FailureOr<Target> target = parseTarget(getOperation(), arch);
    if (failed(target))
      return signalPassFailure();
    if (target->isAmd())
      useBufferAccesses(getOperation(), *target);
    else
      markAllAnalysesPreserved();
  }
};
} // namespace
