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

/// Returns to the system what this process has freed, unless it is called again
/// within a second. Sleeps so long.
void releaseLater();

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_IPC_HEAP_H
