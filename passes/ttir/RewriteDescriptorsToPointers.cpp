//===- RewriteDescriptorsToPointers.cpp - Descriptors without TMA ---------===//
//
// `rewrite-descriptors-to-pointers`: what goes through a descriptor that the
// kernel itself makes becomes accesses by pointers, with masks for its bounds,
// where the target has no TMA for it.
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "passes/LaunchTarget.h"
#include "passes/Passes.h"
#include "passes/ttir/BlockAccess.h"
#include "passes/ttir/DeviceDescriptors.h"

using namespace mlir;
using namespace kernelscope;
using kernelscope::ttir::BlockAccess;

namespace kernelscope {
#define GEN_PASS_DEF_REWRITEDESCRIPTORSTOPOINTERS
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

/// What an atomic operation does for `kind`; nothing if none does it.
std::optional<tt::RMWOp> operationOf(tt::DescriptorReduceKind kind,
                                     Type element) {
  using Kind = tt::DescriptorReduceKind;
  const bool isFloat = isa<FloatType>(element),
             isUnsigned = element.isUnsignedInteger();
  switch (kind) {
  case Kind::ADD:
    return isFloat ? tt::RMWOp::FADD : tt::RMWOp::ADD;
  case Kind::AND:
    return tt::RMWOp::AND;
  case Kind::OR:
    return tt::RMWOp::OR;
  case Kind::XOR:
    return tt::RMWOp::XOR;
  case Kind::MIN:
    if (!isFloat)
      return isUnsigned ? tt::RMWOp::UMIN : tt::RMWOp::MIN;
    break;
  case Kind::MAX:
    if (!isFloat)
      return isUnsigned ? tt::RMWOp::UMAX : tt::RMWOp::MAX;
    break;
  case Kind::INC:
  case Kind::DEC:
    break;
  }
  return std::nullopt;
}

/// Whether TMA of `target` does what `user` does with blocks of a tensor.
bool isForTma(Operation *user, const Target &target) {
  if (isa<tt::DescriptorGatherOp>(user))
    return target.hasTmaGather;
  // PTX ISA, "cp.async.bulk.tensor": `.tile::scatter4` is not on sm_120.
  if (isa<tt::DescriptorScatterOp>(user))
    return target.hasTmaGather && target.hasTensorMemory();
  return isa<tt::DescriptorLoadOp, tt::DescriptorStoreOp>(user);
}

/// Whether TMA of `target` moves all blocks of the tensor.
bool isForTma(tt::MakeTensorDescOp desc, const Target &target) {
  // PTX ISA, "Tensors": of up to 5 dimensions, with 16 bytes of a row at least.
  constexpr int64_t mostDimensions = 5, leastRowBytes = 16;
  RankedTensorType block = desc.getType().getSignlessBlockType();
  const int64_t elementBytes = tt::bytesInMemory(block.getElementType());
  return target.hasTma && isMovedByTma(desc.getType().getElementType()) &&
         block.getRank() <= mostDimensions &&
         block.getShape().back() * elementBytes >= leastRowBytes &&
         // Other blocks need room, too.
         block.getNumElements() * elementBytes <= target.maxSharedBytes / 2 &&
         matchPattern(desc.getStrides().back(), m_One()) &&
         llvm::all_of(desc->getUsers(),
                      [&](Operation *user) { return isForTma(user, target); });
}

class RewriteDescriptorsToPointers
    : public kernelscope::impl::RewriteDescriptorsToPointersBase<
          RewriteDescriptorsToPointers> {
public:
  using RewriteDescriptorsToPointersBase::RewriteDescriptorsToPointersBase;

  void runOnOperation() override {
    std::optional<Target> target;
    // The CTAs of a cluster share blocks by pointers.
    if (!arch.empty() && numCtas == 1) {
      FailureOr<Target> found = parseTarget(getOperation(), arch);
      if (failed(found))
        return signalPassFailure();
      target = *found;
    }
    SmallVector<tt::MakeTensorDescOp> made;
    getOperation().walk([&](tt::MakeTensorDescOp op) {
      if (!target || !isForTma(op, *target))
        made.push_back(op);
    });
    for (tt::MakeTensorDescOp desc : made) {
      for (Operation *user :
           llvm::make_early_inc_range(desc.getResult().getUsers()))
        rewrite(user, desc);
      if (desc.use_empty())
        desc.erase();
    }
  }

private:
  static void rewrite(Operation *user, tt::MakeTensorDescOp desc) {
    RankedTensorType block = desc.getType().getSignlessBlockType();
    ttir::TensorView view{desc.getBase(), llvm::to_vector(desc.getShape()),
                          llvm::to_vector(desc.getStrides())};
    auto at = [&](Operation *op, ValueRange indices) {
      BlockAccess access(op, view, block);
      for (auto [dim, index] : llvm::enumerate(indices))
        access.addRange(dim, index);
      return access;
    };
    // Rows by their numbers: as many of the block's one row.
    auto atRows = [&](Operation *op, TypedValue<RankedTensorType> rows,
                      Value column) {
      BlockAccess access(
          op, view,
          block.clone({rows.getType().getDimSize(0), block.getDimSize(1)}));
      access.addIndices(0, rows);
      access.addRange(1, column);
      return access;
    };
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(user)) {
      load.replaceAllUsesWith(at(load, load.getIndices())
                                  .load(load.getType(), desc.getPadding(),
                                        load.getCache(), load.getEvict()));
    } else if (auto store = dyn_cast<tt::DescriptorStoreOp>(user)) {
      at(store, store.getIndices()).store(store.getSrc());
    } else if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(user)) {
      auto operation = operationOf(
          reduce.getKind(), desc.getType().getBlockType().getElementType());
      if (!operation)
        return;
      at(reduce, reduce.getIndices()).update(*operation, reduce.getSrc());
    } else if (auto gather = dyn_cast<tt::DescriptorGatherOp>(user)) {
      gather.replaceAllUsesWith(
          atRows(gather, gather.getXOffsets(), gather.getYOffset())
              .load(gather.getType(), desc.getPadding(),
                    tt::CacheModifier::NONE, tt::EvictionPolicy::NORMAL));
    } else if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(user)) {
      atRows(scatter, scatter.getXOffsets(), scatter.getYOffset())
          .store(scatter.getSrc());
    } else {
      return;
    }
    user->erase();
  }
};

} // namespace
