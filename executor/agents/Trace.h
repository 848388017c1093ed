//===- Trace.h - What the agents of a program do, over time ----*- C++ -*-===//
//
// A timeline: which op each agent runs, what it waits for, and what works by
// itself meanwhile. Time is counted in ops, since the executor knows no cycles:
// it advances by one with each op that some agent starts.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_TRACE_H
#define KERNELSCOPE_EXECUTOR_AGENTS_TRACE_H

#include "mlir/IR/Operation.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace kernelscope::executor {

/// The timeline of one program.
class Trace {
public:
  /// `agent` starts `op`, whose time it is until `finish`.
  struct Running {
    mlir::Operation *outer;
    uint64_t begin;
  };
  Running start(mlir::Operation *op) { return {std::exchange(at, op), now++}; }
  void finish(const Running &running, mlir::Operation *op,
              const std::string &agent);

  /// Now, for `waited`.
  uint64_t time() const { return now; }
  /// `agent` waited for `what` since `begin`.
  void waited(const std::string &agent, mlir::Operation *op,
              const std::string &what, uint64_t begin);
  /// `effect` is started by the op that runs now and done by `engine` later:
  /// what it becomes when that is to be seen.
  std::function<bool()> follow(const char *engine,
                               std::function<bool()> effect);

  /// In the Chrome trace format, which Perfetto opens: a track for each agent
  /// and each engine; an op is a microsecond.
  void write(llvm::raw_ostream &out, llvm::StringRef program) const;

private:
  struct Event {
    std::string track, name, detail;
    uint64_t begin, end;
    unsigned line; ///< of the op in its file, from one; 0 for none
  };
  void add(Event event);

  /// More than Perfetto shows with ease.
  static constexpr size_t mostEvents = 1'000'000;
  std::vector<Event> events;
  mlir::Operation *at = nullptr; ///< the op that runs now
  uint64_t now = 0;
  uint64_t left = 0; ///< events beyond the most
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_TRACE_H
