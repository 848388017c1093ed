//===- ParseForCompile.cpp - IR whose locations are IR lines --------------===//

#include "server/analysis/ParseForCompile.h"

#include "server/analysis/Document.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace kernelscope;
using mlir::ModuleOp;
using mlir::OwningOpRef;

/// The text's own module if it is all that the text has, else one around it.
static OwningOpRef<ModuleOp> parseModule(const llvm::SourceMgr &sources,
                                         mlir::AsmParserState &state,
                                         mlir::MLIRContext &context) {
  OwningOpRef<ModuleOp> outer =
      ModuleOp::create(mlir::UnknownLoc::get(&context));
  mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
  if (failed(
          mlir::parseAsmSourceFile(sources, outer->getBody(), config, &state)))
    return nullptr;
  mlir::Block *body = outer->getBody();
  if (!llvm::hasSingleElement(*body))
    return outer;
  auto inner = llvm::dyn_cast<ModuleOp>(body->front());
  if (!inner)
    return outer;
  inner->remove();
  return inner;
}

/// Gives each op the place of its name in the text.
static void locateInText(const Text &text, llvm::StringRef path,
                         const char *buffer, const mlir::AsmParserState &state,
                         mlir::MLIRContext &context) {
  auto file = mlir::StringAttr::get(&context, path);
  for (const auto &definition : state.getOpDefs()) {
    Position position = text.positionAt(
        definition.loc.Start.getPointer() - buffer, PositionEncoding::UTF8);
    definition.op->setLoc(mlir::FileLineColLoc::get(file, position.line + 1,
                                                    position.character + 1));
  }
}

OwningOpRef<ModuleOp>
kernelscope::parseForCompile(llvm::StringRef source, llvm::StringRef path,
                             mlir::MLIRContext &context,
                             std::vector<Diagnostic> &diagnostics) {
  Text text(source.str());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(text.str(), path),
                             llvm::SMLoc());
  std::string firstError;
  OwningOpRef<ModuleOp> module;
  {
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          if (firstError.empty() &&
              diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            firstError = diagnostic.str();
        });
    mlir::AsmParserState state;
    module = parseModule(sources, state, context);
    if (module) {
      locateInText(text, path, text.str().data(), state, context);
      if (succeeded(mlir::verify(*module)))
        return module;
    }
  }
  // Analysis finds all errors, not the first, and knows their places.
  diagnostics = analyze(std::move(text), path.str())->diagnostics();
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
