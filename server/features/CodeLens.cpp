//===- CodeLens.cpp - what can be done with a kernel ----------------------===//

#include "server/features/CodeLens.h"

#include "server/analysis/Syntax.h"
#include "server/features/PreviewGaps.h"

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

std::vector<CodeLens>
kernelscope::codeLenses(const Document &document,
                        const std::vector<std::string> &archs,
                        const EmittedCode *emitted) {
  const Syntax &syntax = document.syntax();
  PreviewGaps gaps(document, archs);
  std::vector<CodeLens> lenses;
  for (const Statement &statement : syntax.statements()) {
    const Token *name = syntax.symbolOf(statement);
    if (!isKernel(syntax, statement, name))
      continue;
    std::string kernel = syntax.text(*name).drop_front().trim('"').str();
    auto titled = [&](llvm::StringRef title, std::optional<Emit> emit) {
      std::string gap = gaps.find(statement, emit);
      return gap.empty() ? title.str() : (title + ": " + gap).str();
    };
    for (Vendor vendor : {Vendor::Nvidia, Vendor::Amd}) {
      Emit assembly = assemblyOf(vendor);
      lenses.push_back({name->span(), titled(infoOf(assembly).title, assembly),
                        CodeLens::Preview, assembly, kernel});
    }
    lenses.push_back(
        {name->span(), "Run", CodeLens::Run, std::nullopt, kernel});
    const EmittedCode::Kernel *known =
        emitted ? emitted->find(kernel) : nullptr;
    lenses.push_back(
        {name->span(),
         known ? known->title : titled("What the compiler does", std::nullopt),
         CodeLens::ShowEmitted, std::nullopt, kernel});
  }
  return lenses;
}
