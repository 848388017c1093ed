//===- TransposingReads.h - Reads of LDS that transpose ---------*- C++ -*-===//
//
// CDNA 4's `DS_READ_B64_TR_*` and gfx1250's `DS_LOAD_TR*` as data.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_TRANSPOSINGREADS_H
#define KERNELSCOPE_DIALECTS_TARGET_TRANSPOSINGREADS_H

#include "dialects/target/Target.h"
#include "llvm/ADT/SmallVector.h"

namespace kernelscope {

/// Where a bit of a lane id comes from: a bit of the number of the lane
/// that receives, or of the element's among those that it receives.
struct TransposedBit {
  bool isOfElement;
  unsigned bit;
};

/// An instruction with which each lane reads a piece of a row of LDS, and
/// receives one element each of as many rows as a piece has elements: lane
/// `l` gets element `l % elements` of the pieces of the lanes in `pieces`.
struct TransposingRead {
  /// LLVM's intrinsic, without its type.
  llvm::StringLiteral name;
  llvm::StringLiteral mnemonic; ///< In assembly.
  Family family;
  unsigned elementBits, elementsLog2;
  /// The lane whose piece element `e` of lane `l` is in, its bits from the
  /// lowest: "l2 e0" are bit 2 of `l` and bit 0 of `e`. Further bits are
  /// those of `l`.
  llvm::StringLiteral pieces;

  llvm::SmallVector<TransposedBit> pieceBits() const;
};

/// The instruction of `target` for elements of `elementBits`; null for none.
const TransposingRead *findTransposingRead(const Target &target,
                                           unsigned elementBits);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_TRANSPOSINGREADS_H
