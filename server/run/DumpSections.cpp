//===- DumpSections.cpp - A dump of all passes, section by section --------===//

#include "server/run/DumpSections.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace kernelscope::run {
namespace {

constexpr StringRef titleMark = "// -----// ", dumpMark = "IR Dump ";

/// Fills in what the title's line says; false when it is another comment.
bool readTitle(StringRef line, DumpSection &section) {
  if (!line.consume_front(titleMark))
    return false;
  line = line.rtrim();
  line.consume_back(" //----- //");
  const size_t at = line.find(dumpMark);
  if (at == StringRef::npos)
    return false;
  StringRef rest = line.substr(at + dumpMark.size());
  section.isAfter = rest.consume_front("After");
  if (!section.isAfter && !rest.consume_front("Before"))
    return false;
  // A pass that failed says so before its name.
  rest = rest.ltrim(": ");
  rest.consume_front("Failed: ");
  rest.consume_front("(anonymous namespace)::");
  // "Inliner (inline) ('tt.func' ...", "CSEPass: cse ('tt.func' ...".
  const StringRef pass =
      rest.take_until([](char c) { return c == ':' || c == ' '; });
  section.pass = pass.str();
  section.title = StringRef(line.begin(), pass.end() - line.begin()).str();
  return !pass.empty();
}

} // namespace

bool DumpSection::hasIR() const {
  for (StringRef line : split(text, '\n')) {
    line = line.trim();
    if (!line.empty() && !line.starts_with("//"))
      return true;
  }
  return false;
}

std::vector<DumpSection> splitDump(StringRef dump) {
  std::vector<DumpSection> sections;
  const char *begin = nullptr;
  auto close = [&](const char *end) {
    if (!sections.empty())
      sections.back().text = StringRef(begin, end - begin);
  };
  size_t number = 0;
  for (StringRef line : split(dump, '\n')) {
    DumpSection section;
    section.line = number++;
    if (!readTitle(line, section))
      continue;
    close(line.begin());
    begin = std::min(line.end() + 1, dump.end());
    sections.push_back(std::move(section));
  }
  close(dump.end());
  return sections;
}

std::vector<std::string> passesBetween(ArrayRef<DumpSection> sections,
                                       size_t first, size_t last) {
  std::vector<std::string> passes;
  auto add = [&](const DumpSection &section) {
    if (!is_contained(passes, section.pass))
      passes.push_back(section.pass);
  };
  for (size_t i = first; i <= last; ++i)
    if (sections[i].isAfter ? i != first : i != last)
      add(sections[i]);
  // After a step within a pass comes the rest of that pass.
  for (size_t i = first; passes.empty() && i-- > 0;)
    if (!sections[i].isAfter)
      add(sections[i]);
  if (passes.empty())
    add(sections[first]);
  return passes;
}

} // namespace kernelscope::run
