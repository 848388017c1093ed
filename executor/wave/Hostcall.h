//===- Hostcall.h - Calls of the host by a kernel on AMD --------*- C++ -*-===//
//
// The buffer of packets through which a kernel prints, and the host's side of
// it, as ROCm's runtime has them (ROCclr, device/devhostcall.cpp and
// devhcmessages.cpp). Its address is a hidden argument, and a kernel that has
// put packets on the stack of those ready sends an interrupt.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_HOSTCALL_H
#define KERNELSCOPE_EXECUTOR_WAVE_HOSTCALL_H

#include "executor/wave/Memory.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <vector>

namespace kernelscope::wave {

class Hostcall {
public:
  /// For as many waves at once; what they print goes to `print`, null for
  /// nowhere.
  Hostcall(unsigned waves, llvm::raw_ostream *print);
  Hostcall(const Hostcall &) = delete;

  /// Lets a kernel access the buffer.
  void allow(GlobalMemory &memory) const;
  uint64_t address() const { return std::bit_cast<uint64_t>(&buffer); }

  /// Answers the packets that are ready; an error for a call that the simulator
  /// has no answer to, or for a packet that does not exist.
  llvm::Error answer();

private:
  struct Header {
    uint64_t next = 0, lanes = 0;
    uint32_t service = 0, control = 0;
  };
  using Words = std::array<uint64_t, 8>;
  using Packet = std::array<Words, 64>;
  /// HSA's amd_signal_t, up to the field that notifies the host of a change.
  struct Signal {
    uint64_t kind = 0, value = 0, mailbox = 0;
    uint32_t event = 0;
  };
  /// Addresses, and packets by index and, in the bits above, a number that
  /// differs each time that they are used. 0 ends a stack.
  struct Buffer {
    uint64_t headers = 0, packets = 0, doorbell = 0;
    uint64_t freeStack = 0, readyStack = 0, indexMask = 0;
  };

  void answer(Words &words);
  void finish(llvm::ArrayRef<uint64_t> message);

  std::vector<Header> headers;
  std::vector<Packet> packets;
  Signal doorbell;
  uint64_t mailbox = 0;
  Buffer buffer;
  llvm::raw_ostream *print;
  /// The words of each message so far; those that have ended are empty.
  std::vector<std::vector<uint64_t>> messages;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_HOSTCALL_H
