//===- Holdings.h - who holds how much of a tensor ------------------------===//
//
// A distributed layout in numbers: what one thread holds, one warp, one
// CTA, the whole cluster, and where the same element is held twice.
//
//===----------------------------------------------------------------------===//
#ifndef KERNELSCOPE_DIALECTS_LAYOUT_HOLDINGS_H
#define KERNELSCOPE_DIALECTS_LAYOUT_HOLDINGS_H

#include "dialects/layout/LinearLayout.h"

namespace kernelscope {

/// One in-dim of a layout. The levels inside it are the in-dims before it: of
/// `warp` these are `register` and `lane`.
struct Holding {
  mlir::StringAttr level;
  /// Values of the in-dim: registers of a thread, lanes of a warp.
  int64_t places = 1;
  /// Different elements that all places of this level hold together, with
  /// those inside them: a thread's for `register`, a warp's for `lane`.
  int64_t elements = 1;
  /// How many places of this level hold the same; 1 without copies.
  int64_t copies = 1;
  /// Per out-dim, how many steps the places take along it alone.
  llvm::SmallVector<int64_t> extents;
  /// Steps that move along several out-dims at once; 1 without such.
  int64_t diagonal = 1;
};

/// One for each in-dim, in their order.
llvm::SmallVector<Holding> holdings(const LinearLayout &layout);

/// How many values of the first in-dim lie next to each other along one
/// out-dim, from the first on; `dim` is that out-dim's number.
struct Run {
  unsigned dim = 0;
  int64_t size = 1;
};
Run firstRun(const LinearLayout &layout);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_LAYOUT_HOLDINGS_H
