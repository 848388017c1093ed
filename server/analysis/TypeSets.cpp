//===- TypeSets.cpp - what an op may take, in plain words -----------------===//

#include "server/analysis/TypeSets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

namespace {

struct Kind {
  std::string one, many; ///< "an integer", "integers".
};

constexpr struct {
  StringRef set, one, many;
} namedKinds[] = {
    {"floating-point", "a float", "floats"},
    {"integer", "an integer", "integers"},
    {"signless integer", "an integer", "integers"},
    {"index", "an index", "indices"},
    {"any type", "a value of any type", "values of any type"},
    {"pointer to a scalar", "a pointer", "pointers"},
    {"pointer to a tensor", "a pointer to a tensor", "pointers to tensors"},
    {"bfloat16 type", "a bf16", "bf16"},
    {"a view of shared or tensor memory", "a view of shared or tensor memory",
     "views of shared or tensor memory"},
    {"an asynchronous operation in flight", "a token of an asynchronous op",
     "tokens of asynchronous ops"},
    {"descriptor of a tensor in global memory, with the shape of its block",
     "a descriptor of a tensor in global memory", "descriptors of tensors"},
};

/// Sets that stand alone.
constexpr struct {
  StringRef set, plain;
} wholeSets[] = {
    {"signless-integer-like", "an integer, an index, or a tensor of these"},
    {"signless-fixed-width-integer-like", "an integer or a tensor of integers"},
    {"floating-point-like", "a float or a tensor of floats"},
    {"bool-like", "an i1 or a tensor of i1"},
    {"ranked tensor of any type values", "a tensor"},
    {"tensor or a view of shared or tensor memory",
     "a tensor, or a view of shared or tensor memory"},
    {"unit attribute", "a flag: its name alone"},
    {"bool attribute", "true or false"},
    {"1-bit signless integer attribute", "true or false"},
    {"string attribute", "a string in quotes"},
    {"any type attribute", "a type"},
    {"index attribute", "an index, such as 1 : index"},
    {"flat symbol reference attribute", "the name of a symbol, such as @name"},
    {"symbol reference attribute", "the name of a symbol, such as @name"},
    {"i32 dense array attribute", "numbers, such as array<i32: 1, 2>"},
    {"i64 dense array attribute", "numbers, such as array<i64: 1, 2>"},
    {"Floating point fast math flags", "fast-math flags, such as <fast>"},
};

} // namespace

/// The type that "32-bit signless integer" and the like spell.
static std::optional<std::string> spelledType(StringRef set) {
  unsigned bits;
  if (set.consumeInteger(10, bits) || !set.consume_front("-bit "))
    return std::nullopt;
  if (set == "float")
    return "f" + llvm::utostr(bits);
  if (set == "signless integer" || set == "integer")
    return "i" + llvm::utostr(bits);
  return std::nullopt;
}

static std::optional<Kind> readKind(StringRef set) {
  for (const auto &named : namedKinds)
    if (set == named.set)
      return Kind{named.one.str(), named.many.str()};
  if (std::optional<std::string> type = spelledType(set))
    return Kind{(type->front() == 'i' ? "an " : "a ") + *type, *type};
  return std::nullopt;
}

/// "a, b, or c".
static std::string inWords(llvm::ArrayRef<std::string> words) {
  if (words.size() < 3)
    return llvm::join(words, " or ");
  return llvm::join(words.drop_back(), ", ") + ", or " + words.back();
}

/// The kinds of "integer or index"; empty if one is unknown.
static std::vector<Kind> readKinds(StringRef set) {
  llvm::SmallVector<StringRef> parts;
  set.split(parts, " or ");
  std::vector<Kind> kinds;
  for (StringRef part : parts) {
    std::optional<Kind> kind = readKind(part);
    if (!kind)
      return {};
    kinds.push_back(std::move(*kind));
  }
  return kinds;
}

static std::vector<std::string> namesOf(llvm::ArrayRef<Kind> kinds,
                                        std::string Kind::*form) {
  std::vector<std::string> names;
  for (const Kind &kind : kinds)
    names.push_back(kind.*form);
  return names;
}

/// The sets of "integer or ranked tensor of integer values".
static std::string sayUnion(StringRef set) {
  std::vector<Kind> scalars, elements;
  while (!set.empty()) {
    StringRef part;
    if (set.consume_front("ranked tensor of ")) {
      size_t end = set.find(" values");
      if (end == StringRef::npos)
        return "";
      std::vector<Kind> found = readKinds(set.take_front(end));
      if (found.empty())
        return "";
      llvm::append_range(elements, found);
      set = set.drop_front(end + StringRef(" values").size());
      if (!set.empty() && !set.consume_front(" or "))
        return "";
      continue;
    }
    std::tie(part, set) = set.split(" or ");
    std::optional<Kind> kind = readKind(part);
    if (!kind)
      return "";
    scalars.push_back(std::move(*kind));
  }
  std::vector<std::string> said = namesOf(scalars, &Kind::one);
  std::vector<std::string> many = namesOf(elements, &Kind::many);
  if (many.size() > 1 && many == namesOf(scalars, &Kind::many))
    said.push_back("a tensor of these");
  else if (!many.empty())
    said.push_back("a tensor of " + inWords(many));
  return inWords(said);
}

std::string kernelscope::sayTypes(StringRef set) {
  for (const auto &whole : wholeSets)
    if (set == whole.set)
      return whole.plain.str();
  StringRef rest = set;
  if (rest.consume_front("variadic of ")) {
    if (std::optional<Kind> kind = readKind(rest))
      return "any number of " + kind->many;
    std::string said = sayTypes(rest);
    return said == rest ? set.str() : "any number of these: " + said;
  }
  if (rest.consume_back(" attribute"))
    if (std::optional<std::string> type = spelledType(rest))
      return "an " + *type + ", such as 1 : " + *type;
  std::string said = sayUnion(rest);
  return said.empty() ? set.str() : said;
}

/// "one of a, b", by `say`; empty without choices.
template <typename Say>
static std::string oneOf(const SignatureEntry &entry, Say say) {
  if (entry.choices.empty())
    return "";
  return "one of " + llvm::join(llvm::map_range(entry.choices, say), ", ");
}

std::string kernelscope::sayConstraint(const SignatureEntry &entry) {
  std::string choices = oneOf(entry, [](const SignatureEntry::Choice &choice) {
    return choice.word.str();
  });
  // MLIR's own enumerations have no name.
  if (!choices.empty() && entry.constraint.starts_with("allowed "))
    return choices;
  return sayTypes(entry.constraint) + (choices.empty() ? "" : ": ") + choices;
}

std::string kernelscope::sayChoices(const SignatureEntry &entry) {
  return oneOf(entry, [](const SignatureEntry::Choice &choice) {
    return (choice.spelling + " (" + choice.word + ")").str();
  });
}
