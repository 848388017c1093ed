//===- Allowed.cpp - warnings that the user turns off ---------------------===//

#include "server/analysis/Allowed.h"

#include "llvm/ADT/StringExtras.h"

using namespace kernelscope;
using llvm::StringRef;

Allowed::Allowed(const Text &text, const Syntax &syntax,
                 const std::vector<std::string> &everywhere)
    : text(text) {
  for (const std::string &code : everywhere)
    this->everywhere.insert(code);
  for (Span comment : syntax.comments()) {
    StringRef words = syntax.text(comment).drop_front(2).trim();
    if (!words.consume_front("kernelscope:"))
      continue;
    words = words.ltrim();
    if (!words.consume_front("allow("))
      continue;
    size_t line = text.lineAt(comment.begin);
    for (StringRef code :
         llvm::split(words.take_until([](char c) { return c == ')'; }), ','))
      for (size_t covered : {line, line + 1})
        onLine[covered].insert(code.trim());
  }
}

bool Allowed::allows(const Diagnostic &diagnostic) const {
  if (diagnostic.severity == Severity::Error)
    return false;
  if (everywhere.contains(diagnostic.code))
    return true;
  auto line = onLine.find(text.lineAt(diagnostic.span.begin));
  return line != onLine.end() && line->second.contains(diagnostic.code);
}
