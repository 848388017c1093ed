//===- TensorMemoryHandover.h - Tensor memory in turn -----------*- C++ -*-===//
//
// A reference for one buffer of tensor memory that partitions access in turn.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_NVWS_TENSORMEMORYHANDOVER_H
#define KERNELSCOPE_PASSES_NVWS_TENSORMEMORYHANDOVER_H

#include "dialects/ttng/TTNG.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/OverwrittenPuts.h"
#include "llvm/ADT/MapVector.h"
#include <set>

namespace kernelscope::nvws {

class TensorMemoryHandover {
public:
  TensorMemoryHandover(mlir::LoopLikeOpInterface loop, ttng::TMEMAllocOp alloc)
      : partitioned(loop), alloc(alloc), memory(alloc.getResult()) {}

  /// Whether `alloc` is used by several partitions of the loop, or by one and
  /// by code around it.
  bool isNeeded();
  /// Replaces it by a reference. Failure, with an error, if its tokens do not
  /// say who has it when.
  llvm::LogicalResult run();

private:
  /// A partition of warps; none for code around the loop.
  using Holder = std::optional<int32_t>;
  static Holder holderOf(mlir::Operation *access);

  /// Who has the buffer, and as what.
  struct State {
    Holder holder;
    bool isPut = true;
    mlir::Value token;               ///< of the region
    mlir::Value buffer;              ///< of the region, for ops of `block`
    mlir::Block *block = nullptr;    ///< where `buffer` can be used
    mlir::Operation *last = nullptr; ///< after which the holder could exit
    AsyncOp kind = AsyncOp::NONE;    ///< what may still be going on
    /// The enters of puts that no access has followed yet.
    llvm::SmallVector<mlir::Operation *, 2> fresh;
  };

  mlir::InFlightDiagnostic refuse(mlir::Operation *op, llvm::StringRef why);
  llvm::LogicalResult checkTokens();

  void take(const Handed &region);
  /// Each partition is on one side: the barriers take one arrival of each.
  llvm::LogicalResult joinSide(mlir::Operation *op);
  void exitAt(MarkedBuilder &at);
  /// The holder exits after its last access. Gives the place behind that.
  MarkedBuilder exit();
  /// The other side has the buffer from `at` on.
  void enter(MarkedBuilder &at, Holder holder);
  /// Hands it to the holder of `access` before `op`.
  llvm::LogicalResult hand(mlir::Operation *op, mlir::Operation *access);
  /// Both sides end with a get: the next put waits for it, and so does whoever
  /// takes the barriers away.
  void finish();

  /// Rewrites what comes after `token` in `block`. `tail` is the last token.
  llvm::LogicalResult follow(mlir::Value token, mlir::Block *block);
  /// Each gives the token after the op; null if there is none.
  llvm::FailureOr<mlir::Value> followAccess(mlir::Operation *access);
  llvm::FailureOr<mlir::Value> followLoop(mlir::Operation *loop,
                                          mlir::Value token);
  llvm::FailureOr<mlir::Value> followBranch(mlir::scf::IfOp branch,
                                            mlir::Value token);
  mlir::Value bufferBefore(mlir::Operation *access);
  /// The view of `buffer` that `view` is of the memory.
  mlir::Value viewLike(mlir::Value view, mlir::Value buffer,
                       mlir::Operation *access);

  mlir::Value poison(mlir::Operation *before);
  /// A branch like `branch` of the present holder, at `b`.
  mlir::scf::IfOp branchOf(mlir::OpBuilder b, mlir::scf::IfOp branch,
                           mlir::TypeRange results);
  MarkedBuilder insideOf(mlir::scf::IfOp made, unsigned region);
  /// The holder exits if `branch` takes the region with the other's accesses.
  void exitUnder(mlir::scf::IfOp branch, unsigned region);
  /// And gets the buffer back after that.
  mlir::Value enterUnder(mlir::scf::IfOp branch, unsigned region);

  mlir::LoopLikeOpInterface partitioned;
  ttng::TMEMAllocOp alloc;
  mlir::Value memory, aref, tail;
  std::set<Holder> holders;
  std::set<int32_t> productHolders;
  llvm::MapVector<int32_t, bool> sides; ///< whether a partition puts
  State now;
  OverwrittenPuts puts;
};

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_PASSES_NVWS_TENSORMEMORYHANDOVER_H
