//===- Compile.h - From a module of IR to a program for the GPU -*- C++ -*-===//
//
// The whole pipeline: TTIR or TTGIR in, text or an object out.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_COMPILE_H
#define KERNELSCOPE_PASSES_COMPILE_H

#include "mlir/IR/BuiltinOps.h"
#include "passes/emit/Emit.h"
#include <functional>
#include <string>
#include <vector>

namespace kernelscope {

/// What a tensor map must say of the blocks that it is used for, beside the
/// tensor itself: as `cuTensorMapEncodeTiled` and `cuTensorMapEncodeIm2col`
/// take it.
struct TensorMapInfo {
  /// Elements of one message along each dimension of the block, the last one
  /// the fastest; of an im2col copy, pixels and channels.
  std::vector<int64_t> box;
  /// 0, 32, 64 or 128.
  unsigned swizzleBytes = 0;
  bool isIm2Col = false;
  /// Elements are pairs of 4 bits, and memory has gaps between 8 bytes of them.
  bool isFp4Padded = false;
  /// AMD: after so many bytes of a block in LDS so many are left out; 0 for
  /// none.
  unsigned gapInterval = 0, gapBytes = 0;
};

/// A parameter of a kernel as the launcher passes it.
struct KernelArgument {
  enum class Kind {
    /// A device pointer, 8 bytes.
    Pointer,
    Integer,
    Float,
    /// The 128 bytes of a tensor map, or the words of AMD's tensor data mover,
    /// by value.
    TensorMap
  };
  Kind kind = Kind::Integer;
  /// Element type of a pointer, else the type itself: "f32", "i64", "bf16".
  std::string type;
  /// Size in bytes of the parameter (not of what it points to).
  unsigned bytes = 0;
  /// The name in the source, when its location has one.
  std::string name;
  /// Of a tensor map; nothing if its blocks cannot be laid out.
  std::optional<TensorMapInfo> tensorMap = {};
};

/// The resources that the assembler gave each thread of a kernel.
struct ThreadResources {
  unsigned registers = 0;
  /// Stored to local memory because registers did not suffice.
  unsigned spilledBytes = 0;
  /// Of AMD's, what the registers allow.
  unsigned wavesPerSimd = 0;
};

/// What a launcher must know about a kernel. The parameters of the emitted
/// entry are those in `arguments`, in order, and then two pointers, to global
/// scratch and to profiler scratch, as Triton 3.6 has them: so that what is
/// emitted here goes into Triton's override folder as it is. They may be null
/// where `scratchBytes` or `profileScratchBytes` is 0.
struct KernelInfo {
  std::string name;
  /// Warps in a block, including those of warp-specialised partitions.
  unsigned warps = 4;
  unsigned threadsPerWarp = 32;
  /// Blocks in a cluster.
  unsigned ctas = 1;
  /// Dynamic shared memory (LDS) that a launch must ask for, in bytes.
  unsigned sharedBytes = 0;
  /// Global scratch per block, in bytes, and the alignment it needs.
  unsigned scratchBytes = 0;
  unsigned scratchAlignment = 1;
  /// The same of the profiler's scratch, which plug-ins use, too.
  unsigned profileScratchBytes = 0;
  unsigned profileScratchAlignment = 1;
  /// It waits for the previous kernel, or lets the next one start, explicitly:
  /// the launch may overlap with both.
  bool isDependent = false;
  /// All blocks must run at once, since they wait for each other.
  bool isCooperative = false;
  std::vector<KernelArgument> arguments;
  /// Where an assembler has made machine code of it.
  std::optional<ThreadResources> resources = {};

  unsigned threads() const { return warps * threadsPerWarp; }
};

/// A line of the IR that came in and a line of the output made from it; both
/// count from 1.
struct LineLink {
  unsigned irLine = 0;
  unsigned outputLine = 0;
  bool operator==(const LineLink &) const = default;
};

/// What `compile` makes.
struct Artifact {
  /// Text, or the bytes of an object.
  std::string output;
  std::vector<KernelInfo> kernels;
  /// In order of output lines, each output line at most once. Empty for bytes.
  std::vector<LineLink> lines;
};

/// Options of a kernel for AMD, by the names of Triton's `HIPOptions`
/// (`backends/amd/compiler.py`).
struct AmdKernelOptions {
  /// `waves_per_eu`: waves of a SIMD that the registers must suffice for; 0:
  /// LLVM decides.
  unsigned wavesPerEu = 0;
  /// `allow_flush_denorm`: denormals of f32 become zeros.
  bool flushDenormals = false;
  /// `wgp_cu_mode`, "cu": the waves of a workgroup share one compute unit. LLVM
  /// ignores it on chips without workgroup processors.
  bool cuMode = false;
  /// `llvm_fn_attrs`: names and values.
  std::vector<std::pair<std::string, std::string>> attributes;
};

struct CompileOptions {
  /// Compile only this kernel; all when empty.
  std::string kernel;
  /// For TTIR only, which carries none of them. 0 warps: 4, or 8 if products
  /// need their registers.
  unsigned warps = 0;
  unsigned ctas = 1;
  /// Stages of a loop of products; 0 for 3, or 2 on AMD.
  unsigned stages = 0;
  /// Run LLVM's O3 pipeline.
  bool optimize = true;
  /// Called as each stage starts, with the name of a pass
  /// ("convert-ttgir-to-llvm") or of what LLVM does ("PTX generation"), so that
  /// a process that dies can say where.
  std::function<void(llvm::StringRef stage)> onStage;
  /// Called with the TTGIR that is about to be lowered.
  std::function<void(mlir::ModuleOp ttgir)> onTtgir;
  /// Allow fma contraction, as Triton's `enable_fp_fusion` does.
  bool fuseFloatOps = true;
  AmdKernelOptions amd;
};

/// Compiles `module` for `target`, changing it. Locations of its ops are lines
/// of the IR file (`FileLineColLoc`), and errors are diagnostics on them,
/// LLVM's own included. LLVM has errors that end the process
/// (`report_fatal_error`): run this in a process of its own, and take its stage
/// from `onStage`.
mlir::FailureOr<Artifact> compile(mlir::ModuleOp module, const Target &target,
                                  Emit emit, const CompileOptions &options);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_COMPILE_H
