//===- SharedArithmetic.cpp - Computed once for many ----------------------===//

#include "passes/emit/SharedArithmetic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace {

class Sharing {
public:
  Sharing(const UniformityInfo &uniformity, const DominatorTree &dominators)
      : uniformity(uniformity), dominators(dominators) {}

  void visit(BinaryOperator &op) {
    if (!op.getType()->isIntegerTy())
      return;
    if (op.getOpcode() == Instruction::Mul)
      addToProduct(op);
    else if (op.isAssociative() && op.isCommutative())
      joinUniform(op);
  }

private:
  bool isUniform(const Value &value) const {
    return made.contains(&value) || uniformity.isUniform(&value);
  }

  /// The operand of `op` that all threads share, as what is not known before
  /// the launch, with the other one.
  std::pair<Value *, Value *> splitUniform(const BinaryOperator &op) const {
    for (unsigned index : {0, 1}) {
      Value *shared = op.getOperand(index), *own = op.getOperand(1 - index);
      if (!isa<Constant>(shared) && isUniform(*shared) && !isUniform(*own))
        return {shared, own};
    }
    return {};
  }

  void joinUniform(BinaryOperator &op) {
    auto [second, behind] = splitUniform(op);
    auto *inner = dyn_cast_or_null<BinaryOperator>(behind);
    if (!inner || inner->getOpcode() != op.getOpcode() || !inner->hasOneUse())
      return;
    auto [first, own] = splitUniform(*inner);
    if (!first)
      return;
    Value *both = join(op.getOpcode(), first, second, *op.getFunction());
    if (!both)
      return;
    op.setOperand(0, own);
    op.setOperand(1, both);
    op.dropPoisonGeneratingFlags();
    inner->eraseFromParent();
  }

  /// `x op y`, right after the later of them; null if neither is surely later.
  Value *join(Instruction::BinaryOps opcode, Value *x, Value *y,
              Function &function) {
    auto *one = dyn_cast<Instruction>(x), *other = dyn_cast<Instruction>(y);
    if (one && other && dominators.dominates(other, one))
      std::swap(one, other);
    if (one && other && !dominators.dominates(one, other))
      return nullptr;
    Instruction *later = other ? other : one;
    Value *&result = joined[{opcode, {std::min(x, y), std::max(x, y)}}];
    if (result)
      return result;
    auto place = later ? later->getInsertionPointAfterDef()
                       : function.getEntryBlock().getFirstInsertionPt();
    if (!place)
      return nullptr;
    IRBuilder<> builder((*place)->getParent(), *place);
    result = builder.CreateBinOp(opcode, x, y);
    made.insert(result);
    return result;
  }

  void addToProduct(BinaryOperator &product) {
    using namespace PatternMatch;
    Value *base;
    ConstantInt *offset, *factor;
    if (!match(&product, m_Mul(m_AddLike(m_Value(base), m_ConstantInt(offset)),
                               m_ConstantInt(factor))))
      return;
    for (User *user : base->users()) {
      auto *other = dyn_cast<BinaryOperator>(user);
      if (!other ||
          !match(other, m_Mul(m_Specific(base), m_Specific(factor))) ||
          !dominators.dominates(other, &product))
        continue;
      // The product of the base may have promised not to wrap.
      other->dropPoisonGeneratingFlags();
      IRBuilder<> builder(&product);
      Value *sum = builder.CreateAdd(
          other, builder.getInt(offset->getValue() * factor->getValue()));
      product.replaceAllUsesWith(sum);
      product.eraseFromParent();
      return;
    }
  }

  const UniformityInfo &uniformity;
  const DominatorTree &dominators;
  DenseSet<const Value *> made;
  DenseMap<std::pair<unsigned, std::pair<Value *, Value *>>, Value *> joined;
};

} // namespace

void kernelscope::emit::shareArithmetic(Function &function,
                                        FunctionAnalysisManager &analyses) {
  if (function.isDeclaration())
    return;
  Sharing sharing(analyses.getResult<UniformityInfoAnalysis>(function),
                  analyses.getResult<DominatorTreeAnalysis>(function));
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block))
      if (auto *op = dyn_cast<BinaryOperator>(&instruction))
        sharing.visit(*op);
}
