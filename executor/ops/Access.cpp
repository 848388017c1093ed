//===- Access.cpp - Loads, stores and pointer arithmetic ------------------===//
//
// tt.load, tt.store, tt.addptr, and what AMD's buffer forms share with them.
//
//===----------------------------------------------------------------------===//

#include "executor/ops/Access.h"
#include "dialects/tt/TT.h"
#include "executor/ops/Elementwise.h"
#include "executor/plan/Strided.h"
#include "executor/sanitize/Watch.h"
#include <cstring>

using namespace mlir;

namespace kernelscope::executor {

std::string elementName(ArrayRef<int64_t> shape, size_t index) {
  if (shape.empty())
    return "";
  std::string name;
  llvm::raw_string_ostream out(name);
  out << ", element [";
  llvm::interleaveComma(rowMajor(shape), out, [&](int64_t stride) {
    out << index / stride;
    index %= stride;
  });
  out << "]";
  return name;
}

bool outOfBounds(Frame &frame, Operation *op, ArrayRef<int64_t> shape,
                 size_t index, int64_t address, size_t size) {
  return frame.fault(
      op, frame.programName() + elementName(shape, index) +
              " is out of bounds: " + frame.memory.describe(address, size));
}

Addresses Addresses::of(Planner &planner, tt::GlobalAccessOpInterface op) {
  return of(planner, op, op.getGlobalAccess());
}

Addresses Addresses::of(Planner &planner, Operation *op,
                        const tt::GlobalAccess &access) {
  const Storage &storage = planner.storage(access.addresses);
  Addresses made;
  made.pointers = planner.slot(access.base ? access.base : access.addresses);
  if (access.base) {
    made.offsets = planner.slot(access.addresses);
    made.wideOffsets = storage.element == Element::I64;
  }
  made.elementBytes = bytesInMemory(access.element());
  made.shape = storage.shape;
  made.count = storage.count;
  made.op = op;
  made.owners = planner.owners(access.addresses.getType());
  return made;
}

void noteAgentAccess(Frame &frame, const Addresses &at,
                     std::optional<Slot> mask, bool isStore,
                     sanitize::Moment end) {
  sanitize::Watch *watch = frame.watch;
  if (!watch || !watch->isOneOfSeveral())
    return;
  at.forEach(frame, mask, [&](size_t, int64_t address) {
    if (!at.isAtomic) {
      if (!frame.program.memory.isReadOnly(address))
        watch->accessGlobal(at.op, address, isStore, end);
    } else if (isStore) {
      watch->synchronizeAt(address);
    } else {
      watch->seeStored(address);
    }
    return true;
  });
}

/// An atomic access to one address may order programs, as a lock does.
static void orderPrograms(Frame &frame, const Addresses &at, int64_t address) {
  if (at.isAtomic && at.count == 1 && frame.memory.races)
    frame.memory.races->synchronize(address);
}

Step planLoad(Planner &planner, Addresses from, Value mask, Value other,
              Value result) {
  return planLoad(std::move(from), optionalSlot(planner, mask),
                  optionalSlot(planner, other), planner.slot(result));
}

Step planStore(Planner &planner, Addresses to, Value mask, Value value) {
  return planStore(std::move(to), optionalSlot(planner, mask),
                   planner.slot(value));
}

Step pollByLoads(Planner &planner, Operation *op, Step load, Value result) {
  planner.mayPoll();
  const Slot to = planner.slot(result);
  return [=, load = std::move(load),
          bytes = planner.bytesOf(result)](Frame &frame) {
    return load(frame) && frame.found(op, {frame.at<char>(to), bytes},
                                      /*changed=*/false);
  };
}

Step planLoad(Addresses from, std::optional<Slot> live,
              std::optional<Slot> otherwise, Slot to) {
  return withBytes(from.elementBytes, [&]<typename T>() -> Step {
    return [=, from = std::move(from)](Frame &frame) {
      T *values = frame.at<T>(to);
      if (live && otherwise)
        std::memcpy(values, frame.at<T>(*otherwise), from.count * sizeof(T));
      else if (live)
        std::memset(values, 0, from.count * sizeof(T));
      noteAgentAccess(frame, from, live, /*isStore=*/false);
      return from.forEach(frame, live, [&](size_t i, int64_t address) {
        orderPrograms(frame, from, address);
        return loadElement(frame, from.op, from.shape, i, address, values[i],
                           from.isAtomic);
      });
    };
  });
}

Step planStore(Addresses to, std::optional<Slot> live, Slot from) {
  return withBytes(to.elementBytes, [&]<typename T>() -> Step {
    return [=, to = std::move(to)](Frame &frame) {
      const T *values = frame.at<T>(from);
      noteAgentAccess(frame, to, live, /*isStore=*/true);
      return to.forEach(frame, live, [&](size_t i, int64_t address) {
        orderPrograms(frame, to, address);
        return storeElement(frame, to.op, to.shape, i, address, values[i],
                            to.isAtomic);
      });
    };
  });
}

namespace {

/// An access through a pointer to a tensor, the form of Triton up to 3.7.
bool isThroughBlockPointer(Value pointer) {
  auto type = dyn_cast<tt::PointerType>(pointer.getType());
  return type && isa<RankedTensorType>(type.getPointeeType());
}

Step planTensorLoad(Planner &planner, tt::LoadOp op) {
  if (isThroughBlockPointer(op.getPtr()))
    return planBlockPointerLoad(planner, op);
  Addresses from = Addresses::of(planner, op);
  from.isAtomic = op.getIsVolatile();
  Step load =
      planLoad(planner, from, op.getMask(), op.getOther(), op.getResult());
  if (!op.getIsVolatile())
    return load;
  return [load = pollByLoads(planner, op, std::move(load), op.getResult())](
             Frame &frame) { return frame.letOthersRun() && load(frame); };
}

Step planTensorStore(Planner &planner, tt::StoreOp op) {
  if (isThroughBlockPointer(op.getPtr()))
    return planBlockPointerStore(planner, op);
  return planStore(planner, Addresses::of(planner, op), op.getMask(),
                   op.getValue());
}

Step planAddPtr(Planner &planner, tt::AddPtrOp op) {
  auto pointer = cast<tt::PointerType>(getElementTypeOrSelf(op.getType()));
  const size_t bytes = bytesInMemory(pointer.getPointeeType());
  if (!bytes) {
    op.emitError("the CPU executor has no storage for elements of type ")
        << pointer.getPointeeType();
    return {};
  }
  const int64_t scale = static_cast<int64_t>(bytes);
  const Element offset = planner.storage(op.getOffset()).element;
  return withInt(offset, [&]<typename T>() -> Step {
    using S = T::Storage;
    return mapElements<int64_t, int64_t, S>(
        planner, op, [scale](int64_t p, S by) {
          // A pointer may run far outside while its mask is false.
          return static_cast<int64_t>(
              static_cast<uint64_t>(p) +
              static_cast<uint64_t>(int64_t{T::loadSigned(by)}) *
                  static_cast<uint64_t>(scale));
        });
  });
}

} // namespace

void registerAccess(Registry &r) {
  r.add<tt::LoadOp>(planTensorLoad);
  r.add<tt::StoreOp>(planTensorStore);
  r.add<tt::AddPtrOp>(planAddPtr);
}

} // namespace kernelscope::executor
