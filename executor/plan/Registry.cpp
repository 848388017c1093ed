//===- Registry.cpp - The planner of each op ------------------------------===//
//
// One line per file of `ops/`; the ops themselves are listed there.
//
//===----------------------------------------------------------------------===//

#include "executor/plan/Registry.h"

using namespace mlir;

namespace kernelscope::executor {

const Registry &Registry::get() {
  static const Registry registry = [] {
    Registry made;
    registerInteger(made);
    registerFloat(made);
    registerConvert(made);
    registerShape(made);
    registerAccess(made);
    registerAtomic(made);
    registerReduce(made);
    registerControl(made);
    registerShared(made);
    registerDot(made);
    registerDotScaled(made);
    registerTensorMemory(made);
    registerTensorCore(made);
    registerIndexed(made);
    registerInstrumentation(made);
    registerInstrumentedMemory(made);
    registerFloatSanitizer(made);
    registerBlockPointer(made);
    registerInlineAsm(made);
    registerLaunchControl(made);
    registerLdsBarriers(made);
    registerNvws(made);
    registerExtern(made);
    registerDescriptor(made);
    registerAmd(made);
    registerAsyncCopy(made);
    registerBarrier(made);
    registerClusterBarrier(made);
    registerWarpSpecialize(made);
    registerPackedTranspose(made);
    registerTma(made);
    registerTensormap(made);
    registerWarpGroupDot(made);
    registerTdm(made);
    registerThreadIds(made);
    return made;
  }();
  return registry;
}

const Registry::Entry *Registry::find(StringRef name) const {
  auto found = entries.find(name);
  return found == entries.end() ? nullptr : &found->second;
}

} // namespace kernelscope::executor
