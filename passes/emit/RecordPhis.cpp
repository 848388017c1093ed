//===- RecordPhis.cpp - Tensors that blocks pass on -----------------------===//

#include "passes/emit/RecordPhis.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

class RecordPhis {
public:
  explicit RecordPhis(Function &function) {
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis())
        if (isa<StructType>(phi.getType()))
          phis.push_back(&phi);
  }

  void split() {
    for (PHINode *phi : phis)
      createFieldPhis(*phi);
    for (PHINode *phi : phis)
      connect(*phi);
    // What only put together the structs goes before their users are looked at,
    // and with it phis that had no other.
    SmallVector<WeakVH> handles(phis.begin(), phis.end());
    for (WeakVH &handle : handles)
      if (auto *phi = cast_or_null<PHINode>(handle))
        disconnect(*phi);
    for (WeakVH &handle : handles)
      if (auto *phi = cast_or_null<PHINode>(handle)) {
        replaceUses(*phi);
        phi->eraseFromParent();
      }
  }

private:
  using Fields = SmallVector<Value *>;

  void createFieldPhis(PHINode &phi) {
    Fields &parts = fields[&phi];
    for (Type *type : cast<StructType>(phi.getType())->elements()) {
      PHINode *part = PHINode::Create(type, phi.getNumIncomingValues(), "",
                                      phi.getIterator());
      part->setDebugLoc(phi.getDebugLoc());
      parts.push_back(part);
    }
  }

  void connect(PHINode &phi) {
    for (auto [record, block] : zip(phi.incoming_values(), phi.blocks())) {
      const Fields incoming = fieldsOf(*record);
      for (auto [part, field] : zip_equal(fields[&phi], incoming))
        cast<PHINode>(part)->addIncoming(field, block);
    }
  }

  /// What a chain of `insertvalue` put into `record`, and fields of what it
  /// started from.
  const Fields &fieldsOf(Value &record) {
    if (auto known = fields.find(&record); known != fields.end())
      return known->second;
    Fields parts(cast<StructType>(record.getType())->getNumElements());
    Value *base = &record;
    while (!fields.contains(base)) {
      auto *insertion = dyn_cast<InsertValueInst>(base);
      if (!insertion || insertion->getNumIndices() != 1)
        break;
      Value *&part = parts[insertion->getIndices().front()];
      if (!part)
        part = insertion->getInsertedValueOperand();
      base = insertion->getAggregateOperand();
    }
    for (auto [index, part] : enumerate(parts))
      if (!part)
        part = fieldOf(*base, static_cast<unsigned>(index));
    return fields[&record] = std::move(parts);
  }

  Value *fieldOf(Value &record, unsigned index) {
    if (auto known = fields.find(&record); known != fields.end())
      return known->second[index];
    if (auto *constant = dyn_cast<Constant>(&record))
      if (Constant *field = constant->getAggregateElement(index))
        return field;
    BasicBlock::iterator place;
    if (auto *instruction = dyn_cast<Instruction>(&record))
      place = *instruction->getInsertionPointAfterDef();
    else
      place = function().getEntryBlock().getFirstInsertionPt();
    return IRBuilder<>(place->getParent(), place)
        .CreateExtractValue(&record, index);
  }

  static void disconnect(PHINode &phi) {
    SmallVector<WeakVH> records(phi.incoming_values());
    for (Use &record : phi.incoming_values())
      record.set(PoisonValue::get(phi.getType()));
    for (WeakVH &record : records)
      RecursivelyDeleteTriviallyDeadInstructions(record);
  }

  void replaceUses(PHINode &phi) {
    const Fields &parts = fields[&phi];
    for (User *user : make_early_inc_range(phi.users()))
      if (auto *extraction = dyn_cast<ExtractValueInst>(user);
          extraction && extraction->getNumIndices() == 1) {
        extraction->replaceAllUsesWith(parts[extraction->getIndices().front()]);
        extraction->eraseFromParent();
      }
    if (phi.use_empty())
      return;
    BasicBlock &block = *phi.getParent();
    IRBuilder<> builder(&block, block.getFirstInsertionPt());
    Value *record = PoisonValue::get(phi.getType());
    for (auto [index, part] : enumerate(parts))
      record =
          builder.CreateInsertValue(record, part, static_cast<unsigned>(index));
    phi.replaceAllUsesWith(record);
  }

  Function &function() const { return *phis.front()->getFunction(); }

  SmallVector<PHINode *> phis;
  DenseMap<Value *, Fields> fields;
};

} // namespace

void kernelscope::emit::splitRecordPhis(Function &function) {
  // No instruction follows the result of a call that ends its block.
  if (function.isDeclaration() || any_of(function, [](const BasicBlock &block) {
        return isa<CallBase>(block.getTerminator());
      }))
    return;
  // What no path reaches may be put together from itself.
  removeUnreachableBlocks(function);
  RecordPhis(function).split();
}
