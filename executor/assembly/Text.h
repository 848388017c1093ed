//===- Text.h - The text of inline assembly --------------------*- C++ -*-===//
//
// PTX and AMDGCN as LLVM's inline assembly has them: $0, $1, ... are the
// operands of the op. What an instruction means is not known here.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_EXECUTOR_ASSEMBLY_TEXT_H
#define KERNELSCOPE_EXECUTOR_ASSEMBLY_TEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kernelscope::executor::assembly {

enum class Language { Ptx, Amdgcn };

/// One operand of an instruction.
struct Operand {
  enum Kind {
    Register, ///< number `index`
    Integer,  ///< `integer`, or the bits of a PTX float, 0f3F800000
    Number,   ///< `number`, to be rounded to the type of the operand
    Special,  ///< a register of the machine, `name`
  } kind = Register;
  unsigned index = 0;
  uint64_t integer = 0;
  double number = 0;
  std::string name;
  /// What is read of a register: PTX `!p`, AMDGCN `-v0` and `|v0|`.
  bool inverted = false, negated = false, absolute = false;
  /// PTX's `[$1+4]`: what is at the address in the register plus `integer`.
  bool isAddress = false;
};

/// `{$0, $1}` is several parts of one operand, and so are an address and what
/// follows it in its brackets: `[$0, {$1, $2}]`.
using Parts = llvm::SmallVector<Operand, 2>;

struct Instruction {
  std::string text; ///< for messages
  std::string opcode;
  std::vector<Parts> operands;
  std::vector<std::string> modifiers; ///< AMDGCN: what follows the operands
  /// It runs where this register is true, or false when `negated`.
  std::optional<unsigned> predicate;
  bool negated = false;
};

/// Instructions with registers 0 to `operands` - 1 for $0, $1, ... and those
/// above for what the text declares, or has without a declaration: PTX's carry
/// ("CC.CF") and AMD's bit of each lane ("vcc").
struct Program {
  std::vector<Instruction> instructions;
  unsigned registers = 0;
  /// For each label the number of the instruction after it.
  std::map<std::string, size_t> labels;
};

/// Parses the text of an op with `operands` operands, results included.
llvm::Expected<Program> parse(llvm::StringRef text, unsigned operands,
                              Language language);

} // namespace kernelscope::executor::assembly

#endif // KERNELSCOPE_EXECUTOR_ASSEMBLY_TEXT_H
