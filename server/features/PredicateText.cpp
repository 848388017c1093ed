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
    {"slt", "less, both signed"},
    {"sle", "less or equal, both signed"},
    {"sgt", "greater, both signed"},
    {"sge", "greater or equal, both signed"},
    {"ult", "less, both unsigned"},
    {"ule", "less or equal, both unsigned"},
    {"ugt", "greater, both unsigned"},
    {"uge", "greater or equal, both unsigned"},
};
static constexpr Predicate floatPredicates[] = {
    {"false", "always false"},
    {"oeq", "equal; false with a NaN"},
    {"ogt", "greater; false with a NaN"},
    {"oge", "greater or equal; false with a NaN"},
    {"olt", "less; false with a NaN"},
    {"ole", "less or equal; false with a NaN"},
    {"one", "not equal; false with a NaN"},
    {"ord", "neither is a NaN"},
    {"ueq", "equal; true with a NaN"},
    {"ugt", "greater; true with a NaN"},
    {"uge", "greater or equal; true with a NaN"},
    {"ult", "less; true with a NaN"},
    {"ule", "less or equal; true with a NaN"},
    {"une", "not equal; true with a NaN"},
    {"uno", "one of them is a NaN"},
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
