//===- CodeLens.cpp - what can be done with a kernel ----------------------===//

#include "server/features/CodeLens.h"

#include "server/analysis/Syntax.h"

using namespace kernelscope;
using llvm::StringRef;

/// A function with a body that a launch can name.
static bool isKernel(const Syntax &syntax, const Statement &statement,
                     const Token *name) {
  if (syntax.text(statement.name) != "tt.func" || statement.regions.empty() ||
      !name)
    return false;
  StringRef visibility =
      syntax.text(Span{statement.name.end, name->begin}).trim();
  return visibility != "private" && visibility != "nested";
}

std::vector<CodeLens> kernelscope::codeLenses(const Document &document,
                                              const EmittedCode *emitted) {
  const Syntax &syntax = document.syntax();
  std::vector<CodeLens> lenses;
  for (const Statement &statement : syntax.statements()) {
    const Token *name = syntax.symbolOf(statement);
    if (!isKernel(syntax, statement, name))
      continue;
    std::string kernel = syntax.text(*name).drop_front().trim('"').str();
    for (Vendor vendor : {Vendor::Nvidia, Vendor::Amd}) {
      Emit assembly = assemblyOf(vendor);
      lenses.push_back({name->span(), infoOf(assembly).title.str(),
                        CodeLens::Preview, assembly, kernel});
    }
    lenses.push_back(
        {name->span(), "Run", CodeLens::Run, std::nullopt, kernel});
    const EmittedCode::Kernel *known =
        emitted ? emitted->find(kernel) : nullptr;
    lenses.push_back({name->span(),
                      known ? known->title : "What the compiler does",
                      CodeLens::ShowEmitted, std::nullopt, kernel});
  }
  return lenses;
}
