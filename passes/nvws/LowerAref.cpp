//===- LowerAref.cpp - References become rings of mbarriers ---------------===//
//
// `nvws-lower-aref`: an enter waits for the other side's barrier of its stage,
// an exit arrives on its own; TMA completes its bytes there.
//
//===----------------------------------------------------------------------===//

#include "dialects/nvws/Owners.h"
#include "dialects/ttng/TTNG.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "passes/Passes.h"
#include "passes/nvws/ArefLoads.h"
#include "passes/nvws/AsyncProducts.h"
#include "passes/nvws/Handing.h"
#include "passes/nvws/Rings.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kernelscope;
using nvws::AsyncOp;

namespace kernelscope {
#define GEN_PASS_DEF_NVWSLOWERAREF
#include "passes/Passes.h.inc"
} // namespace kernelscope

namespace {

SmallVector<AsyncOp> kindsOf(Operation *exit) {
  return llvm::map_to_vector(
      exit->getAttrOfType<ArrayAttr>("async_ops"),
      [](Attribute kind) { return cast<nvws::AsyncOpAttr>(kind).getValue(); });
}

/// How often `exit` arrives: once for each kind of work that it ends, but each
/// thread for its own copies.
size_t arrivalsOf(Operation *exit) {
  size_t sum = 0;
  for (AsyncOp kind : kindsOf(exit))
    sum += kind == AsyncOp::CpAsync
               ? 32 * static_cast<size_t>(ttg::lookupNumWarps(exit).value_or(4))
               : 1;
  return sum;
}

/// How often `exits` arrive on a barrier in each phase, all owners together:
/// each of the partitions that leave a region together arrives. An error where
/// the exits of one owner differ.
FailureOr<size_t> countArrivals(ArrayRef<Operation *> users,
                                ArrayRef<Operation *> exits) {
  nvws::Owners owners(users);
  SmallVector<Operation *> first(owners.size());
  size_t sum = 0;
  for (Operation *exit : exits) {
    Operation *&other = first[owners.indexOf(exit)];
    if (!other) {
      other = exit;
      sum += arrivalsOf(exit) *
             std::max<size_t>(1, nvws::partitionsOf(exit).size());
    } else if (arrivalsOf(other) != arrivalsOf(exit)) {
      InFlightDiagnostic error =
          exit->emitOpError()
          << "arrives " << arrivalsOf(exit)
          << " times, and another exit of the same partition "
          << arrivalsOf(other)
          << " times; the two must be equal, because the barrier has one count";
      error.attachNote(other->getLoc()) << "the other exit";
      return error;
    }
  }
  return std::max<size_t>(1, sum);
}

/// Lowers one reference; `run` leaves the tokens of its regions poisoned.
class ArefLowering {
public:
  explicit ArefLowering(nvws::ArefCreateOp aref)
      : aref(aref), putEnters(users<nvws::ArefPutEnterOp>()),
        getEnters(users<nvws::ArefGetEnterOp>()),
        putExits(users<nvws::ArefPutExitOp>()),
        getExits(users<nvws::ArefGetExitOp>()),
        views(users<nvws::ArefBufferOp>()) {}

  LogicalResult check() {
    if (failed(nvws::checkDepth(aref, nvws::countStages(aref.getType()))))
      return failure();
    for (Operation *op : llvm::concat<Operation *>(putEnters, putExits))
      if (size_t count = nvws::partitionsOf(op).size(); count > 1)
        return op->emitOpError("belongs to ")
               << count
               << " partitions; the ops of a put must belong to exactly one";
    for (auto *ops : {&putEnters, &getEnters, &putExits, &getExits, &views})
      for (Operation *op : *ops)
        if (failed(checkStage(op)))
          return failure();
    for (Operation *enter : putEnters)
      if (failed(nvws::checkLoads(cast<nvws::ArefPutEnterOp>(enter))))
        return failure();
    SmallVector<Operation *> puts(putEnters), gets(getEnters);
    puts.append(putExits);
    gets.append(getExits);
    FailureOr<size_t> full = countArrivals(puts, putExits),
                      empty = countArrivals(gets, getExits);
    if (failed(full) || failed(empty))
      return failure();
    fullArrivals = *full;
    emptyArrivals = *empty;
    return success();
  }

  /// To be called for all references before `run`.
  void markProducts() {
    for (auto [enters, side] : {std::pair(&putEnters, 0), {&getEnters, 1}}) {
      givers[side] = *enters;
      for (Operation *view : views) {
        Operation *given =
            cast<nvws::ArefBufferOp>(view).getToken().getDefiningOp();
        // One whose token comes around a loop may be of either side.
        if (!given || !isa<nvws::ArefPutEnterOp, nvws::ArefGetEnterOp>(given) ||
            llvm::is_contained(*enters, given))
          givers[side].push_back(view);
      }
      nvws::markAsyncProducts(givers[side]);
    }
  }

  void run() {
    fenced = findFences();
    for (int side : {0, 1})
      doneAtOnce[side] = nvws::areProductsDoneAtOnce(givers[side]);
    int64_t depth = nvws::countStages(aref.getType());
    SmallVector<Value> rings{nvws::createBarriers(aref, depth, emptyArrivals),
                             nvws::createBarriers(aref, depth, fullArrivals)};
    rings.append(aref.getBuffers().begin(), aref.getBuffers().end());
    nvws::replaceByRings(aref.getResult(), rings,
                         [&](Value reference, ValueRange rings) {
                           lowerUsers(reference, rings);
                         });
    aref.erase();
  }

private:
  template <typename Op> SmallVector<Operation *> users() {
    return nvws::usersOf<Op>(aref.getResult());
  }

  static LogicalResult checkStage(Operation *op) {
    bool hasStage =
        llvm::TypeSwitch<Operation *, bool>(op)
            .Case<nvws::ArefPutEnterOp, nvws::ArefGetEnterOp,
                  nvws::ArefPutExitOp, nvws::ArefGetExitOp, nvws::ArefBufferOp>(
                [](auto user) { return bool(user.getStage()); });
    if (hasStage)
      return success();
    return op->emitOpError(
        "has no stage; run nvws-assign-stage-phase before nvws-lower-aref");
  }

  /// Whether one side uses shared memory by TMA or a tensor core, which see
  /// what threads do to it only after a fence.
  static bool isAsync(ArrayRef<Operation *> enters, ArrayRef<Operation *> views,
                      ArrayRef<Operation *> exits) {
    bool found = llvm::any_of(exits, [](Operation *exit) {
      return llvm::any_of(kindsOf(exit), [](AsyncOp kind) {
        return kind == AsyncOp::TC5MMA || kind == AsyncOp::WGMMA ||
               kind == AsyncOp::TMALoad || kind == AsyncOp::TMEMCopy;
      });
    });
    auto look = [&](Operation *op) {
      for (const ttg::MemoryAccess &access : ttg::accessesOf(op))
        found |= access.mode.proxy == ttg::Proxy::Async;
    };
    for (Operation *enter : enters)
      for (Value buffer : enter->getResults().drop_back())
        nvws::forEachAccess(buffer, look);
    return found;
  }

  /// The kinds of exit, put or get, whose threads must fence: the other side
  /// uses shared memory in the other way.
  std::pair<bool, bool> findFences() {
    bool inShared = llvm::any_of(aref.getBuffers(), [](Value buffer) {
      return isa<ttg::SharedMemorySpaceAttr>(
          cast<ttg::MemDescType>(buffer.getType()).getMemorySpace());
    });
    return {inShared && isAsync(getEnters, views, getExits),
            inShared && isAsync(putEnters, views, putExits)};
  }

  //===------------------------------------------------------------------===//
  // Rewriting
  //===------------------------------------------------------------------===//

  void lowerUsers(Value reference, ValueRange rings) {
    SmallVector<Operation *> ops(reference.getUsers());
    // Loads find the barrier of their put while it is there.
    for (Operation *op : ops)
      if (auto put = dyn_cast<nvws::ArefPutEnterOp>(op))
        nvws::lowerLoads(put, /*full=*/rings[1]);
    for (Operation *op : ops) {
      if (auto put = dyn_cast<nvws::ArefPutEnterOp>(op))
        lowerEnter(put, rings.front(), rings.drop_front(2));
      else if (auto get = dyn_cast<nvws::ArefGetEnterOp>(op))
        lowerEnter(get, rings[1], rings.drop_front(2));
      else if (auto view = dyn_cast<nvws::ArefBufferOp>(op))
        giveBuffers(view, view.getBuffers(), rings.drop_front(2));
      else if (auto exit = dyn_cast<nvws::ArefPutExitOp>(op))
        lowerExit(exit, rings[1], fenced.first, doneAtOnce[0]);
      else if (auto exit = dyn_cast<nvws::ArefGetExitOp>(op))
        lowerExit(exit, rings.front(), fenced.second, doneAtOnce[1]);
      else
        continue;
      op->erase();
    }
  }

  template <typename Op>
  static void giveBuffers(Op op, ResultRange buffers, ValueRange rings) {
    nvws::MarkedBuilder at(op);
    for (auto [buffer, ring] : llvm::zip_equal(buffers, rings)) {
      Value one = nvws::indexRing(at, ring, op.getStage());
      nvws::retype(buffer, one.getType());
      buffer.replaceAllUsesWith(one);
    }
  }

  template <typename Enter>
  static void lowerEnter(Enter enter, Value barriers, ValueRange rings) {
    nvws::MarkedBuilder at(enter);
    at.template make<ttng::WaitBarrierOp>(
        nvws::indexRing(at, barriers, enter.getStage()), enter.getPhase(),
        Value(), ValueRange());
    giveBuffers(enter, enter.getBuffers(), rings);
    if (!enter.getToken().use_empty())
      enter.getToken().replaceAllUsesWith(
          at.template make<ub::PoisonOp>(enter.getToken().getType()));
  }

  template <typename Exit>
  static void lowerExit(Exit exit, Value barriers, bool fences,
                        bool productsAreDone) {
    ArrayRef<int32_t> partitions = nvws::partitionsOf(exit);
    if (partitions.size() < 2)
      return lowerArrivals(exit, barriers, fences, productsAreDone,
                           nvws::MarkedBuilder(exit));
    for (int32_t partition : partitions) {
      nvws::MarkedBuilder at(exit);
      at.setPartition(partition);
      lowerArrivals(exit, barriers, fences, productsAreDone, at);
    }
  }

  template <typename Exit>
  static void lowerArrivals(Exit exit, Value barriers, bool fences,
                            bool productsAreDone, nvws::MarkedBuilder at) {
    Value barrier;
    for (AsyncOp kind : kindsOf(exit)) {
      if (kind == AsyncOp::TMALoad || kind == AsyncOp::CLC)
        continue; // The announcement of the bytes has arrived.
      if (kind == AsyncOp::TC5MMA && productsAreDone)
        kind = AsyncOp::NONE;
      if (!barrier)
        barrier = nvws::indexRing(at, barriers, exit.getStage());
      switch (kind) {
      case AsyncOp::TC5MMA:
      case AsyncOp::TMEMCopy:
        at.template make<ttng::TCGen5CommitOp>(barrier, Value(), ValueRange());
        break;
      case AsyncOp::CpAsync:
        at.template make<ttng::AsyncCopyMbarrierArriveOp>(barrier,
                                                          /*noIncrement=*/true);
        break;
      case AsyncOp::WGMMA:
        at.template make<ttng::WarpGroupDotWaitOp>(TypeRange(), ValueRange(),
                                                   uint32_t(0));
        [[fallthrough]];
      default:
        if (fences)
          at.template make<ttng::FenceAsyncSharedOp>(/*bCluster=*/false);
        at.template make<ttng::ArriveBarrierOp>(barrier, uint32_t(1), Value(),
                                                IntegerAttr());
      }
    }
  }

  nvws::ArefCreateOp aref;
  SmallVector<Operation *> putEnters, getEnters, putExits, getExits, views;
  size_t fullArrivals = 1, emptyArrivals = 1;
  SmallVector<Operation *> givers[2]; ///< of puts and of gets
  bool doneAtOnce[2] = {false, false};
  std::pair<bool, bool> fenced;
};

class NvwsLowerAref
    : public kernelscope::impl::NvwsLowerArefBase<NvwsLowerAref> {
public:
  void runOnOperation() override {
    std::vector<ArefLowering> references;
    getOperation().walk(
        [&](nvws::ArefCreateOp aref) { references.emplace_back(aref); });
    for (ArefLowering &reference : references)
      if (failed(reference.check()))
        return signalPassFailure();
    for (ArefLowering &reference : references)
      reference.markProducts();
    for (ArefLowering &reference : references)
      reference.run();
    getOperation().walk([&](Operation *op) {
      if (isa<nvws::DescriptorLoadOp, nvws::DescriptorGatherOp,
              nvws::CLCTryCancelOp>(op)) {
        op->emitOpError(
            "completes on the barrier of a put, but its buffer is not from a "
            "put; a 'nvws.aref.put.enter' must provide it");
        signalPassFailure();
      }
    });
  }
};

} // namespace
