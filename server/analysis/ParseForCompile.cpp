//===- ParseForCompile.cpp - IR whose locations are IR lines --------------===//

#include "server/analysis/ParseForCompile.h"

#include "server/analysis/Document.h"
#include "server/analysis/OlderSpellings.h"

#include "mlir/IR/Diagnostics.h"
#include "passes/Source.h"

using namespace kernelscope;

mlir::OwningOpRef<mlir::ModuleOp>
kernelscope::parseForCompile(llvm::StringRef source, llvm::StringRef path,
                             mlir::MLIRContext &context,
                             std::vector<Diagnostic> &diagnostics) {
  std::string firstError;
  {
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          if (firstError.empty() &&
              diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            firstError = diagnostic.str();
        });
    if (auto module = parseSource(source, path, &context))
      return module;
    if (std::string today = inTodaysSpelling(source, context); today != source)
      if (auto module = parseSource(today, path, &context))
        return module;
  }
  // Analysis finds all errors, not the first, and knows their places.
  diagnostics = analyze(Text(source.str()), path.str())->diagnostics();
  if (llvm::none_of(diagnostics, [](const Diagnostic &diagnostic) {
        return diagnostic.severity == Severity::Error;
      })) {
    Diagnostic diagnostic;
    diagnostic.code = "syntax";
    diagnostic.message = firstError;
    diagnostics.push_back(std::move(diagnostic));
  }
  return nullptr;
}
