//===- Mfma.cpp - tt.dot by MFMA ------------------------------------------===//
//
// CDNA 3 and CDNA 4 ISA, "Matrix Arithmetic Instructions".
//
//===----------------------------------------------------------------------===//

#include "passes/lower/amd/AccumulatorRegisters.h"
#include "passes/lower/support/MatrixProduct.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::lower;

/// The type that LLVM's intrinsics give `count` elements of A or B.
static Type operandType(lower::Builder &b, MatrixElement element,
                        unsigned count) {
  auto vectorOf = [&](Type type, unsigned size) {
    return size == 1 ? type : b.vectorType(type, size);
  };
  switch (element) {
  case MatrixElement::F64:
    return vectorOf(b.getBuilder().getF64Type(), count);
  case MatrixElement::F32:
  case MatrixElement::TF32:
    return vectorOf(b.getBuilder().getF32Type(), count);
  case MatrixElement::F16:
    return vectorOf(b.getBuilder().getF16Type(), count);
  case MatrixElement::BF16:
    // The instructions of four are older than LLVM's bf16.
    return vectorOf(
        count == 4 ? Type(b.intType(16)) : b.getBuilder().getBF16Type(), count);
  default: {
    unsigned bits = bitsOf(element) * count;
    return bits <= 64 ? b.intType(bits) : vectorOf(b.intType(32), bits / 32);
  }
  }
}

/// How the instructions that take any 8-bit type are told which.
static int32_t formatOf(MatrixElement element) {
  return element == MatrixElement::E5M2 ? 1 : 0;
}

/// A product of 4 x 64 by instructions of sixteen blocks of 4 x 4: each takes
/// one block of A for all of them, and so a part of B.
static SmallVector<Value> emitBlocks(ProductBuilder &b,
                                     const MatrixInstruction &instruction,
                                     ArrayRef<Value> x, ArrayRef<Value> y,
                                     ArrayRef<Value> sum) {
  constexpr int32_t blocks = 16, toSixteen = 4;
  Type type = b.vectorType(sum.front().getType(), sum.size());
  Type operand = operandType(b, instruction.a, static_cast<unsigned>(x.size()));
  Value block = joinBits(b, x, operand), added = b.makeVector(sum);
  for (int32_t i = 0; i < blocks; ++i) {
    Value other = joinBits(b, y.take_front(x.size()), operand);
    y = y.drop_front(x.size());
    added = b.intrinsic(
        instruction.name, type,
        {block, other, added, b.i32(toSixteen), b.i32(i), b.i32(0)});
  }
  return b.splitVector(added);
}

static SmallVector<Value> emitMfma(ProductBuilder &b,
                                   const MatrixInstruction &instruction,
                                   ArrayRef<Value> x, ArrayRef<Value> y,
                                   ArrayRef<Value> sum) {
  if (instruction.m != instruction.n)
    return emitBlocks(b, instruction, x, y, sum);
  Type element = sum.front().getType();
  Type type = b.vectorType(element, sum.size());
  SmallVector<Value> arguments{
      b.join(x, operandType(b, instruction.a, x.size())),
      b.join(y, operandType(b, instruction.b, y.size())), b.makeVector(sum)};
  std::string name = instruction.name.str();
  Value zero = b.i32(0);
  if (instruction.name.ends_with("f8f6f4")) {
    // With scales of zero it is the instruction without scales.
    name += ".v8i32.v8i32";
    arguments.append({b.i32(formatOf(instruction.a)),
                      b.i32(formatOf(instruction.b)), zero, zero, zero, zero});
  } else {
    // No broadcast and no permutation of the blocks.
    arguments.append({zero, zero, zero});
  }
  return b.splitVector(b.intrinsic(name, type, arguments));
}

void lower::populateMfmaPatterns(const TypeConverter &converter,
                                 Patterns &patterns, const TargetHooks &hooks) {
  static constexpr SumPlacement placement{checkSumRegisters, constrainSums};
  populateMatrixProductPattern(converter, patterns, hooks, emitMfma,
                               &placement);
}
