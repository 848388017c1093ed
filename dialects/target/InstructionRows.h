//===- InstructionRows.h - what the tables share ------*- C++ -*-===//
//
// The chips and the sections of manuals in the tables of Instructions.h.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_INSTRUCTIONROWS_H
#define KERNELSCOPE_DIALECTS_TARGET_INSTRUCTIONROWS_H

#include "dialects/target/Instructions.h"

namespace kernelscope::chips {

template <Vendor vendor> bool isOf(const Target &chip) {
  return chip.vendor == vendor;
}
template <Family... families> bool isOneOf(const Target &chip) {
  return ((chip.family == families) || ...);
}
template <bool Target::*feature> bool has(const Target &chip) {
  return chip.*feature;
}

inline constexpr Chips nvidia = {"cuda", "PTX ISA", isOf<Vendor::Nvidia>};
inline constexpr Chips asyncCopies = {
    "cuda>=80", "PTX ISA",
    [](const Target &chip) { return chip.hasCpAsync(); }};
/// mbarriers that do not count bytes.
inline constexpr Chips plainMbarriers = asyncCopies;
inline constexpr Chips mbarriers = {
    "cuda>=90", "PTX ISA",
    [](const Target &chip) { return chip.isNvidia() && chip.hasMbarriers; }};
inline constexpr Chips clusters = {
    "cuda>=90", "PTX ISA",
    [](const Target &chip) { return chip.isNvidia() && chip.hasClusters(); }};
inline constexpr Chips tma = {"cuda>=90", "PTX ISA", has<&Target::hasTma>};
inline constexpr Chips gridDependencies = {"cuda>=90", "PTX ISA",
                                           has<&Target::hasGridDependencies>};
inline constexpr Chips wgmma = {"cuda=90", "PTX ISA", has<&Target::hasWgmma>};
inline constexpr Chips tmaGather = {"cuda>=100", "PTX ISA",
                                    has<&Target::hasTmaGather>};
inline constexpr Chips clusterLaunchControl = {
    "cuda>=100", "PTX ISA", has<&Target::hasClusterLaunchControl>};
inline constexpr Chips fp4Conversions = {"cuda>=100", "PTX ISA",
                                         has<&Target::hasFp4Conversions>};
inline constexpr Chips packedF32 = {"cuda>=100", "PTX ISA",
                                    has<&Target::hasPackedF32>};
inline constexpr Chips tensorMemory = {
    "cuda>=100 <120", "PTX ISA",
    [](const Target &chip) { return chip.hasTensorMemory(); }};
inline constexpr Chips tmaScatter = {
    "cuda>=100 <120", "PTX ISA", [](const Target &chip) {
      return chip.hasTmaGather && chip.hasTensorMemory();
    }};
inline constexpr Chips scaledMma = {"cuda>=120", "PTX ISA",
                                    has<&Target::hasScaledMma>};
inline constexpr Chips tensorDataMover = {"gfx1250", "gfx1250 ISA",
                                          has<&Target::hasTensorDataMover>};
inline constexpr Chips amd = {"hip", "CDNA and RDNA ISA", isOf<Vendor::Amd>};
inline constexpr Chips copiesToLds = {
    "gfx942, gfx950, gfx1250", "CDNA and gfx1250 ISA", [](const Target &chip) {
      return chip.isAmd() && !chip.asyncCopyBits.empty();
    }};
inline constexpr Chips cdna = {"cdna", "CDNA ISA", [](const Target &chip) {
                                 return chip.isAmd() && chip.warpSize == 64;
                               }};
inline constexpr Chips cdna3 = {"gfx942", "CDNA ISA", isOneOf<Family::CDNA3>};
inline constexpr Chips cdna4 = {"gfx950", "CDNA ISA", isOneOf<Family::CDNA4>};
inline constexpr Chips wave32 = {
    "rdna, gfx1250", "RDNA and gfx1250 ISA",
    [](const Target &chip) { return chip.isAmd() && chip.warpSize == 32; }};
inline constexpr Chips rdna = {"rdna", "RDNA ISA",
                               isOneOf<Family::RDNA3, Family::RDNA4>};
inline constexpr Chips rdna3 = {"gfx11", "RDNA ISA", isOneOf<Family::RDNA3>};
inline constexpr Chips rdna4 = {"gfx120", "RDNA ISA", isOneOf<Family::RDNA4>};
inline constexpr Chips gfx1250 = {"gfx1250", "gfx1250 ISA",
                                  isOneOf<Family::GFX1250>};

/// Chips with the arithmetic of bf16.
inline constexpr Chips bf16Arithmetic = {
    "cuda>=90", "PTX ISA", [](const Target &chip) {
      return chip.isNvidia() && chip.family >= Family::Hopper;
    }};
inline constexpr Chips bf16ByFma = {
    "cuda<90", "PTX ISA", [](const Target &chip) {
      return chip.isNvidia() && !bf16Arithmetic.include(chip);
    }};
/// Chips with maxima and minima that yield NaN.
inline constexpr Chips nanMaximum = {"gfx12", "RDNA and gfx1250 ISA",
                                     isOneOf<Family::RDNA4, Family::GFX1250>};
inline constexpr Chips beforeGfx12 = {
    "gfx9, gfx11", "CDNA and RDNA ISA", [](const Target &chip) {
      return chip.isAmd() && !nanMaximum.include(chip);
    }};
inline constexpr Chips noNanMaximum = {
    "gfx942, gfx11", "CDNA and RDNA ISA", [](const Target &chip) {
      return beforeGfx12.include(chip) && !cdna4.include(chip);
    }};
inline constexpr Chips beforeGfx1250 = {
    "gfx9, gfx11, gfx120", "CDNA and RDNA ISA",
    [](const Target &chip) { return chip.isAmd() && !gfx1250.include(chip); }};
inline constexpr Chips bf16Conversion = {
    "gfx950, gfx1250", "CDNA and gfx1250 ISA",
    isOneOf<Family::CDNA4, Family::GFX1250>};
inline constexpr Chips noBf16Conversion = {
    "gfx942, rdna", "CDNA and RDNA ISA", [](const Target &chip) {
      return chip.isAmd() && !bf16Conversion.include(chip);
    }};

} // namespace kernelscope::chips

/// Chapters of the manuals.
namespace kernelscope::sections {

inline constexpr llvm::StringLiteral integers =
    "Integer Arithmetic Instructions";
inline constexpr llvm::StringLiteral floats = "Floating Point Instructions";
inline constexpr llvm::StringLiteral halves =
    "Half Precision Floating Point Instructions";
inline constexpr llvm::StringLiteral compare =
    "Comparison and Selection Instructions";
inline constexpr llvm::StringLiteral halfCompare =
    "Half Precision Comparison Instructions";
inline constexpr llvm::StringLiteral logic = "Logic and Shift Instructions";
inline constexpr llvm::StringLiteral conversions =
    "Data Movement and Conversion Instructions";
inline constexpr llvm::StringLiteral valu = "Vector ALU Operations";

} // namespace kernelscope::sections

#endif // KERNELSCOPE_DIALECTS_TARGET_INSTRUCTIONROWS_H
