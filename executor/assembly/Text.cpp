//===- Text.cpp - The text of inline assembly -----------------------------===//

#include "executor/assembly/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <bit>

using namespace llvm;

namespace kernelscope::executor::assembly {
namespace {

Error error(const Twine &message) { return createStringError(message); }

/// Registers by name, innermost scope last.
class Scopes {
public:
  explicit Scopes(unsigned first) : next(first) {}

  void open() { names.emplace_back(); }
  bool close() {
    if (names.size() == 1)
      return false;
    names.pop_back();
    return true;
  }
  void declare(StringRef name) { names.back()[name] = next++; }
  std::optional<unsigned> find(StringRef name) const {
    for (const StringMap<unsigned> &scope : reverse(names))
      if (auto found = scope.find(name); found != scope.end())
        return found->second;
    return std::nullopt;
  }
  unsigned count() const { return next; }

private:
  std::vector<StringMap<unsigned>> names{1};
  unsigned next;
};

class Parser {
public:
  Parser(unsigned operands, Language language)
      : operands(operands), language(language), scopes(operands) {
    scopes.declare(language == Language::Ptx ? "CC.CF" : "vcc");
  }

  Expected<Program> run(StringRef text) {
    for (StringRef statement = next(text); statement.data();
         statement = next(text))
      if (!statement.empty())
        if (Error failed = parseStatement(statement))
          return failed;
    program.registers = scopes.count();
    return std::move(program);
  }

private:
  /// Cuts the next statement off `text`; null at its end. A brace that opens or
  /// closes a scope is a statement.
  StringRef next(StringRef &text) {
    const StringRef comment = language == Language::Ptx ? "//" : ";";
    while (true) {
      text = text.ltrim();
      // Triton's own comment, whose mark the LLVM IR of its dumps lacks.
      const bool isNote = text.starts_with("wait for regs:");
      if (isNote || text.starts_with(comment) || text.starts_with("//"))
        text = text.drop_until([](char c) { return c == '\n'; });
      else if (text.starts_with("/*"))
        text = text.substr(std::min(text.find("*/"), text.size() - 2) + 2);
      else
        break;
    }
    if (text.empty())
      return StringRef();
    size_t end = 1;
    if (const size_t label = labelLength(text)) {
      StringRef statement = text.take_front(label);
      text = text.drop_front(label);
      return statement;
    }
    if (text.front() != '{' && text.front() != '}') {
      const StringRef ends = language == Language::Ptx ? ";" : "\n;";
      end = std::min({text.find_first_of(ends), text.find("//"), text.size()});
    }
    StringRef statement = text.take_front(end).trim();
    text = text.drop_front(end);
    text.consume_front(language == Language::Ptx ? ";" : "\n");
    return statement;
  }

  /// Of the label that `text` starts with, with its colon; 0 for none.
  static size_t labelLength(StringRef text) {
    const size_t end = text.find_if(
        [](char c) { return !isAlnum(c) && c != '_' && c != '$'; });
    const bool isLabel = end != StringRef::npos && end > 0 &&
                         text[end] == ':' && !isDigit(text.front()) &&
                         !text.substr(end).starts_with("::");
    return isLabel ? end + 1 : 0;
  }

  Error parseStatement(StringRef text) {
    if (text.ends_with(":")) {
      const bool isNew =
          program.labels
              .emplace(text.drop_back().str(), program.instructions.size())
              .second;
      return isNew ? Error::success()
                   : error("the label '" + text.drop_back() +
                           "' is defined twice");
    }
    if (text == "{") {
      scopes.open();
      return Error::success();
    }
    if (text == "}")
      return scopes.close() ? Error::success()
                            : error("a '}' has no matching '{'");
    if (text.consume_front(".reg"))
      return parseDeclaration(text.ltrim());
    Instruction made;
    made.text = text.str();
    if (text.consume_front("@")) {
      made.negated = text.consume_front("!");
      auto [name, rest] = text.split(' ');
      Expected<Operand> predicate = parseOperand(name);
      if (!predicate)
        return predicate.takeError();
      if (predicate->kind != Operand::Register)
        return error("'" + name + "' is not a predicate register");
      made.predicate = predicate->index;
      text = rest.ltrim();
    }
    const size_t end = text.find_first_of(" \t\n");
    made.opcode = text.take_front(end).str();
    if (Error failed = parseOperands(text.drop_front(made.opcode.size()), made))
      return failed;
    program.instructions.push_back(std::move(made));
    return Error::success();
  }

  /// "type name, name<count>, ...".
  Error parseDeclaration(StringRef text) {
    SmallVector<StringRef> names;
    text.drop_until([](char c) { return isSpace(c); }).split(names, ',');
    for (StringRef name : names) {
      name = name.trim();
      name.consume_front("%");
      auto [stem, count] = name.split('<');
      unsigned copies = 0;
      if (count.empty())
        scopes.declare(stem);
      else if (count.consumeInteger(10, copies) || count.trim() != ">" ||
               copies > 4096)
        return error("'" + name + "' declares no registers");
      for (unsigned i = 0; i < copies; ++i)
        scopes.declare((stem + Twine(i)).str());
    }
    return Error::success();
  }

  /// Operands are separated by commas outside of braces; `p|q` are two.
  Error parseOperands(StringRef text, Instruction &into) {
    text = text.trim();
    while (!text.empty()) {
      const bool group = text.consume_front("{");
      const bool isAddress =
          language == Language::Ptx && !group && text.starts_with("[");
      const size_t end = group       ? text.find('}')
                         : isAddress ? text.find(',', text.find(']'))
                                     : text.find(',');
      StringRef operand = text.take_front(end).trim();
      text = end == StringRef::npos ? StringRef() : text.drop_front(end);
      if (group) {
        if (!text.consume_front("}"))
          return error("a '{' has no matching '}'");
        text = text.ltrim();
      }
      text.consume_front(",");
      text = text.ltrim();
      if (language == Language::Amdgcn)
        std::tie(operand, into.modifiers) = splitModifiers(operand);
      Parts parts;
      SmallVector<StringRef> names;
      // AMD's bars are magnitudes.
      operand.split(names, group || language == Language::Amdgcn ? ',' : '|');
      if (isAddress)
        names = splitBrackets(operand);
      for (StringRef name : names) {
        Expected<Operand> part = isAddress && parts.empty()
                                     ? parseAddress(name.trim())
                                     : parseOperand(name.trim());
        if (!part)
          return part.takeError();
        parts.push_back(std::move(*part));
      }
      into.operands.push_back(std::move(parts));
    }
    return Error::success();
  }

  /// `[a, {b, c}]` has the parts a, b and c.
  static SmallVector<StringRef> splitBrackets(StringRef operand) {
    SmallVector<StringRef> names;
    operand.drop_front().split(names, ',');
    for (StringRef &name : names)
      name = name.trim(" \t\n{}]");
    return names;
  }

  /// AMDGCN writes modifiers after the last operand, after blanks.
  static std::pair<StringRef, std::vector<std::string>>
  splitModifiers(StringRef operand) {
    SmallVector<StringRef> words;
    operand.split(words, ' ', -1, /*KeepEmpty=*/false);
    std::vector<std::string> modifiers;
    for (StringRef word : ArrayRef(words).drop_front(!words.empty()))
      modifiers.push_back(word.str());
    return {words.empty() ? operand : words.front(), std::move(modifiers)};
  }

  /// A register, plus a constant if there is one.
  Expected<Operand> parseAddress(StringRef text) {
    auto [name, constant] = text.split('+');
    int64_t offset = 0;
    Expected<Operand> made = parsePlainOperand(name.trim());
    if (made &&
        (made->kind != Operand::Register ||
         (!constant.empty() && constant.trim().getAsInteger(0, offset))))
      return error("'[" + text + "]' is not a register plus a constant");
    if (made) {
      made->isAddress = true;
      made->integer = static_cast<uint64_t>(offset);
    }
    return made;
  }

  /// What stands around an operand changes what is read.
  Expected<Operand> parseOperand(StringRef text) {
    const bool isAmd = language == Language::Amdgcn;
    const bool inverted = !isAmd && text.consume_front("!");
    const bool negated = isAmd && text.size() > 1 && !isDigit(text[1]) &&
                         text.consume_front("-");
    const bool absolute =
        isAmd && ((text.starts_with("|") && text.ends_with("|")) ||
                  (text.starts_with("abs(") && text.ends_with(")")));
    if (absolute)
      text = text.drop_front(text.front() == '|' ? 1 : 4).drop_back();
    Expected<Operand> made = parsePlainOperand(text.trim());
    if (made) {
      made->inverted = inverted;
      made->negated = negated;
      made->absolute = absolute;
    }
    return made;
  }

  Expected<Operand> parsePlainOperand(StringRef text) {
    Operand made;
    if (text.consume_front("$") && !text.starts_with("$")) {
      // ${0:h} asks for another way to print the register.
      if (text.consume_front("{"))
        text = text.split('}').first.split(':').first;
      if (text.getAsInteger(10, made.index) || made.index >= operands)
        return error(
            formatv("${0} is not one of the {1} operands", text, operands));
      return made;
    }
    made.kind = Operand::Integer;
    const StringRef digits = text.starts_with("-") ? text.drop_front() : text;
    if (!digits.empty() && isDigit(digits.front())) {
      // PTX ISA, "Floating-Point Constants".
      const bool isFloat = text.consume_front("0f") || text.consume_front("0F"),
                 isDouble =
                     text.consume_front("0d") || text.consume_front("0D");
      StringRef number = digits;
      number.consume_back("U");
      bool bad;
      if (isFloat || isDouble) {
        bad = text.getAsInteger(16, made.integer);
      } else if (digits.contains('.') ||
                 (!digits.starts_with("0x") && digits.contains('e'))) {
        made.kind = Operand::Number;
        bad = text.getAsDouble(made.number);
      } else {
        bad = number.getAsInteger(0, made.integer);
        if (digits.size() != text.size())
          made.integer = 0 - made.integer;
      }
      if (bad)
        return error("'" + text + "' is not a number");
      return made;
    }
    made.name = (text.consume_front("%"), text.str());
    // With 32 lanes in a wave, the same bits have another name.
    if (language == Language::Amdgcn && made.name == "vcc_lo")
      made.name = "vcc";
    std::optional<unsigned> declared = scopes.find(made.name);
    made.kind = declared ? Operand::Register : Operand::Special;
    made.index = declared.value_or(0);
    return made;
  }

  unsigned operands;
  Language language;
  Scopes scopes;
  Program program;
};

} // namespace

Expected<Program> parse(StringRef text, unsigned operands, Language language) {
  return Parser(operands, language).run(text);
}

} // namespace kernelscope::executor::assembly
