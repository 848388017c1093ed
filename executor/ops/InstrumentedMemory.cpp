//===- InstrumentedMemory.cpp - What Triton's ConSan puts in --------------===//
//
// Triton's sanitizer of concurrency is IR like any other: tables in scratch
// memory, behind a lock, that know buffers by their addresses. An address here
// is what the passes that place buffers have written on the allocations.
//
//===----------------------------------------------------------------------===//

#include "dialects/tti/TTI.h"
#include "executor/ops/Access.h"
#include "executor/ops/Shared.h"
#include "executor/ops/TensorMemory.h"

using namespace mlir;

namespace kernelscope::executor {

std::optional<uint32_t> placeOf(Operation *op) {
  if (auto offset = op->getAttrOfType<IntegerAttr>(ttg::allocationOffsetName))
    return offset.getInt();
  auto column = op->getAttrOfType<IntegerAttr>("tensor_memory_col_offset");
  auto row = op->getAttrOfType<IntegerAttr>("tensor_memory_row_offset");
  if (!column)
    return std::nullopt;
  return column.getInt() | (row ? row.getInt() : 0) << 16;
}

namespace {

/// From the base of an allocation in tensor memory, kept as columns of 128 rows
/// of 32 bits, as the chip counts: the column, and above it the row.
uint32_t tensorAddress(int64_t bytes) {
  constexpr int64_t rows = 128, cell = 4;
  return bytes / (rows * cell) | bytes / cell % rows << 16;
}

Step planAddress(Planner &planner, tti::ExperimentalMemDescToI32Op op) {
  return [from = planner.slot(op.getMemdesc()),
          to = planner.slot(op.getResult()),
          isTensor = isInTensorMemory(op.getMemdesc()),
          operation = op.getOperation()](Frame &frame) {
    const char *base = frame.at<View>(from)->base;
    const auto &placed = frame.program.placedAt;
    auto after = placed.upper_bound(base);
    if (after == placed.begin())
      return frame.fault(operation,
                         frame.programName() +
                             ": no pass has placed this buffer; the address "
                             "needs 'allocation.offset' on its allocation");
    const auto &[start, place] = *std::prev(after);
    *frame.at<uint32_t>(to) =
        place + (isTensor ? tensorAddress(base - start)
                          : static_cast<uint32_t>(base - start));
    return true;
  };
}

/// The memory of a function starts at address 0.
Step planOffset(Planner &planner, tti::ExperimentalMemoryOffsetToI32Op op) {
  return [to = planner.slot(op.getResult()),
          offset = op.getOffset()](Frame &frame) {
    *frame.at<uint32_t>(to) = offset;
    return true;
  };
}

Step planTable(Planner &planner, tti::ExperimentalBufferDescriptorsOp op) {
  const ArrayRef<int32_t> offsets = op.getOffsets(), lengths = op.getLengths();
  const Storage &storage = planner.storage(op.getResult());
  if (offsets.size() != lengths.size() || storage.count != offsets.size() ||
      storage.element != Element::I64) {
    op.emitError("needs a tensor of i64 with an element for each of ")
        << offsets.size() << " offsets and " << lengths.size()
        << " lengths, not " << op.getResult().getType();
    return {};
  }
  std::vector<uint64_t> table;
  for (auto [offset, length] : llvm::zip_equal(offsets, lengths))
    table.push_back(uint64_t{uint32_t(length)} << 32 | uint32_t(offset));
  return [table, to = planner.slot(op.getResult())](Frame &frame) {
    std::copy(table.begin(), table.end(), frame.at<uint64_t>(to));
    return true;
  };
}

/// Waits for 0 at `lock` and makes it 1, or, to release it, makes it 0.
Step planLock(Planner &planner, Operation *op, Value lock, Value predicate,
              bool isAcquire) {
  planner.runInOrder();
  return [=, at = planner.slot(lock),
          live = optionalSlot(planner, predicate)](Frame &frame) {
    if (live && !*frame.at<uint8_t>(*live))
      return true;
    const int64_t address = *frame.at<int64_t>(at);
    int32_t found = 0;
    auto isFree = [&] {
      return loadElement(frame, op, {}, 0, address, found, /*isAtomic=*/true) &&
             found == 0;
    };
    if (isAcquire) {
      if (!loadElement(frame, op, {}, 0, address, found, /*isAtomic=*/true))
        return false;
      if (!frame.memory.isMeasuring() &&
          !frame.wait({op, isFree,
                       [] { return std::string("a lock in memory to be 0"); }}))
        return false;
    }
    orderAt(frame, address);
    return storeElement(frame, op, {}, 0, address, int32_t{isAcquire},
                        /*isAtomic=*/true);
  };
}

Step planAcquire(Planner &planner, tti::ExperimentalLockAcquireOp op) {
  return planLock(planner, op, op.getLock(), op.getPred(), /*isAcquire=*/true);
}

Step planRelease(Planner &planner, tti::ExperimentalLockReleaseOp op) {
  return planLock(planner, op, op.getLock(), op.getPred(), /*isAcquire=*/false);
}

} // namespace

void registerInstrumentedMemory(Registry &r) {
  r.add<tti::ExperimentalMemDescToI32Op>(planAddress);
  r.add<tti::ExperimentalMemoryOffsetToI32Op>(planOffset);
  r.add<tti::ExperimentalBufferDescriptorsOp>(planTable);
  r.add<tti::ExperimentalLockAcquireOp>(planAcquire);
  r.add<tti::ExperimentalLockReleaseOp>(planRelease);
}

} // namespace kernelscope::executor
