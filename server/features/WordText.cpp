//===- WordText.cpp - what a word of an op or a layout says ---------------===//

#include "server/features/WordText.h"

#include "server/analysis/Marks.h"
#include "server/features/WordMeaning.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace kernelscope;
using llvm::StringRef;

namespace {
struct Word {
  StringRef word, text;
};
} // namespace

static StringRef lookUp(llvm::ArrayRef<Word> table, StringRef word) {
  const Word *found =
      llvm::find_if(table, [&](const Word &row) { return row.word == word; });
  return found == table.end() ? StringRef() : found->text;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

static constexpr Word layoutKeys[] = {
    {"sizePerThread",
     "adjacent elements that each thread holds, per dimension"},
    {"threadsPerWarp", "threads of a warp along each dimension; the product "
                       "is the size of a warp"},
    {"warpsPerCTA", "warps along each dimension; the product is the number "
                    "of warps of the program (or of its partition)"},
    {"order", "dimensions from the fastest-varying to the slowest: adjacent "
              "threads hold adjacent elements along the first one"},
    {"CGALayout", "how the tensor is divided among the CTAs of a cluster: "
                  "the offset that each bit of the CTA id contributes"},
    {"vec", "the number of adjacent elements that swizzling keeps together"},
    {"perPhase", "the number of consecutive rows with the same swizzle"},
    {"maxPhase", "the number of different swizzles before they repeat; 1 means "
                 "none"},
    {"versionMajor", "the generation of the matrix instruction: 2 is mma.sync, "
                     "3 is wgmma, 5 is tcgen05"},
    {"versionMinor", "a variant of that generation"},
    {"version", "the generation of the matrix instruction"},
    {"instrShape", "the shape of one matrix instruction, `[M, N, K]` or "
                   "`[M, N]`"},
    {"isTransposed", "whether the result is computed transposed, so that a "
                     "lane holds adjacent columns"},
    {"tilesPerWarp", "adjacent tiles that each warp computes, per dimension"},
    {"parent", "the layout that this one is derived from"},
    {"dim", "the dimension of the parent that is removed"},
    {"opIdx", "which operand of the product: 0 is A, 1 is B"},
    {"kWidth", "adjacent elements along K that one lane holds"},
    {"swizzlingByteWidth", "the width in bytes of a row within which "
                           "16-byte pieces are swizzled; 0 means none"},
    {"transposed",
     "whether the first dimension is contiguous instead of the last"},
    {"elementBitWidth", "the number of bits of an element"},
    {"fp4Padded", "whether every 16 elements of 4 bits are followed by 8 bytes "
                  "of padding, as products of mixed types require"},
    {"register",
     "the offset in the tensor that each bit of a register's number "
     "contributes"},
    {"lane",
     "the offset in the tensor that each bit of the lane id contributes"},
    {"warp",
     "the offset in the tensor that each bit of the warp id contributes"},
    {"block",
     "the offset in the tensor that each bit of the CTA id contributes"},
    {"offset", "the offset in the tensor that each bit of an offset in memory "
               "contributes"},
    {"shape", "the shape of the tensor that has this layout"},
    {"alignment", "the required alignment of the buffer in bytes"},
    {"blockM", "the rows of a block of tensor memory"},
    {"blockN", "the columns of a block of tensor memory"},
    {"colStride",
     "distance from one element to the next, in columns of 32 bits"},
};

/// `[1, 8]` after `sizePerThread =`.
static StringRef valueAfterKey(const Syntax &syntax, size_t token) {
  const std::vector<Token> &tokens = syntax.tokens();
  size_t depth = 0;
  for (size_t i = token + 2; i < tokens.size(); ++i) {
    StringRef word = syntax.text(tokens[i]);
    depth += word == "[" || word == "<" || word == "{";
    bool closes = word == "]" || word == ">" || word == "}";
    if ((closes || word == ",") && depth == 0)
      return syntax.text(Span{tokens[token + 2].begin, tokens[i - 1].end});
    depth -= closes;
  }
  return "";
}

/// What the numbers of a list say in words; empty for any other key.
static std::string sayValue(StringRef key, StringRef value) {
  llvm::SmallVector<StringRef, 4> numbers;
  StringRef inside = value;
  if (!inside.consume_front("[") || !inside.consume_back("]") ||
      inside.contains('[') || inside.trim().empty())
    return "";
  inside.split(numbers, ',');
  if (key == "order") {
    std::string text =
        "dimension " + numbers[0].trim().str() + " is contiguous";
    for (StringRef next : llvm::drop_begin(numbers))
      text += ", then " + next.trim().str();
    return text;
  }
  if (key != "sizePerThread" && key != "threadsPerWarp" && key != "warpsPerCTA")
    return "";
  uint64_t product = 1;
  for (StringRef number : numbers) {
    uint64_t size = 0;
    if (number.trim().getAsInteger(10, size) || size > 65536)
      return "";
    product *= size;
  }
  const char *what = key == "sizePerThread"    ? " element"
                     : key == "threadsPerWarp" ? " thread"
                                               : " warp";
  return std::to_string(product) + what + (product == 1 ? "" : "s");
}

static std::string describeKey(const Syntax &syntax, size_t token) {
  const std::vector<Token> &tokens = syntax.tokens();
  if (token + 2 >= tokens.size() || syntax.text(tokens[token + 1]) != "=")
    return "";
  // Only in `#dialect.layout<{`.
  size_t depth = 0;
  StringRef layout;
  constexpr size_t farthest = 200;
  size_t first = token - std::min(token, farthest);
  for (size_t i = token; i > first;) {
    --i;
    StringRef word = syntax.text(tokens[i]);
    depth += word == "}" || word == ">" || word == "]";
    bool opens = word == "{" || word == "<" || word == "[";
    if (opens && depth == 0 && i > 0 && tokens[i - 1].kind == Token::Hash) {
      layout = syntax.text(tokens[i - 1]);
      break;
    }
    depth -= opens && depth > 0;
  }
  StringRef key = syntax.text(tokens[token]);
  StringRef text = lookUp(layoutKeys, key);
  if (layout.empty() || text.empty())
    return "";
  StringRef value = valueAfterKey(syntax, token);
  std::string said = sayValue(key, value);
  return ("**" + key + "** of `" + layout + "`: " + text + "\n").str() +
         (said.empty() ? "" : "\n`" + value.str() + "`: " + said + "\n");
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// `0xFF800000` as the number that it is in the type of its statement.
static std::string describeBits(const Syntax &syntax,
                                const Statement &statement, size_t token) {
  const std::vector<Token> &tokens = syntax.tokens();
  StringRef digits = syntax.text(tokens[token]);
  llvm::APInt bits;
  if (!digits.starts_with("0x") || digits.drop_front(2).getAsInteger(16, bits))
    return "";
  StringRef type;
  for (size_t i = token + 1; i < statement.endToken; ++i)
    if (tokens[i].kind == Token::Identifier) {
      StringRef word = syntax.text(tokens[i]);
      StringRef element = word.rsplit('x').second;
      type = element.empty() ? word : element;
      if (type == "f16" || type == "bf16" || type == "f32" || type == "f64")
        break;
    }
  const llvm::fltSemantics *semantics =
      type == "f16"    ? &llvm::APFloat::IEEEhalf()
      : type == "bf16" ? &llvm::APFloat::BFloat()
      : type == "f32"  ? &llvm::APFloat::IEEEsingle()
      : type == "f64"  ? &llvm::APFloat::IEEEdouble()
                       : nullptr;
  if (!semantics ||
      bits.getActiveBits() > llvm::APFloat::getSizeInBits(*semantics))
    return "";
  llvm::APFloat value(
      *semantics, bits.zextOrTrunc(llvm::APFloat::getSizeInBits(*semantics)));
  llvm::SmallString<32> number;
  if (value.isInfinity())
    number = value.isNegative() ? "-inf" : "inf";
  else if (value.isNaN())
    number = "NaN";
  else
    value.toString(number);
  return (digits + " is **" + number + "** as `" + type + "`\n").str();
}

static std::string describePartition(const Syntax &syntax,
                                     const Statement &statement, size_t token) {
  StringRef word = syntax.text(syntax.tokens()[token]);
  if (word == "default")
    return "**default**: the region that the program's own warps run\n";
  if (!word.consume_front("partition"))
    return "";
  std::string warps;
  const std::vector<Token> &tokens = syntax.tokens();
  for (size_t i = token; i + 2 < statement.endToken && i < token + 200; ++i)
    if (syntax.text(tokens[i]) == "num_warps") {
      warps = syntax.text(tokens[i + 2]).str();
      break;
    }
  return ("**partition" + word + "**: a region that " +
          (warps.empty() ? "additional warps" : warps + " additional warps") +
          " run; they see only the values that the op captures\n")
      .str();
}

std::string kernelscope::describeWord(const Document &document,
                                      const Statement &statement,
                                      size_t token) {
  const Syntax &syntax = document.syntax();
  StringRef word = syntax.text(syntax.tokens()[token]);
  StringRef op = syntax.text(statement.name).trim('"');
  if (std::string text = describeKey(syntax, token); !text.empty())
    return text;
  if (word.starts_with("0x"))
    return describeBits(syntax, statement, token);
  if (StringRef meaning = meaningOf(op, word); !meaning.empty())
    return ("**" + word + "**: " + meaning + "\n").str();
  if (op.ends_with("warp_specialize") || op.ends_with("warp_group"))
    return describePartition(syntax, statement, token);
  return "";
}

//===----------------------------------------------------------------------===//
// Modules and blocks
//===----------------------------------------------------------------------===//

std::string kernelscope::describeModule(const Document &document,
                                        const Statement &statement) {
  const Syntax &syntax = document.syntax();
  std::string text = "**module**: the IR of one compilation\n\n";
  const std::vector<Token> &tokens = syntax.tokens();
  size_t end = statement.header(syntax).end;
  for (size_t i = syntax.tokenAfter(statement.name.end);
       i + 2 < tokens.size() && tokens[i].begin < end; ++i) {
    StringRef key = syntax.text(tokens[i]).trim('"');
    const Mark *mark = llvm::find_if(
        allMarks(), [&](const Mark &mark) { return mark.name == key; });
    if (mark == allMarks().end() || syntax.text(tokens[i + 1]) != "=")
      continue;
    text += ("- `" + key + " = " + syntax.text(tokens[i + 2]) +
             "`: " + StringRef(mark->text).split('\n').first + "\n")
                .str();
  }
  for (SyntaxId region : statement.regions)
    for (SyntaxId id : syntax.region(region).statements)
      if (const Token *symbol = syntax.symbolOf(syntax.statement(id)))
        if (!syntax.statement(id).regions.empty())
          text += ("- `" + syntax.text(*symbol) + "`\n").str();
  return text;
}

std::string kernelscope::describeBlock(const Document &document,
                                       const Name &name) {
  const Syntax &syntax = document.syntax();
  std::string text;
  SyntaxId id =
      name.definition ? syntax.statementAt(name.definition->begin) : noSyntax;
  if (id != noSyntax)
    text = "```mlir\n" + syntax.text(syntax.statement(id).span).trim().str() +
           "\n```\n";
  std::set<size_t> lines;
  for (Span use : name.uses)
    lines.insert(document.text().lineAt(use.begin) + 1);
  if (lines.empty())
    return text + (id == noSyntax ? "" : "the entry block of its region\n");
  text += "branched to from line";
  for (size_t line : lines)
    text += (line == *lines.begin() ? lines.size() > 1 ? "s " : " " : ", ") +
            std::to_string(line);
  return text + "\n";
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

std::string kernelscope::sentencesAbout(StringRef description, StringRef name) {
  std::string wanted = ("`" + name + "`").str(), text;
  llvm::SmallVector<StringRef, 8> paragraphs;
  description.split(paragraphs, "\n\n");
  for (StringRef paragraph : paragraphs) {
    if (paragraph.starts_with("```"))
      continue;
    while (!paragraph.empty()) {
      // A sentence ends with a full stop before a blank.
      size_t end = 0;
      do
        end = paragraph.find('.', end + 1);
      while (end != StringRef::npos && end + 1 < paragraph.size() &&
             !llvm::isSpace(paragraph[end + 1]));
      StringRef sentence = paragraph.take_front(
          end == StringRef::npos ? paragraph.size() : end + 1);
      if (sentence.contains(wanted))
        text += (text.empty() ? "" : " ") + sentence.trim().str();
      paragraph = paragraph.drop_front(sentence.size());
    }
  }
  return text;
}

std::string kernelscope::inShort(StringRef description) {
  // MLIR's own descriptions end with the syntax and what is still to be done.
  for (StringRef end : {"\n\nExample", "\n\nTODO"})
    description = description.take_front(description.find(end));
  constexpr size_t mostLines = 30;
  if (static_cast<size_t>(description.count('\n')) < mostLines)
    return description.str();
  return description.split("\n\n").first.str();
}
