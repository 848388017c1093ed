//===- Intrinsics.cpp - What intrinsics mean ------------------------------===//
//
// Finds a call's meaning by its name.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace kernelscope::wave {

static const Meanings &allMeanings() {
  static const Meanings meanings = [] {
    Meanings all;
    addMathFunctions(all);
    addIntegerFunctions(all);
    addLaunchIds(all);
    addLaneMoves(all);
    addBufferAccesses(all);
    addMatrixProducts(all);
    addMaskedAccesses(all);
    addSynchronisation(all);
    return all;
  }();
  return meanings;
}

static SmallVector<Field> asWords(uint64_t bits) {
  SmallVector<Field> fields;
  for (uint64_t offset = 0; offset < bits; offset += 32)
    fields.push_back({{Scalar::Kind::Int, 32, 0}, offset});
  return fields;
}

Columns Call::words(unsigned i) const {
  Type *type = value(i)->getType();
  return repack(decoder, operand(i), decoder.fields(type),
                asWords(decoder.data.getTypeSizeInBits(type)));
}

void Call::defineWords(const Columns &words) const {
  Type *type = call.getType();
  define(repack(decoder, words, asWords(decoder.data.getTypeSizeInBits(type)),
                decoder.fields(type)));
}

/// Takes a type off the end of an intrinsic's name: ".v4f32", ".p1".
static bool dropType(StringRef &name) {
  static const Regex type("\\.(v[0-9]+)?(i|f|bf|p)[0-9]+$");
  SmallVector<StringRef, 3> found;
  if (!type.match(name, &found))
    return false;
  name = name.drop_back(found[0].size());
  return true;
}

bool decodeCall(Decoder &decoder, const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  if (!call)
    return false;
  // What only tells the optimiser something.
  if (call->isDebugOrPseudoInst() ||
      isa<AssumeInst, LifetimeIntrinsic, NoAliasScopeDeclInst>(call))
    return true;
  if (call->isInlineAsm()) {
    auto *code = cast<InlineAsm>(call->getCalledOperand());
    const StringRef text = code->getAsmString();
    // An empty text that returns its operand only hides it.
    if (text.empty() && call->arg_size() == 1) {
      decoder.define(call, decoder.operand(call->getArgOperand(0)));
      return true;
    }
    if (text.empty() && call->getType()->isVoidTy())
      return true;
    decoder.fail("the wave simulator does not run the inline assembly '" +
                 text + "'");
    return true;
  }
  const Function *callee = call->getCalledFunction();
  if (!callee) {
    decoder.fail("the wave simulator does not run calls of pointers");
    return true;
  }
  StringRef name = callee->getName();
  do {
    if (Meaning meaning = allMeanings().lookup(name)) {
      meaning(Call{decoder, *call, name});
      return true;
    }
  } while (dropType(name));
  decoder.fail("the wave simulator has no meaning for '" + callee->getName() +
               "'");
  return true;
}

} // namespace kernelscope::wave
