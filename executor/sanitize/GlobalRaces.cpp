//===- GlobalRaces.cpp - Programs that meet in global memory --------------===//

#include "executor/sanitize/GlobalRaces.h"

using namespace kernelscope::executor::sanitize;

/// Where the op is in a record.
constexpr int programBits = 40;
constexpr uint64_t programMask = (uint64_t{1} << programBits) - 1;

/// Elements of a buffer that is looked at: three words each.
constexpr uint64_t mostElements = uint64_t{1} << 25;

GlobalRaces::GlobalRaces(llvm::ArrayRef<BufferSize> buffers, uint64_t programs)
    : programs(programs) {
  for (const BufferSize &buffer : buffers) {
    Shadow &shadow = shadows.emplace_back();
    const uint64_t count =
        buffer.elementBytes ? buffer.bytes / buffer.elementBytes : 0;
    if (programs < 2 || count == 0 || count > mostElements)
      continue;
    shadow = {buffer.elementBytes, count,
              Records(count),      Records(count),
              Records(count),      std::make_unique<std::atomic<bool>>(false)};
    if (!shadow.writes || !shadow.reads || !shadow.otherReads)
      shadow = {};
  }
}

uint64_t GlobalRaces::number(mlir::Operation *op) {
  std::lock_guard lock(mutex);
  auto found = std::find(ops.begin(), ops.end(), op);
  const uint64_t index = found - ops.begin();
  if (found == ops.end())
    ops.push_back(op);
  return index;
}

void ProgramAccesses::start(uint64_t index) {
  program = index + 1;
  known.clear();
  conflict.reset();
}

void ProgramAccesses::synchronize(int64_t address) {
  std::lock_guard lock(all.mutex);
  known.resize(all.programs);
  known.set(program - 1);
  llvm::BitVector &here = all.released[address];
  here.resize(all.programs);
  known |= here;
  here = known;
}

bool ProgramAccesses::meets(uint64_t record) const {
  const uint64_t other = record & programMask;
  return other != 0 && other != program &&
         !(other <= known.size() && known.test(other - 1));
}

void ProgramAccesses::look(size_t buffer, int64_t offset, size_t size,
                           bool isStore, mlir::Operation *op) {
  GlobalRaces::Shadow &shadow = all.shadows[buffer];
  // What is accessed as another type is not told apart.
  if (!shadow.writes || size % shadow.elementBytes ||
      offset % int64_t(shadow.elementBytes))
    return;
  if (op != lastOp) {
    lastOp = op;
    lastNumber = all.number(op);
  }
  constexpr auto relaxed = std::memory_order_relaxed;
  const uint64_t mine = program | lastNumber << programBits;
  const uint64_t first = offset / shadow.elementBytes;
  for (uint64_t i = first; i < first + size / shadow.elementBytes; ++i) {
    if (i >= shadow.count)
      return;
    uint64_t met = shadow.writes[i].load(relaxed);
    const bool metStore = meets(met);
    if (isStore) {
      if (shadow.isRead->load(relaxed))
        for (auto *reads : {&shadow.reads, &shadow.otherReads})
          if (!meets(met))
            met = (*reads)[i].load(relaxed);
      shadow.writes[i].store(mine, relaxed);
    } else {
      if (!shadow.isRead->load(relaxed))
        shadow.isRead->store(true, relaxed);
      const uint64_t read = shadow.reads[i].load(relaxed);
      if ((read & programMask) != program) {
        if (read & programMask)
          shadow.otherReads[i].store(read, relaxed);
        shadow.reads[i].store(mine, relaxed);
      }
    }
    if (!meets(met))
      continue;
    std::lock_guard lock(all.mutex);
    conflict = {
        op,      all.ops[met >> programBits],      (met & programMask) - 1,
        buffer,  int64_t(i * shadow.elementBytes), isStore,
        metStore};
    return;
  }
}
