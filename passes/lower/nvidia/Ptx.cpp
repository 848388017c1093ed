//===- Ptx.cpp - Inline PTX -----------------------------------------------===//

#include "passes/lower/nvidia/Ptx.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace kernelscope::lower {

StringRef Ptx::constraintOf(unsigned bits) {
  return bits == 64 ? "l" : bits == 32 ? "r" : "h";
}

std::string Ptx::output(unsigned bits) {
  return output(b.intType(bits < 16 ? 16 : bits), constraintOf(bits));
}

std::string Ptx::output(Type type, StringRef constraint) {
  outputs.push_back(type);
  constraints.push_back("=" + constraint.str());
  return "$" + std::to_string(next++);
}

std::string Ptx::input(Value value, StringRef constraint) {
  inputs.push_back(value);
  constraints.push_back(constraint.str());
  return "$" + std::to_string(next++);
}

std::string Ptx::predicate(Value value) {
  return value ? "@" + input(value, "b") + " " : "";
}

std::string Ptx::group(ArrayRef<std::string> names) {
  return names.size() == 1 ? names[0] : "{" + llvm::join(names, ", ") + "}";
}

SmallVector<Value> Ptx::emit(StringRef assembly, bool hasSideEffects) {
  Type result = outputs.empty()       ? Type()
                : outputs.size() == 1 ? outputs[0]
                                      : b.structType(outputs);
  Value value = b.inlineAsm(assembly, llvm::join(constraints, ","), result,
                            inputs, hasSideEffects);
  if (outputs.size() <= 1)
    return outputs.empty() ? SmallVector<Value>() : SmallVector<Value>{value};
  return b.splitStruct(value);
}

} // namespace kernelscope::lower
