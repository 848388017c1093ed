//===- ParseForCompile.cpp - IR whose locations are IR lines --------------===//

#include "server/analysis/ParseForCompile.h"

#include "server/analysis/Document.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/spellings/Spellings.h"

#include "mlir/IR/Diagnostics.h"
#include "passes/Source.h"

using namespace kernelscope;

using llvm::StringRef;

/// The parts of a text that `// -----` splits, those without ops left out.
static std::vector<Span> partsOf(StringRef source) {
  Syntax syntax(source);
  std::vector<Span> parts;
  for (SyntaxId chunk : syntax.chunks()) {
    const Region &region = syntax.region(chunk);
    if (llvm::any_of(region.statements, [&](SyntaxId id) {
          return syntax.statement(id).kind == Statement::Operation;
        }))
      parts.push_back(region.body);
  }
  return parts;
}

/// The part with `line`, its lines where they were.
static std::string partAt(StringRef source, llvm::ArrayRef<Span> parts,
                          size_t line) {
  const Span *part = parts.begin();
  size_t first = source.take_front(part->begin).count('\n');
  for (size_t next = first; const Span &other : parts.drop_front()) {
    next += source.slice(std::prev(&other)->begin, other.begin).count('\n');
    if (next > line)
      break;
    part = &other;
    first = next;
  }
  return std::string(first, '\n') + source.slice(part->begin, part->end).str();
}

static Diagnostic chooseOne(llvm::ArrayRef<Span> parts) {
  Diagnostic diagnostic;
  diagnostic.span = {parts[1].begin, parts[1].begin};
  diagnostic.code = "syntax";
  diagnostic.message = "'// -----' splits this file into " +
                       std::to_string(parts.size()) +
                       " parts with IR; choose one with --line, a line in it";
  return diagnostic;
}

mlir::OwningOpRef<mlir::ModuleOp> kernelscope::parseForCompile(
    StringRef source, StringRef path, mlir::MLIRContext &context,
    std::vector<Diagnostic> &diagnostics, std::optional<size_t> line) {
  std::string part;
  if (source.contains("// -----")) {
    std::vector<Span> parts = partsOf(source);
    if (parts.size() > 1 && !line) {
      diagnostics.push_back(chooseOne(parts));
      return nullptr;
    }
    if (parts.size() > 1) {
      part = partAt(source, parts, *line);
      source = part;
    }
  }
  std::string firstError;
  {
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          if (firstError.empty() &&
              diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            firstError = diagnostic.str();
        });
    OurSpelling ours = inOurSpelling(source, context);
    if (!ours.isNeeded)
      if (auto module = parseSource(source, path, &context))
        return module;
    if (ours.text != source)
      if (auto module = parseSource(ours.text, path, &context))
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
