//===- BarrierOps.cpp - Barriers, fences, clusters ------------------------===//

#include "dialects/layout/Counted.h"
#include "dialects/ttg/Notes.h"
#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::CGAEncodingAttr;
using ttg::MemDescType;

//===----------------------------------------------------------------------===//
// Rules that barriers share
//===----------------------------------------------------------------------===//

static CGAEncodingAttr clusterOf(Value memory) {
  auto type = cast<MemDescType>(memory.getType());
  auto layout = dyn_cast<ttg::LayoutEncodingTrait>(type.getEncoding());
  return layout ? layout.getCGALayout() : CGAEncodingAttr();
}

/// The bases of a cluster as text, `[[1], [2]]`.
static std::string basesOf(CGAEncodingAttr cluster) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(cluster.getLinearLayout().getBases(
                            ttg::LayoutDims(cluster.getContext()).block),
                        os, [&](const auto &basis) {
                          os << '[';
                          llvm::interleaveComma(basis, os);
                          os << ']';
                        });
  os << ']';
  return text;
}

/// The layout of a cluster of `numCTAs` with a barrier in the even CTA of each
/// pair.
static CGAEncodingAttr pairLayout(MLIRContext *context, int numCTAs) {
  std::vector<std::vector<int32_t>> bases = {{0}};
  for (int step = 1; step < numCTAs / 2; step *= 2)
    bases.push_back({step});
  return CGAEncodingAttr::fromBases(context, 1, std::move(bases));
}

/// As `verifyOwnBarrier`, of an op that no older dump has. With `twoCTAs` it is
/// a copy, whose barrier depends on that.
static LogicalResult verifyIdentity(Operation *op, Value barrier,
                                    StringRef what,
                                    std::optional<bool> twoCTAs = {}) {
  std::optional<int> numCTAs = ttg::lookupNumCTAs(op);
  if (!numCTAs || !llvm::isPowerOf2_32(*numCTAs))
    return success();
  auto own = CGAEncodingAttr::get1DLayout(op->getContext(), *numCTAs);
  CGAEncodingAttr found = clusterOf(barrier);
  bool mayPair = twoCTAs.value_or(false) && *numCTAs > 1;
  CGAEncodingAttr paired =
      mayPair ? pairLayout(op->getContext(), *numCTAs) : own;
  if (found == own || found == paired)
    return success();
  InFlightDiagnostic error = op->emitOpError();
  error << "has " << what << " with CGALayout = " << basesOf(found) << "; ";
  if (twoCTAs)
    error << "with " << twoCTAsName << " = " << (*twoCTAs ? "true" : "false")
          << " ";
  error << "it must be " << basesOf(own) << ", a barrier in every CTA";
  if (mayPair)
    error << ", or " << basesOf(paired) << ", one in every pair of CTAs";
  auto layout = dyn_cast<ttg::SwizzledSharedEncodingAttr>(
      cast<MemDescType>(barrier.getType()).getEncoding());
  if (layout)
    ttg::suggestLayout(error, layout,
                       ttg::SwizzledSharedEncodingAttr::get(
                           op->getContext(), layout.getVec(),
                           layout.getPerPhase(), layout.getMaxPhase(),
                           layout.getOrder(), own));
  return ttg::withOrigin(std::move(error), barrier, "the barrier");
}

LogicalResult ttng::verifyOwnBarrier(Operation *op, Value barrier,
                                     StringRef what) {
  // Triton 3.6 writes one in every CTA as one that all share.
  CGAEncodingAttr cluster = clusterOf(barrier);
  if (isOlderDump(op) && (!cluster || ttg::numPieces(cluster) == 1))
    return success();
  return verifyIdentity(op, barrier, what);
}

LogicalResult ttng::verifyCopyBarrier(Operation *op, Value barrier) {
  if (failed(ttg::verifyBarrierType(op, cast<MemDescType>(barrier.getType()))))
    return failure();
  std::optional<bool> twoCTAs = lookupTwoCTAs(op);
  if (!twoCTAs || isOlderDump(op))
    return success();
  return verifyIdentity(op, barrier, "a copy barrier", twoCTAs);
}

/// `fromCTA` masks bits of the CTA id, on a barrier in every CTA.
static LogicalResult verifyFromCTA(Operation *op, Value barrier,
                                   std::optional<uint32_t> fromCTA) {
  std::optional<int> numCTAs = ttg::lookupNumCTAs(op);
  if (!fromCTA || !numCTAs)
    return success();
  if (*fromCTA >= uint32_t(*numCTAs))
    return op->emitOpError() << "has fromCTA = " << int32_t(*fromCTA)
                             << "; it must be from 0 to " << *numCTAs - 1;
  auto type = cast<MemDescType>(barrier.getType());
  if (type.getNumElements() != *numCTAs)
    return op->emitOpError() << "has fromCTA on a barrier of "
                             << counted(type.getNumElements(), "element")
                             << "; it needs " << *numCTAs << ", one per CTA";
  return verifyOwnBarrier(op, barrier, "a barrier with fromCTA");
}

static LogicalResult verifyCluster(Operation *op) {
  std::optional<int> numCTAs = ttg::lookupNumCTAs(op);
  if (!numCTAs || *numCTAs > 1)
    return success();
  return op->emitOpError() << "needs a cluster of two or more CTAs; the "
                              "module's ttg.num-ctas is "
                           << *numCTAs;
}

/// Whether the module's target has the shared memory of other CTAs.
static LogicalResult verifyHasClusters(Operation *op) {
  std::optional<Target> target = ttg::lookupTarget(op);
  if (!target || (target->isNvidia() && target->hasClusters()))
    return success();
  return op->emitOpError() << "needs sm_90 or later; the module's target is "
                           << target->arch;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static LogicalResult verifyCount(Operation *op, uint32_t count) {
  if (int32_t(count) >= 1)
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "has count = " << int32_t(count)
                             << "; it must be 1 or more";
  ttg::suggestNumber(error, {int32_t(count), 1, ""});
  return error;
}

LogicalResult InitBarrierOp::verify() {
  if (failed(ttg::verifyBarrierType(*this, getAlloc().getType())) ||
      failed(verifyCount(*this, getCount())))
    return failure();
  // A barrier that CTAs share needs a cluster barrier after it, which warps of
  // one partition cannot have.
  std::optional<int> numCTAs = ttg::lookupNumCTAs(getOperation());
  if (numCTAs && getAlloc().getType().getDimSize(0) != *numCTAs &&
      (*this)->getParentOfType<ttg::WarpSpecializeOp>())
    return emitOpError() << "initialises a barrier that CTAs share inside "
                            "ttg.warp_specialize; that must be done outside";
  return success();
}

LogicalResult InvalBarrierOp::verify() {
  return ttg::verifyBarrierType(*this, getAlloc().getType());
}

LogicalResult BarrierExpectOp::verify() {
  if (failed(ttg::verifyBarrierType(*this, getAlloc().getType())))
    return failure();
  if (int32_t(getSize()) < 0)
    return emitOpError() << "expects " << int32_t(getSize())
                         << " bytes; it must be 0 or more";
  return verifyFromCTA(*this, getAlloc(), getFromCTA());
}

LogicalResult WaitBarrierOp::verify() {
  return ttg::verifyBarrierType(*this, getAlloc().getType());
}

LogicalResult ArriveBarrierOp::verify() {
  if (failed(ttg::verifyBarrierType(*this, getAlloc().getType())) ||
      failed(verifyCount(*this, getCount())))
    return failure();
  if (isMulticast()) {
    if (failed(verifyCluster(*this)))
      return failure();
    int numCTAs = ttg::lookupNumCTAs(getOperation()).value_or(1);
    if (getMulticastCTA() >= uint32_t(numCTAs)) {
      InFlightDiagnostic error =
          emitOpError() << "has multicastCTA = " << int32_t(getMulticastCTA())
                        << "; it must be from 1 to " << numCTAs - 1;
      if (numCTAs == 2)
        ttg::suggestNumber(error,
                           {int32_t(getMulticastCTA()), 1, "multicastCTA"});
      return error;
    }
    if (failed(verifyIdentity(*this, getAlloc(), "a multicast barrier")))
      return failure();
    if (getFromCTA() && *getFromCTA() != uint32_t(numCTAs - 1))
      return emitOpError()
             << "has fromCTA = " << int32_t(*getFromCTA())
             << " and multicastCTA; it must have only one of the two";
  }
  return verifyFromCTA(*this, getAlloc(), getFromCTA());
}

//===----------------------------------------------------------------------===//
// Fences and clusters
//===----------------------------------------------------------------------===//

LogicalResult FenceMBarrierInitReleaseClusterOp::verify() {
  return verifyCluster(*this);
}

LogicalResult ClusterBarrierOp::verify() {
  auto function = (*this)->getParentOfType<FunctionOpInterface>();
  if (!function)
    return emitOpError() << "must be in a function";
  // What is inlined ends up in a kernel.
  auto noinline = function->getAttrOfType<BoolAttr>("noinline");
  if (!function.isPublic() && noinline && noinline.getValue())
    return emitOpError()
           << "is in the function '" << function.getName()
           << "', which is called (private, noinline); it must be in a kernel, "
              "because all threads of the cluster must reach it";
  return verifyCluster(*this);
}

/// The layout of `memory` in which the elements of a thread that `tensor` has
/// lie together, 32 bits of them or more: another order, or wider vectors of
/// the swizzle. Null where neither helps.
static Attribute layoutForStores(RankedTensorType tensor, MemDescType memory) {
  auto layout = dyn_cast<ttg::SwizzledSharedEncodingAttr>(memory.getEncoding());
  auto registers = dyn_cast<ttg::BlockedEncodingAttr>(tensor.getEncoding());
  if (!layout || !registers)
    return {};
  unsigned bits = tensor.getElementType().getIntOrFloatBitWidth();
  for (ArrayRef<unsigned> order : {layout.getOrder(), registers.getOrder()})
    for (unsigned vec :
         {layout.getVec(), std::max(layout.getVec(), 32 / bits)}) {
      auto changed = ttg::SwizzledSharedEncodingAttr::get(
          memory.getContext(), vec, layout.getPerPhase(), layout.getMaxPhase(),
          order, layout.getCGALayout());
      std::optional<int64_t> together = ttg::contiguousElements(
          tensor,
          MemDescType::get(memory.getShape(), memory.getElementType(), changed,
                           memory.getMemorySpace(), memory.getMutableMemory(),
                           memory.getAllocShape()));
      if (together && *together * bits >= 32)
        return changed;
    }
  return {};
}

LogicalResult AsyncSharedStoreOp::verify() {
  MemDescType memory = getDst().getType();
  if (failed(verifyHasClusters(*this)) || failed(verifyCluster(*this)) ||
      failed(ttg::verifyBarrierType(*this, getMbarrier().getType())))
    return failure();
  if (!memory.getMutableMemory())
    return emitOpError() << "needs mutable memory, but it is " << memory;
  if (!isa<ttg::SharedEncodingTrait>(memory.getEncoding()))
    return emitOpError() << "takes shared memory, not " << memory;
  if (failed(ttg::verifyTransfer(*this, getSrc().getType(), memory)))
    return failure();

  Type element = getSrc().getType().getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  if (!llvm::is_contained({8u, 16u, 32u, 64u}, bits))
    return emitOpError() << "stores elements of " << bits
                         << " bits; they must have 8, 16, 32 or 64";
  if (!getSrc().getType().getEncoding())
    return success();
  // Triton looks for the order of a thread's elements only without gaps.
  std::optional<int64_t> together = ttg::contiguousElements(
      getSrc().getType(), memory,
      !isa<ttg::PaddedSharedEncodingAttr>(memory.getEncoding()));
  if (!together || *together * bits >= 32)
    return success();
  InFlightDiagnostic error =
      emitOpError() << "stores " << *together * bits
                    << " bits at a time; the layouts must allow 32 or more";
  if (Attribute right = layoutForStores(getSrc().getType(), memory))
    ttg::suggestLayout(error, memory.getEncoding(), right);
  return error;
}

//===----------------------------------------------------------------------===//
// Cluster launch control
//===----------------------------------------------------------------------===//

static LogicalResult verifyAnswer(Operation *op, MemDescType memory) {
  auto layout = dyn_cast<ttg::SharedEncodingTrait>(memory.getEncoding());
  if (!layout || !memory.getElementType().isInteger(64) ||
      memory.getRank() != 1 || memory.getDimSize(0) != 2)
    return op->emitOpError()
           << "has " << memory
           << " for the response; it must be 2xi64 in shared memory";
  CGAEncodingAttr cluster =
      cast<ttg::LayoutEncodingTrait>(memory.getEncoding()).getCGALayout();
  if (cluster.getCTASplitNum()[0] != 1)
    return op->emitOpError()
           << "has a response with CGALayout = " << basesOf(cluster)
           << "; every CTA must have a copy of it (zeros)";
  return success();
}

LogicalResult CLCTryCancelOp::verify() {
  if (failed(verifyAnswer(*this, getResult().getType())) ||
      failed(ttg::verifyBarrierType(*this, getMbarrier().getType())))
    return failure();
  return verifyOwnBarrier(*this, getMbarrier(), "a completion barrier");
}

LogicalResult CLCTryCancelSyncOp::verify() {
  RankedTensorType type = getResponse().getType();
  if (type.getRank() == 1 && type.getDimSize(0) == 2 &&
      type.getElementType().isInteger(64))
    return success();
  return emitOpError() << "returns " << type << "; it must be 2xi64";
}

LogicalResult CLCLoadResultOp::verify() {
  return verifyAnswer(*this, getSrc().getType());
}
