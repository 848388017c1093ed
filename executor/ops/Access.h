//===- Access.h - Checked access to global memory --------------*- C++ -*-===//
//
// What loads, stores, copies and atomics share: the check of each address.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_OPS_ACCESS_H
#define KERNELSCOPE_EXECUTOR_OPS_ACCESS_H

#include "dialects/tt/TT.h"
#include "executor/plan/Frame.h"
#include "executor/plan/Registry.h"
#include <cstring>

namespace kernelscope::executor {

/// Records that element `index` of a tensor of `shape` accesses `address`,
/// which is in no buffer. False.
bool outOfBounds(Frame &frame, mlir::Operation *op,
                 llvm::ArrayRef<int64_t> shape, size_t index, int64_t address,
                 size_t size);

/// "element [3, 5]" of a tensor of `shape`; empty for a scalar.
std::string elementName(llvm::ArrayRef<int64_t> shape, size_t index);

/// The value at `address` into `result`. False after a fault.
template <typename T>
bool loadElement(Frame &frame, mlir::Operation *op,
                 llvm::ArrayRef<int64_t> shape, size_t index, int64_t address,
                 T &result, bool isAtomic = false) {
  if (frame.memory.isMeasuring())
    frame.memory.record(address, sizeof(T), /*isStore=*/false);
  if (const char *from = frame.memory.find(address, sizeof(T))) {
    std::memcpy(&result, from, sizeof(T));
    if (!isAtomic)
      frame.memory.note(address, sizeof(T), /*isStore=*/false, op);
    return true;
  }
  result = T();
  return frame.memory.isMeasuring() ||
         outOfBounds(frame, op, shape, index, address, sizeof(T));
}

/// `value` to `address`. False after a fault.
template <typename T>
bool storeElement(Frame &frame, mlir::Operation *op,
                  llvm::ArrayRef<int64_t> shape, size_t index, int64_t address,
                  const T &value, bool isAtomic = false) {
  if (frame.memory.isMeasuring())
    frame.memory.record(address, sizeof(T), /*isStore=*/true);
  if (char *to = frame.memory.find(address, sizeof(T))) {
    std::memcpy(to, &value, sizeof(T));
    if (!isAtomic)
      frame.memory.note(address, sizeof(T), /*isStore=*/true, op);
    return true;
  }
  return frame.memory.isMeasuring() ||
         outOfBounds(frame, op, shape, index, address, sizeof(T));
}

/// How an op names the addresses that it accesses: a tensor of pointers, or a
/// base pointer and a tensor of offsets in elements.
struct Addresses {
  Slot pointers = 0; ///< or the base
  std::optional<Slot> offsets;
  bool wideOffsets = false; ///< 64 bits, not 32
  size_t elementBytes = 0;
  llvm::SmallVector<int64_t, 4> shape;
  size_t count = 1;
  mlir::Operation *op = nullptr;
  Owners owners; ///< of the elements, in a cluster
  /// Only the first CTA that has an element accesses it.
  bool isOnce = false;
  bool isAtomic = false;

  /// Those of `op`.
  static Addresses of(Planner &planner, tt::GlobalAccessOpInterface op);
  /// Those of `op`, which accesses memory as `access` says.
  static Addresses of(Planner &planner, mlir::Operation *op,
                      const tt::GlobalAccess &access);

  /// Calls `fn(i, address)` for each element whose mask is true until it
  /// returns false.
  template <typename Fn>
  bool forEach(Frame &frame, std::optional<Slot> mask, Fn fn) const {
    const uint8_t *live = mask ? frame.at<uint8_t>(*mask) : nullptr;
    const int64_t *pointer = frame.at<int64_t>(pointers);
    const bool isCluster = frame.program.cluster != nullptr;
    auto loop = [&](auto addressOf) {
      for (size_t i = 0; i < count; ++i)
        if ((!live || live[i]) && (!isCluster || isOfCTA(frame.cta, i)) &&
            !fn(i, addressOf(i)))
          return false;
      return true;
    };
    if (!offsets)
      return loop([&](size_t i) { return pointer[i]; });
    const int64_t base = *pointer, bytes = static_cast<int64_t>(elementBytes);
    if (wideOffsets)
      return loop([&, offset = frame.at<int64_t>(*offsets)](size_t i) {
        return base + offset[i] * bytes;
      });
    return loop([&, offset = frame.at<int32_t>(*offsets)](size_t i) {
      return base + offset[i] * bytes;
    });
  }

private:
  bool isOfCTA(unsigned cta, size_t i) const {
    const CTAs having = owners ? (*owners)[i] : ~CTAs{0};
    return isOnce ? llvm::countr_zero(having) == int(cta) : having >> cta & 1;
  }
};

/// Reports a load or store of the agent to the sanitizer if its program has
/// several agents. An atomic one is a volatile load, or orders those to its
/// addresses.
void noteAgentAccess(Frame &frame, const Addresses &at,
                     std::optional<Slot> mask, bool isStore,
                     sanitize::Moment end = {});

/// result[i] = memory where `mask` is true or null, elsewhere `other`, zero
/// when that is null.
Step planLoad(Planner &planner, Addresses from, mlir::Value mask,
              mlir::Value other, mlir::Value result);
/// memory = value[i] where `mask` is true or null.
Step planStore(Planner &planner, Addresses to, mlir::Value mask,
               mlir::Value value);
/// The same with masks and values of the executor's own, in slots.
Step planLoad(Addresses from, std::optional<Slot> mask,
              std::optional<Slot> other, Slot result);
Step planStore(Addresses to, std::optional<Slot> mask, Slot value);
/// A load or store through a block pointer (in BlockPointer.cpp).
Step planBlockPointerLoad(Planner &planner, tt::LoadOp op);
Step planBlockPointerStore(Planner &planner, tt::StoreOp op);
/// result[i] = memory; memory = memory combined with value[i].
Step planReadModifyWrite(Planner &planner, Addresses at, tt::RMWOp kind,
                         mlir::Value mask, mlir::Value value,
                         mlir::Value result);
/// result = a combined with b, one element each.
using Combiner =
    std::function<void(const char *a, const char *b, char *result)>;
/// Null when `kind` does not combine elements of this type.
Combiner planCombiner(Element element, tt::RMWOp kind);
/// result[i] = memory; memory = value[i] where it was expected[i].
Step planCompareAndSwap(Planner &planner, Addresses at, mlir::Value expected,
                        mlir::Value value, mlir::Value result);

/// An atomic access to one `address` may order programs and agents, as a lock
/// does.
void orderAt(Frame &frame, int64_t address);

/// `load`, by which `op` may wait for what other programs store: it finds the
/// values of `result`.
Step pollByLoads(Planner &planner, mlir::Operation *op, Step load,
                 mlir::Value result);

/// The slot of `value`, if there is one.
inline std::optional<Slot> optionalSlot(Planner &planner, mlir::Value value) {
  return value ? std::optional<Slot>(planner.slot(value)) : std::nullopt;
}

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_OPS_ACCESS_H
