//===- ir.cpp - libFuzzer over texts of IR --------------------------------===//
//
// Analyses a text, prints what parsed, and asks for features at one place in
// it. Mutations go by token, so that most texts get past the parser and reach
// verifiers, printers and layouts. `run.sh` gives it its seeds.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Document.h"
#include "server/analysis/Lexer.h"
#include "server/analysis/Unit.h"
#include "test/unit/features/AskAll.h"

#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>

using namespace kernelscope;
using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

StringRef textOf(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

void askAll(const Document &document, size_t offset) {
  std::string faults = askWhole(document) + askAt(document, offset);
  if (faults.empty())
    return;
  llvm::errs() << "ranges beyond the text:\n" << faults;
  std::abort();
}

void print(const Document &document) {
  for (const Unit &unit : document.units())
    if (unit.fragment->isParsed && unit.facts->diagnostics.empty() &&
        unit.facts->root)
      unit.facts->root->print(llvm::nulls());
}

class Mutator {
public:
  Mutator(StringRef text, unsigned seed) : text(text), random(seed) {}

  std::string run() {
    tokens = lex(text).tokens;
    if (tokens.empty())
      return piece();
    std::string result = text.str();
    const Token &token = any();
    auto replace = [&](Span span, StringRef by) {
      result.replace(span.begin, span.end - span.begin, by);
    };
    switch (below(10)) {
    case 0:
    case 1:
    case 2:
      replace(anyOf(Token::Number), number());
      break;
    case 3: // The same kind of word from elsewhere: a type for a type.
      replace(token.span(), wordOf(anyOf(token.kind)));
      break;
    case 4:
      replace(token.span(), "");
      break;
    case 5:
      replace({token.begin, token.begin}, piece());
      break;
    case 6:
      replace(line(token.begin), "");
      break;
    case 7:
      replace({line(token.begin).begin, line(token.begin).begin},
              wordOf(line(any().begin)));
      break;
    case 8: { // What stands between two brackets, for what stands elsewhere.
      Span target = bracketed(), source = bracketed();
      replace(target, wordOf(source));
      break;
    }
    default:
      replace(token.span(), piece());
    }
    return result;
  }

private:
  unsigned below(size_t n) { return static_cast<unsigned>(random() % n); }
  const Token &any() { return tokens[below(tokens.size())]; }
  StringRef wordOf(Span span) const { return text.slice(span.begin, span.end); }

  /// A token of the kind, if a few tries find one.
  Span anyOf(Token::Kind kind) {
    for (int tries = 0; tries < 50; ++tries)
      if (const Token &token = any(); token.kind == kind)
        return token.span();
    return any().span();
  }

  Span line(size_t offset) const {
    size_t begin = text.take_front(offset).rfind('\n') + 1;
    size_t end = text.find('\n', offset);
    return {begin, end == StringRef::npos ? text.size() : end + 1};
  }

  Span bracketed() {
    for (int tries = 0; tries < 50; ++tries) {
      const Token &token = any();
      size_t open = StringRef("([{<").find(text[token.begin]);
      if (open == StringRef::npos)
        continue;
      int depth = 0;
      for (size_t at = token.begin; at < text.size(); ++at) {
        depth += text[at] == text[token.begin];
        depth -= text[at] == ")]}>"[open];
        if (depth == 0)
          return {token.begin + 1, at};
      }
    }
    return any().span();
  }

  std::string number() {
    static const char *const odd[] = {
        "0",  "-1",    "1",          "2",          "3",
        "7",  "16",    "32",         "64",         "256",
        "12", "65536", "2147483648", "4294967296", "9223372036854775807",
        "-8", "0x7F",  "1.5"};
    return odd[below(std::size(odd))];
  }

  std::string piece() {
    static const char *const pieces[] = {"(",
                                         ")",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         "<",
                                         ">",
                                         "%0",
                                         "#a",
                                         "!tt.ptr",
                                         "^bb0",
                                         "@f",
                                         "tensor<",
                                         "dense<",
                                         "i1",
                                         "i64",
                                         "f8E5M2",
                                         "index",
                                         "?",
                                         "*",
                                         "x",
                                         ":",
                                         "->",
                                         "=",
                                         ",",
                                         "loc(\"a\")",
                                         "true",
                                         "unit",
                                         "\"\"",
                                         "// -----\n",
                                         "!ttg.memdesc<",
                                         "#ttg.slice<{dim = 0, parent = #a}>",
                                         "vector<4xf32>",
                                         "tensor<f32>",
                                         "()",
                                         "affine_map<() -> ()>"};
    return pieces[below(std::size(pieces))];
  }

  StringRef text;
  std::mt19937 random;
  std::vector<Token> tokens;
};

size_t emit(StringRef text, uint8_t *data, size_t maxSize) {
  size_t size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text = textOf(data, size).str();
  size_t offset = text.empty() ? 0 : llvm::xxh3_64bits(text) % text.size();
  auto document = analyze(Text(text), "fuzz.mlir");
  print(*document);
  askAll(*document, offset);
  // An edit, which takes the untouched parts over, as in the engine.
  AnalyzeOptions options;
  options.previous = std::move(document);
  options.previousIsSpent = true;
  text.erase(offset, 1);
  askAll(*analyze(Text(text), "fuzz.mlir", options), offset);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 16 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text = textOf(data, size).str();
  for (unsigned rounds = 1 + seed / 16 % 3; rounds; --rounds)
    text = Mutator(text, seed + rounds).run();
  return emit(text, data, maxSize);
}

/// A line of the one before a line of the other.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *out,
                                            size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  StringRef into = textOf(first, firstSize), from = textOf(second, secondSize);
  auto lineStart = [&](StringRef text) {
    return text.take_front(random() % (text.size() + 1)).rfind('\n') + 1;
  };
  size_t at = lineStart(into);
  StringRef line = from.substr(lineStart(from));
  line = line.take_front(line.find('\n')); // all of it if there is none
  return emit((into.take_front(at) + line + "\n" + into.drop_front(at)).str(),
              out, maxSize);
}
