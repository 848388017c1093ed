//===- IterationValues.h - What integers are in each iteration --*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_ANALYSIS_ITERATIONVALUES_H
#define KERNELSCOPE_PASSES_ANALYSIS_ITERATIONVALUES_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/analysis/Scalars.h"

namespace kernelscope {

/// The integers of a loop that depend on nothing but how often it has run: the
/// counters of its rings of buffers. Counters are taken not to overflow.
class IterationValues {
public:
  explicit IterationValues(mlir::scf::ForOp loop) : loop(loop) {}

  /// Whether `before`, in any iteration, differs from what `after` is `later`
  /// iterations after that.
  bool differ(mlir::Value before, mlir::Value after, unsigned later);

  /// The same of the places that two descriptors point to: they are in
  /// different slots of a ring.
  bool areInDifferentSlots(mlir::Value before, mlir::Value after,
                           unsigned later);

private:
  /// In iteration `k`: `start + k * step` without a table, an entry of it else.
  struct Sequence {
    int64_t start = 0, step = 0;
    /// It starts over at its end.
    llvm::SmallVector<int64_t, 4> table;

    bool isConstant() const { return table.empty() && step == 0; }
    bool repeats() const { return !table.empty() || step == 0; }
    size_t period() const { return table.empty() ? 1 : table.size(); }
    int64_t at(int64_t k) const {
      return table.empty() ? start + k * step : table[k % table.size()];
    }
  };
  using Known = std::optional<Sequence>;

  Known sequenceOf(mlir::Value value, unsigned depth = 0);
  Known sequenceOfArgument(mlir::BlockArgument argument);
  static Known combine(mlir::Operation *op, llvm::ArrayRef<Sequence> operands);
  static Known combineCounters(mlir::Operation *op,
                               llvm::ArrayRef<Sequence> operands);

  mlir::scf::ForOp loop;
  llvm::DenseMap<mlir::Value, Known> ofArguments;
};

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_ANALYSIS_ITERATIONVALUES_H
