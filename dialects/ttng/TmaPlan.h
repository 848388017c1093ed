//===- TmaPlan.h - Blocks of tensors as TMA moves them ----------*- C++ -*-===//
//
// Which messages a block in shared memory becomes, computed from its linear map
// alone. No IR is created here. PTX ISA, "Tensors".
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TTNG_TMAPLAN_H
#define KERNELSCOPE_DIALECTS_TTNG_TMAPLAN_H

#include "dialects/layout/LinearLayout.h"
#include "dialects/ttg/TTG.h"

namespace kernelscope::ttng {

/// How TMA lays out what one message moves: row by row, the 16-byte pieces of a
/// row swizzled with its neighbours, or just as it is with a width of 0. PTX
/// ISA, "Swizzling Modes".
struct TmaMode {
  unsigned elementBytes;
  /// 0, 32, 64 or 128: also the longest row that a message has.
  unsigned swizzleBytes;
  /// The most elements along a dimension of a message: 256, or for the pixels
  /// of an im2col copy 1024.
  int64_t maxBox = 256;

  /// How blocks of `element` in memory of `layout` are moved.
  static TmaMode of(ttg::NVMMASharedEncodingAttr layout, mlir::Type element,
                    bool isIm2Col);
};

/// The messages that move one block.
struct TmaPlan {
  /// Elements of a message along each dimension of the block, those of a CTA's
  /// part only; the last dimension is the fastest.
  llvm::SmallVector<int64_t> box;
  /// From (message, block) to where a message begins: in the tensor, from the
  /// start of the block (an out-dim per dimension), and in shared memory, from
  /// the start of the window (out-dim offset, in elements).
  LinearLayout places;
  /// The bits of the CTA id along which all CTAs have the same part.
  int32_t sharedCTABits;
  /// The bits of the CTA id along which one CTA has the whole window in its
  /// memory; the CTAs that differ in them copy parts of it there.
  int32_t inOneCTA;

  unsigned messages() const;
};

/// The plan for a buffer that has its elements at `memory` (in-dims offset and
/// block, an out-dim per dimension of the block), of which a window of `shape`
/// is moved. Nothing if TMA cannot lay out memory so.
std::optional<TmaPlan> planTma(const LinearLayout &memory,
                               llvm::ArrayRef<int64_t> shape,
                               const TmaMode &mode);

/// The plan for a copy of a block of `desc` from or to `memory`, a verified
/// memory descriptor of layout `nvmma_shared`. Memory may lack dimensions of
/// size 1, and have one for several that follow each other.
std::optional<TmaPlan> planBlock(tt::TensorDescInterface desc,
                                 ttg::MemDescType memory);

/// The plan for memory as the type of a descriptor describes it, whose box its
/// tensor map states. Nothing if the type has no layout.
std::optional<TmaPlan> planMap(tt::TensorDescInterface desc);

/// A message of a gather or scatter moves four rows. PTX ISA,
/// "cp.async.bulk.tensor", modes .tile::gather4 and .tile::scatter4.
constexpr unsigned rowsOfMessage = 4;

/// The plan for rows of `memory`, of layout `nvmma_shared`, that are chosen one
/// by one.
std::optional<TmaPlan> planRows(ttg::MemDescType memory);

/// The name of the in-dim of `TmaPlan::places` that numbers messages.
constexpr llvm::StringLiteral messageDimName = "message";

} // namespace kernelscope::ttng

#endif // KERNELSCOPE_DIALECTS_TTNG_TMAPLAN_H
