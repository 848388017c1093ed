//===- ScaledProducts.cpp - AMD's matrix instructions with scales ---------===//

#include "dialects/target/ScaledProducts.h"

using namespace kernelscope;
using llvm::StringLiteral;

namespace {
/// What an operand's registers and its lanes are along K; of the lanes, those
/// of A and of B.
struct Operands {
  StringLiteral registers;
  std::array<StringLiteral, 2> lanes;
};
} // namespace

/// WMMA's elements of 8 bits: 16 neighbours at a time, where the instructions
/// without scales have 8.
static constexpr Operands wmmaBytes{"k1 k2 k4 k8 k32 k64",
                                    {"m1 m2 m4 m8 k16", "n1 n2 n4 n8 k16"}};

/// Elements of fewer than 8 bits.
static Operands narrowElements(const MatrixInstruction &instruction) {
  if (instruction.unit == MatrixUnit::Wmma3)
    return {"k1 k2 k4 k8 k16 k64", {"m1 m2 m4 m8 k32", "n1 n2 n4 n8 k32"}};
  if (instruction.m == 32)
    return {"k1 k2 k4 k8 k16", {"m1 m2 m4 m8 m16 k32", "n1 n2 n4 n8 n16 k32"}};
  return {"k1 k2 k4 k8 k16", {"m1 m2 m4 m8 k32 k64", "n1 n2 n4 n8 k32 k64"}};
}

llvm::SmallVector<const MatrixInstruction *>
kernelscope::scaledInstructions(const Target &target) {
  llvm::SmallVector<const MatrixInstruction *> found;
  for (const MatrixInstruction &row : amdMatrixInstructions()) {
    const bool isScaled = row.name.contains("f8f6f4") ||
                          row.name == "llvm.amdgcn.wmma.f32.16x16x128.fp8.fp8";
    if (isScaled && hasMatrixUnit(target, row.unit) &&
        row.a == MatrixElement::E4M3 && row.b == row.a)
      found.push_back(&row);
  }
  return found;
}

const MatrixInstruction *
kernelscope::scaledFp4Instruction(const Target &target) {
  const auto *row =
      llvm::find_if(amdMatrixInstructions(), [](const MatrixInstruction &row) {
        return row.a == MatrixElement::E2M1;
      });
  return hasMatrixUnit(target, row->unit) ? row : nullptr;
}

MatrixFragments
kernelscope::scaledFragments(const MatrixInstruction &instruction,
                             MatrixElement a, MatrixElement b) {
  MatrixFragments fragments = instruction.fragments;
  if (instruction.a == MatrixElement::E2M1)
    return fragments;
  if (instruction.unit == MatrixUnit::Wmma3) {
    fragments.a = {wmmaBytes.registers, wmmaBytes.lanes[0]};
    fragments.b = {wmmaBytes.registers, wmmaBytes.lanes[1]};
  }
  const Operands narrow = narrowElements(instruction);
  if (bitsOf(a) < 8)
    fragments.a = {narrow.registers, narrow.lanes[0]};
  if (bitsOf(b) < 8)
    fragments.b = {narrow.registers, narrow.lanes[1]};
  return fragments;
}
