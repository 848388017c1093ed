//===- AssemblyHover.cpp - what an instruction does -----------------------===//

#include "server/features/AssemblyHover.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>

using namespace kernelscope;
using llvm::formatv;
using llvm::StringRef;

namespace {

constexpr char ptxText[] = {
#include "server/features/instructions/ptx.txt.inc"
};

constexpr char amdgcnText[] = {
#include "server/features/instructions/amdgcn.txt.inc"
};

struct AssemblyRow {
  StringRef operands, text, since;
};

/// What is said of a language: the sections of its file, each by name.
struct AssemblyTable {
  llvm::StringMap<AssemblyRow> instructions, modifiers, registers, directives;
  StringRef language;
  char separator; ///< Of the words of an instruction's name.

  AssemblyTable(StringRef text, StringRef language, char separator)
      : language(language), separator(separator) {
    llvm::StringMap<AssemblyRow> *section = nullptr;
    for (StringRef line : llvm::split(text, '\n')) {
      if (line.empty() || line.starts_with("#"))
        continue;
      if (line.starts_with("[")) {
        section = line == "[instructions]" ? &instructions
                  : line == "[modifiers]"  ? &modifiers
                  : line == "[registers]"  ? &registers
                                           : &directives;
        continue;
      }
      llvm::SmallVector<StringRef> columns;
      line.split(columns, '|');
      for (StringRef &column : columns)
        column = column.trim();
      columns.resize(4);
      AssemblyRow row = section == &instructions
                            ? AssemblyRow{columns[1], columns[2], columns[3]}
                            : AssemblyRow{"", columns[1], ""};
      // Several modifiers can share a line.
      for (StringRef name : llvm::split(columns[0], ','))
        section->insert({name.trim(), row});
    }
  }
};

const AssemblyTable &ptxTable() {
  static const AssemblyTable table({ptxText, sizeof ptxText}, "ptx", '.');
  return table;
}

const AssemblyTable &amdgcnTable() {
  static const AssemblyTable table({amdgcnText, sizeof amdgcnText}, "amdgcn",
                                   '_');
  return table;
}

/// What a section says of a name; empty if nothing.
StringRef textOf(const llvm::StringMap<AssemblyRow> &section, StringRef name) {
  auto found = section.find(name);
  return found == section.end() ? "" : found->second.text;
}

/// A unit of a number, spelled out: `f16x2`, `bf16`, `e4m3x4`.
std::string describeType(StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> types[] =
      {{"tf32", "32-bit floats with 10 mantissa bits"},
       {"bf16", "16-bit floats with 7 mantissa bits"},
       {"ue8m0", "8-bit powers of two"},
       {"ue4m3", "unsigned 8-bit floats with 3 mantissa bits"},
       {"e4m3", "8-bit floats with 3 mantissa bits"},
       {"e5m2", "8-bit floats with 2 mantissa bits"},
       {"e3m2", "6-bit floats with 2 mantissa bits"},
       {"e2m3", "6-bit floats with 3 mantissa bits"},
       {"e2m1", "4-bit floats with 1 mantissa bit"}};
  auto times = [](StringRef rest) -> std::string {
    return rest.empty() ? "" : ", " + rest.drop_front().str() + " per register";
  };
  for (auto [prefix, text] : types)
    if (name.starts_with(prefix))
      return text.str() + times(name.drop_front(prefix.size()));
  StringRef digits = name.drop_front().take_while(llvm::isDigit);
  StringRef rest = name.drop_front(1 + digits.size());
  if (digits.empty() || (!rest.empty() && !rest.starts_with("x")))
    return "";
  StringRef kind = name[0] == 'b'                     ? "values"
                   : name[0] == 's' || name[0] == 'i' ? "signed integers"
                   : name[0] == 'u'                   ? "unsigned integers"
                   : name[0] == 'f'                   ? "floats"
                                                      : "";
  return kind.empty()
             ? ""
             : formatv("{1}-bit {0}{2}", kind, digits, times(rest)).str();
}

/// `m16n8k16`, also `m8n8`.
std::string describeShape(StringRef name) {
  std::array<StringRef, 3> sizes;
  for (auto [letter, size] : llvm::zip(StringRef("mnk"), sizes)) {
    if (!name.consume_front(StringRef(&letter, 1)))
      break;
    size = name.take_while(llvm::isDigit);
    name = name.drop_front(size.size());
  }
  if (!name.empty() || sizes[1].empty())
    return "";
  return sizes[2].empty()
             ? formatv("{0} rows and {1} columns", sizes[0], sizes[1]).str()
             : formatv("D is {0} x {1}, A is {0} x {2}, B is {2} x {1}",
                       sizes[0], sizes[1], sizes[2])
                   .str();
}

/// AMD's `16x16x32`, as PTX writes it.
std::string shapeInLetters(StringRef name) {
  auto [m, rest] = name.split('x');
  auto [n, k] = rest.split('x');
  return k.empty() ? "" : formatv("m{0}n{1}k{2}", m, n, k).str();
}

std::string describeModifier(const AssemblyTable &table, StringRef name) {
  if (StringRef said = textOf(table.modifiers, name); !said.empty())
    return said.str();
  if (name.size() < 2)
    return "";
  std::string shape =
      describeShape(llvm::isDigit(name[0]) ? shapeInLetters(name) : name.str());
  return shape.empty() ? describeType(name) : shape;
}

/// The row with the longest name that `opcode` begins with, whole words.
std::pair<StringRef, const AssemblyRow *>
findInstruction(const AssemblyTable &table, StringRef opcode) {
  StringRef name = opcode;
  while (!name.empty()) {
    if (auto found = table.instructions.find(name);
        found != table.instructions.end())
      return {found->first(), &found->second};
    name = name.take_front(name.rfind(table.separator) == StringRef::npos
                               ? 0
                               : name.rfind(table.separator));
  }
  return {"", nullptr};
}

std::string describeInstruction(const AssemblyTable &table, StringRef opcode) {
  auto [name, row] = findInstruction(table, opcode);
  if (!row)
    return "";
  std::string text = formatv("**{0}**: {1}\n\n```{2}\n{3}{4}{5}\n```\n", name,
                             row->text, table.language, opcode,
                             row->operands.empty() ? "" : " ", row->operands);
  llvm::SmallVector<StringRef> seen;
  for (StringRef modifier :
       llvm::split(opcode.drop_front(name.size()).ltrim(table.separator),
                   table.separator)) {
    std::string said = describeModifier(table, modifier);
    if (said.empty() || llvm::is_contained(seen, modifier))
      continue;
    seen.push_back(modifier);
    text += formatv("- `{0}{1}`: {2}\n", table.separator, modifier, said);
  }
  return row->since.empty() ? text
                            : text + "\nSince " + row->since.str() + "\n";
}

/// The line at an offset, and the word there, of letters, digits and `others`.
struct AssemblyWord {
  StringRef line, word;
  Span span;     ///< Of the word, in the text.
  size_t column; ///< Of the offset, in bytes.

  AssemblyWord(const Text &text, size_t offset, StringRef others) {
    Span lineSpan = text.lineSpan(text.lineAt(offset));
    line = StringRef(text.str()).slice(lineSpan.begin, lineSpan.end);
    column = offset - lineSpan.begin;
    auto isPart = [&](char c) {
      return llvm::isAlnum(c) || others.contains(c);
    };
    size_t begin = column, end = column;
    while (begin > 0 && isPart(line[begin - 1]))
      --begin;
    while (end < line.size() && isPart(line[end]))
      ++end;
    word = line.slice(begin, end);
    span = {lineSpan.begin + begin, lineSpan.begin + end};
  }
};

std::string named(StringRef name, StringRef text) {
  return text.empty() ? "" : formatv("**{0}**: {1}\n", name, text).str();
}

/// `v12`, and the `v` of `v[0:3]`.
std::string describeAmdgcnRegister(StringRef word, StringRef rest) {
  StringRef kind = word.take_while([](char c) { return llvm::isAlpha(c); });
  StringRef number = word.drop_front(kind.size());
  bool isRange = number.empty() && rest.starts_with("[");
  if (!isRange && (number.empty() || !llvm::all_of(number, llvm::isDigit)))
    return "";
  return named(
      isRange ? kind.str() +
                    rest.take_until([](char c) { return c == ']'; }).str() + "]"
              : word.str(),
      kind == "v"      ? "vector registers: a value of 32 bits for "
                         "each lane"
      : kind == "s"    ? "scalar registers: a value of 32 bits for the "
                         "wave"
      : kind == "a"    ? "accumulation registers: a value of 32 bits "
                         "for each lane, for matrix products"
      : kind == "ttmp" ? "scalar registers that the launch sets, such "
                         "as the workgroup's place in the grid"
                       : "");
}

} // namespace

std::optional<Hover> kernelscope::hoverPtx(const Text &text, size_t offset) {
  AssemblyWord at(text, offset, "_.:%$");
  if (at.word.empty() || at.column > at.line.find("//"))
    return std::nullopt;
  const AssemblyTable &table = ptxTable();
  std::string said;
  if (at.word.starts_with("%")) {
    StringRef name = at.word.split('.').first;
    said = named(name, textOf(table.registers, name));
  } else if (at.word.starts_with(".")) {
    said = named(at.word, textOf(table.directives, at.word));
    if (said.empty())
      said = named(at.word, describeModifier(table, at.word.drop_front()));
  } else {
    said = describeInstruction(table, at.word);
  }
  if (said.empty())
    return std::nullopt;
  return Hover{at.span, std::move(said)};
}

std::optional<Hover> kernelscope::hoverAmdgcn(const Text &text, size_t offset) {
  AssemblyWord at(text, offset, "_.");
  if (at.word.empty() || at.column > at.line.find(';'))
    return std::nullopt;
  const AssemblyTable &table = amdgcnTable();
  std::string said =
      named(at.word, textOf(at.word.starts_with(".") ? table.directives
                                                     : table.registers,
                            at.word));
  if (said.empty())
    said = describeAmdgcnRegister(
        at.word, at.line.substr(at.word.end() - at.line.begin()));
  if (StringRef word = at.word; said.empty()) {
    // Two instructions in one: each is named as if it stood alone.
    bool isDual = word.consume_front("v_dual_");
    said =
        describeInstruction(table, isDual ? ("v_" + word).str() : word.str());
    if (isDual && !said.empty())
      said += "\nIssued together with the other `v_dual_` of the line.\n";
  }
  if (said.empty())
    return std::nullopt;
  return Hover{at.span, std::move(said)};
}
