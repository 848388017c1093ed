//===- Heap.cpp - what happens to memory that is freed --------------------===//

#include "server/ipc/Heap.h"

#include <algorithm>
#include <malloc.h>

using namespace kernelscope;

void kernelscope::useSingleHeap() { mallopt(M_ARENA_MAX, 1); }

void kernelscope::keepFreedMemory(size_t bytes) {
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(bytes));
  mallopt(M_TOP_PAD, static_cast<int>(bytes / 8));
  constexpr size_t mostThatGlibcTakes = 32 << 20;
  mallopt(M_MMAP_THRESHOLD,
          static_cast<int>(std::min(bytes / 2, mostThatGlibcTakes)));
}

void kernelscope::releaseFreed(size_t bytes) {
  if (mallinfo2().fordblks > bytes)
    malloc_trim(0);
}
