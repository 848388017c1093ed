//===- AMDGVerify.cpp - rules of memory ops and barriers ------------------===//
//
// One verifier an op. Each message gives the rule, the value found and the
// value needed.
//
//===----------------------------------------------------------------------===//

#include "dialects/amdg/AMDG.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::amdg;

//===----------------------------------------------------------------------===//
// Copies by lanes
//===----------------------------------------------------------------------===//

LogicalResult BufferLoadToLocalOp::verify() {
  Value other = getOther();
  Type needed = tt::withElementType(getOffsets().getType(),
                                    getPtr().getType().getPointeeType());
  if (other && other.getType() != needed)
    return emitOpError() << "needs other to be " << needed
                         << ", as many elements as offsets, but it is "
                         << other.getType();
  std::optional<Target> target = ttg::lookupTarget(*this);
  if (!target || target->hasBufferLoadToShared)
    return success();
  return emitOpError() << "needs buffer loads to LDS, which "
                       << archsThat(Vendor::Amd,
                                    [](const Target &chip) {
                                      return chip.hasBufferLoadToShared;
                                    })
                       << " have, but the target is " << target->moduleTarget();
}

LogicalResult BufferAtomicRMWOp::verify() {
  Type element = cast<RankedTensorType>(getResult().getType()).getElementType();
  if (element.isF16() || element.isBF16() || element.isF32() ||
      element.isF64() || element.isInteger(32) || element.isInteger(64))
    return success();
  return emitOpError() << "needs elements of f16, bf16, f32, f64, i32 or i64, "
                          "which the instruction supports, but they are "
                       << element;
}

LogicalResult AsyncCopyLocalToGlobalOp::verify() {
  if (!isa_and_present<ttg::SharedMemorySpaceAttr>(
          getSrc().getType().getMemorySpace()))
    return emitOpError() << "needs a source in shared memory, but it is in "
                         << getSrc().getType().getMemorySpace();
  return success();
}

LogicalResult LocalLoadPackedTransposedOp::verify() {
  ttg::MemDescType source = getSrc().getType();
  auto result = cast<RankedTensorType>(getType());
  auto operand =
      dyn_cast_if_present<ttg::DotOperandEncodingAttr>(result.getEncoding());
  if (!operand)
    return emitOpError()
           << "needs a result laid out as a dot operand, but it is " << result;
  int64_t rank = result.getRank();
  if ((rank != 2 && rank != 3) || source.getRank() != rank)
    return emitOpError()
           << "needs a source and a result of rank 2 or 3, but they are "
           << source << " and " << result;
  // Pairs are packed along the dimension that is not K in memory, along K in
  // registers.
  int64_t k = operand.getOpIdx() == 0 ? rank - 1 : rank - 2,
          other = operand.getOpIdx() == 0 ? rank - 2 : rank - 1;
  SmallVector<int64_t> needed(result.getShape());
  needed[k] *= 2;
  needed[other] /= 2;
  if (source.getShape() != ArrayRef(needed))
    return emitOpError() << "needs a source of shape [" << ArrayRef(needed)
                         << "], packed along dimension " << other
                         << " instead of " << k << ", but it is " << source;
  return success();
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// The barrier's type, and a count of arrivals where there is one.
static LogicalResult verifyBarrier(Operation *op, ttg::MemDescType barrier,
                                   IntegerAttr count = {}) {
  if (count && count.getInt() < 1)
    return op->emitOpError()
           << "needs a count of at least 1, but has " << count.getInt();
  return ttg::verifyBarrierType(op, barrier);
}

LogicalResult InitBarrierOp::verify() {
  return verifyBarrier(*this, getAlloc().getType(), getCountAttr());
}
LogicalResult ArriveBarrierOp::verify() {
  return verifyBarrier(*this, getAlloc().getType(), getCountAttr());
}
LogicalResult WaitBarrierOp::verify() {
  return verifyBarrier(*this, getAlloc().getType());
}
LogicalResult AsyncCopyMbarrierArriveOp::verify() {
  return verifyBarrier(*this, getBarrier().getType());
}

static LogicalResult verifyInCluster(Operation *op) {
  int numCTAs = ttg::lookupNumCTAs(op).value_or(1);
  if (numCTAs < 2)
    return op->emitOpError() << "needs a cluster of at least two CTAs, but the "
                                "module has ttg.num-ctas = "
                             << numCTAs;
  return success();
}

LogicalResult ClusterBarrierArriveOp::verify() {
  return verifyInCluster(*this);
}
LogicalResult ClusterBarrierWaitOp::verify() { return verifyInCluster(*this); }
