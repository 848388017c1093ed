//===- Mma.cpp - tt.dot by mma.sync ---------------------------------------===//
//
// PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions: mma".
//
//===----------------------------------------------------------------------===//

#include "passes/lower/nvidia/Ptx.h"
#include "passes/lower/support/MatrixProduct.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

namespace {

/// A hardware register of an operand: its type, and its constraint in inline
/// assembly. Elements of up to 16 bits share one.
struct Register {
  Type type;
  StringRef constraint;
  unsigned elements;
};

Register registerFor(lower::Builder &b, MatrixElement element) {
  switch (element) {
  case MatrixElement::F64:
    return {b.getBuilder().getF64Type(), "d", 1};
  case MatrixElement::F32:
    return {b.getBuilder().getF32Type(), "f", 1};
  default:
    return {b.intType(32), "r", 32 / bitsOf(element)};
  }
}

std::string braced(ArrayRef<std::string> names) {
  return "{" + llvm::join(names, ", ") + "}";
}

/// Adds a result of as many registers as hold `elements`.
std::string addOutput(Ptx &ptx, const Register &reg, size_t elements) {
  SmallVector<std::string> names;
  for (size_t i = 0; i < elements; i += reg.elements)
    names.push_back(ptx.output(reg.type, reg.constraint));
  return braced(names);
}

/// Adds an operand of the registers that `elements` fill.
std::string addInput(ProductBuilder &b, Ptx &ptx, const Register &reg,
                     ArrayRef<Value> elements) {
  SmallVector<std::string> names;
  for (size_t i = 0; i < elements.size(); i += reg.elements)
    names.push_back(ptx.input(b.join(elements.slice(i, reg.elements), reg.type),
                              reg.constraint));
  return braced(names);
}

SmallVector<Value> emitMma(ProductBuilder &b,
                           const MatrixInstruction &instruction,
                           ArrayRef<Value> x, ArrayRef<Value> y,
                           ArrayRef<Value> sum) {
  Register ofA = registerFor(b, instruction.a),
           ofB = registerFor(b, instruction.b),
           ofC = registerFor(b, instruction.c);
  Ptx ptx(b);
  std::string operands = addOutput(ptx, ofC, sum.size());
  for (auto [reg, elements] : {std::pair(&ofA, x), {&ofB, y}, {&ofC, sum}})
    operands += ", " + addInput(b, ptx, *reg, elements);
  SmallVector<Value> results;
  for (Value result : ptx.emit((instruction.name + " " + operands + ";").str()))
    results.append(splitBits(b, result, sum.front().getType(), ofC.elements));
  return results;
}

} // namespace

void lower::populateMmaPatterns(const TypeConverter &converter,
                                Patterns &patterns, const TargetHooks &hooks) {
  populateMatrixProductPattern(converter, patterns, hooks, emitMma);
}
