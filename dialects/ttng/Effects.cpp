//===- Effects.cpp - What ops of ttng do to memory, and when --------------===//
//
// Through which proxy each accesses memory (PTX ISA, "Async proxy"), what
// signals its completion, and what it does to mbarriers.
//
//===----------------------------------------------------------------------===//

#include "dialects/ttg/SharedCost.h"
#include "dialects/ttng/TTNG.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace kernelscope;
using namespace kernelscope::ttng;
using ttg::AccessMode;
using ttg::BarrierAction;
using ttg::Completion;
using ttg::MemDescType;
using ttg::MemorySpace;
using ttg::Proxy;

using Actions = SmallVector<BarrierAction>;

/// Those that there are.
static SmallVector<Value, 2> given(ArrayRef<Value> predicates) {
  return llvm::filter_to_vector<2>(
      predicates, [](Value predicate) { return bool(predicate); });
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

Actions InitBarrierOp::getBarrierActions() {
  return {{.kind = BarrierAction::Init,
           .barrier = getAlloc(),
           .count = static_cast<int32_t>(getCount())}};
}
Actions InvalBarrierOp::getBarrierActions() {
  return {{.kind = BarrierAction::Invalidate, .barrier = getAlloc()}};
}
/// With a mask that selects some CTAs, how many of them arrive at a barrier is
/// not known here.
static std::optional<int64_t>
arrivalsFrom(Operation *op, std::optional<uint32_t> fromCTA, int64_t count) {
  if (fromCTA && int64_t(*fromCTA) != ttg::lookupNumCTAs(op).value_or(0) - 1)
    return std::nullopt;
  return count;
}

Actions BarrierExpectOp::getBarrierActions() {
  return {{.kind = BarrierAction::Expect,
           .barrier = getAlloc(),
           .count = arrivalsFrom(*this, getFromCTA(), 1),
           .bytes = static_cast<int32_t>(getSize()),
           .predicates = {getPred()}}};
}
Actions WaitBarrierOp::getBarrierActions() {
  return {{.kind = BarrierAction::Wait,
           .barrier = getAlloc(),
           .phase = getPhase(),
           .predicates = given({getPred()})}};
}
Actions ArriveBarrierOp::getBarrierActions() {
  // By symmetry, as many CTAs arrive at a barrier as its CTA arrives at.
  int64_t reached = int64_t(1) << llvm::popcount(getMulticastCTA());
  return {{.kind = BarrierAction::Arrive,
           .barrier = getAlloc(),
           .count = arrivalsFrom(*this, getFromCTA(),
                                 static_cast<int32_t>(getCount()) * reached),
           .predicates = given({getPred()}),
           .isMulticast = isMulticast()}};
}
// Every thread arrives, and the count may grow first: how often is not known.
Actions AsyncCopyMbarrierArriveOp::getBarrierActions() {
  return {{.kind = BarrierAction::ArriveWhenDone, .barrier = getBarrier()}};
}

bool ClusterBarrierOp::ordersMemory(MemorySpace) { return !getRelaxed(); }

//===----------------------------------------------------------------------===//
// Stores to the cluster, and its launch control
//===----------------------------------------------------------------------===//

AccessMode AsyncSharedStoreOp::getAccessMode() {
  return {Proxy::Generic, Completion::MBarrier};
}
Actions AsyncSharedStoreOp::getBarrierActions() {
  // A layout that CTAs share may take more than one store of an element, unless
  // registers are shared the same way and each CTA stores for itself.
  auto clusterOf = [](Type type) {
    auto layout =
        dyn_cast_or_null<ttg::LayoutEncodingTrait>(ttg::getEncoding(type));
    return layout ? layout.getCGALayout() : ttg::CGAEncodingAttr();
  };
  MemDescType memory = getDst().getType();
  ttg::CGAEncodingAttr cluster = clusterOf(memory);
  bool isKnown = cluster && (cluster == clusterOf(getSrc().getType()) ||
                             ttg::numPieces(cluster) == cluster.getNumCTAs());
  return {{.kind = BarrierAction::Complete,
           .barrier = getMbarrier(),
           .bytes = isKnown ? ttg::bytesInCTA(memory) : std::nullopt}};
}

AccessMode CLCTryCancelOp::getAccessMode() {
  return {Proxy::Async, Completion::MBarrier};
}
Actions CLCTryCancelOp::getBarrierActions() {
  return {
      {.kind = BarrierAction::Complete, .barrier = getMbarrier(), .bytes = 16}};
}

//===----------------------------------------------------------------------===//
// TMA
//===----------------------------------------------------------------------===//

/// What a copy into `memory` completes on the barrier of each CTA, or of its
/// pair for each CTA; by multicast too, each gets its part. What counts of
/// padded fp4 is not known here.
static std::optional<int64_t> copiedBytes(MemDescType memory) {
  auto layout = dyn_cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
  if (!layout || layout.getFp4Padded())
    return std::nullopt;
  return ttg::bytesInCTA(memory);
}

AccessMode AsyncTMACopyGlobalToLocalOp::getAccessMode() {
  return {Proxy::Async, Completion::MBarrier, getPred()};
}
Actions AsyncTMACopyGlobalToLocalOp::getBarrierActions() {
  return {{.kind = BarrierAction::Complete,
           .barrier = getBarrier(),
           .bytes = copiedBytes(getResult().getType()),
           .predicates = {getPred()},
           .isMulticast = getMulticast()}};
}

AccessMode AsyncTMAGatherOp::getAccessMode() {
  return {Proxy::Async, Completion::MBarrier, getPred()};
}
Actions AsyncTMAGatherOp::getBarrierActions() {
  return {{.kind = BarrierAction::Complete,
           .barrier = getBarrier(),
           .bytes = copiedBytes(getResult().getType()),
           .predicates = {getPred()},
           .isMulticast = getMulticast()}};
}

AccessMode AsyncTMACopyLocalToGlobalOp::getAccessMode() {
  return {Proxy::Async, Completion::BulkGroup};
}
AccessMode AsyncTMAReduceOp::getAccessMode() {
  return {Proxy::Async, Completion::BulkGroup};
}
AccessMode AsyncTMAScatterOp::getAccessMode() {
  return {Proxy::Async, Completion::BulkGroup};
}
Completion TMAStoreWaitOp::getAwaited() { return Completion::BulkGroup; }
int64_t TMAStoreWaitOp::getPending() {
  return static_cast<int32_t>(getPendings());
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

AccessMode WarpGroupDotOp::getAccessMode() {
  return {Proxy::TensorCore,
          getIsAsync() ? Completion::WgmmaGroup : Completion::AtOnce};
}
Completion WarpGroupDotWaitOp::getAwaited() { return Completion::WgmmaGroup; }
int64_t WarpGroupDotWaitOp::getPending() {
  return static_cast<int32_t>(getPendings());
}

/// The commits that reach each barrier where tensor cores share operands: the
/// number of CTAs (even ones only of pairs) that have the first copy of one.
/// Operands in tensor memory count too, scales included.
static int64_t commitsFor(Operation *op, ValueRange operands, bool inPairs) {
  ttg::LayoutDims dims(op->getContext());
  SmallVector<int64_t> copies;
  for (Value operand : operands) {
    auto layout = dyn_cast<ttg::LayoutEncodingTrait>(
        cast<MemDescType>(operand.getType()).getEncoding());
    if (layout)
      copies.push_back(
          layout.getCGALayout().getLinearLayout().getZeroMask(dims.block));
  }
  int64_t numCTAs = ttg::lookupNumCTAs(op).value_or(1), commits = 0;
  for (int64_t cta = 0; cta < numCTAs; cta += inPairs ? 2 : 1)
    commits += llvm::any_of(
        copies, [&](int64_t shared) { return (cta & ~shared) == 0; });
  return commits;
}

static Completion productCompletion(bool isAsync, ValueRange barriers) {
  if (!isAsync)
    return Completion::AtOnce;
  return barriers.empty() ? Completion::TensorCommit : Completion::MBarrier;
}

/// Arrivals at each barrier of a product that reads `operands`.
template <typename Op>
static Actions arriveOnEach(Op mma, ValueRange operands) {
  int64_t count =
      mma.getMulticast() ? commitsFor(mma, operands, mma.getTwoCtas()) : 1;
  Actions actions;
  for (auto [barrier, predicate] :
       llvm::zip(mma.getBarriers(), mma.getBarrierPreds()))
    actions.push_back({.kind = BarrierAction::ArriveWhenDone,
                       .barrier = barrier,
                       .count = count,
                       .predicates = {mma.getPred(), predicate},
                       .isMulticast = mma.getMulticast()});
  return actions;
}

AccessMode TCGen5MMAOp::getAccessMode() {
  return {Proxy::TensorCore, productCompletion(getIsAsync(), getBarriers()),
          getPred()};
}
Actions TCGen5MMAOp::getBarrierActions() {
  return arriveOnEach(*this, {getA(), getB()});
}

AccessMode TCGen5MMAScaledOp::getAccessMode() {
  return {Proxy::TensorCore, productCompletion(getIsAsync(), getBarriers()),
          getPred()};
}
Actions TCGen5MMAScaledOp::getBarrierActions() {
  return arriveOnEach(*this, {getA(), getB(), getAScale(), getBScale()});
}

Actions TCGen5CommitOp::getBarrierActions() {
  bool isMulticast = !getDescs().empty();
  return {{.kind = BarrierAction::ArriveWhenDone,
           .barrier = getBarrier(),
           .count = isMulticast
                        ? commitsFor(*this, getDescs(),
                                     lookupTwoCTAs(*this).value_or(false))
                        : 1,
           .predicates = given({getPred()}),
           .isMulticast = isMulticast}};
}

//===----------------------------------------------------------------------===//
// Tensor memory
//===----------------------------------------------------------------------===//

void TMEMAllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // As for shared memory: a buffer that is written once is a value until it has
  // a place.
  if (!getType().getMutableMemory() &&
      !getOperation()->hasAttr(ttg::tensorMemoryColumnName))
    return;
  OpResult buffer = getOperation()->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), buffer,
                       TensorMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), buffer,
                         TensorMemory::get());
}

MemorySpace TMEMAllocOp::getAllocSpace() { return MemorySpace::Tensor; }
std::optional<int64_t> TMEMAllocOp::getAllocSize() {
  TensorMemorySize size = getTensorMemorySize(getType());
  return size.columns ? std::optional(size.columns) : std::nullopt;
}
// A block of scales is four columns wide.
int64_t TMEMAllocOp::getAllocAlignment() { return 4; }

AccessMode TMEMStoreOp::getAccessMode() {
  return {Proxy::Generic, Completion::AtOnce, getPred()};
}
AccessMode TMEMCopyOp::getAccessMode() {
  return {Proxy::TensorCore, Completion::TensorCommit};
}
