//===- MatrixInstructions.h - What the matrix units can do ------*- C++ -*-===//
//
// The matrix instructions of the chips as data: shapes, element types, and
// which lane holds which element of each operand in which register. Lowering,
// verifiers and hover ask this table, and DescribedProducts.h for instructions
// whose operands are in memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_MATRIXINSTRUCTIONS_H
#define KERNELSCOPE_DIALECTS_TARGET_MATRIXINSTRUCTIONS_H

#include "dialects/target/Target.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>

namespace kernelscope {

/// What a matrix unit takes an element as. TF32 (NVIDIA) and XF32 (AMD) are
/// both f32 of which the unit reads only the upper bits. F8F6F4 is any float of
/// 8, 6 or 4 bits, where each operand says which.
enum class MatrixElement {
  F64,
  F32,
  TF32,
  F16,
  BF16,
  E4M3,
  E5M2,
  E4M3FNUZ,
  E5M2FNUZ,
  E2M3,
  E3M2,
  E2M1,
  F8F6F4,
  I4,
  I8,
  I32
};

/// Bits that an element takes in a register.
unsigned bitsOf(MatrixElement element);
/// As engineers say it: "tf32", "e4m3".
llvm::StringRef nameOf(MatrixElement element);

/// One bit of a register index or lane id: when it is set, the element is
/// `1 << log2` further along `dim`, which is 'm', 'n' or 'k', or '=' if it is
/// the same element.
struct FragmentBit {
  char dim;
  unsigned log2;

  bool isCopy() const { return dim == '='; }
};

/// How the lanes of one warp hold one operand. Both strings spell the bits of
/// a number, lowest first: registers "n1 m8" means that register 1 is one
/// column and register 2 eight rows away from register 0; "=" that both lanes
/// hold the same. A register here is one element; narrow ones share a hardware
/// register with their neighbours.
struct MatrixFragment {
  llvm::StringLiteral registers = "";
  llvm::StringLiteral lanes = "";

  llvm::SmallVector<FragmentBit> registerBits() const;
  llvm::SmallVector<FragmentBit> laneBits() const;
  /// Elements that one lane holds.
  unsigned numElements() const { return 1u << registerBits().size(); }
};

/// The fragments of D = A * B + C: A is m x k, B is k x n, C and D are m x n.
struct MatrixFragments {
  MatrixFragment a, b, c;
};

/// The chips that have an instruction.
enum class MatrixUnit {
  MmaSm80,       ///< mma.sync, sm_80 and newer
  MmaSm89,       ///< mma.sync with fp8, sm_89 and newer
  MmaSm90,       ///< mma.sync with deep f64, sm_90 and newer
  MmaSm89ToF16,  ///< mma.sync of fp8 into f16 (PTX ISA 8.7), sm_89 and newer
  Mfma,          ///< CDNA 2 and newer
  MfmaCdna3,     ///< CDNA 3 and newer
  MfmaCdna3Only, ///< dropped by CDNA 4
  MfmaCdna4,     ///< CDNA 4
  Wmma1,         ///< WMMA of RDNA 3
  Wmma2,         ///< of RDNA 4; it holds operands differently
  Wmma3,         ///< of gfx1250
  Wgmma,         ///< products by four warps, sm_90a
  Tcgen05,       ///< products into tensor memory, sm_100a and newer
};

/// One matrix instruction of a warp.
struct MatrixInstruction {
  /// The instruction in PTX, or LLVM's intrinsic on AMD.
  llvm::StringLiteral name;
  MatrixUnit unit;
  unsigned m, n, k;
  /// The types of A, of B, and of C and D.
  MatrixElement a, b, c;
  MatrixFragments fragments;
};

/// Whether `target` is among the chips that `unit` stands for.
bool hasMatrixUnit(const Target &target, MatrixUnit unit);

/// Which instructions to find; what is not given may be anything.
struct MatrixQuery {
  std::optional<MatrixElement> a, b, c;
  std::optional<unsigned> m, n, k;
};

/// The instructions of `target` that `query` describes, the deepest first among
/// those of one type.
llvm::SmallVector<const MatrixInstruction *>
findMatrixInstructions(const Target &target, const MatrixQuery &query = {});

/// The whole table of a vendor. Of one type the deepest comes first.
llvm::ArrayRef<MatrixInstruction> nvidiaMatrixInstructions();
llvm::ArrayRef<MatrixInstruction> amdMatrixInstructions();
llvm::ArrayRef<MatrixInstruction> matrixInstructionsOf(Vendor vendor);

/// Every {M, N, K} of `unit`'s instructions, each once. Of 4-bit elements, of
/// which layouts also count pairs, both K.
llvm::SmallVector<std::array<unsigned, 3>> matrixShapesOf(MatrixUnit unit);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_MATRIXINSTRUCTIONS_H
