//===- Intrinsics.cpp - What intrinsics mean ------------------------------===//
//
// Finds a call's meaning by its name.
//
//===----------------------------------------------------------------------===//

#include "executor/wave/Intrinsics.h"
#include "executor/wave/nvidia/Nvvm.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace kernelscope::wave {

static const Meanings &allMeanings() {
  static const Meanings meanings = [] {
    Meanings all;
    addMathFunctions(all);
    addAngleReduction(all);
    addIntegerFunctions(all);
    addLaunchIds(all);
    addLaneMoves(all);
    addBufferAccesses(all);
    addMatrixProducts(all);
    addDotProducts(all);
    addMaskedAccesses(all);
    addScaledProducts(all);
    addLdsTransfers(all);
    addFloatConversions(all);
    addTensorDataMover(all);
    addLdsBarriers(all);
    addSynchronisation(all);
    nvidia::addNvvm(all);
    return all;
  }();
  return meanings;
}

const Value *Call::value(unsigned i) const {
  if (i < numOperands())
    return call.getArgOperand(i);
  decoder.fail("'" + name + "' has too few operands");
  return PoisonValue::get(Type::getInt32Ty(call.getContext()));
}

Columns Call::define() const {
  Columns results = decoder.define(&call);
  if (results.empty()) {
    decoder.fail("'" + name + "' must have a result");
    results.push_back(decoder.newColumn());
  }
  return results;
}

static Columns resized(const Call &call, Columns columns, size_t scalars,
                       const Twine &what) {
  if (columns.size() != scalars)
    call.decoder.fail(what + " of '" + call.name + "' must have " +
                      Twine(scalars) + " scalars, but it has " +
                      Twine(columns.size()));
  columns.resize(scalars);
  return columns;
}

Columns Call::operand(unsigned i, size_t scalars) const {
  return resized(*this, operand(i), scalars, "operand " + Twine(i));
}

Columns Call::defineScalars(size_t scalars) const {
  return resized(*this, define(), scalars, "the result");
}

Scalar::Kind Call::floatKind(unsigned i) const {
  const Scalar::Kind kind = decoder.scalarOf(value(i)).kind;
  if (isFloat(kind))
    return kind;
  decoder.fail("operand " + Twine(i) + " of '" + name + "' must be a float");
  return Scalar::Kind::F32;
}

uint64_t Call::resultBits() const {
  Type *type = call.getType();
  if (!type->isVoidTy())
    return decoder.data.getTypeSizeInBits(type);
  decoder.fail("'" + name + "' must have a result");
  return 0;
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
  const uint64_t bits = resultBits();
  if (bits != 0)
    define(
        repack(decoder, words, asWords(bits), decoder.fields(call.getType())));
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
  // Hints to the optimiser.
  if (call->isDebugOrPseudoInst() ||
      isa<AssumeInst, LifetimeIntrinsic, NoAliasScopeDeclInst>(call))
    return true;
  if (call->isInlineAsm()) {
    decodeInlineAssembly(decoder, *call);
    return true;
  }
  const Function *callee = call->getCalledFunction();
  if (!callee) {
    decoder.fail("the wave simulator does not run indirect calls");
    return true;
  }
  // Spelling.h says why it may lack its first part.
  std::string full = callee->getName().str();
  if (callee->getName().starts_with("amdgcn."))
    full.insert(0, "llvm.");
  StringRef name = full;
  do {
    if (const auto *found = allMeanings().find(name)) {
      found->second(Call{decoder, *call, found->getKey()});
      return true;
    }
  } while (dropType(name));
  decoder.fail("the wave simulator does not know '" + full + "'");
  return true;
}

} // namespace kernelscope::wave
