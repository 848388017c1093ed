//===- Unit.cpp - one top-level op, parsed with what it refers to ---------===//

#include "server/analysis/Unit.h"

#include "dialects/Dialects.h"
#include "server/analysis/Hole.h"
#include "server/analysis/ParseMessages.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace kernelscope;

static mlir::DialectRegistry makeRegistry() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registry.insert<HoleDialect>();
  return registry;
}

Workspace::Workspace()
    : context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED) {
  // The constructor leaves the tables of types and attributes their locks, and
  // a cache in each thread.
  context.disableMultithreading();
  // Ops of dialects that nobody knows still parse in their generic form; the
  // verifier names them.
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  context.loadDialect<HoleDialect>();
  // The dialects that most dumps use; the parser loads others as it meets them.
  for (llvm::StringRef name : {"arith", "math", "scf", "tt", "ttg", "ttng"})
    context.getOrLoadDialect(name);
}

bool kernelscope::parseSilently(const llvm::SourceMgr &sources,
                                mlir::Block *block,
                                mlir::AsmParserState &state) {
  mlir::MLIRContext *context = block->getParentOp()->getContext();
  bool isSilent = true;
  mlir::ScopedDiagnosticHandler handler(
      context, [&](mlir::Diagnostic &) { isSilent = false; });
  mlir::ParserConfig config(context, /*verifyAfterParse=*/false);
  return succeeded(mlir::parseAsmSourceFile(sources, block, config, &state)) &&
         isSilent;
}

void Fragment::open(std::shared_ptr<Workspace> shared) {
  workspace = std::move(shared);
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(patched.str(), bufferName),
      llvm::SMLoc());
}

Span Fragment::span(mlir::SMRange range) const {
  if (!range.isValid())
    return {0, 0};
  size_t begin = range.Start.getPointer() - buffer().begin();
  size_t length = range.End.getPointer() - range.Start.getPointer();
  return patched.toSource(Span{begin, begin + length});
}

const mlir::AsmParserState::OperationDefinition *
Unit::definitionOf(mlir::Operation *op) const {
  // An op without a root was parsed alone.
  bool isOwn =
      statement != noSyntax && (!facts->root || facts->root->isAncestor(op));
  return isOwn ? fragment->state.getOpDef(op) : nullptr;
}

bool Unit::has(size_t local) const {
  return llvm::any_of(pieces, [&](const Piece &piece) {
    return local >= piece.local && local <= piece.local + piece.span.size();
  });
}

size_t Unit::toDocument(size_t local) const {
  auto after = llvm::partition_point(
      pieces, [&](const Piece &piece) { return piece.local <= local; });
  if (after == pieces.begin())
    return span.begin;
  const Piece &piece = *std::prev(after);
  return piece.span.begin + std::min(local - piece.local, piece.span.size());
}

Span Unit::toDocument(Span local) const {
  size_t begin = toDocument(local.begin);
  return {begin, begin + local.size()};
}

std::optional<size_t> Unit::toLocal(size_t offset) const {
  auto after = llvm::partition_point(
      pieces, [&](const Piece &piece) { return piece.span.begin <= offset; });
  if (after == pieces.begin())
    return std::nullopt;
  const Piece &piece = *std::prev(after);
  if (offset > piece.span.end)
    return std::nullopt;
  return piece.local + (offset - piece.span.begin);
}

std::optional<mlir::SMLoc> Unit::toParser(size_t offset) const {
  std::optional<size_t> local = toLocal(offset);
  if (!local || !fragment->isParsed)
    return std::nullopt;
  std::optional<size_t> place = fragment->patched.fromSource(*local);
  if (!place)
    return std::nullopt;
  return mlir::SMLoc::getFromPointer(fragment->buffer().begin() + *place);
}
