//===- AmdMatrixInstructions.cpp - MFMA and WMMA as data ------------------===//
//
// Fragments are from AMD's ISA documents: CDNA 3 and 4 ("Matrix Arithmetic
// Instructions"), RDNA 3 and 4 ("WMMA").
//
//===----------------------------------------------------------------------===//

#include "dialects/target/MatrixInstructions.h"

using namespace kernelscope;
using llvm::StringLiteral;
using enum MatrixElement;
using enum MatrixUnit;

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

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

// Sixteen blocks of 4 x 4 as one product of 4 x 64: one instruction for each
// step of four in K, or of one, gives a block of A to all blocks of B.
static constexpr MatrixFragment c4x64{"m1 m2", "n1 n2 n4 n8 n16 n32"};
static constexpr MatrixFragments mfma4x64x16{
    {"", "m1 m2 k1 k2 k4 k8"}, {"k1 k2 k4 k8", "n1 n2 n4 n8 n16 n32"}, c4x64};
static constexpr MatrixFragments mfma4x64x64{
    {"k1 k2", "m1 m2 k4 k8 k16 k32"},
    {"k1 k2 k4 k8 k16 k32", "n1 n2 n4 n8 n16 n32"},
    c4x64};

// WMMA of RDNA 3: both halves of a wave hold all of A and B, and rows of the
// result alternate between them.
static constexpr StringLiteral halvesOfA = "m1 m2 m4 m8 =",
                               halvesOfB = "n1 n2 n4 n8 =";
static constexpr MatrixFragments wmmaRdna3{{"k1 k2 k4 k8", halvesOfA},
                                           {"k1 k2 k4 k8", halvesOfB},
                                           {"m2 m4 m8", "n1 n2 n4 n8 m1"}};
// Later ones share K out between the halves.
static constexpr MatrixFragment wmmaC{"m1 m2 m4", "n1 n2 n4 n8 m8"};
static constexpr MatrixFragments wmma16x16x4{
    {"k1", "m1 m2 m4 m8 k2"}, {"k1", "n1 n2 n4 n8 k2"}, wmmaC};
static constexpr MatrixFragments wmma16x16x16{
    {"k1 k2 k4", "m1 m2 m4 m8 k8"}, {"k1 k2 k4", "n1 n2 n4 n8 k8"}, wmmaC};
static constexpr MatrixFragments wmma16x16x32Of4Bits{
    {"k1 k2 k4 k8", "m1 m2 m4 m8 k16"},
    {"k1 k2 k4 k8", "n1 n2 n4 n8 k16"},
    wmmaC};
static constexpr MatrixFragments wmma16x16x32{
    {"k1 k2 k4 k16", "m1 m2 m4 m8 k8"},
    {"k1 k2 k4 k16", "n1 n2 n4 n8 k8"},
    wmmaC};
static constexpr MatrixFragments wmma16x16x64{
    {"k1 k2 k4 k16 k32", "m1 m2 m4 m8 k8"},
    {"k1 k2 k4 k16 k32", "n1 n2 n4 n8 k8"},
    wmmaC};
static constexpr MatrixFragments wmma16x16x128{
    {"k1 k2 k4 k16 k32 k64", "m1 m2 m4 m8 k8"},
    {"k1 k2 k4 k16 k32 k64", "n1 n2 n4 n8 k8"},
    wmmaC};
static constexpr MatrixFragments wmma32x16x128Of4Bits{
    {"k1 k2 k4 k8 k16 k64 m16", "m1 m2 m4 m8 k32"},
    {"k1 k2 k4 k8 k16 k64", "n1 n2 n4 n8 k32"},
    {"m1 m2 m4 m16", "n1 n2 n4 n8 m8"}};

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

// Of one type the deepest comes first: `findMatrixInstructions` says so.
static constexpr MatrixInstruction amdInstructions[] = {
    {"llvm.amdgcn.mfma.f32.32x32x16.f16", MfmaCdna4, 32, 32, 16, F16, F16, F32,
     mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x8f16", Mfma, 32, 32, 8, F16, F16, F32,
     mfma32x32x8},
    {"llvm.amdgcn.mfma.f32.16x16x32.f16", MfmaCdna4, 16, 16, 32, F16, F16, F32,
     mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x16f16", Mfma, 16, 16, 16, F16, F16, F32,
     mfma16x16x16},
    {"llvm.amdgcn.mfma.f32.4x4x4f16", Mfma, 4, 64, 64, F16, F16, F32,
     mfma4x64x64},
    {"llvm.amdgcn.mfma.f32.32x32x16.bf16", MfmaCdna4, 32, 32, 16, BF16, BF16,
     F32, mfma32x32x16},
    {"llvm.amdgcn.mfma.f32.32x32x8bf16.1k", Mfma, 32, 32, 8, BF16, BF16, F32,
     mfma32x32x8},
    {"llvm.amdgcn.mfma.f32.16x16x32.bf16", MfmaCdna4, 16, 16, 32, BF16, BF16,
     F32, mfma16x16x32},
    {"llvm.amdgcn.mfma.f32.16x16x16bf16.1k", Mfma, 16, 16, 16, BF16, BF16, F32,
     mfma16x16x16},
    {"llvm.amdgcn.mfma.f32.4x4x4bf16.1k", Mfma, 4, 64, 64, BF16, BF16, F32,
     mfma4x64x64},
    {"llvm.amdgcn.mfma.f32.32x32x4.xf32", MfmaCdna3Only, 32, 32, 4, TF32, TF32,
     F32, mfma32x32x4},
    {"llvm.amdgcn.mfma.f32.16x16x8.xf32", MfmaCdna3Only, 16, 16, 8, TF32, TF32,
     F32, mfma16x16x8},
    {"llvm.amdgcn.mfma.f32.32x32x2f32", Mfma, 32, 32, 2, F32, F32, F32,
     mfma32x32x2},
    {"llvm.amdgcn.mfma.f32.16x16x4f32", Mfma, 16, 16, 4, F32, F32, F32,
     mfma16x16x4},
    {"llvm.amdgcn.mfma.f32.4x4x1f32", Mfma, 4, 64, 16, F32, F32, F32,
     mfma4x64x16},
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
    {"llvm.amdgcn.mfma.i32.4x4x4i8", Mfma, 4, 64, 64, I8, I8, I32, mfma4x64x64},

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

    {"llvm.amdgcn.wmma.f32.16x16x16.f16", Wmma1, 16, 16, 16, F16, F16, F32,
     wmmaRdna3},
    {"llvm.amdgcn.wmma.f16.16x16x16.f16", Wmma1, 16, 16, 16, F16, F16, F16,
     wmmaRdna3},
    {"llvm.amdgcn.wmma.f32.16x16x16.bf16", Wmma1, 16, 16, 16, BF16, BF16, F32,
     wmmaRdna3},
    {"llvm.amdgcn.wmma.i32.16x16x16.iu8", Wmma1, 16, 16, 16, I8, I8, I32,
     wmmaRdna3},
    {"llvm.amdgcn.wmma.f32.16x16x16.f16", Wmma2, 16, 16, 16, F16, F16, F32,
     wmma16x16x16},
    {"llvm.amdgcn.wmma.f16.16x16x16.f16", Wmma2, 16, 16, 16, F16, F16, F16,
     wmma16x16x16},
    {"llvm.amdgcn.wmma.f32.16x16x16.bf16", Wmma2, 16, 16, 16, BF16, BF16, F32,
     wmma16x16x16},
    {"llvm.amdgcn.wmma.i32.16x16x16.iu8", Wmma2, 16, 16, 16, I8, I8, I32,
     wmma16x16x16},
    {"llvm.amdgcn.wmma.f32.16x16x16.fp8.fp8", Wmma2, 16, 16, 16, E4M3, E4M3,
     F32, wmma16x16x16},
    {"llvm.amdgcn.wmma.f32.16x16x16.fp8.bf8", Wmma2, 16, 16, 16, E4M3, E5M2,
     F32, wmma16x16x16},
    {"llvm.amdgcn.wmma.f32.16x16x16.bf8.fp8", Wmma2, 16, 16, 16, E5M2, E4M3,
     F32, wmma16x16x16},
    {"llvm.amdgcn.wmma.f32.16x16x16.bf8.bf8", Wmma2, 16, 16, 16, E5M2, E5M2,
     F32, wmma16x16x16},
    {"llvm.amdgcn.wmma.i32.16x16x32.iu4", Wmma2, 16, 16, 32, I4, I4, I32,
     wmma16x16x32Of4Bits},
    {"llvm.amdgcn.wmma.f32.16x16x4.f32", Wmma3, 16, 16, 4, F32, F32, F32,
     wmma16x16x4},
    {"llvm.amdgcn.wmma.f32.16x16x32.f16", Wmma3, 16, 16, 32, F16, F16, F32,
     wmma16x16x32},
    {"llvm.amdgcn.wmma.f16.16x16x32.f16", Wmma3, 16, 16, 32, F16, F16, F16,
     wmma16x16x32},
    {"llvm.amdgcn.wmma.f32.16x16x32.bf16", Wmma3, 16, 16, 32, BF16, BF16, F32,
     wmma16x16x32},
    {"llvm.amdgcn.wmma.i32.16x16x64.iu8", Wmma3, 16, 16, 64, I8, I8, I32,
     wmma16x16x64},
    {"llvm.amdgcn.wmma.f32.16x16x128.fp8.fp8", Wmma3, 16, 16, 128, E4M3, E4M3,
     F32, wmma16x16x128},
    {"llvm.amdgcn.wmma.f32.16x16x128.fp8.bf8", Wmma3, 16, 16, 128, E4M3, E5M2,
     F32, wmma16x16x128},
    {"llvm.amdgcn.wmma.f32.16x16x128.bf8.fp8", Wmma3, 16, 16, 128, E5M2, E4M3,
     F32, wmma16x16x128},
    {"llvm.amdgcn.wmma.f32.16x16x128.bf8.bf8", Wmma3, 16, 16, 128, E5M2, E5M2,
     F32, wmma16x16x128},
    {"llvm.amdgcn.wmma.f16.16x16x128.fp8.fp8", Wmma3, 16, 16, 128, E4M3, E4M3,
     F16, wmma16x16x128},
    {"llvm.amdgcn.wmma.f16.16x16x128.fp8.bf8", Wmma3, 16, 16, 128, E4M3, E5M2,
     F16, wmma16x16x128},
    {"llvm.amdgcn.wmma.f16.16x16x128.bf8.fp8", Wmma3, 16, 16, 128, E5M2, E4M3,
     F16, wmma16x16x128},
    {"llvm.amdgcn.wmma.f16.16x16x128.bf8.bf8", Wmma3, 16, 16, 128, E5M2, E5M2,
     F16, wmma16x16x128},
    {"llvm.amdgcn.wmma.f32.16x16x64.fp8.fp8", Wmma3, 16, 16, 64, E4M3, E4M3,
     F32, wmma16x16x64},
    {"llvm.amdgcn.wmma.f32.16x16x64.fp8.bf8", Wmma3, 16, 16, 64, E4M3, E5M2,
     F32, wmma16x16x64},
    {"llvm.amdgcn.wmma.f32.16x16x64.bf8.fp8", Wmma3, 16, 16, 64, E5M2, E4M3,
     F32, wmma16x16x64},
    {"llvm.amdgcn.wmma.f32.16x16x64.bf8.bf8", Wmma3, 16, 16, 64, E5M2, E5M2,
     F32, wmma16x16x64},
    {"llvm.amdgcn.wmma.f16.16x16x64.fp8.fp8", Wmma3, 16, 16, 64, E4M3, E4M3,
     F16, wmma16x16x64},
    {"llvm.amdgcn.wmma.f16.16x16x64.fp8.bf8", Wmma3, 16, 16, 64, E4M3, E5M2,
     F16, wmma16x16x64},
    {"llvm.amdgcn.wmma.f16.16x16x64.bf8.fp8", Wmma3, 16, 16, 64, E5M2, E4M3,
     F16, wmma16x16x64},
    {"llvm.amdgcn.wmma.f16.16x16x64.bf8.bf8", Wmma3, 16, 16, 64, E5M2, E5M2,
     F16, wmma16x16x64},
    {"llvm.amdgcn.wmma.f32.32x16x128.f4", Wmma3, 32, 16, 128, E2M1, E2M1, F32,
     wmma32x16x128Of4Bits},
};

llvm::ArrayRef<MatrixInstruction> kernelscope::amdMatrixInstructions() {
  return amdInstructions;
}
