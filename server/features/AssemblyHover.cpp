//===- AssemblyHover.cpp - what an instruction of PTX does ----------------===//

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

struct PtxRow {
  StringRef operands, text, since;
};

/// The sections of the file, each by name.
struct PtxTable {
  llvm::StringMap<PtxRow> instructions, modifiers, registers, directives;

  PtxTable() {
    llvm::StringMap<PtxRow> *section = nullptr;
    for (StringRef line :
         llvm::split(StringRef(ptxText, sizeof ptxText), '\n')) {
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
      PtxRow row = section == &instructions
                       ? PtxRow{columns[1], columns[2], columns[3]}
                       : PtxRow{"", columns[1], ""};
      // Several modifiers can share a line.
      for (StringRef name : llvm::split(columns[0], ','))
        section->insert({name.trim(), row});
    }
  }
};

const PtxTable &ptxTable() {
  static const PtxTable table;
  return table;
}

/// A unit of a number, spelled out: `f16x2`, `bf16`, `e4m3x4`.
std::string describeType(StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> types[] =
      {{"tf32", "floats of 32 bits with 10 bits of fraction"},
       {"bf16", "floats of 16 bits with 7 bits of fraction"},
       {"ue8m0", "powers of two in 8 bits"},
       {"ue4m3", "floats of 8 bits without sign, 3 of fraction"},
       {"e4m3", "floats of 8 bits, 3 of fraction"},
       {"e5m2", "floats of 8 bits, 2 of fraction"},
       {"e3m2", "floats of 6 bits, 2 of fraction"},
       {"e2m3", "floats of 6 bits, 3 of fraction"},
       {"e2m1", "floats of 4 bits, 1 of fraction"}};
  auto times = [](StringRef rest) -> std::string {
    return rest.empty() ? ""
                        : ", " + rest.drop_front().str() + " in a register";
  };
  for (auto [prefix, text] : types)
    if (name.starts_with(prefix))
      return text.str() + times(name.drop_front(prefix.size()));
  StringRef digits = name.drop_front().take_while(llvm::isDigit);
  StringRef rest = name.drop_front(1 + digits.size());
  if (digits.empty() || (!rest.empty() && !rest.starts_with("x")))
    return "";
  StringRef kind = name[0] == 'b'   ? "values"
                   : name[0] == 's' ? "integers with sign"
                   : name[0] == 'u' ? "integers without sign"
                   : name[0] == 'f' ? "floats"
                                    : "";
  return kind.empty()
             ? ""
             : formatv("{0} of {1} bits{2}", kind, digits, times(rest)).str();
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
             : formatv("{0} rows and {1} columns of D, {2} columns of A and "
                       "rows of B",
                       sizes[0], sizes[1], sizes[2])
                   .str();
}

std::string describeModifier(StringRef name) {
  if (auto found = ptxTable().modifiers.find(name);
      found != ptxTable().modifiers.end())
    return found->second.text.str();
  if (name.size() < 2)
    return "";
  std::string shape = describeShape(name);
  return shape.empty() ? describeType(name) : shape;
}

/// The row with the longest name that `opcode` begins with, whole words.
std::pair<StringRef, const PtxRow *> findInstruction(StringRef opcode) {
  for (StringRef name = opcode; !name.empty();
       name = name.rsplit('.').first == name ? "" : name.rsplit('.').first)
    if (auto found = ptxTable().instructions.find(name);
        found != ptxTable().instructions.end())
      return {found->first(), &found->second};
  return {"", nullptr};
}

std::string describeInstruction(StringRef opcode) {
  auto [name, row] = findInstruction(opcode);
  if (!row)
    return "";
  std::string text =
      formatv("**{0}**: {1}\n\n```ptx\n{2}{3}{4}\n```\n", name, row->text,
              opcode, row->operands.empty() ? "" : " ", row->operands);
  llvm::SmallVector<StringRef> seen;
  for (StringRef modifier :
       llvm::split(opcode.drop_front(name.size()).ltrim('.'), '.')) {
    std::string said = describeModifier(modifier);
    if (said.empty() || llvm::is_contained(seen, modifier))
      continue;
    seen.push_back(modifier);
    text += formatv("- `.{0}`: {1}\n", modifier, said);
  }
  return text + "\nSince " + row->since.str() + "\n";
}

bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || StringRef("_.:%$").contains(c);
}

} // namespace

std::optional<Hover> kernelscope::hoverPtx(const Text &text, size_t offset) {
  Span lineSpan = text.lineSpan(text.lineAt(offset));
  StringRef line = StringRef(text.str()).slice(lineSpan.begin, lineSpan.end);
  size_t at = offset - lineSpan.begin;
  if (at > line.find("//"))
    return std::nullopt;
  size_t begin = at, end = at;
  while (begin > 0 && isWordCharacter(line[begin - 1]))
    --begin;
  while (end < line.size() && isWordCharacter(line[end]))
    ++end;
  StringRef word = line.slice(begin, end);
  if (word.empty())
    return std::nullopt;

  std::string said;
  if (word.starts_with("%")) {
    StringRef name = word.split('.').first;
    auto found = ptxTable().registers.find(name);
    if (found != ptxTable().registers.end())
      said = formatv("**{0}**: {1}\n", name, found->second.text);
  } else if (word.starts_with(".")) {
    auto found = ptxTable().directives.find(word);
    if (found != ptxTable().directives.end())
      said = formatv("**{0}**: {1}\n", word, found->second.text);
    else if (std::string type = describeModifier(word.drop_front());
             !type.empty())
      said = formatv("**{0}**: {1}\n", word, type);
  } else {
    said = describeInstruction(word);
  }
  if (said.empty())
    return std::nullopt;
  return Hover{{lineSpan.begin + begin, lineSpan.begin + end}, std::move(said)};
}
