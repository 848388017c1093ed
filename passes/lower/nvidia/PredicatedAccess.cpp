//===- PredicatedAccess.cpp - Loads and stores with a predicate -----------===//

#include "passes/lower/nvidia/PredicatedAccess.h"
#include "dialects/tt/TT.h"
#include "passes/lower/nvidia/Ptx.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace kernelscope::lower {

/// ", $3" for the operand of `.L2::cache_hint`, or nothing without one.
static std::string hintOf(Ptx &ptx, Value policy) {
  return policy ? ", " + ptx.input(policy, "l") : "";
}

SmallVector<Value> packWords(Builder &b, ValueRange elements,
                             AccessWords words) {
  SmallVector<Value> bits;
  for (Value element : elements)
    bits.push_back(b.toBits(element));
  unsigned elementBits = bitWidth(bits[0].getType());
  if (elementBits != words.bits) {
    Value vector = bits.size() == 1 ? bits[0] : b.makeVector(bits);
    if (words.count == 1)
      bits = {b.bitcast(b.intType(words.bits), vector)};
    else
      bits = b.splitVector(
          b.bitcast(b.vectorType(b.intType(words.bits), words.count), vector));
  }
  return bits;
}

SmallVector<Value> unpackWords(Builder &b, ArrayRef<Value> words, Type element,
                               unsigned count) {
  SmallVector<Value> bits(words);
  unsigned elementBits = bitWidth(element);
  if (elementBits != bitWidth(words[0].getType())) {
    Value packed = words.size() == 1 ? words[0] : b.makeVector(words);
    if (count == 1)
      bits = {b.bitcast(b.intType(elementBits), packed)};
    else
      bits = b.splitVector(
          b.bitcast(b.vectorType(b.intType(elementBits), count), packed));
  }
  for (Value &value : bits)
    value = b.fromBits(element, value);
  return bits;
}

SmallVector<Value> loadPredicated(Builder &b, const std::string &opcode,
                                  Value pointer, Type element, unsigned count,
                                  Value predicate, ValueRange other,
                                  Value policy) {
  AccessWords words = wordsFor(bitWidth(element) * count, bitWidth(element));
  Ptx ptx(b);
  SmallVector<std::string> registers;
  for (unsigned i = 0; i < words.count; ++i)
    registers.push_back(ptx.output(words.bits));
  // The registers hold `other` before a load that may not happen.
  std::string text;
  if (predicate) {
    SmallVector<Value> values;
    if (!other.empty())
      values = packWords(b, other, words);
    for (auto [i, name] : llvm::enumerate(registers)) {
      bool isZero = values.empty() || tt::constantOf(values[i]) == 0;
      std::string value = "0x0";
      if (!isZero)
        value = ptx.input(
            b.zextOrTrunc(b.intType(std::max(words.bits, 16u)), values[i]),
            Ptx::constraintOf(words.bits));
      text += llvm::formatv("mov.b{0} {1}, {2};\n\t", std::max(words.bits, 16u),
                            name, value);
    }
  }
  std::string address =
      ptx.input(pointer, opcode.starts_with("ld.shared") ? "r" : "l");
  std::string hint = hintOf(ptx, policy);
  text += llvm::formatv("{0}{1}{2} {3}, [{4}]{5};", ptx.predicate(predicate),
                        opcode, typeSuffix(words), Ptx::group(registers),
                        address, hint);
  SmallVector<Value> loaded = ptx.emit(text);
  for (Value &word : loaded)
    word = b.zextOrTrunc(b.intType(words.bits), word);
  return unpackWords(b, loaded, element, count);
}

void storePredicated(Builder &b, const std::string &opcode, Value pointer,
                     ValueRange values, Value predicate, Value policy) {
  unsigned elementBits = bitWidth(values[0].getType());
  AccessWords words = wordsFor(elementBits * values.size(), elementBits);
  Ptx ptx(b);
  SmallVector<std::string> registers;
  for (Value word : packWords(b, values, words))
    registers.push_back(
        ptx.input(b.zextOrTrunc(b.intType(std::max(words.bits, 16u)), word),
                  Ptx::constraintOf(words.bits)));
  std::string address =
      ptx.input(pointer, opcode.starts_with("st.shared") ? "r" : "l");
  std::string hint = hintOf(ptx, policy);
  ptx.emit(llvm::formatv("{0}{1}{2} [{3}], {4}{5};", ptx.predicate(predicate),
                         opcode, typeSuffix(words), address,
                         Ptx::group(registers), hint)
               .str());
}

} // namespace kernelscope::lower
