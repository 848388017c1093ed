//===- Heap.h - what happens to memory that is freed ------------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_IPC_HEAP_H
#define KERNELSCOPE_SERVER_IPC_HEAP_H

#include <cstddef>

namespace kernelscope {

/// Lets the threads of this process allocate from one heap. Those that glibc
/// makes for threads grow page by page, a system call each: a seventh of the
/// time to open a large text.
void useSingleHeap();

/// Lets this process keep up to `bytes` that it frees, a power of two, for what
/// it does next: what one message takes the next one needs again, and each page
/// that goes back and comes again costs a microsecond.
void keepFreedMemory(size_t bytes);

/// In the environment of a process, gives it a heap of huge pages where the
/// system has them: one page fault for 2 MiB instead of 512, a third of a
/// millisecond for a document of a thousand lines. glibc reads it only when a
/// process starts.
constexpr const char *hugePagesVariable =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";

/// Returns to the system what this process has freed, if that is more than
/// `bytes`.
void releaseFreed(size_t bytes);

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_IPC_HEAP_H
