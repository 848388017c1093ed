//===- GlobalRaces.cpp - Races of programs in global memory ---------------===//

#include "executor/sanitize/GlobalRaces.h"
#include "llvm/Support/MathExtras.h"

using namespace kernelscope::executor::sanitize;

/// Elements of a buffer that is looked at: three records each.
constexpr uint64_t mostElements = uint64_t{1} << 25;

GlobalRaces::GlobalRaces(llvm::ArrayRef<BufferSize> buffers,
                         uint64_t programs) {
  for (const BufferSize &buffer : buffers) {
    Shadow &shadow = shadows.emplace_back();
    const uint64_t count =
        buffer.elementBytes ? buffer.bytes / buffer.elementBytes : 0;
    if (programs < 2 || programs >= programMask || count == 0 ||
        count > mostElements || !llvm::isPowerOf2_64(buffer.elementBytes))
      continue;
    shadow = {llvm::Log2_64(buffer.elementBytes),
              count,
              Records(count),
              Records(count),
              Records(count),
              std::make_unique<std::atomic<bool>>(false)};
    if (!shadow.writes || !shadow.reads || !shadow.otherReads)
      shadow = {};
  }
}

uint32_t GlobalRaces::number(mlir::Operation *op) {
  std::lock_guard lock(mutex);
  auto found = std::find(ops.begin(), ops.end(), op);
  const size_t index = found - ops.begin();
  if (index >= mostOps - 1)
    return mostOps - 1;
  if (found == ops.end())
    ops.push_back(op);
  return static_cast<uint32_t>(index);
}

void ProgramAccesses::start(uint64_t index) {
  program = static_cast<uint32_t>(index + 1);
  lastOp = nullptr;
  known.clear();
  conflict.reset();
}

void ProgramAccesses::synchronize(int64_t address) {
  std::lock_guard lock(all.mutex);
  known.set(program - 1);
  GlobalRaces::Programs &here = all.released[address];
  known |= here;
  here = known;
}

bool ProgramAccesses::meets(uint32_t record) const {
  const uint32_t other = record & GlobalRaces::programMask;
  return other != 0 && other != program && !known.test(other - 1);
}

void ProgramAccesses::change(mlir::Operation *op) {
  lastOp = op;
  mine = program | all.number(op) << GlobalRaces::programBits;
}

void ProgramAccesses::look(size_t buffer, uint64_t first, uint64_t count,
                           bool isStore) {
  constexpr auto relaxed = std::memory_order_relaxed;
  constexpr uint32_t programMask = GlobalRaces::programMask;
  GlobalRaces::Shadow &shadow = all.shadows[buffer];
  for (uint64_t i = first; i < std::min(first + count, shadow.count); ++i) {
    uint32_t met = shadow.writes[i].load(relaxed);
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
      const uint32_t read = shadow.reads[i].load(relaxed);
      if ((read & programMask) != program) {
        if (read & programMask)
          shadow.otherReads[i].store(read, relaxed);
        shadow.reads[i].store(mine, relaxed);
      }
    }
    if (!meets(met))
      continue;
    std::lock_guard lock(all.mutex);
    const size_t op = met >> GlobalRaces::programBits;
    conflict = {lastOp,
                op < all.ops.size() ? all.ops[op] : lastOp,
                uint64_t{met & programMask} - 1,
                buffer,
                int64_t(i << shadow.shift),
                isStore,
                metStore};
    return;
  }
}
