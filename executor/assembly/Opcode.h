//===- Opcode.h - The parts of a PTX opcode --------------------*- C++ -*-===//
//
// PTX ISA, "Instruction Set": a name, modifiers, and types.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_ASSEMBLY_OPCODE_H
#define KERNELSCOPE_EXECUTOR_ASSEMBLY_OPCODE_H

#include "executor/assembly/Arithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cfenv>

namespace kernelscope::executor::assembly {

struct Opcode {
  llvm::StringRef name;
  llvm::SmallVector<llvm::StringRef> modifiers;
  llvm::SmallVector<Type> types;

  explicit Opcode(llvm::StringRef text) {
    llvm::SmallVector<llvm::StringRef> words;
    text.split(words, '.');
    name = words.front();
    for (llvm::StringRef word : llvm::ArrayRef(words).drop_front())
      if (std::optional<Type> type = typeOf(word))
        types.push_back(*type);
      else
        modifiers.push_back(word);
  }
  /// Takes a modifier away, so that what is left is unknown.
  bool take(llvm::StringRef modifier) {
    auto found = llvm::find(modifiers, modifier);
    if (found == modifiers.end())
      return false;
    modifiers.erase(found);
    return true;
  }
  /// Takes .rn, .rz, .rm or .rp away, for <cfenv>.
  int takeDirection() {
    if (take("rz"))
      return FE_TOWARDZERO;
    if (take("rm"))
      return FE_DOWNWARD;
    if (take("rp"))
      return FE_UPWARD;
    take("rn");
    return FE_TONEAREST;
  }
};

} // namespace kernelscope::executor::assembly

#endif // KERNELSCOPE_EXECUTOR_ASSEMBLY_OPCODE_H
