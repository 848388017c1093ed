//===- Pipelines.h - The passes in the order of a compilation ---*- C++ -*-===//
//
// Each pipeline has a name for `kernelscope opt`, which takes the options below
// by their names: `--ttir-to-ttgir="arch=sm_90a num-warps=8"`.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_PIPELINES_H
#define KERNELSCOPE_PASSES_PIPELINES_H

#include "dialects/target/Target.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace kernelscope {

/// Of `ttir-to-ttgir`.
struct TtirToTtgirOptions : mlir::PassPipelineOptions<TtirToTtgirOptions> {
  Option<std::string> arch{
      *this, "arch", llvm::cl::desc("Architecture, such as sm_90a"),
      llvm::cl::init(Target::usual(Vendor::Nvidia, 32).arch)};
  Option<unsigned> numWarps{
      *this, "num-warps",
      llvm::cl::desc("Warps per block; 0 for as many as the products need"),
      llvm::cl::init(0)};
  Option<unsigned> numCtas{*this, "num-ctas",
                           llvm::cl::desc("Blocks per cluster"),
                           llvm::cl::init(1)};
  Option<unsigned> numStages{
      *this, "num-stages",
      llvm::cl::desc(
          "Pipeline stages of a loop with products; 0 for 3, or 2 on AMD"),
      llvm::cl::init(0)};
};

/// Gives TTIR its layouts.
void buildTtirToTtgir(mlir::OpPassManager &passes,
                      const TtirToTtgirOptions &options);

/// Of `ttgir-to-llvm`.
struct TtgirToLlvmOptions : mlir::PassPipelineOptions<TtgirToLlvmOptions> {
  Option<std::string> arch{
      *this, "arch",
      llvm::cl::desc("Architecture; the module's ttg.target by default")};
};

/// Lowers references between partitions, and loops marked with them, to
/// mbarriers and `ttg.warp_specialize`.
void buildNvwsToTtgir(mlir::OpPassManager &passes);

/// Lowers TTGIR as it stands to the LLVM dialect, with the debug scopes that
/// line tables hang on.
void buildTtgirToLlvm(mlir::OpPassManager &passes,
                      const TtgirToLlvmOptions &options);

/// Of `to-ttgir` and `to-llvm`, which begin with TTIR or TTGIR.
struct FromAnyOptions : mlir::PassPipelineOptions<FromAnyOptions> {
  Option<std::string> arch{
      *this, "arch",
      llvm::cl::desc("Architecture; by default the module's ttg.target, else "
                     "sm_90a, with a remark")};
  Option<std::string> kernel{*this, "kernel",
                             llvm::cl::desc("Only this kernel")};
  Option<unsigned> numWarps{
      *this, "num-warps",
      llvm::cl::desc(
          "Warps per block, for TTIR; 0 for as many as the products need"),
      llvm::cl::init(0)};
  Option<unsigned> numCtas{*this, "num-ctas",
                           llvm::cl::desc("Blocks per cluster, for TTIR"),
                           llvm::cl::init(1)};
  Option<unsigned> numStages{
      *this, "num-stages",
      llvm::cl::desc("Pipeline stages of a loop with products, for TTIR; 0 for "
                     "3, or 2 on AMD"),
      llvm::cl::init(0)};
};

/// Selects the kernel, and gives it layouts if it has none.
void buildToTtgir(mlir::OpPassManager &passes, const FromAnyOptions &options);

/// As above, and then `ttgir-to-llvm`.
void buildToLlvm(mlir::OpPassManager &passes, const FromAnyOptions &options);

/// Registers the pipelines by name, and every pass that is in one or is ours;
/// adds the interfaces that passes need from ops to `registry`.
void registerPipelines(mlir::DialectRegistry &registry);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_PIPELINES_H
