//===- NvidiaMatrixInstructions.cpp - mma.sync as data --------------------===//
//
// Fragments are from the PTX ISA, "Matrix Fragments for mma".
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

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

// Of one type the deepest comes first: `findMatrixInstructions` says so.
static constexpr MatrixInstruction nvidiaInstructions[] = {
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
    {"mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16", MmaSm89ToF16, 16, 8,
     32, E4M3, E4M3, F16, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16", MmaSm89ToF16, 16, 8,
     32, E4M3, E5M2, F16, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e4m3.f16", MmaSm89ToF16, 16, 8,
     32, E5M2, E4M3, F16, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k32.row.col.f16.e5m2.e5m2.f16", MmaSm89ToF16, 16, 8,
     32, E5M2, E5M2, F16, mma16x8x32Of8Bits},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", MmaSm90, 16, 8, 16,
     F64, F64, F64, mma16x8x16Of64Bits},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", MmaSm80, 8, 8, 4, F64,
     F64, F64, mma8x8x4Of64Bits},
};

llvm::ArrayRef<MatrixInstruction> kernelscope::nvidiaMatrixInstructions() {
  return nvidiaInstructions;
}
