//===- AttributeErrors.cpp - errors about a module's attributes -----------===//

#include "server/analysis/AttributeErrors.h"

#include "server/analysis/spellings/Site.h"

using namespace kernelscope;
using llvm::StringRef;

void kernelscope::tellAtAttribute(Diagnostic &error, const Syntax &syntax,
                                  mlir::MLIRContext &context) {
  if (error.code != "verify.builtin.module")
    return;
  const spelling::Site site(syntax, context,
                            syntax.tokenAfter(error.span.begin));
  const size_t end = site.opEnd();
  const size_t open = site.find("{", site.at + 1, end);
  const auto attributes = open < end ? site.inside(open) : std::nullopt;
  if (!attributes)
    return;
  StringRef message = error.message;
  for (auto [first, last] : site.split(attributes->first, attributes->second)) {
    StringRef name = site.text(first).trim('"');
    if (message.contains((name + " = ").str()) ||
        message.contains((name + "' = ").str())) {
      error.span = site.span(first, last);
      return;
    }
  }
}
