//===- OpSnippet.cpp - what completion types for an op --------------------===//

#include "server/features/OpSnippet.h"

#include "server/analysis/Unit.h"
#include "server/analysis/spellings/Spellings.h"
#include "server/features/Name.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

/// The text of the first alias whose value begins like one of `values`; else
/// `otherwise`.
static std::string aliasOf(const Document &document, size_t offset,
                           llvm::ArrayRef<StringRef> values,
                           StringRef otherwise) {
  const Syntax &syntax = document.syntax();
  Span chunk = chunkAt(document, offset);
  for (const Statement &statement : syntax.statements()) {
    if (statement.kind != Statement::Alias || !chunk.contains(statement.span))
      continue;
    StringRef value = syntax.aliasValue(statement);
    if (llvm::any_of(values,
                     [&](StringRef begin) { return value.starts_with(begin); }))
      return syntax.text(statement.name).str();
  }
  return otherwise.str();
}

/// Adds the shape and layout of the last tensors of rank 1 and 2 before
/// `offset`.
static void
findTensors(StringRef text, size_t offset,
            std::vector<std::pair<std::string, std::string>> &tensors) {
  constexpr size_t farthest = 64 << 10;
  tensors.resize(2);
  StringRef before =
      text.take_front(offset).take_back(std::min(offset, farthest));
  for (size_t at = before.rfind("tensor<"); at != StringRef::npos;
       at = before.take_front(at).rfind("tensor<")) {
    StringRef inside = before.drop_front(at + StringRef("tensor<").size());
    size_t shapeEnd = 0;
    unsigned rank = 0;
    while (true) {
      size_t digits = inside.find_first_not_of("0123456789", shapeEnd);
      if (digits == shapeEnd || digits == StringRef::npos ||
          inside[digits] != 'x')
        break;
      shapeEnd = digits + 1;
      ++rank;
    }
    size_t depth = 0, comma = StringRef::npos, end = 0;
    for (; end < inside.size(); ++end) {
      char c = inside[end];
      if (c == '\n' || (c == '>' && depth == 0))
        break;
      depth += c == '<' || c == '(' || c == '[' || c == '{';
      depth -= depth && (c == '>' || c == ')' || c == ']' || c == '}');
      if (c == ',' && depth == 0 && comma == StringRef::npos)
        comma = end;
    }
    bool isWhole = end < inside.size() && inside[end] == '>';
    if (isWhole && (rank == 1 || rank == 2) && tensors[rank - 1].first.empty())
      tensors[rank - 1] = {
          inside.take_front(shapeEnd).str(),
          comma == StringRef::npos ? "" : inside.slice(comma, end).str()};
    if (!tensors[0].first.empty() && !tensors[1].first.empty())
      return;
  }
}

OpSnippets::OpSnippets(const Document &document, size_t offset,
                       bool isStatement)
    : document(document), offset(offset), isStatement(isStatement) {
  auto alias = [&](StringRef placeholder, llvm::ArrayRef<StringRef> values,
                   StringRef otherwise) {
    aliases.push_back(
        {placeholder.str(), aliasOf(document, offset, values, otherwise)});
  };
  alias("#shared",
        {"#ttg.swizzled_shared", "#ttg.nvmma_shared", "#ttg.padded_shared",
         "#ttg.shared_linear"},
        "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = "
        "[1, 0]}>");
  alias("#smem", {"#ttg.shared_memory"}, "#ttg.shared_memory");
  alias("#tmem", {"#ttng.tensor_memory_encoding"},
        "#ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = "
        "1>");
  findTensors(document.text().str(), offset, tensors);
}

/// The default of a stop with what the file has.
std::string OpSnippets::fit(StringRef type) const {
  std::string text = type.str();
  for (const auto &[placeholder, meant] : aliases)
    for (size_t at = text.find(placeholder); at != std::string::npos;
         at = text.find(placeholder, at + meant.size())) {
      bool isWhole = at + placeholder.size() == text.size() ||
                     StringRef(",>").contains(text[at + placeholder.size()]);
      if (!isWhole)
        break;
      text.replace(at, placeholder.size(), meant);
    }
  StringRef element = text;
  for (auto [rank, shape] :
       {std::pair<size_t, StringRef>(1, "tensor<128x"), {2, "tensor<64x64x"}}) {
    const auto &[ours, layout] = tensors[rank - 1];
    if (!ours.empty() && element.consume_front(shape) &&
        element.consume_back(">"))
      return ("tensor<" + llvm::Twine(ours) + element + layout + ">").str();
  }
  return text;
}

/// `%name`, or the like of it that the function does not have yet.
std::string OpSnippets::freshName(StringRef name) const {
  const Syntax &syntax = document.syntax();
  const Unit *unit = document.unitAt(offset);
  StringRef text = syntax.text(unit ? unit->span : Span{0, 0});
  auto isTaken = [&](StringRef word) {
    for (size_t at = text.find(word); at != StringRef::npos;
         at = text.find(word, at + 1)) {
      char next = at + word.size() < text.size() ? text[at + word.size()] : ' ';
      if (!llvm::isAlnum(next) && !StringRef("_$.-").contains(next))
        return true;
    }
    return false;
  };
  std::string word = ("%" + name).str();
  for (unsigned i = 1; isTaken(word); ++i)
    word = ("%" + name + "_" + llvm::Twine(i)).str();
  return word;
}

static std::string escape(StringRef text, bool isStop) {
  std::string result;
  for (char c : text) {
    if (c == '$' || c == '\\' || (isStop && c == '}'))
      result += '\\';
    result += c;
  }
  return result;
}

std::string OpSnippets::operator()(const Doc &doc) const {
  std::string snippet, plain;
  unsigned stop = 0;
  auto add = [&](StringRef text, bool isStop) {
    plain += text;
    snippet +=
        isStop ? "${" + std::to_string(++stop) + ":" + escape(text, true) + "}"
               : escape(text, false);
  };
  if (isStatement) {
    std::vector<StringRef> names = resultNames(doc);
    for (auto [index, name] : llvm::enumerate(names)) {
      add(freshName(name), true);
      add(index + 1 < names.size() ? ", " : " = ", false);
    }
  }
  std::vector<SyntaxPart> parts = readSyntax(doc);
  if (parts.empty())
    return doc.name.str();
  for (const SyntaxPart &part : parts) {
    if (part.depth > 0)
      continue;
    if (!part.isStop())
      add(part.text, false);
    else if (!part.typed->empty())
      add(fit(*part.typed), true);
  }
  // A release may spell some of it otherwise: then there are no stops.
  if (const Unit *unit = document.skeletonAt(offset)) {
    Release release = document.release().value_or(newestRelease);
    std::string respelt =
        withEdits(plain, editsFor(Syntax(plain), release,
                                  unit->fragment->workspace->context));
    if (respelt != plain)
      return escape(respelt, false);
  }
  return snippet;
}

std::string kernelscope::textOfSnippet(StringRef snippet) {
  std::string text;
  bool isInStop = false;
  for (size_t i = 0; i < snippet.size(); ++i) {
    char c = snippet[i];
    if (c == '\\' && i + 1 < snippet.size()) {
      text += snippet[++i];
    } else if (c == '$') {
      bool hasBraces = snippet.substr(i + 1).starts_with("{");
      i += hasBraces;
      while (i + 1 < snippet.size() && llvm::isDigit(snippet[i + 1]))
        ++i;
      if (hasBraces && snippet.substr(i + 1).starts_with(":")) {
        ++i;
        isInStop = true;
      } else if (hasBraces) {
        ++i;
      }
    } else if (c == '}' && isInStop) {
      isInStop = false;
    } else {
      text += c;
    }
  }
  return text;
}
