//===- SharedBuffers.h - Who uses which shared memory, and when -*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_LOWER_SHAREDBUFFERS_H
#define KERNELSCOPE_PASSES_LOWER_SHAREDBUFFERS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace kernelscope::lower {

/// A half-open range: of bytes of shared memory, or of time.
struct Range {
  unsigned begin = 0, end = 0;
  bool overlaps(const Range &other) const {
    return begin < other.end && other.begin < end;
  }
  bool operator==(const Range &) const = default;
};

/// The shared memory of one function: what it allocates, what its ops exchange
/// data through, and which values point to which of it.
class SharedBuffers {
public:
  explicit SharedBuffers(mlir::FunctionOpInterface function);

  /// A piece of shared memory that `owner` asks for.
  struct Buffer {
    mlir::Operation *owner;
    unsigned bytes, alignment;
    /// When its contents matter: positions of ops in the function.
    Range lifetime;
    /// Where it is; set by `assignPlaces`.
    Range place;
  };

  llvm::ArrayRef<Buffer> getBuffers() const { return buffers; }
  /// The buffers that a memory descriptor may point into.
  llvm::SmallVector<const Buffer *> buffersOf(mlir::Value memory) const;
  /// The scratch memory of an op, or null.
  const Buffer *scratchOf(mlir::Operation *op) const;

  /// Gives each buffer a place from byte `begin` on, such that no two that live
  /// at once overlap. Gives the end of all of them.
  unsigned assignPlaces(unsigned begin);
  /// Takes the places that are noted on the ops (`allocation.offset`).
  void readPlaces();

private:
  void collect(mlir::FunctionOpInterface function);
  void joinAliases(mlir::Operation *op);
  void findLifetimes();
  Range timeOf(mlir::Operation *use, mlir::Operation *owner) const;

  std::vector<Buffer> buffers;
  llvm::DenseMap<mlir::Operation *, unsigned> bufferOfOwner;
  llvm::DenseMap<mlir::Operation *, Range> times;
  llvm::EquivalenceClasses<mlir::Value> aliases;
  bool isStructured = true;
};

/// Notes on each op that needs shared memory where it is (`allocation.offset`),
/// and on the module how much there is in all (`ttg.shared`). Fails, with
/// an error on the largest op, when that is more than `maxBytes` (0: any).
llvm::LogicalResult allocateSharedMemory(mlir::ModuleOp module,
                                         unsigned maxBytes = 0);

/// Puts `ttg.barrier local` wherever a thread could touch
/// shared memory that another has not finished with. Places must be assigned.
void insertBarriers(mlir::ModuleOp module);

} // namespace kernelscope::lower

#endif // KERNELSCOPE_PASSES_LOWER_SHAREDBUFFERS_H
