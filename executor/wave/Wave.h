//===- Wave.h - The lanes that run together ---------------------*- C++ -*-===//
//
// A wave in lock step, and the workgroup that it belongs to. No fibers: a wave
// that waits returns from `run`, and continues from the next step.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_WAVE_WAVE_H
#define KERNELSCOPE_EXECUTOR_WAVE_WAVE_H

#include "executor/wave/Memory.h"
#include "executor/wave/Program.h"
#include "executor/wave/Transfers.h"
#include "llvm/ADT/Twine.h"
#include <array>
#include <optional>

namespace kernelscope::wave {

class Workgroup;

/// What a lane did that ends the run.
struct Failure {
  std::string message;
  const llvm::Instruction *source = nullptr;
};

class Wave {
public:
  Wave(const Program &program, Workgroup &group, unsigned index);

  /// Puts the lanes at the start of the kernel.
  void start();
  /// Runs until all lanes have ended, the wave waits, something failed, or it
  /// has run so long that others should have their turn.
  void run();
  bool hasEnded() const { return ended; }

  /// The values of a column, one for each lane.
  uint64_t *column(Column c) { return registers.data() + size_t{c} * lanes; }
  uint64_t &value(Column c, unsigned lane) { return column(c)[lane]; }

  /// Calls `fn(lane)` for each active lane.
  template <typename Fn> void forLanes(Fn &&fn) {
    if (active == all) {
      for (unsigned lane = 0; lane < lanes; ++lane)
        fn(lane);
      return;
    }
    for (uint64_t rest = active; rest; rest &= rest - 1)
      fn(static_cast<unsigned>(std::countr_zero(rest)));
  }
  /// The value that all active lanes should agree on: the first one's.
  uint64_t uniform(Column c) {
    return value(c, static_cast<unsigned>(std::countr_zero(active)));
  }

  /// Sends lanes to a block, or to the end of the kernel.
  void sendTo(uint64_t mask, uint32_t block);
  static constexpr uint32_t atEnd = ~uint32_t{0};

  /// The instruction that runs; null at the end.
  const llvm::Instruction *source() const;
  /// What is wrong is the fault of this instruction, whose work is done late;
  /// null for the one that runs.
  void blame(const llvm::Instruction *instruction) { blamed = instruction; }
  /// Ends the run, with what is wrong; a lane names it.
  void fail(const llvm::Twine &message,
            std::optional<unsigned> lane = std::nullopt) {
    failAt(source(), message, lane);
  }
  /// The same for what an earlier instruction requested.
  void failAt(const llvm::Instruction *asked, const llvm::Twine &message,
              std::optional<unsigned> lane = std::nullopt);
  bool isPaused() const { return paused; }
  /// Of a wave that is paused: whether the step runs once more.
  bool repeatsStep() const { return repeats; }
  /// Stops after the step. With `again` the step runs once more when the wave
  /// does: it waits for something.
  void pause(bool again) {
    paused = true;
    repeats = again;
  }

  /// Stops after the step until others have had their turn: it looks again and
  /// again for something that they do.
  void poll() {
    pause(/*again=*/false);
    polls = true;
  }
  bool isPolling() const { return polls; }
  /// The step has found values in global memory, whose hash is `found`, that
  /// other workgroups may change; `changed` if it has changed them. If it finds
  /// the same as the step before that did so, other workgroups get their turn.
  void look(uint64_t found, bool changed);

  /// The host's memory behind an address; null, with a failure, where `lane`
  /// may not access that many bytes.
  char *access(unsigned space, uint64_t address, uint64_t bytes, unsigned lane,
               bool isStore);
  /// The same for an atomic.
  char *accessAtomically(unsigned space, uint64_t address, uint64_t bytes,
                         unsigned lane) {
    return access(space, address, bytes, lane, /*isStore=*/true);
  }
  /// A copy from or to LDS begins that is done later; a failure where something
  /// else may access the same bytes meanwhile.
  bool beginTransfer(const LdsRange &range, bool writesLds);
  void endTransfer(const LdsRange &range, bool writesLds);
  /// Stores to LDS what a copy brings that has ended.
  void storeCopied(uint64_t address, llvm::ArrayRef<char> bytes, unsigned lane);
  /// Its copies that are in flight.
  Transfers transfers;
  /// What a load outside of all LDS reads, and a store there writes.
  std::array<char, 256> nowhere{};

  const Program &program;
  Workgroup &group;
  /// Of the wave in its workgroup.
  const unsigned index;
  const unsigned lanes;
  const uint64_t all;
  /// The lanes that the current step is for.
  uint64_t active = 0;
  /// Conversions to 8 bits give the largest number for what is larger: a bit of
  /// the mode register, FP16_OVFL.
  bool saturates = false;
  /// Room for the values that blocks pass to each other.
  std::vector<uint64_t> handed;

private:
  void pickBlock();
  char *accessLds(uint64_t address, uint64_t bytes, unsigned lane,
                  bool isStore);
  char *accessClusterShared(uint64_t address, uint64_t bytes, unsigned lane,
                            bool isStore);
  /// The same without a look at what else accesses it.
  char *findInLds(uint64_t address, uint64_t bytes, unsigned lane,
                  bool isStore);
  bool checkRaces(uint64_t address, uint64_t bytes, unsigned lane,
                  bool isStore);
  bool checkCopying(std::optional<unsigned> copying, uint64_t address,
                    uint64_t bytes, unsigned lane, bool isStore);
  bool checkAccesses(uint64_t address, uint64_t bytes, unsigned lane,
                     bool isStore);

  const llvm::Instruction *blamed = nullptr;
  /// What look() was told last.
  uint64_t lastFound = 0;
  std::vector<uint64_t> registers;
  std::vector<char> privateMemory;
  /// The block of each lane.
  std::array<uint32_t, 64> at{};
  uint32_t block = 0;
  size_t step = 0;
  bool inBlock = false, paused = false, repeats = false, polls = false,
       ended = false;
};

} // namespace kernelscope::wave

#endif // KERNELSCOPE_EXECUTOR_WAVE_WAVE_H
