//===- PredicateText.cpp - what predicates of comparisons mean ------------===//

#include "server/features/PredicateText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

namespace {
struct Predicate {
  StringRef word, text;
};
} // namespace

static constexpr Predicate integerPredicates[] = {
    {"eq", "equal"},
    {"ne", "not equal"},
    {"slt", "less than, signed"},
    {"sle", "less than or equal, signed"},
    {"sgt", "greater than, signed"},
    {"sge", "greater than or equal, signed"},
    {"ult", "less than, unsigned"},
    {"ule", "less than or equal, unsigned"},
    {"ugt", "greater than, unsigned"},
    {"uge", "greater than or equal, unsigned"},
};
static constexpr Predicate floatPredicates[] = {
    {"false", "always false"},
    {"oeq", "equal; false if an operand is NaN"},
    {"ogt", "greater than; false if an operand is NaN"},
    {"oge", "greater than or equal; false if an operand is NaN"},
    {"olt", "less than; false if an operand is NaN"},
    {"ole", "less than or equal; false if an operand is NaN"},
    {"one", "not equal; false if an operand is NaN"},
    {"ord", "neither operand is NaN"},
    {"ueq", "equal; true if an operand is NaN"},
    {"ugt", "greater than; true if an operand is NaN"},
    {"uge", "greater than or equal; true if an operand is NaN"},
    {"ult", "less than; true if an operand is NaN"},
    {"ule", "less than or equal; true if an operand is NaN"},
    {"une", "not equal; true if an operand is NaN"},
    {"uno", "at least one operand is NaN"},
    {"true", "always true"},
};

StringRef kernelscope::predicateText(StringRef op, StringRef word) {
  llvm::ArrayRef<Predicate> table;
  if (op == "arith.cmpi")
    table = integerPredicates;
  else if (op == "arith.cmpf")
    table = floatPredicates;
  const Predicate *found = llvm::find_if(
      table, [&](const Predicate &row) { return row.word == word; });
  return found == table.end() ? StringRef() : found->text;
}
