//===- Cluster.h - The CTAs of a program -----------------------*- C++ -*-===//
//
// A program runs on a cluster of CTAs: one, unless ttg.num-ctas says more. Each
// CTA is an agent that runs the whole kernel and has memory of its own. Tensors
// have all of their elements in each CTA, and those that the layout gives the
// CTA are meant: only they are stored, or read from memory.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_AGENTS_CLUSTER_H
#define KERNELSCOPE_EXECUTOR_AGENTS_CLUSTER_H

#include "executor/sanitize/Knowledge.h"
#include "mlir/IR/Operation.h"
#include <map>
#include <memory>
#include <vector>

namespace kernelscope::executor {

/// A set of CTAs of a cluster, by their bits.
using CTAs = uint32_t;

/// Which CTAs have each element of a tensor, in row-major order. Null: each of
/// them has every element.
using Owners = std::shared_ptr<const std::vector<CTAs>>;

/// The CTAs of a cluster while their program runs.
class Cluster {
public:
  explicit Cluster(unsigned ctas) : memories(ctas) {}

  unsigned size() const { return memories.size(); }
  /// Resets it for another program.
  void start();

  /// Memory that an op has allocated in one CTA.
  struct Buffer {
    mlir::Operation *op;
    size_t number; ///< of those of the op in its CTA
    char *base;
    size_t bytes, elementBytes;
    Owners owners; ///< of its elements; they repeat in a ring of buffers

    CTAs ownersAt(const char *at) const {
      const size_t index = (at - base) / elementBytes;
      return owners ? (*owners)[index % owners->size()] : ~CTAs{0};
    }
  };
  /// `cta` has a buffer; its number is computed.
  void allocate(unsigned cta, Buffer made);
  /// The buffer of `cta` that `at` is in; null for other memory.
  const Buffer *find(unsigned cta, const char *at) const;
  /// What is at the place of `at`, in the memory of `from`, in that of `to`.
  /// Null while `to` has not allocated it.
  char *peer(unsigned from, unsigned to, const char *at) const;

  /// A point of the program at which all CTAs meet.
  struct Meeting {
    CTAs arrived = 0;
    std::vector<char> values;      ///< what they bring
    sanitize::Knowledge knowledge; ///< what they know
  };
  /// The next meeting of `cta` at `place`, at which the others arrive as often.
  std::shared_ptr<Meeting> arrive(unsigned cta, const void *place);
  /// The last meeting that `cta` arrived at; null for none.
  std::shared_ptr<Meeting> last(unsigned cta, const void *place) const;
  bool isComplete(const Meeting &meeting) const {
    return meeting.arrived == (CTAs{1} << size()) - 1;
  }
  /// "CTA 0 and CTA 2": those that have not arrived yet.
  std::string missing(const Meeting &meeting) const;

private:
  /// Of each CTA its buffers, by address.
  std::vector<std::map<const char *, Buffer>> memories;
  /// Where each CTA has each buffer of an op, by number.
  std::map<mlir::Operation *, std::vector<std::vector<char *>>> places;
  struct Meetings {
    std::vector<size_t> rounds;                      ///< of each CTA
    std::vector<std::shared_ptr<Meeting>> all, last; ///< by round, by CTA
  };
  std::map<const void *, Meetings> meetings;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_AGENTS_CLUSTER_H
