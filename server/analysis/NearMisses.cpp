//===- NearMisses.cpp - what a misspelt name may have meant ---------------===//

#include "server/analysis/NearMisses.h"

#include "dialects/Dialects.h"
#include "server/analysis/Marks.h"
#include "server/analysis/PlainWords.h"

#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

/// Whether two neighbouring letters of one are swapped in the other.
static bool areSwapped(StringRef a, StringRef b) {
  if (a.size() != b.size())
    return false;
  for (size_t i = 0; i + 1 < a.size(); ++i)
    if (a[i] != b[i])
      return a[i] == b[i + 1] && a[i + 1] == b[i] &&
             a.drop_front(i + 2) == b.drop_front(i + 2);
  return false;
}

unsigned kernelscope::countSlips(StringRef a, StringRef b, unsigned most) {
  return areSwapped(a, b)
             ? 1
             : a.edit_distance(b, /*AllowReplacements=*/true, most);
}

bool kernelscope::differInUnderscores(StringRef a, StringRef b) {
  auto lettersOf = [](StringRef word) {
    std::string letters = word.str();
    llvm::erase(letters, '_');
    return letters;
  };
  return a != b && lettersOf(a) == lettersOf(b);
}

StringRef kernelscope::nearestOf(llvm::ArrayRef<StringRef> names,
                                 StringRef word) {
  StringRef nearest;
  if (word.size() < 2)
    return nearest;
  for (StringRef name : names)
    if (differInUnderscores(name, word))
      return name;
  unsigned best = std::max<unsigned>(word.size() / 3 + 1, 2);
  for (StringRef name : names) {
    unsigned distance = countSlips(name, word, best);
    if (distance == 0 || distance >= best)
      continue;
    best = distance;
    nearest = name;
  }
  return nearest;
}

void kernelscope::suggest(Diagnostic &diagnostic, Span place, StringRef nearest,
                          bool isToBeChecked) {
  if (nearest.empty())
    return;
  diagnostic.message += ("; did you mean '" + nearest + "'?").str();
  diagnostic.fixes.push_back({("Change to '" + nearest + "'").str(),
                              {{place, nearest.str()}},
                              isToBeChecked});
}

/// "unknown type `pt` in dialect `tt`".
static bool describeUnknownName(Diagnostic &diagnostic, const Syntax &syntax) {
  StringRef message = diagnostic.message;
  bool isType = message.contains(" type `");
  if (!message.starts_with("unknown ") ||
      !(isType || message.contains(" attribute `")) ||
      !message.contains("` in dialect `"))
    return false;
  std::string name = message.split('`').second.split('`').first.str();
  std::string space =
      message.split(" in dialect `").second.split('`').first.str();
  std::string prefix = space + ".";
  llvm::SmallVector<StringRef> names;
  for (const Doc &doc : getDocs())
    if (doc.kind == (isType ? DocKind::Type : DocKind::Attribute) &&
        doc.name.starts_with(prefix))
      names.push_back(StringRef(doc.name).drop_front(prefix.size()));
  diagnostic.message = "dialect '" + space + "' has no " +
                       (isType ? "type '" : "attribute '") + name + "'";
  std::string written = (isType ? "!" : "#") + prefix;
  const Token *token = syntax.tokenAt(diagnostic.span.begin);
  StringRef nearest = nearestOf(names, name);
  if (token && !nearest.empty() && syntax.text(*token) == written + name)
    suggest(diagnostic, token->span(), written + nearest.str());
  else if (names.size() <= 4 && !names.empty())
    diagnostic.message += "; it has " + llvm::join(names, ", ");
  return true;
}

/// "expected ... enum values for attribute 'predicate' [eq, ne]".
static bool describeUnknownWord(Diagnostic &diagnostic, const Syntax &syntax) {
  auto [before, after] =
      StringRef(diagnostic.message).split("enum values for attribute '");
  StringRef found = syntax.text(diagnostic.span);
  if (after.empty() || found.empty() || !llvm::isAlpha(found.front()))
    return false;
  auto [attribute, list] = after.split("' [");
  std::string choices = list.rtrim(']').str();
  llvm::SmallVector<StringRef> names;
  StringRef(choices).split(names, ", ");
  diagnostic.message =
      ("'" + attribute + "' is '" + found + "'; it must be one of " + choices)
          .str();
  suggest(diagnostic, diagnostic.span, nearestOf(names, found));
  return true;
}

/// "expected a type", at a word such as `fp32` or `128xfp32`.
static void describeUnknownType(Diagnostic &diagnostic, const Syntax &syntax) {
  if (diagnostic.message != "expected a type")
    return;
  static constexpr StringRef names[] = {
      "f16",    "bf16",       "f32",      "f64",      "i1",
      "i8",     "i16",        "i32",      "i64",      "index",
      "tf32",   "tensor",     "f8E5M2",   "f8E4M3FN", "f8E4M3FNUZ",
      "memref", "f8E5M2FNUZ", "f4E2M1FN", "vector",   "none"};
  static constexpr std::pair<StringRef, StringRef> others[] = {
      {"fp16", "f16"},      {"fp32", "f32"},    {"fp64", "f64"},
      {"float", "f32"},     {"float16", "f16"}, {"float32", "f32"},
      {"float64", "f64"},   {"half", "f16"},    {"double", "f64"},
      {"int", "i32"},       {"int8", "i8"},     {"int16", "i16"},
      {"int32", "i32"},     {"int64", "i64"},   {"bool", "i1"},
      {"bfloat16", "bf16"}, {"u8", "i8"},       {"u16", "i16"},
      {"u32", "i32"},       {"u64", "i64"}};
  Span place = diagnostic.span;
  StringRef word = syntax.text(place);
  size_t sizes = word.rfind('x');
  if (sizes != StringRef::npos && word.take_front(sizes).find_first_not_of(
                                      "0123456789x?") == StringRef::npos) {
    place.begin += sizes + 1;
    word = word.drop_front(sizes + 1);
  }
  if (word.empty() || !llvm::isAlpha(word.front()))
    return;
  diagnostic.message += (", found '" + word + "'").str();
  diagnostic.span = place;
  for (auto [name, right] : others)
    if (word == name)
      return suggest(diagnostic, place, right);
  suggest(diagnostic, place, nearestOf(names, word));
}

std::vector<const Statement *> kernelscope::aliasesOf(const Syntax &syntax) {
  std::vector<const Statement *> aliases;
  for (SyntaxId root : syntax.chunks())
    for (SyntaxId id : syntax.region(root).statements)
      if (const Statement &statement = syntax.statement(id);
          statement.kind == Statement::Alias &&
          !syntax.isLocationAlias(statement))
        aliases.push_back(&statement);
  return aliases;
}

/// "use of value '%x' expects different type than prior uses: 'a' vs 'b'".
static bool describeMistyped(Diagnostic &diagnostic, const Syntax &syntax) {
  auto [before, types] =
      StringRef(diagnostic.message)
          .split(" expects different type than prior uses: ");
  if (types.empty() || !before.consume_front("use of value "))
    return false;
  auto [here, first] = types.split(" vs ");
  std::string message = (before + " is used as ").str() +
                        withAliases(here.str(), syntax) + ", but its type is " +
                        withAliases(first.str(), syntax);
  diagnostic.message = std::move(message);
  return true;
}

void kernelscope::suggestAttribute(Diagnostic &diagnostic,
                                   const Syntax &syntax) {
  StringRef after =
      StringRef(diagnostic.message).split("requires attribute '").second;
  if (after.empty())
    after = StringRef(diagnostic.message).split("layout has no '").second;
  SyntaxId id = syntax.statementAt(diagnostic.span.begin);
  if (after.empty() || id == noSyntax)
    return;
  StringRef needed = after.split('\'').first;
  const Statement &statement = syntax.statement(id);
  llvm::SmallVector<StringRef> written;
  for (size_t i = statement.firstToken; i + 1 < statement.endToken; ++i)
    if (syntax.tokens()[i].kind == Token::Identifier &&
        syntax.text(syntax.tokens()[i + 1]) == "=")
      written.push_back(syntax.text(syntax.tokens()[i]));
  StringRef slip = nearestOf(written, needed);
  if (slip.empty())
    return;
  size_t begin = slip.data() - syntax.text().data();
  diagnostic.fixes.push_back(
      {("Change '" + slip + "' to '" + needed + "'").str(),
       {{{begin, begin + slip.size()}, needed.str()}},
       /*isToBeChecked=*/true});
  diagnostic.message += ("; it has '" + slip + "'").str();
  diagnostic.span = {begin, begin + slip.size()};
}

void kernelscope::suggestResultType(Diagnostic &diagnostic,
                                    const Syntax &syntax) {
  StringRef message = diagnostic.message;
  auto [before, types] = message.split(" op computes a result of type '");
  auto [computed, rest] = types.split('\'');
  auto [middle, found] = rest.split(" has type '");
  SyntaxId id = syntax.statementAt(diagnostic.span.begin);
  if (!found.consume_back("'") || id == noSyntax)
    return;
  StringRef text = syntax.text(syntax.statement(id).span);
  size_t at = text.rfind(("-> " + found).str());
  if (at == StringRef::npos)
    return;
  size_t begin =
      text.data() - syntax.text().data() + at + StringRef("-> ").size();
  diagnostic.fixes.push_back({("Change the type to '" + computed + "'").str(),
                              {{{begin, begin + found.size()}, computed.str()}},
                              /*isToBeChecked=*/true});
}

void kernelscope::suggestMark(std::vector<Diagnostic> &diagnostics,
                              const Token &word, const Syntax &syntax) {
  StringRef name = syntax.text(word).trim('"');
  llvm::SmallVector<StringRef> names;
  for (const Mark &mark : allMarks())
    if (mark.name == name)
      return;
    else if (mark.name.size() + 1 >= name.size() &&
             name.size() + 1 >= mark.name.size())
      names.push_back(mark.name);
  StringRef nearest = nearestOf(names, name);
  if (nearest.empty() || nearest.edit_distance(name) > 2)
    return;
  Diagnostic diagnostic;
  diagnostic.span = word.span();
  diagnostic.severity = Severity::Hint;
  diagnostic.code = "unknown-attribute";
  diagnostic.message = ("Triton does not read '" + name + "'").str();
  bool isQuoted = syntax.text(word).starts_with("\"");
  if (isQuoted)
    diagnostic.span = {word.begin + 1, word.end - 1};
  suggest(diagnostic, diagnostic.span, nearest);
  diagnostics.push_back(std::move(diagnostic));
}

/// "expected attribute value", and a word is there that may be a slip of one.
static void suggestAttributeValue(Diagnostic &diagnostic,
                                  const Syntax &syntax) {
  StringRef found = syntax.text(diagnostic.span);
  if (diagnostic.message != "expected attribute value" || found.empty() ||
      !llvm::isAlpha(found.front()))
    return;
  diagnostic.message =
      ("expected the value of an attribute, found '" + found + "'").str();
  if (found == "True" || found == "False")
    return suggest(diagnostic, diagnostic.span,
                   found == "True" ? "true" : "false");
  suggest(diagnostic, diagnostic.span,
          nearestOf({"true", "false", "unit", "dense", "array"}, found));
}

/// The option of the op around `word` (`cacheModifier = cg`) that `word` may be
/// a slip of; empty if none is near.
static StringRef nearestOption(const Syntax &syntax, Span word) {
  const SyntaxId id = syntax.statementAt(word.begin);
  const Doc *doc =
      id == noSyntax
          ? nullptr
          : findDoc(DocKind::Op,
                    syntax.text(syntax.statement(id).name).trim('"'));
  if (!doc)
    return {};
  llvm::SmallVector<StringRef> options;
  for (const SignatureEntry &entry : readSignature(*doc))
    if (StringRef option = entry.introducer;
        option.consume_back("=") || option.consume_back("<"))
      options.push_back(option);
  return nearestOf(options, syntax.text(word));
}

/// "expected 'to'", and a word is there that may be a slip of it.
static void suggestKeyword(Diagnostic &diagnostic, const Syntax &syntax) {
  StringRef message = diagnostic.message, found = syntax.text(diagnostic.span);
  if (found.empty() || !llvm::isAlpha(found.front()))
    return;
  if (message == "expected valid '@'-identifier for symbol name")
    return suggest(diagnostic, diagnostic.span,
                   nearestOf({"public", "private", "nested"}, found));
  if (!message.consume_front("expected '") || message.count('\'') != 1)
    return;
  if (StringRef option = nearestOption(syntax, diagnostic.span);
      !option.empty()) {
    diagnostic.message += (", found '" + found + "'").str();
    return suggest(diagnostic, diagnostic.span, option);
  }
  std::string keyword = message.split('\'').first.str();
  if (nearestOf({keyword}, found).empty())
    return;
  diagnostic.message += (", found '" + found + "'").str();
  diagnostic.fixes.push_back(
      {"Change to '" + keyword + "'", {{diagnostic.span, keyword}}});
}

void kernelscope::describeMisspelling(Diagnostic &diagnostic,
                                      const Syntax &syntax) {
  if (diagnostic.message.starts_with("expected an operation, found '"))
    return suggest(
        diagnostic, diagnostic.span,
        nearestOf({"module", "attributes"}, syntax.text(diagnostic.span)));
  suggestAttribute(diagnostic, syntax);
  if (!describeMistyped(diagnostic, syntax) &&
      !describeUnknownName(diagnostic, syntax) &&
      !describeUnknownWord(diagnostic, syntax)) {
    describeUnknownType(diagnostic, syntax);
    suggestAttributeValue(diagnostic, syntax);
    suggestKeyword(diagnostic, syntax);
  }
}
