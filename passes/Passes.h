//===- Passes.h - The passes, as objects and by name ------------*- C++ -*-===//

#ifndef KERNELSCOPE_PASSES_PASSES_H
#define KERNELSCOPE_PASSES_PASSES_H

#include <memory>
#include <string>

namespace mlir {
class ModuleOp;
class Pass;
} // namespace mlir

namespace kernelscope {

/// For whom TTIR gets its layouts; all counts are powers of two.
struct TtgirOptions {
  /// A name that `Target::parse` knows.
  std::string arch = "sm_80";
  unsigned warps = 4;
  /// 0: as many lanes as the architecture has.
  unsigned threadsPerWarp = 0;
  /// CTAs of a cluster.
  unsigned ctas = 1;
};

/// Whether `module` is TTGIR: it says for how many warps it is, or a tensor has
/// a layout.
bool hasLayouts(mlir::ModuleOp module);

/// `convert-ttir-to-ttgir`: gives every tensor a layout, so that global memory
/// is accessed well and little data moves between threads.
std::unique_ptr<mlir::Pass>
createConvertTtirToTtgir(const TtgirOptions &options = {});

/// `allocate-shared-memory`: notes on each op that needs shared memory where
/// its part is (`allocation.offset`), and on the module how much there is in
/// all
/// (`ttg.shared`).
std::unique_ptr<mlir::Pass> createAllocateSharedMemory();

/// `insert-barriers`: puts `ttg.barrier local` wherever a thread could touch
/// shared memory that another has not finished with.
std::unique_ptr<mlir::Pass> createInsertBarriers();

/// `test-print-axis-info`: a remark on each result of index or pointer type,
/// with what is known of it.
std::unique_ptr<mlir::Pass> createPrintAxisInfo();

/// Makes all passes known by name, to `kernelscope opt`.
void registerPasses();

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_PASSES_H
