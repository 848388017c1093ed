//===- MatrixInstructions.cpp - What the matrix units can do --------------===//
//
// Fragments are from the PTX ISA ("Matrix Fragments for mma") and
// from AMD's CDNA 3 and CDNA 4 ISA documents ("Matrix Arithmetic
// Instructions").
//
//===----------------------------------------------------------------------===//

#include "dialects/target/MatrixInstructions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope;
using llvm::StringLiteral;
using enum MatrixElement;
using enum MatrixUnit;

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

// mma.sync: four lanes lie along a row, eight such groups make a column.
static constexpr StringLiteral rowsOfA2 = "k2 k4 m1 m2 m4",
                               colsOfB2 = "k2 k4 n1 n2 n4";
static constexpr MatrixFragment c16x8{"n1 m8", "n2 n4 m1 m2 m4"};
static constexpr MatrixFragment c8x8{"n1", "n2 n4 m1 m2 m4"};

static constexpr MatrixFragments mma16x8x16Of16Bits{
    {"k1 m8 k8", rowsOfA2}, {"k1 k8", colsOfB2}, c16x8};
static constexpr MatrixFragments mma16x8x8Of16Bits{
    {"k1 m8", rowsOfA2}, {"k1", colsOfB2}, c16x8};
static constexpr MatrixFragments mma16x8x32Of8Bits{
    {"k1 k2 m8 k16", "k4 k8 m1 m2 m4"}, {"k1 k2 k16", "k4 k8 n1 n2 n4"}, c16x8};
static constexpr MatrixFragments mma16x8x8Of32Bits{
    {"m8 k4", "k1 k2 m1 m2 m4"}, {"k4", "k1 k2 n1 n2 n4"}, c16x8};
static constexpr MatrixFragments mma16x8x16Of64Bits{
    {"m8 k4 k8", "k1 k2 m1 m2 m4"}, {"k4 k8", "k1 k2 n1 n2 n4"}, c16x8};
static constexpr MatrixFragments mma8x8x4Of64Bits{
    {"", "k1 k2 m1 m2 m4"}, {"", "k1 k2 n1 n2 n4"}, c8x8};

// MFMA: lanes lie along M (A) or N (B and C), and what is left of them along
// the other dimension.
static constexpr MatrixFragment c32x32{"m1 m2 m8 m16", "n1 n2 n4 n8 n16 m4"};
static constexpr MatrixFragment c16x16{"m1 m2", "n1 n2 n4 n8 m4 m8"};

static constexpr MatrixFragments mfma32x32x2{
    {"", "m1 m2 m4 m8 m16 k1"}, {"", "n1 n2 n4 n8 n16 k1"}, c32x32};
static constexpr MatrixFragments mfma32x32x4{
    {"k1", "m1 m2 m4 m8 m16 k2"}, {"k1", "n1 n2 n4 n8 n16 k2"}, c32x32};
static constexpr MatrixFragments mfma32x32x8{
    {"k1 k2", "m1 m2 m4 m8 m16 k4"}, {"k1 k2", "n1 n2 n4 n8 n16 k4"}, c32x32};
static constexpr MatrixFragments mfma32x32x16{
    {"k1 k2 k4", "m1 m2 m4 m8 m16 k8"},
    {"k1 k2 k4", "n1 n2 n4 n8 n16 k8"},
    c32x32};
static constexpr MatrixFragments mfma32x32x32{
    {"k1 k2 k4 k8", "m1 m2 m4 m8 m16 k16"},
    {"k1 k2 k4 k8", "n1 n2 n4 n8 n16 k16"},
    c32x32};
static constexpr MatrixFragments mfma32x32x64{
    {"k1 k2 k4 k8 k32", "m1 m2 m4 m8 m16 k16"},
    {"k1 k2 k4 k8 k32", "n1 n2 n4 n8 n16 k16"},
    c32x32};
static constexpr MatrixFragments mfma16x16x4{
    {"", "m1 m2 m4 m8 k1 k2"}, {"", "n1 n2 n4 n8 k1 k2"}, c16x16};
static constexpr MatrixFragments mfma16x16x4Of64Bits{
    {"", "m1 m2 m4 m8 k1 k2"},
    {"", "n1 n2 n4 n8 k1 k2"},
    {"m4 m8", "n1 n2 n4 n8 m1 m2"}};
static constexpr MatrixFragments mfma16x16x8{
    {"k1", "m1 m2 m4 m8 k2 k4"}, {"k1", "n1 n2 n4 n8 k2 k4"}, c16x16};
static constexpr MatrixFragments mfma16x16x16{
    {"k1 k2", "m1 m2 m4 m8 k4 k8"}, {"k1 k2", "n1 n2 n4 n8 k4 k8"}, c16x16};
static constexpr MatrixFragments mfma16x16x32{
    {"k1 k2 k4", "m1 m2 m4 m8 k8 k16"},
    {"k1 k2 k4", "n1 n2 n4 n8 k8 k16"},
    c16x16};
static constexpr MatrixFragments mfma16x16x64{
    {"k1 k2 k4 k8", "m1 m2 m4 m8 k16 k32"},
    {"k1 k2 k4 k8", "n1 n2 n4 n8 k16 k32"},
    c16x16};
static constexpr MatrixFragments mfma16x16x128{
    {"k1 k2 k4 k8 k64", "m1 m2 m4 m8 k16 k32"},
    {"k1 k2 k4 k8 k64", "n1 n2 n4 n8 k16 k32"},
    c16x16};

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

// Of one type the deepest comes first: `findMatrixInstructions` says so.
static constexpr MatrixInstruction instructions[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", MmaSm80, 16, 8, 16,
     F16, F16, F32, mma16x8x16Of16Bits},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", MmaSm80, 16, 8, 8, F16,
     F16, F32, mma16x8x8Of16Bits},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", MmaSm80, 16, 8, 16,
     F16, F16, F16, mma16x8x16Of16Bits},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", MmaSm80, 16, 8, 8, F16,
     F16, F16, mma16x8x8Of16Bits},
    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", MmaSm80, 16, 8, 16,
     BF16, BF16, F32, mma16x8x16Of16Bits},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", MmaSm80, 16, 8, 8,
     BF16, BF16, F32, mma16x8x8Of16Bits},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", MmaSm80, 16, 8, 8,
     TF32, TF32, F32, mma16x8x8Of32Bits},
    {"mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", MmaSm80, 16,
     8, 32, I8, I8, I32, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", MmaSm89, 16, 8, 32,
     E4M3, E4M3, F32, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", MmaSm89, 16, 8, 32,
     E4M3, E5M2, F32, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32", MmaSm89, 16, 8, 32,
     E5M2, E4M3, F32, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32", MmaSm89, 16, 8, 32,
     E5M2, E5M2, F32, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", MmaSm90, 16, 8, 16,
     F64, F64, F64, mma16x8x16Of64Bits},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", MmaSm80, 8, 8, 4, F64,
     F64, F64, mma8x8x4Of64Bits},

    {"llvm.amdgcn.mfma.f32.32x32x16.f16", MfmaCdna4, 32, 32, 16, F16, F16, F32,
     mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x8f16", Mfma, 32, 32, 8, F16, F16, F32,
     mfma32x32x8},
    {"llvm.amdgcn.mfma.f32.16x16x32.f16", MfmaCdna4, 16, 16, 32, F16, F16, F32,
     mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x16f16", Mfma, 16, 16, 16, F16, F16, F32,
     mfma16x16x16},
    {"llvm.amdgcn.mfma.f32.32x32x16.bf16", MfmaCdna4, 32, 32, 16, BF16, BF16,
     F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x8bf16.1k", Mfma, 32, 32, 8, BF16, BF16, F32,
     mfma32x32x8},
    {"llvm.amdgcn.mfma.f32.16x16x32.bf16", MfmaCdna4, 16, 16, 32, BF16, BF16,
     F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x16bf16.1k", Mfma, 16, 16, 16, BF16, BF16, F32,
     mfma16x16x16},
    {"llvm.amdgcn.mfma.f32.32x32x4.xf32", MfmaCdna3Only, 32, 32, 4, TF32, TF32,
     F32, mfma32x32x4},
    {"llvm.amdgcn.mfma.f32.16x16x8.xf32", MfmaCdna3Only, 16, 16, 8, TF32, TF32,
     F32, mfma16x16x8},
    {"llvm.amdgcn.mfma.f32.32x32x2f32", Mfma, 32, 32, 2, F32, F32, F32,
     mfma32x32x2},
    {"llvm.amdgcn.mfma.f32.16x16x4f32", Mfma, 16, 16, 4, F32, F32, F32,
     mfma16x16x4},
    {"llvm.amdgcn.mfma.f64.16x16x4f64", Mfma, 16, 16, 4, F64, F64, F64,
     mfma16x16x4Of64Bits},
    {"llvm.amdgcn.mfma.i32.32x32x32.i8", MfmaCdna4, 32, 32, 32, I8, I8, I32,
     mfma32x32x32},
    {"llvm.amdgcn.mfma.i32.32x32x16.i8", MfmaCdna3, 32, 32, 16, I8, I8, I32,
     mfma32x32x16},
    {"llvm.amdgcn.mfma.i32.16x16x64.i8", MfmaCdna4, 16, 16, 64, I8, I8, I32,
     mfma16x16x64},
    {"llvm.amdgcn.mfma.i32.16x16x32.i8", MfmaCdna3, 16, 16, 32, I8, I8, I32,
     mfma16x16x32},

    // fp8 and bf8 are FNUZ on CDNA 3 and OCP's on CDNA 4.
    {"llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8", MfmaCdna3Only, 32, 32, 16,
     E4M3FNUZ, E4M3FNUZ, F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x16.fp8.bf8", MfmaCdna3Only, 32, 32, 16,
     E4M3FNUZ, E5M2FNUZ, F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x16.bf8.fp8", MfmaCdna3Only, 32, 32, 16,
     E5M2FNUZ, E4M3FNUZ, F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x16.bf8.bf8", MfmaCdna3Only, 32, 32, 16,
     E5M2FNUZ, E5M2FNUZ, F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.16x16x32.fp8.fp8", MfmaCdna3Only, 16, 16, 32,
     E4M3FNUZ, E4M3FNUZ, F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x32.fp8.bf8", MfmaCdna3Only, 16, 16, 32,
     E4M3FNUZ, E5M2FNUZ, F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8", MfmaCdna3Only, 16, 16, 32,
     E5M2FNUZ, E4M3FNUZ, F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x32.bf8.bf8", MfmaCdna3Only, 16, 16, 32,
     E5M2FNUZ, E5M2FNUZ, F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4", MfmaCdna4, 32, 32, 64, E4M3,
     E4M3, F32, mfma32x32x64},
    {"llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4", MfmaCdna4, 32, 32, 64, E4M3,
     E5M2, F32, mfma32x32x64},
    {"llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4", MfmaCdna4, 32, 32, 64, E5M2,
     E4M3, F32, mfma32x32x64},
    {"llvm.amdgcn.mfma.scale.f32.32x32x64.f8f6f4", MfmaCdna4, 32, 32, 64, E5M2,
     E5M2, F32, mfma32x32x64},
    {"llvm.amdgcn.mfma.f32.32x32x16.fp8.fp8", MfmaCdna4, 32, 32, 16, E4M3, E4M3,
     F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x16.fp8.bf8", MfmaCdna4, 32, 32, 16, E4M3, E5M2,
     F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x16.bf8.fp8", MfmaCdna4, 32, 32, 16, E5M2, E4M3,
     F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x16.bf8.bf8", MfmaCdna4, 32, 32, 16, E5M2, E5M2,
     F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4", MfmaCdna4, 16, 16, 128,
     E4M3, E4M3, F32, mfma16x16x128},
    {"llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4", MfmaCdna4, 16, 16, 128,
     E4M3, E5M2, F32, mfma16x16x128},
    {"llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4", MfmaCdna4, 16, 16, 128,
     E5M2, E4M3, F32, mfma16x16x128},
    {"llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4", MfmaCdna4, 16, 16, 128,
     E5M2, E5M2, F32, mfma16x16x128},
    {"llvm.amdgcn.mfma.f32.16x16x32.fp8.fp8", MfmaCdna4, 16, 16, 32, E4M3, E4M3,
     F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x32.fp8.bf8", MfmaCdna4, 16, 16, 32, E4M3, E5M2,
     F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x32.bf8.fp8", MfmaCdna4, 16, 16, 32, E5M2, E4M3,
     F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x32.bf8.bf8", MfmaCdna4, 16, 16, 32, E5M2, E5M2,
     F32, mfma16x16x32},
};

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

unsigned kernelscope::bitsOf(MatrixElement element) {
  switch (element) {
  case F64:
    return 64;
  case F32:
  case TF32:
  case I32:
    return 32;
  case F16:
  case BF16:
    return 16;
  case E4M3:
  case E5M2:
  case E4M3FNUZ:
  case E5M2FNUZ:
  case I8:
    return 8;
  }
  llvm_unreachable("all elements have a width");
}

static llvm::SmallVector<FragmentBit> parseBits(llvm::StringRef text) {
  llvm::SmallVector<FragmentBit> bits;
  for (llvm::StringRef word : llvm::split(text, ' ')) {
    unsigned step = 0;
    if (!word.empty() && !word.drop_front().getAsInteger(10, step))
      bits.push_back({word.front(), llvm::Log2_32(step)});
  }
  return bits;
}

llvm::SmallVector<FragmentBit> MatrixFragment::registerBits() const {
  return parseBits(registers);
}

llvm::SmallVector<FragmentBit> MatrixFragment::laneBits() const {
  return parseBits(lanes);
}

bool kernelscope::hasMatrixUnit(const Target &target, MatrixUnit unit) {
  auto since = [&](Family family) {
    return target.isNvidia() && target.family >= family;
  };
  bool isCdna2 = target.family == Family::CDNA2,
       isCdna3 = target.family == Family::CDNA3,
       isCdna4 = target.family == Family::CDNA4;
  switch (unit) {
  case MmaSm80:
    return since(Family::Ampere);
  case MmaSm89:
    return since(Family::Ada);
  case MmaSm90:
    return since(Family::Hopper);
  case Mfma:
    return isCdna2 || isCdna3 || isCdna4;
  case MfmaCdna3:
    return isCdna3 || isCdna4;
  case MfmaCdna3Only:
    return isCdna3;
  case MfmaCdna4:
    return isCdna4;
  }
  llvm_unreachable("all units are on some chip");
}

llvm::SmallVector<const MatrixInstruction *>
kernelscope::findMatrixInstructions(const Target &target,
                                    const MatrixQuery &query) {
  auto fits = [](auto wanted, auto found) {
    return !wanted || *wanted == found;
  };
  llvm::SmallVector<const MatrixInstruction *> result;
  for (const MatrixInstruction &row : instructions)
    if (hasMatrixUnit(target, row.unit) && fits(query.a, row.a) &&
        fits(query.b, row.b) && fits(query.c, row.c) && fits(query.m, row.m) &&
        fits(query.n, row.n) && fits(query.k, row.k))
      result.push_back(&row);
  return result;
}

llvm::ArrayRef<MatrixInstruction> kernelscope::allMatrixInstructions() {
  return instructions;
}
