//===- ThreadPulse.h - what this thread shows on the board ------*- C++ -*-===//

#ifndef KERNELSCOPE_SERVER_ENGINE_THREADPULSE_H
#define KERNELSCOPE_SERVER_ENGINE_THREADPULSE_H

#include "server/engine/Pulse.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernelscope {

/// Holds a slot of the board while this thread works on a document. With all
/// slots taken it works unseen.
class PulseHolder {
public:
  PulseHolder(PulseBoard &board, uint32_t document, int64_t version,
              uint64_t request = 0);
  ~PulseHolder();
  PulseHolder(const PulseHolder &) = delete;
  PulseHolder &operator=(const PulseHolder &) = delete;

  /// This thread has come to the op at `offset`.
  static void beatAt(size_t offset);
};

/// Marks the document that this thread dies over, on a stack of its own: what
/// ends it may be an overflow.
class FatalSignalMarks {
public:
  FatalSignalMarks();
  ~FatalSignalMarks();
  FatalSignalMarks(const FatalSignalMarks &) = delete;
  FatalSignalMarks &operator=(const FatalSignalMarks &) = delete;

private:
  std::vector<char> stack;
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ENGINE_THREADPULSE_H
