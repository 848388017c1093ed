//===- WgmmaRegisters.cpp - Registers that wgmma reads and changes --------===//

#include "passes/lower/nvidia/WgmmaRegisters.h"
#include "passes/lower/support/MatrixProduct.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

SmallVector<Value> lower::toRegisters(lower::Builder &b,
                                      ArrayRef<Value> elements) {
  unsigned inWord = 32 / bitWidth(elements.front().getType());
  if (inWord == 1)
    return SmallVector<Value>(elements);
  SmallVector<Value> words;
  for (size_t i = 0; i < elements.size(); i += inWord)
    words.push_back(joinBits(b, elements.slice(i, inWord), b.intType(32)));
  return words;
}

SmallVector<Value> lower::fromRegisters(lower::Builder &b,
                                        ArrayRef<Value> words, Type element) {
  unsigned inWord = 32 / bitWidth(element);
  if (inWord == 1)
    return SmallVector<Value>(words);
  SmallVector<Value> elements;
  for (Value word : words)
    elements.append(splitBits(b, word, element, inWord));
  return elements;
}

std::string lower::addChanged(Ptx &ptx, ArrayRef<Value> words) {
  StringRef constraint = isa<FloatType>(words.front().getType()) ? "f" : "r";
  SmallVector<std::string> names;
  for (Value word : words)
    names.push_back(ptx.output(word.getType(), constraint));
  for (auto [i, word] : llvm::enumerate(words))
    ptx.input(word, std::to_string(i));
  return "{" + llvm::join(names, ", ") + "}";
}
