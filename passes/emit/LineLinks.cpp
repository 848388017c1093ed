//===- LineLinks.cpp - From lines of the output to lines of the IR --------===//

#include "passes/emit/LineLinks.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace kernelscope::emit {

/// Calls `visit(line, number)` on each line, numbered from 1.
template <typename Visit> static void forEachLine(StringRef text, Visit visit) {
  for (unsigned number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    visit(line, number);
    text = rest;
  }
}

/// Consumes the number that `text` starts with; 0 if there is none.
static unsigned takeNumber(StringRef &text) {
  unsigned number = 0;
  text = text.ltrim();
  text.consumeInteger(10, number);
  return number;
}

std::vector<LineLink> linksFromAssembly(StringRef text) {
  std::vector<LineLink> links;
  unsigned irLine = 0;
  forEachLine(text, [&](StringRef line, unsigned number) {
    StringRef code = line.trim();
    if (code.consume_front(".loc")) {
      takeNumber(code); // The file; there is one.
      irLine = takeNumber(code);
      return;
    }
    // The end of a function: the next one has no `.loc` yet.
    if (code.starts_with(".Lfunc_end") || code == "}" ||
        code.starts_with(".section") || code.starts_with("-- End"))
      irLine = 0;
    bool isInstruction = !code.empty() && !code.starts_with(".") &&
                         !code.starts_with("//") && !code.starts_with(";") &&
                         !code.starts_with("$") && !code.starts_with("{") &&
                         !code.starts_with("}") && !code.contains(":  ") &&
                         !code.ends_with(":");
    if (irLine && isInstruction)
      links.push_back({irLine, number});
  });
  return links;
}

std::vector<LineLink> linksFromLlvm(StringRef text) {
  // `!12 = !DILocation(line: 7, ...)` are at the end.
  llvm::StringMap<unsigned> lines;
  forEachLine(text, [&](StringRef line, unsigned) {
    auto [name, definition] = line.split(" = ");
    if (definition.consume_front("!DILocation(line:"))
      lines[name] = takeNumber(definition);
  });
  std::vector<LineLink> links;
  forEachLine(text, [&](StringRef line, unsigned number) {
    auto [code, attachment] = line.split(", !dbg ");
    auto found = lines.find(attachment.split(',').first.rtrim());
    if (line.starts_with(" ") && found != lines.end() && found->second)
      links.push_back({found->second, number});
  });
  return links;
}

std::vector<LineLink> linksFromSass(StringRef text) {
  std::vector<LineLink> links;
  unsigned irLine = 0;
  forEachLine(text, [&](StringRef line, unsigned number) {
    StringRef code = line.trim();
    if (code.starts_with("//##")) {
      StringRef after = code.split("line ").second;
      irLine = takeNumber(after);
      return;
    }
    if (code.starts_with(".section") || code.starts_with(".text."))
      irLine = 0;
    if (irLine && code.starts_with("/*"))
      links.push_back({irLine, number});
  });
  return links;
}

std::string printWithLinks(ModuleOp module, std::vector<LineLink> &links) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  AsmState::LocationMap printed;
  AsmState state(module, OpPrintingFlags().printNameLocAsPrefix(), &printed);
  module->print(stream, state);
  // An op per output line: the outermost one that starts there.
  std::map<unsigned, unsigned> byOutputLine;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto place = printed.find(op);
    auto loc = op->getLoc()->findInstanceOf<FileLineColLoc>();
    if (place != printed.end() && loc && loc.getLine())
      byOutputLine.try_emplace(place->second.first, loc.getLine());
  });
  for (auto [outputLine, irLine] : byOutputLine)
    links.push_back({irLine, outputLine});
  return text;
}

} // namespace kernelscope::emit
