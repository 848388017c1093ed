//===- BlockScales.cpp - Loads of exponents that scale blocks -------------===//

#include "server/run/BlockScales.h"
#include "server/run/IndexTerms.h"

#include "dialects/amdg/AMDG.h"
#include "dialects/ttg/TTG.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kernelscope::run {
namespace {

bool hasBytes(Value value) {
  return getElementTypeOrSelf(value.getType()).isInteger(8);
}

/// The loads behind bytes, through registers, memory, loops and partitions.
class Sources {
public:
  SmallVector<tt::GlobalAccessOpInterface> of(ArrayRef<Value> scales) {
    for (Value scale : scales)
      enter(scale);
    for (size_t i = 0; i < behind.size(); ++i)
      follow(behind[i]);
    return loads.takeVector();
  }

private:
  void enter(Value value) {
    if (value && hasBytes(value))
      behind.insert(value);
  }

  void follow(Value value) {
    if (isa<ttg::MemDescType>(value.getType()))
      followMemory(value);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      enter(outsideOf(argument));
      if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
          loop && argument != loop.getInductionVar()) {
        enter(loop.getTiedLoopInit(argument)->get());
        enter(loop.getTiedLoopYieldedValue(argument)->get());
      }
      return;
    }
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast<tt::GlobalAccessOpInterface>(op)) {
      loads.insert(load);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      enter(loop.getYieldedValues()[cast<OpResult>(value).getResultNumber()]);
      enter(loop.getInits()[cast<OpResult>(value).getResultNumber()]);
    } else if (op->getNumRegions() == 0) {
      llvm::for_each(op->getOperands(), [&](Value from) { enter(from); });
    }
  }

  /// What is written to a buffer, and the other views of it.
  void followMemory(Value memory) {
    for (Operation *user : memory.getUsers()) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      if (isMemoryEffectFree(user)) {
        llvm::for_each(user->getResults(), [&](Value view) { enter(view); });
      } else if (effects &&
                 effects.getEffectOnValue<MemoryEffects::Write>(memory)) {
        if (auto copy = dyn_cast<tt::GlobalAccessOpInterface>(user))
          loads.insert(copy);
        else
          llvm::for_each(user->getOperands(), [&](Value from) { enter(from); });
      }
    }
  }

  llvm::SetVector<Value> behind;
  llvm::SetVector<tt::GlobalAccessOpInterface> loads;
};

/// The bytes that `shift` moves into the exponent of a bf16 or an f32; null for
/// other shifts. The least exponent, 2^-127, is a denormal, which a maximum
/// may put in.
Value shiftedExponent(arith::ShLIOp shift) {
  auto extension = shift.getLhs().getDefiningOp<arith::ExtUIOp>();
  const std::optional<int64_t> by = tt::constantOf(shift.getRhs());
  if (!extension || !by)
    return {};
  auto isExponentOf = [&](Operation *user) {
    if (!isa<arith::BitcastOp, tt::BitcastOp>(user))
      return false;
    Type type = getElementTypeOrSelf(user->getResult(0).getType());
    return (type.isBF16() && *by == 7) || (type.isF32() && *by == 23);
  };
  const bool isExponent = llvm::any_of(shift->getUsers(), [&](Operation *user) {
    return isExponentOf(user) || (isa<arith::MaxUIOp>(user) &&
                                  llvm::any_of(user->getUsers(), isExponentOf));
  });
  return isExponent ? extension.getIn() : Value();
}

} // namespace

SmallVector<tt::GlobalAccessOpInterface>
blockScaleLoads(FunctionOpInterface kernel) {
  SmallVector<Value> scales;
  kernel->walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<tt::DotScaledOp, ttng::TCGen5MMAScaledOp>([&](auto product) {
          scales.append({product.getAScale(), product.getBScale()});
        })
        .Case<amdg::ScaledUpcastFp4Op, amdg::ScaledUpcastFp8Op,
              amdg::UpcastMXFPOp>(
            [&](auto upcast) { scales.push_back(upcast.getScale()); })
        .Case([&](arith::ShLIOp shift) {
          scales.push_back(shiftedExponent(shift));
        });
  });
  return Sources().of(scales);
}

} // namespace kernelscope::run
