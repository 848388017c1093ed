//===- Wmma.cpp - tt.dot by WMMA ------------------------------------------===//
//
// RDNA 3 and RDNA 4 ISA, "Wave Matrix Multiply Accumulate"; LLVM's intrinsics
// llvm.amdgcn.wmma.*, whose operands differ by generation and type.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/MatrixProduct.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// The type that LLVM's intrinsics of `unit` give `count` elements of A or B.
static Type operandType(lower::Builder &b, MatrixUnit unit,
                        MatrixElement element, unsigned count) {
  if (element == MatrixElement::F32)
    return b.vectorType(b.getBuilder().getF32Type(), count);
  if (element == MatrixElement::F16)
    return b.vectorType(b.getBuilder().getF16Type(), count);
  if (element == MatrixElement::BF16)
    // The first two generations are older than LLVM's bf16.
    return b.vectorType(unit == MatrixUnit::Wmma3
                            ? Type(b.getBuilder().getBF16Type())
                            : b.intType(16),
                        count);
  return b.vectorType(b.intType(32), bitsOf(element) * count / 32);
}

/// How an intrinsic's name tells `type`: "v8f32".
static std::string suffixOf(Type type) {
  auto vector = cast<VectorType>(type);
  Type element = vector.getElementType();
  return llvm::formatv(".v{0}{1}{2}", vector.getNumElements(),
                       element.isBF16()          ? "bf"
                       : isa<FloatType>(element) ? "f"
                                                 : "i",
                       element.getIntOrFloatBitWidth());
}

static SmallVector<Value> emitWmma(ProductBuilder &b,
                                   const MatrixInstruction &instruction,
                                   ArrayRef<Value> x, ArrayRef<Value> y,
                                   ArrayRef<Value> sum) {
  Value left =
      b.join(x, operandType(b, instruction.unit, instruction.a, x.size()));
  Value right =
      b.join(y, operandType(b, instruction.unit, instruction.b, y.size()));
  // RDNA 3 keeps each f16 of a result in the low half of a register.
  bool isSpread = instruction.unit == MatrixUnit::Wmma1 &&
                  instruction.c == MatrixElement::F16;
  SmallVector<Value> registers;
  for (Value value : sum) {
    registers.push_back(value);
    if (isSpread)
      registers.push_back(b.zero(value.getType()));
  }
  Value c = b.makeVector(registers);

  Value no = b.i1(false), yes = b.i1(true), unchanged = b.zero(b.intType(16));
  bool isNewest = instruction.unit == MatrixUnit::Wmma3;
  SmallVector<Value> arguments;
  if (instruction.a == MatrixElement::I8) {
    // Both operands are signed; sums wrap.
    arguments = {yes, left, yes, right, c};
    arguments.append(isNewest ? 3 : 1, no);
  } else if (isNewest && bitsOf(instruction.a) == 8) {
    // C as it is; no operand is used again.
    arguments = {left, right, unchanged, c, no, no};
  } else if (isNewest) {
    // Neither A nor B is negated.
    arguments = {no, left, no, right, unchanged, c, no, no};
  } else {
    arguments = {left, right, c};
    // The low halves of the registers.
    if (instruction.c == MatrixElement::F16)
      arguments.push_back(no);
  }
  Value result = b.intrinsic(instruction.name.str() + suffixOf(c.getType()) +
                                 suffixOf(left.getType()),
                             c.getType(), arguments);
  SmallVector<Value> values;
  for (auto [index, value] : llvm::enumerate(b.splitVector(result)))
    if (!isSpread || index % 2 == 0)
      values.push_back(value);
  return values;
}

void lower::populateWmmaPatterns(const TypeConverter &converter,
                                 Patterns &patterns, const TargetHooks &hooks) {
  populateMatrixProductPattern(converter, patterns, hooks, emitWmma);
}
