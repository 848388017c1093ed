//===- PatternFamilies.cpp - Which chip lowers what -----------------------===//
//
// The table of pattern families. What both vendors have is written once, in
// `common/`; a family of instructions that only some chips have is a file in
// `nvidia/` or `amd/` and a row here.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/MatrixInstructions.h"
#include "dialects/target/TransposingReads.h"
#include "passes/lower/nvidia/LaunchControl.h"
#include "passes/lower/nvidia/TensorMemoryAccess.h"
#include "passes/lower/support/Lowering.h"
#include "passes/lower/support/Scratch.h"

using namespace mlir;

namespace kernelscope::lower {

namespace {

struct PatternFamily {
  void (*populate)(const TypeConverter &, Patterns &, const TargetHooks &);
  bool (*isOn)(const Target &);
  /// Of ops that need scratch memory; null for none.
  void (*attachScratch)(DialectRegistry &) = nullptr;
};

bool onAll(const Target &) { return true; }
bool onNvidia(const Target &target) { return target.isNvidia(); }
bool onAmd(const Target &target) { return target.isAmd(); }
template <MatrixUnit unit> bool has(const Target &target) {
  return hasMatrixUnit(target, unit);
}
bool hasCpAsync(const Target &target) { return target.hasCpAsync(); }
bool copiesToLds(const Target &target) {
  return target.isAmd() && !target.asyncCopyBits.empty();
}
bool hasBufferLoadToShared(const Target &target) {
  return target.hasBufferLoadToShared;
}
bool hasWmma(const Target &target) {
  return has<MatrixUnit::Wmma1>(target) || has<MatrixUnit::Wmma2>(target) ||
         has<MatrixUnit::Wmma3>(target);
}
bool hasAmdScaledProducts(const Target &target) {
  return has<MatrixUnit::MfmaCdna4>(target) || has<MatrixUnit::Wmma3>(target);
}
/// Chips that multiply with scales convert to narrow floats with them, too.
bool convertsWithScales(const Target &target) {
  return target.scaledCastElements;
}
bool hasGridDependencies(const Target &target) {
  return target.hasGridDependencies;
}
bool hasScaledMma(const Target &target) { return target.hasScaledMma; }
bool hasTmaGather(const Target &target) { return target.hasTmaGather; }
/// Cluster launch control came with TMA's gather.
bool hasLaunchControl(const Target &target) { return target.hasTmaGather; }
bool hasTensorMemory(const Target &target) { return target.hasTensorMemory(); }
bool hasTma(const Target &target) { return target.hasTma; }
bool hasTransposingReads(const Target &target) {
  return findTransposingRead(target, /*elementBits=*/16);
}
bool hasTensorDataMover(const Target &target) {
  return target.hasTensorDataMover;
}
bool hasLdsBarriers(const Target &target) {
  return target.isAmd() && target.hasMbarriers;
}
/// `stmatrix` and `st.async` came with these.
bool hasMbarriers(const Target &target) {
  return target.isNvidia() && target.hasMbarriers;
}

constexpr PatternFamily families[] = {
    {populateFunctionPatterns, onAll},
    {populateProgramPatterns, onAll},
    {populateViewPatterns, onAll},
    {populateElementwisePatterns, onAll},
    {populateFloatCastPatterns, onAll},
    {populateFloatSanitizerPatterns, onAll},
    {populateMathPatterns, onAll},
    {populateInlineCodePatterns, onAll},
    {populateConvertLayoutPatterns, onAll, attachConvertLayoutScratch},
    {populateReducePatterns, onAll, attachReduceScratch},
    {populateScanPatterns, onAll, attachScanScratch},
    {populateMapElementwisePatterns, onAll},
    {populateHistogramPatterns, onAll, attachHistogramScratch},
    {populateIndexedPatterns, onAll, attachIndexedScratch},
    {populateLocalMemoryPatterns, onAll},
    {populateBarrierPatterns, onAll},
    {populateDebugPatterns, onAll},
    {populateGlobalScratchPatterns, onAll},
    {populateLoadStorePatterns, onAll},
    {populateAtomicPatterns, onAll, attachAtomicScratch},
    {populateAtomicPollPatterns, onAll, attachAtomicPollScratch},
    {populateDotFmaPatterns, onAll},
    {populateAsyncCopyPatterns, hasCpAsync},
    {populateLoadMatrixPatterns, onNvidia},
    {populateStoreMatrixPatterns, hasMbarriers},
    {populateMBarrierPatterns, hasCpAsync},
    {populateAsyncSharedStorePatterns, hasMbarriers},
    {populateGridDependencyPatterns, hasGridDependencies},
    {populateTmaPatterns, hasTma},
    {populateTmaGatherPatterns, hasTmaGather},
    {populateLaunchControlPatterns, hasLaunchControl},
    {populateTensorMemoryPatterns, hasTensorMemory},
    {populateTensormapPatterns, hasTma, attachTensormapScratch},
    {populateMmaPatterns, has<MatrixUnit::MmaSm80>},
    {populateScaledMmaPatterns, hasScaledMma},
    {populateWgmmaPatterns, has<MatrixUnit::Wgmma>},
    {populateTransposingReadPatterns, hasTransposingReads},
    {populateBufferPatterns, onAmd},
    {populateBufferToLdsPatterns, hasBufferLoadToShared},
    {populateCopyToLdsPatterns, copiesToLds},
    {populateBufferAtomicPatterns, onAmd, attachBufferAtomicScratch},
    {populateLaneOpPatterns, onAmd},
    {populatePackedTransposedPatterns, hasTransposingReads},
    {populateRegisterMovePatterns, onAmd},
    {populateMfmaPatterns, has<MatrixUnit::Mfma>},
    {populateWmmaPatterns, hasWmma},
    {populateScaledDotPatterns, hasAmdScaledProducts},
    {populateScaledDowncastPatterns, convertsWithScales},
    {populateScaledUpcastPatterns, onAmd},
    {populateSchedulingPatterns, onAmd},
    {populateThreadIdPatterns, onAmd},
    {populateLdsBarrierPatterns, hasLdsBarriers},
    {populateTensorDataMoverPatterns, hasTensorDataMover},
    {populateTensorDescriptorPatterns, hasTensorDataMover},
};

} // namespace

void populatePatterns(const TypeConverter &converter, Patterns &patterns,
                      const TargetHooks &hooks) {
  for (const PatternFamily &family : families)
    if (family.isOn(hooks.getTarget()))
      family.populate(converter, patterns, hooks);
}

void attachScratch(DialectRegistry &registry) {
  for (const PatternFamily &family : families)
    if (family.attachScratch)
      family.attachScratch(registry);
  attachPartitionScratch(registry);
}

} // namespace kernelscope::lower
