//===- Emit.h - The kinds of output of a compilation ------------*- C++ -*-===//
//
// One table, which the compiler, the command line, the previews and the editors
// ask.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_EMIT_EMIT_H
#define KERNELSCOPE_PASSES_EMIT_EMIT_H

#include "dialects/target/Target.h"
#include <optional>

namespace kernelscope {

/// What to make of a module.
enum class Emit {
  /// The TTGIR that the lowering starts from.
  Ttgir,
  /// LLVM IR after optimisation.
  Llvm,
  /// NVIDIA's virtual assembly.
  Ptx,
  /// NVIDIA's machine code, disassembled.
  Sass,
  /// NVIDIA's ELF object.
  Cubin,
  /// AMD's assembly.
  Amdgcn,
  /// AMD's ELF code object.
  Hsaco
};

/// One kind of output.
struct EmitInfo {
  Emit emit;
  /// As `--emit` and the protocol spell it.
  llvm::StringLiteral name;
  /// Of a file, without the dot.
  llvm::StringLiteral suffix;
  /// For people.
  llvm::StringLiteral title;
  /// What it is, for messages: "NVIDIA's assembly".
  llvm::StringLiteral description;
  /// Whose chips have it; both vendors' when unset.
  std::optional<Vendor> vendor;
  /// Bytes of an object rather than text.
  bool isObject;
  /// CUDA's programs that make it, where LLVM does not.
  llvm::ArrayRef<llvm::StringLiteral> tools;

  bool isFor(Vendor other) const { return !vendor || vendor == other; }
};

/// Every kind of output.
llvm::ArrayRef<EmitInfo> knownEmits();

const EmitInfo &infoOf(Emit emit);

/// "ptx" and so on; none for a name that is not one.
std::optional<Emit> parseEmit(llvm::StringRef name);

/// The vendor's assembly, which LLVM writes itself.
Emit assemblyOf(Vendor vendor);

/// "ttgir, llvm, ..." in the order of the table: all of them, or only those
/// that no other vendor has.
std::string listEmits(std::optional<Vendor> only = std::nullopt);

/// Why `arch`, a chip of the other vendor, does not have `emit`, and what it
/// has instead.
std::string describeWrongVendor(Emit emit, llvm::StringRef arch);

} // namespace kernelscope

#endif // KERNELSCOPE_PASSES_EMIT_EMIT_H
