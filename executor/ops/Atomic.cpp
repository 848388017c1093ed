//===- Atomic.cpp - Atomic read-modify-write ------------------------------===//
//
// Programs of a kernel with atomics run one at a time, so an atomic is a load
// and a store; elements act in order.
//
//===----------------------------------------------------------------------===//

#include "dialects/tt/TT.h"
#include "executor/ops/Access.h"
#include "executor/ops/Float.h"
#include "executor/sanitize/Watch.h"

using namespace mlir;

namespace kernelscope::executor {
namespace {

template <typename T>
T::Storage combineInt(tt::RMWOp kind, typename T::Storage a,
                      typename T::Storage b) {
  const auto ua = T::loadUnsigned(a), ub = T::loadUnsigned(b);
  const auto sa = T::loadSigned(a), sb = T::loadSigned(b);
  switch (kind) {
  case tt::RMWOp::AND:
    return T::store(ua & ub);
  case tt::RMWOp::OR:
    return T::store(ua | ub);
  case tt::RMWOp::XOR:
    return T::store(ua ^ ub);
  case tt::RMWOp::ADD:
  case tt::RMWOp::FADD:
    return T::store(ua + ub);
  case tt::RMWOp::MAX:
    return sa > sb ? a : b;
  case tt::RMWOp::MIN:
    return sa < sb ? a : b;
  case tt::RMWOp::UMAX:
    return ua > ub ? a : b;
  case tt::RMWOp::UMIN:
    return ua < ub ? a : b;
  case tt::RMWOp::XCHG:
    return b;
  }
  llvm_unreachable("every kind is above");
}

template <typename T>
T::Storage combineFloat(tt::RMWOp kind, typename T::Storage a,
                        typename T::Storage b) {
  switch (kind) {
  case tt::RMWOp::MAX:
    return T::store(maximumNumber(T::load(a), T::load(b)));
  case tt::RMWOp::MIN:
    return T::store(minimumNumber(T::load(a), T::load(b)));
  case tt::RMWOp::XCHG:
    return b;
  default:
    return T::store(T::load(a) + T::load(b));
  }
}

} // namespace

Combiner planCombiner(Element element, tt::RMWOp kind) {
  auto plan = [&]<typename S>(S (*combine)(tt::RMWOp, S, S)) -> Combiner {
    return [=](const char *a, const char *b, char *result) {
      S left, right;
      std::memcpy(&left, a, sizeof(S));
      std::memcpy(&right, b, sizeof(S));
      const S combined = combine(kind, left, right);
      std::memcpy(result, &combined, sizeof(S));
    };
  };
  const bool bitwise = kind == tt::RMWOp::AND || kind == tt::RMWOp::OR ||
                       kind == tt::RMWOp::XOR || kind == tt::RMWOp::UMAX ||
                       kind == tt::RMWOp::UMIN;
  if (isInt(element))
    return withInt(element, [&]<typename T>() { return plan(combineInt<T>); });
  if (isFloat(element) && !bitwise)
    return withFloat(element,
                     [&]<typename T>() { return plan(combineFloat<T>); });
  return {};
}

/// An atomic access to one address may be how agents wait for each other: the
/// others continue first. False: the program stops.
static bool takeTurns(Frame &frame, const Addresses &at) {
  return at.count != 1 || frame.letOthersRun();
}

void orderAt(Frame &frame, int64_t address) {
  if (frame.memory.races)
    frame.memory.races->synchronize(address);
  if (frame.watch && frame.watch->isOneOfSeveral())
    frame.watch->synchronizeAt(address);
}

static void syncAt(Frame &frame, const Addresses &at, int64_t address) {
  if (at.count == 1)
    orderAt(frame, address);
}

template <typename T>
static ArrayRef<char> bytesOf(const T *values, size_t count) {
  return {reinterpret_cast<const char *>(values), count * sizeof(T)};
}

/// `step`, after which each CTA has the `result` that one of them got.
static Step tellOtherCTAs(Planner &planner, Step step, const Addresses &at,
                          Value result) {
  if (planner.plan.ctas == 1 || result.use_empty())
    return step;
  return [=, to = planner.slot(result), op = at.op, owners = at.owners,
          bytes = at.elementBytes](Frame &frame) {
    return step(frame) && frame.exchange(op, to, bytes, owners);
  };
}

Step planReadModifyWrite(Planner &planner, Addresses at, tt::RMWOp kind,
                         Value mask, Value value, Value result) {
  planner.mayPoll();
  at.isOnce = true;
  const std::optional<Slot> live = optionalSlot(planner, mask);
  const Slot from = planner.slot(value), to = planner.slot(result);
  const Element element = planner.storage(value).element;
  const bool bitwise = kind == tt::RMWOp::AND || kind == tt::RMWOp::OR ||
                       kind == tt::RMWOp::XOR || kind == tt::RMWOp::UMAX ||
                       kind == tt::RMWOp::UMIN;
  if (!isInt(element) && (!isFloat(element) || bitwise)) {
    at.op->emitError("the CPU executor has no atomic ")
        << tt::stringifyRMWOp(kind) << " on " << value.getType();
    return {};
  }
  auto plan = [&]<typename S>(S (*combine)(tt::RMWOp, S, S)) -> Step {
    return [=, at = std::move(at)](Frame &frame) {
      const S *values = frame.at<S>(from);
      S *old = frame.at<S>(to);
      std::fill_n(old, at.count, S());
      bool changed = false;
      return takeTurns(frame, at) &&
             at.forEach(frame, live,
                        [&](size_t i, int64_t address) {
                          syncAt(frame, at, address);
                          if (!loadElement(frame, at.op, at.shape, i, address,
                                           old[i], /*isAtomic=*/true))
                            return false;
                          const S combined = combine(kind, old[i], values[i]);
                          // By its bytes: a NaN may stay as it is.
                          changed |=
                              bytesOf(&combined, 1) != bytesOf(&old[i], 1);
                          return storeElement(frame, at.op, at.shape, i,
                                              address, combined,
                                              /*isAtomic=*/true);
                        }) &&
             frame.found(at.op, bytesOf(old, at.count), changed);
    };
  };
  const Addresses all = at;
  Step step =
      isInt(element)
          ? withInt(element, [&]<typename T>() { return plan(combineInt<T>); })
          : withFloat(element,
                      [&]<typename T>() { return plan(combineFloat<T>); });
  return tellOtherCTAs(planner, std::move(step), all, result);
}

Step planCompareAndSwap(Planner &planner, Addresses at, Value expected,
                        Value value, Value result) {
  planner.mayPoll();
  at.isOnce = true;
  const Slot compare = planner.slot(expected), from = planner.slot(value);
  const Slot to = planner.slot(result);
  const Addresses all = at;
  Step step = withBytes(at.elementBytes, [&]<typename T>() -> Step {
    return [=, at = std::move(at)](Frame &frame) {
      const T *wanted = frame.at<T>(compare), *values = frame.at<T>(from);
      T *old = frame.at<T>(to);
      bool changed = false;
      return takeTurns(frame, at) &&
             at.forEach(frame, std::nullopt,
                        [&](size_t i, int64_t address) {
                          syncAt(frame, at, address);
                          if (!loadElement(frame, at.op, at.shape, i, address,
                                           old[i], /*isAtomic=*/true))
                            return false;
                          if (old[i] != wanted[i])
                            return true;
                          changed |= old[i] != values[i];
                          return storeElement(frame, at.op, at.shape, i,
                                              address, values[i],
                                              /*isAtomic=*/true);
                        }) &&
             frame.found(at.op, bytesOf(old, at.count), changed);
    };
  });
  return tellOtherCTAs(planner, std::move(step), all, result);
}

namespace {

Addresses atomic(Addresses at) {
  at.isAtomic = true;
  return at;
}

Step planAtomicRMW(Planner &planner, tt::AtomicRMWOp op) {
  return planReadModifyWrite(planner, Addresses::of(planner, op),
                             op.getAtomicRmwOp(), op.getMask(), op.getVal(),
                             op.getResult());
}

Step planAtomicCAS(Planner &planner, tt::AtomicCASOp op) {
  return planCompareAndSwap(planner, Addresses::of(planner, op), op.getCmp(),
                            op.getVal(), op.getResult());
}

Step planAtomicLoad(Planner &planner, tt::AtomicLoadOp op) {
  planner.mayPoll();
  const Addresses at = atomic(Addresses::of(planner, op));
  Step load = pollByLoads(
      planner, op, planLoad(planner, at, op.getMask(), Value(), op.getResult()),
      op.getResult());
  return [=, load = std::move(load)](Frame &frame) {
    return takeTurns(frame, at) && load(frame);
  };
}

Step planAtomicStore(Planner &planner, tt::AtomicStoreOp op) {
  planner.runInOrder();
  return planStore(planner, atomic(Addresses::of(planner, op)), op.getMask(),
                   op.getValue());
}

/// Other agents and programs may store the value. With a timeout there is no
/// wait: it may have expired at once.
Step planAtomicPoll(Planner &planner, tt::AtomicPollOp op) {
  planner.mayPoll();
  const Slot wanted = planner.slot(op.getExpected()),
             to = planner.slot(op.getResult());
  const bool waits = !op.getTimeout();
  return withBytes(
      sizeOf(planner.storage(op.getExpected()).element),
      [&]<typename T>() -> Step {
        return [=, at = Addresses::of(planner, op)](Frame &frame) {
          return at.forEach(
              frame, std::nullopt, [&](size_t i, int64_t address) {
                T found;
                auto isThere = [&] {
                  return loadElement(frame, at.op, at.shape, i, address, found,
                                     /*isAtomic=*/true) &&
                         found == frame.at<T>(wanted)[i];
                };
                if (!loadElement(frame, at.op, at.shape, i, address, found,
                                 /*isAtomic=*/true))
                  return false;
                if (waits && !frame.memory.isMeasuring() &&
                    !frame.wait({at.op, isThere, [] {
                                   return std::string("a value in memory");
                                 }}))
                  return false;
                syncAt(frame, at, address);
                frame.at<uint8_t>(to)[i] = isThere();
                return frame.found(at.op, bytesOf(&found, 1),
                                   /*changed=*/false);
              });
        };
      });
}

} // namespace

void registerAtomic(Registry &r) {
  r.add<tt::AtomicRMWOp>(planAtomicRMW);
  r.add<tt::AtomicCASOp>(planAtomicCAS);
  r.add<tt::AtomicLoadOp>(planAtomicLoad);
  r.add<tt::AtomicStoreOp>(planAtomicStore);
  r.add<tt::AtomicPollOp>(planAtomicPoll);
}

} // namespace kernelscope::executor
