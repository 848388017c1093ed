//===- Registry.h - The planner of each op ---------------------*- C++ -*-===//
//
// Planners by op name. A file of `ops/` registers the ops of one concept; an op
// that computes each element alone is one line there.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_PLAN_REGISTRY_H
#define KERNELSCOPE_EXECUTOR_PLAN_REGISTRY_H

#include "executor/plan/Planner.h"
#include "llvm/ADT/StringMap.h"

namespace kernelscope::executor {

/// Makes the step of an op, or a null step after an error on it.
using OpPlanner = std::function<Step(Planner &, mlir::Operation *)>;

/// Planners by op name.
class Registry {
public:
  struct Entry {
    OpPlanner plan;
    /// It acts on each element alone, so that it runs on many scalars at once.
    bool elementwise = false;
  };
  static const Registry &get();
  const Entry *find(llvm::StringRef name) const;

  void add(llvm::StringRef name, OpPlanner plan) {
    entries[name] = {std::move(plan), false};
  }
  void addElementwise(llvm::StringRef name, OpPlanner plan) {
    entries[name] = {std::move(plan), true};
  }
  /// A planner that takes the op's class.
  template <typename OpT> void add(Step (*plan)(Planner &, OpT)) {
    add(OpT::getOperationName(), [plan](Planner &planner, mlir::Operation *op) {
      return plan(planner, llvm::cast<OpT>(op));
    });
  }

private:
  llvm::StringMap<Entry> entries;
};

/// Why the executor does not run `op`, an op of our dialects without a planner;
/// empty for others.
llvm::StringRef whyUnsupported(llvm::StringRef op);

// The ops of one concept each, in the file of that name.
void registerInteger(Registry &registry);
void registerFloat(Registry &registry);
void registerConvert(Registry &registry);
void registerShape(Registry &registry);
void registerAccess(Registry &registry);
void registerAtomic(Registry &registry);
void registerReduce(Registry &registry);
void registerControl(Registry &registry);
void registerShared(Registry &registry);
void registerDot(Registry &registry);
void registerDotScaled(Registry &registry);
void registerTensorMemory(Registry &registry);
void registerTensorCore(Registry &registry);
void registerIndexed(Registry &registry);
void registerInstrumentation(Registry &registry);
void registerInstrumentedMemory(Registry &registry);
void registerFloatSanitizer(Registry &registry);
void registerBlockPointer(Registry &registry);
void registerInlineAsm(Registry &registry);
void registerLaunchControl(Registry &registry);
void registerLdsBarriers(Registry &registry);
void registerNvws(Registry &registry);
void registerExtern(Registry &registry);
void registerDescriptor(Registry &registry);
void registerAmd(Registry &registry);
void registerAsyncCopy(Registry &registry);
void registerBarrier(Registry &registry);
void registerClusterBarrier(Registry &registry);
void registerWarpSpecialize(Registry &registry);
void registerPackedTranspose(Registry &registry);
void registerTma(Registry &registry);
void registerTensormap(Registry &registry);
void registerWarpGroupDot(Registry &registry);
void registerTdm(Registry &registry);
void registerThreadIds(Registry &registry);

} // namespace kernelscope::executor

#endif // KERNELSCOPE_EXECUTOR_PLAN_REGISTRY_H
