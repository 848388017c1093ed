//===- Planner.h - Makes a plan of a kernel --------------------*- C++ -*-===//
//
// Gives slots to values and steps to ops. The steps themselves are made by the
// planners of `ops/`, which ask here for slots, and for plans of their regions.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_PLANNER_H
#define KERNELSCOPE_EXECUTOR_PLAN_PLANNER_H

#include "executor/agents/Cluster.h"
#include "executor/plan/Plan.h"
#include "executor/plan/Values.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace kernelscope::executor {

/// Builds a plan.
class Planner {
public:
  /// `outer` plans the code that starts this plan's agent; none for a kernel.
  explicit Planner(Plan &plan, Planner *outer = nullptr)
      : plan(plan), outer(outer) {}

  /// Plans `function` as the kernel of the plan.
  llvm::LogicalResult planKernel(mlir::FunctionOpInterface function);

  /// The storage of a value of `type`; an error on `op` when there is none.
  std::optional<Storage> storageOf(mlir::Type type, mlir::Operation *op);
  /// The storage of `value`, whose type has been accepted before.
  const Storage &storage(mlir::Value value);
  /// The slot of `value`; created on first use.
  Slot slot(mlir::Value value);
  llvm::SmallVector<Slot> slots(mlir::ValueRange values);
  /// A slot of `bytes` bytes that belongs to no value.
  Slot scratch(size_t bytes);
  /// Bytes of the slot of `value`.
  size_t bytesOf(mlir::Value value) { return plan.slots[slot(value)].bytes; }
  /// Sets the bytes that `slot` has in every frame.
  void setConstant(Slot slot, std::vector<char> bytes) {
    plan.constants.emplace_back(slot, std::move(bytes));
  }
  /// Programs of this kernel must run one after another.
  void runInOrder() {
    plan.inOrder = true;
    if (outer)
      outer->runInOrder();
  }
  /// The same, and a program may wait for what others store to memory.
  void mayPoll() {
    plan.inOrder = plan.mayPoll = true;
    if (outer)
      outer->mayPoll();
  }
  /// Which CTAs of the cluster have each element of a tensor or memdesc of
  /// `type`. Null where each has all, or there is only one.
  Owners owners(mlir::Type type);
  /// A step that assigns `from` to `to`, all at once.
  Step assign(mlir::ValueRange from, llvm::ArrayRef<Slot> to);

  /// Plans the ops of `block`, except its terminator. Null after an error.
  const Body *planBlock(mlir::Block &block);
  /// Plans a region of one or more blocks that end in branches and returns; the
  /// values of a return go to `returnSlots`.
  Step planRegion(mlir::Region &region, llvm::ArrayRef<Slot> returnSlots);
  /// The function that a call names, planned once: argument slots, result
  /// slots, and the step that runs it. Null after an error on `call`.
  struct Function {
    llvm::SmallVector<Slot> arguments, results;
    Step run;
    bool planning = true;
  };
  const Function *planFunction(mlir::FunctionOpInterface function,
                               mlir::Operation *call);
  /// Plans `region` as code of another agent, which is passed `arguments`: all
  /// values of its own or from outside that it does not compute. Its place in
  /// `plan.partitions`; none after an error.
  std::optional<size_t> planPartition(mlir::Region &region,
                                      mlir::ValueRange arguments);

  /// Plans a region whose arguments are scalars so that it runs on up to
  /// `elements` of them at once. When it cannot (an op in it is not
  /// elementwise), it runs on one and `onMany` is false.
  struct Combine {
    llvm::SmallVector<Slot> arguments, results;
    const Body *body = nullptr;
    bool onMany = false;
  };
  std::optional<Combine> planCombine(mlir::Region &region, size_t elements);

  Plan &plan;

private:
  /// This plan or one around it is still planning `function`.
  bool isPlanning(mlir::FunctionOpInterface function) const;

  Planner *outer;
  llvm::DenseMap<mlir::Value, Slot> slotOf;
  llvm::DenseMap<mlir::Type, Storage> storageOfType;
  llvm::DenseMap<mlir::Type, Owners> ownersOfType;
  llvm::DenseMap<mlir::Operation *, Function> functions;
  /// Elements per scalar of the slots made now.
  size_t capacity = 1;
};

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_PLANNER_H
