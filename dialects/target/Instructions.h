//===- Instructions.h - what ops become on a target -------------*- C++ -*-===//
//
// The instructions of PTX and of AMD's ISAs that ops are lowered to, with the
// section of the manual that describes them. For people: no pass reads it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_TARGET_INSTRUCTIONS_H
#define KERNELSCOPE_DIALECTS_TARGET_INSTRUCTIONS_H

#include "dialects/target/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <string>

namespace kernelscope {

/// The chips that have an instruction.
struct Chips {
  /// For people: "cuda", "cuda>=90", "cuda=90" (90 to 99), "hip", "cdna",
  /// "rdna" (without gfx1250), "gfx950".
  llvm::StringLiteral name;
  /// The manual that describes them: "PTX ISA", "CDNA ISA".
  llvm::StringLiteral manual;
  bool (*include)(const Target &);
};

/// What one op becomes on some chips.
struct Instructions {
  llvm::StringLiteral op;
  Chips chips;
  llvm::StringLiteral text;
  /// Chapter and entry of the manual.
  llvm::StringLiteral section;
  /// What a reader must know of it there; may be empty.
  llvm::StringLiteral note;
  /// Of ops on elements of many types: those that the row is for ("f16 bf16",
  /// "f32>f16" of a conversion). If it is empty, the row is for all types.
  llvm::StringLiteral types = "";

  /// Whether the row is for elements of type `from` with a result of type `to`.
  bool areFor(llvm::StringRef from, llvm::StringRef to) const;
  /// The text for these types. It can contain `{t}` (`from`), `{d}` (`to`),
  /// `{n}` and `{m}` (their bits), `{w}` (the type that products and quotients
  /// of 16-bit floats are computed in) and `{a}` (f32 for bf16, as on AMD); of
  /// PTX's loads and stores `{x}` (`access`, such as ".v4.b32", or all there
  /// are if it is empty), `{?...}` (what else it may be while `access` is
  /// empty) and `{p}` (the predicate of one that `isMasked`).
  std::string textFor(llvm::StringRef from, llvm::StringRef to,
                      llvm::StringRef access = "", bool isMasked = true) const;
};

/// What `op` ("tt.load") becomes on `target`; all that is known without one.
llvm::SmallVector<const Instructions *> findInstructions(llvm::StringRef op,
                                                         const Target *target);

/// "'amdg.cluster_barrier_arrive' has no instruction on gfx950; it has one on
/// gfx1250"; empty if it has one, or none is known of any chip.
std::string describeMissingInstruction(llvm::StringRef op,
                                       const Target &target);

/// The rows of `arith`, of `math`, and all tables.
llvm::ArrayRef<Instructions> arithInstructions();
llvm::ArrayRef<Instructions> mathInstructions();
std::array<llvm::ArrayRef<Instructions>, 3> allInstructions();

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_TARGET_INSTRUCTIONS_H
