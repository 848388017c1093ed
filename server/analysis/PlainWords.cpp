//===- PlainWords.cpp - MLIR's messages, by pattern -----------------------===//

#include "server/analysis/PlainWords.h"

#include "server/analysis/NearMisses.h"
#include "server/analysis/TypeSets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace kernelscope;
using llvm::StringRef;

namespace {

/// A `*` stands for any text; `$1` is what the first one stands for, `$t1` the
/// same as the name of a set of types, and `$a1` as one of attributes.
struct Wording {
  llvm::StringLiteral raw, plain;
};

constexpr Wording wordings[] = {
    // Locations.
    {"expected '(' in inline location",
     "expected '(' after 'loc', as in loc(\"kernel.py\":3:5)"},
    {"expected ')' in location", "expected ')' at the end of the location"},
    {"expected location instance",
     "expected a location: \"kernel.py\":3:5, a name such as \"x\"(...), "
     "callsite(... at ...), fused[...], unknown, or an alias"},
    {"expected integer line number in FileLineColRange",
     "expected a line: a location in a file is \"kernel.py\":line:column"},
    {"expected integer column number in FileLineColRange",
     "expected a column: a location in a file is \"kernel.py\":line:column"},
    {"expected ')' after child location of NameLoc",
     "expected ')' after the location in a named one, as in \"x\"(#loc3)"},
    {"expected '(' in callsite location",
     "expected '(' after 'callsite', as in callsite(#loc1 at #loc2)"},
    {"expected location, but found '*'",
     "expected a location, but this stands for '$1'"},
    {"expected location attribute, but got*",
     "expected a location, but this is '$1'"},
    {"operation location alias was never defined",
     "nothing defines the alias of this location"},
    // Names.
    {"redefinition of SSA value '*'", "'$1' is defined twice"},
    {"redefinition of attribute alias id '*'", "'#$1' is defined twice"},
    {"redefinition of type alias id '*'", "'!$1' is defined twice"},
    {"redefinition of block '*'", "the block '$1' is defined twice"},
    {"undefined symbol alias id '*'", "nothing defines the alias '#$1'"},
    {"region entry argument '*' is already in use",
     "'$1' already names another value here"},
    {"previously defined here", "it is defined here first"},
    {"reference to an undefined block", "nothing defines this block"},
    {"expected SSA operand", "expected a value, such as %x"},
    {"expected SSA identifier", "expected the name of a value, such as %x"},
    {"expected valid ssa identifier",
     "expected the name of a value, such as %x"},
    {"expected '=' after SSA name", "expected '=' after the name of the value"},
    {"invalid SSA value result number",
     "expected the number of a result after '#', as in %x#1"},
    {"expected integer number of results",
     "expected the number of results after ':', as in %x:2"},
    {"result number not allowed in argument list",
     "an argument cannot have '#' and a number"},
    {"expected valid '@'-identifier for symbol name",
     "expected the name of a function, such as @kernel"},
    {"@ identifier expected to start with letter or '_'",
     "a name after '@' begins with a letter or '_'"},
    {"expected '=' in attribute alias definition",
     "expected '=' after the alias"},
    {"definition of SSA value '*' has type '*'",
     "'$1' is defined here with the type '$2', which is not that of its uses"},
    // Types, attributes and numbers.
    {"unbalanced '*' character in pretty dialect name",
     "nothing closes the '$1' in this type or attribute"},
    {"expected 'x' in dimension list",
     "expected 'x' after a size, as in tensor<4x64xf32>"},
    {"invalid dimension", "a size is an integer from 0 to 2^63 - 1"},
    {"type names with a '.' are reserved for dialect-defined names",
     "a type with a '.' begins with '!dialect.'; an alias has no '.'"},
    {"expected three consecutive dots for an ellipsis", "expected '...'"},
    {"invalid kind of type specified: expected builtin.*, but found '*'",
     "expected a type of the kind '$1', but this is '$2'"},
    {"invalid kind of attribute specified",
     "an attribute of another kind is needed here"},
    {"expected attribute value", "expected the value of an attribute"},
    {"expected '}' in attribute dictionary",
     "expected ',' or '}' after the value of an attribute"},
    {"expected attribute name", "expected the name of an attribute"},
    {"unexpected decimal integer literal for a floating point value",
     "a float needs a decimal point: 1.0, not 1"},
    {"integer constant out of range for attribute",
     "the number does not fit in its type"},
    {"integer literal not valid for specified type",
     "an integer is not a value of this type"},
    {"floating point value not valid for specified type",
     "a float is not a value of this type"},
    {"expected integer elements, but parsed floating-point",
     "this is a float, but the elements are integers"},
    {"expected integer value", "expected an integer"},
    {"parsed zero elements, but type ('*') expected at least 1",
     "'dense' needs a value: '$1' has elements"},
    {"inferred shape of elements literal ([*]) does not match type ([*])",
     "the values in 'dense' have the shape [$1], but the type has [$2]"},
    {"expected string or keyword containing one of the following enum values "
     "for attribute '*' [*]",
     "'$1' must be one of $2"},
    {"expected valid keyword", "expected a word"},
    {"expected valid attribute specifier", "expected an attribute"},
    {"expected ::mlir::* to be one of: *", "expected one of $2"},
    // Ops.
    {"has no custom assembly form",
     "this op has only the generic form, with its name in quotes: \"op\"(%x) : "
     "(i32) -> i32"},
    {"expected ':' followed by operation type",
     "expected ':' and the types of the operands and results"},
    {"expected '(' to start operand list",
     "expected '(' and the operands after the op's name in quotes"},
    {"expected ')' to end operand list", "expected ')' after the operands"},
    {"expected '{' to begin a region", "expected '{' and the op's region"},
    {"expected '>' to close properties", "expected '>' after the properties"},
    {"number of operands and types do not match: got * operands and * types",
     "each operand needs a type, but the number of operands is $1 and that of "
     "types is $2"},
    {"* operands present, but expected *",
     "the number of operands must be $2, but is $1"},
    {"cannot name an operation with no results",
     "the op has no results to name"},
    {"operation defines * results but was provided * to bind",
     "the names stand for $2 results, but the number of results is $1"},
    {"expected function type", "expected a function type: (i32) -> f32"},
    {"requires attribute '*'*", "needs the attribute '$1'$2"},
    {"attribute '*' is '*', which failed to satisfy constraint: *",
     "attribute '$1' is '$2'; it must be $a3"},
    {"attribute '*' failed to satisfy constraint: *",
     "attribute '$1' must be $a2"},
    {"expected * operands, but found *",
     "the number of operands must be $1, but is $2"},
    {"expected * or more operands, but found *",
     "the number of operands must be at least $1, but is $2"},
    {"requires * operands", "must have $1 operands"},
    {"requires * results", "must have $1 results"},
    {"requires one result", "must have one result"},
    {"requires zero results", "must have no result"},
    {"requires * regions", "must have $1 regions"},
    {"expected * regions", "must have $1 regions"},
    {"requires one region", "must have one region"},
    {"failed to infer returned types", "has operands or attributes from which "
                                       "its result type cannot be inferred"},
    {"inferred type(s) * are incompatible with return type(s) of operation *",
     "computes a result of type $1 from its operands, but the result has type "
     "$2"},
    {"different number of region iter_args and yielded values: * != *",
     "must yield a value for each of its iter_args, of which there are $1, but "
     "yields $2"},
    {"different number of inits and region iter_args: * != *",
     "must have an initial value for each of its iter_args, of which there are "
     "$2, but has $1"},
    {"different number of loop results and region iter_args: * != *",
     "must have a result for each of its iter_args, of which there are $2, but "
     "has $1"},
    {"must have an else block if defining values",
     "has results, so it needs an else block that yields them, too"},
    {"branch has * operands for successor #*, but target block has *",
     "the number of values for block #$2 must be $3, that of its arguments, "
     "but is $1"},
    {"invalid block name in region with named arguments",
     "the first block of an op with named arguments has no label"},
    {"symbol declaration cannot have public visibility",
     "has no body, so it must be private: tt.func private @name(...)"},
    {"along control flow edge from Operation * to *: region branch point has "
     "* operands, but region successor needs * inputs",
     "gets $3 values from $1; it needs $4"},
    {"along control flow edge from Operation * to *: successor operand type "
     "#* * should match successor input type #* *",
     "gets $4 from $1 as value #$3; it needs $6"},
    {"must be the last operation in the parent block",
     "must be the last op of its block"},
    {"expects parent op '*'", "must be directly inside a '$1'"},
    {"expects parent op to be one of '*'",
     "must be directly inside one of '$1'"},
    {"expects region #* to have 0 or 1 blocks",
     "has a region of several blocks; it must have one"},
    {"expects a non-empty block", "has an empty block"},
    {"arguments may only have dialect attributes",
     "has an argument with an attribute without the prefix of a dialect, as in "
     "tt.divisibility"},
    {"can only contain attributes with dialect-prefixed names, found: '*'",
     "has the attribute '$1' without the prefix of a dialect, as in ttg.$1"},
    {"* must be *, but got '*'", "$1 must be $t2, but it is '$3'"},
    {"* must be variadic of *, but got '*'", "$1 must be $t2, but it is '$3'"},
};

/// What the stars of `pattern` stand for in `message`, each as short as can be;
/// the last one reaches to the end.
std::optional<llvm::SmallVector<StringRef>> match(StringRef message,
                                                  StringRef pattern) {
  llvm::SmallVector<StringRef> parts, found;
  pattern.split(parts, '*');
  if (!message.consume_front(parts.front()))
    return std::nullopt;
  for (const StringRef &part : llvm::drop_begin(parts)) {
    const bool isLast = &part == &parts.back();
    size_t at = isLast ? (message.ends_with(part) ? message.size() - part.size()
                                                  : StringRef::npos)
                       : message.find(part);
    if (at == StringRef::npos)
      return std::nullopt;
    found.push_back(message.take_front(at));
    message = message.drop_front(at + part.size());
  }
  if (!message.empty())
    return std::nullopt;
  return found;
}

std::string filledIn(StringRef words, llvm::ArrayRef<StringRef> found) {
  std::string text;
  while (!words.empty()) {
    auto [before, after] = words.split('$');
    text += before;
    if (before.size() == words.size())
      break;
    const bool isOfAttributes = after.consume_front("a");
    const bool isSet = isOfAttributes || after.consume_front("t");
    StringRef part = found[after.front() - '1'];
    std::string said = isSet ? sayTypes(part) : part.str();
    // An enumeration is called what it is about, without an article.
    if (isOfAttributes && said == part)
      text += "of this kind: ";
    text += said;
    words = after.drop_front();
  }
  return text;
}

void replaceAll(std::string &text, StringRef what, StringRef with) {
  for (size_t at = 0; (at = text.find(what.str(), at)) != std::string::npos;
       at += with.size())
    text.replace(at, what.size(), with.str());
}

/// A layout is written with its parts.
bool mayHaveLayout(StringRef message) {
  return message.contains("<{") || message.contains("linear<");
}

} // namespace

std::string kernelscope::sayPlainly(StringRef message) {
  // "'tt.splat' op requires ..."
  if (size_t op = message.find("' op ");
      op != StringRef::npos && message.starts_with("'")) {
    size_t rule = op + StringRef("' op ").size();
    return message.take_front(rule).str() +
           sayPlainly(message.drop_front(rule));
  }
  for (const Wording &wording : wordings)
    if (auto found = match(message, wording.raw))
      return filledIn(wording.plain, *found);
  return message.str();
}

std::string kernelscope::withAliases(std::string message,
                                     const mlir::AsmParserState &parsed) {
  if (!mayHaveLayout(message))
    return message;
  llvm::SmallVector<std::pair<std::string, std::string>> known;
  for (const auto &alias : parsed.getAttributeAliasDefs()) {
    if (!alias.value || llvm::isa<mlir::LocationAttr>(alias.value))
      continue;
    std::string text;
    llvm::raw_string_ostream(text) << alias.value;
    known.push_back({std::move(text), ("#" + alias.name).str()});
  }
  // What is part of another one comes after it.
  llvm::sort(known, [](const auto &a, const auto &b) {
    return a.first.size() > b.first.size();
  });
  for (const auto &[text, name] : known)
    replaceAll(message, text, name);
  return message;
}

std::string kernelscope::withAliases(std::string message,
                                     const Syntax &syntax) {
  if (!mayHaveLayout(message))
    return message;
  std::vector<std::pair<StringRef, StringRef>> aliases;
  for (const Statement *alias : aliasesOf(syntax))
    aliases.push_back({syntax.aliasValue(*alias), syntax.text(alias->name)});
  // One may be a part of another.
  llvm::sort(aliases, [](const auto &a, const auto &b) {
    return a.first.size() > b.first.size();
  });
  for (auto [body, name] : aliases)
    if (body.size() > name.size())
      replaceAll(message, body, name);
  return message;
}
