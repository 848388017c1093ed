//===- Owners.h - Which warps use a reference -------------------*- C++ -*-===//
//
// References and tokens are passed from one group of warps to another. Who that
// is decides how many arrivals their barriers take, and who counts stages.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_NVWS_OWNERS_H
#define KERNELSCOPE_DIALECTS_NVWS_OWNERS_H

#include "dialects/nvws/NVWS.h"

namespace kernelscope::nvws {

/// The marks of a loop of partitions before `ttg.warp_specialize` has them as
/// regions: on an op, the partitions that execute it; on one with regions,
/// those of each result; on the loop, that it is to be split, the stage of each
/// partition in its schedule, and its number in the function.
constexpr llvm::StringLiteral partitionName = "ttg.partition";
constexpr llvm::StringLiteral partitionOutputsName = "ttg.partition.outputs";
constexpr llvm::StringLiteral warpSpecializeName = "tt.warp_specialize";
constexpr llvm::StringLiteral partitionStagesName = "ttg.partition.stages";
constexpr llvm::StringLiteral warpSpecializeTagName = "ttg.warp_specialize.tag";

/// The partitions of an op that is only marked with them; null without.
mlir::DenseI32ArrayAttr partitionOf(mlir::Operation *op);
/// The same; empty without.
llvm::ArrayRef<int32_t> partitionsOf(mlir::Operation *op);
/// Marks `op` with `partitions`.
void setPartitions(mlir::Operation *op, llvm::ArrayRef<int32_t> partitions);

/// The value that a partition of `ttg.warp_specialize` was given as `value`.
mlir::Value originOf(mlir::Value value);

/// Whether `tokens` are of buffers that threads fill by `cp.async`: a commit
/// signals when these copies are complete.
bool isFilledByCopies(mlir::Value tokens);

/// Calls `fn` for each user of `value`, and for those in partitions that it is
/// passed to. What passes it on is not a user.
void forEachUser(mlir::Value value,
                 llvm::function_ref<void(mlir::Operation *)> fn);

/// The users of a reference or token among ops of classes `Ops`.
template <typename... Ops>
llvm::SmallVector<mlir::Operation *> usersOf(mlir::Value value) {
  llvm::SmallVector<mlir::Operation *> users;
  forEachUser(originOf(value), [&](mlir::Operation *op) {
    if (mlir::isa<Ops...>(op))
      users.push_back(op);
  });
  return users;
}

/// Warps that run the same ops in the same order: the region of a group of
/// warps, and in it, until partitions are split, those of one `ttg.partition`.
struct Owner {
  mlir::Region *region;
  mlir::DenseI32ArrayAttr partition;
  bool operator==(const Owner &) const = default;
};

/// The owners of some ops. Code of no partition, around a loop of partitions,
/// continues what the first of them does.
class Owners {
public:
  explicit Owners(llvm::ArrayRef<mlir::Operation *> ops);

  /// Which owner has `op`, one of those that this was made of.
  size_t indexOf(mlir::Operation *op) const;
  const Owner &operator[](size_t index) const { return owners[index]; }
  size_t size() const { return owners.size(); }
  /// How many of them have one of `ops`.
  size_t countOf(llvm::ArrayRef<mlir::Operation *> ops) const;

private:
  llvm::SmallVector<Owner, 2> owners;
};

} // namespace kernelscope::nvws

#endif // KERNELSCOPE_DIALECTS_NVWS_OWNERS_H
