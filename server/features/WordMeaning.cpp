//===- WordMeaning.cpp - what a keyword of an op means --------------------===//

#include "server/features/WordMeaning.h"

#include "dialects/Dialects.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;
using llvm::StringRef;

namespace {
struct Meaning {
  StringRef word, text;
};
} // namespace

static constexpr Meaning integerPredicates[] = {
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
static constexpr Meaning floatPredicates[] = {
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

static constexpr Meaning cacheModifiers[] = {
    {"none", "the default of the chip"},
    {"ca", "cache at all levels"},
    {"cg", "cache in L2, not in L1"},
    {"wb", "write back from all levels"},
    {"cs", "streaming: likely to be accessed once"},
    {"wt", "write through L2 to system memory"},
    {"cv", "do not cache: read memory again"},
};
static constexpr Meaning evictionPolicies[] = {
    {"evict_normal", "the usual priority"},
    {"evict_first", "evict before other lines: streamed data"},
    {"evict_last", "evict after other lines: data that is read again"},
};
static constexpr Meaning memoryOrders[] = {
    {"relaxed", "atomic, but orders no other access"},
    {"acquire", "later accesses of the program come after it"},
    {"release", "earlier accesses of the program come before it"},
    {"acq_rel", "acquire and release"},
};
static constexpr Meaning scopes[] = {
    {"cta", "threads of the same CTA"},
    {"gpu", "all threads of the GPU"},
    {"sys", "all threads of the system: other GPUs and the host, too"},
};
static constexpr Meaning atomicOperations[] = {
    {"and", "bitwise and"},          {"or", "bitwise or"},
    {"xor", "bitwise exclusive or"}, {"add", "integer sum"},
    {"fadd", "sum of floats"},       {"max", "signed maximum"},
    {"min", "signed minimum"},       {"umax", "unsigned maximum"},
    {"umin", "unsigned minimum"},    {"exch", "exchange: store the operand"},
};
static constexpr Meaning roundings[] = {
    {"rtz", "toward zero"},
    {"rtne", "to nearest, ties to even"},
};
static constexpr Meaning inputPrecisions[] = {
    {"tf32", "one product of inputs rounded to 10 bits of mantissa"},
    {"tf32x3", "three tf32 products, about the precision of f32"},
    {"ieee", "f32 throughout, without tensor cores"},
    {"bf16x3", "three products of bf16 parts"},
    {"bf16x6", "six products of bf16 parts, about the precision of f32"},
};

/// By the summary of the attribute's constraint.
static llvm::ArrayRef<Meaning> meaningsFor(StringRef constraint) {
  if (constraint == "cache modifier of a load or store")
    return cacheModifiers;
  if (constraint == "L2 eviction priority of a load or store")
    return evictionPolicies;
  if (constraint == "memory order of an atomic")
    return memoryOrders;
  if (constraint == "threads that an atomic synchronises with")
    return scopes;
  if (constraint == "operation of an atomic read-modify-write")
    return atomicOperations;
  if (constraint == "rounding of a narrowing float conversion")
    return roundings;
  if (constraint == "precision of f32 inputs in a matrix product")
    return inputPrecisions;
  return {};
}

static StringRef lookUpMeaning(llvm::ArrayRef<Meaning> table, StringRef word) {
  const Meaning *found = llvm::find_if(
      table, [&](const Meaning &row) { return row.word == word; });
  return found == table.end() ? StringRef() : found->text;
}

StringRef kernelscope::meaningOf(StringRef op, StringRef word) {
  if (op == "arith.cmpi")
    return lookUpMeaning(integerPredicates, word);
  if (op == "arith.cmpf")
    return lookUpMeaning(floatPredicates, word);
  const Doc *doc = findDoc(DocKind::Op, op);
  if (doc)
    for (const SignatureEntry &entry : readSignature(*doc))
      if (StringRef text = lookUpMeaning(meaningsFor(entry.constraint), word);
          !text.empty())
        return text;
  return "";
}
