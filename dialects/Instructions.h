//===- Instructions.h - what ops become on a target -------------*- C++ -*-===//
//
// The instructions of PTX and of AMD's ISAs that ops are lowered to, with the
// section of the manual that describes them. For people: no pass reads it.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_DIALECTS_INSTRUCTIONS_H
#define KERNELSCOPE_DIALECTS_INSTRUCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace kernelscope {

/// What one op becomes on some targets.
struct Instructions {
  llvm::StringLiteral op;
  /// "cuda", "cuda>=90", "cuda<100", "cuda=90" (90 to 99), "hip", "cdna"
  /// (gfx9), "rdna" (gfx11 and gfx12 but gfx1250), or what the name of an AMD
  /// architecture begins with: "gfx950", "gfx11", "gfx120".
  llvm::StringLiteral target;
  llvm::StringLiteral text;
  /// Chapter and entry of the PTX ISA, or of the ISA document of the target.
  llvm::StringLiteral section;
  /// What a reader must know of it there; may be empty.
  llvm::StringLiteral note;
};

/// What `op` ("tt.load") becomes on the target that `ttg.target` names
/// ("cuda:90", "hip:gfx950"); on an empty target all that is known.
llvm::SmallVector<const Instructions *>
findInstructions(llvm::StringRef op, llvm::StringRef target);

/// The whole table.
llvm::ArrayRef<Instructions> allInstructions();

/// The manual that `row.section` is of: "PTX ISA", "CDNA ISA".
llvm::StringRef manualOf(const Instructions &row);

} // namespace kernelscope

#endif // KERNELSCOPE_DIALECTS_INSTRUCTIONS_H
