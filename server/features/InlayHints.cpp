//===- InlayHints.cpp - what the text does not say ------------------------===//

#include "server/features/InlayHints.h"

#include "dialects/ttg/TTG.h"
#include "passes/analysis/Barriers.h"
#include "server/analysis/CallerLints.h"
#include "server/analysis/Origins.h"
#include "server/analysis/ParseMessages.h"
#include "server/analysis/Unit.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <algorithm>

using namespace kernelscope;

/// `/home/me/kernel.py` is too long for the end of a line.
static std::string baseName(const std::string &path) {
  return path.substr(path.find_last_of('/') + 1);
}

static std::string describe(const SourcePlace &place) {
  return baseName(place.file) + ":" + std::to_string(place.line);
}

static std::string tooltip(const std::vector<SourcePlace> &places) {
  std::string text;
  for (const SourcePlace &place : places)
    text += (text.empty() ? "" : "\n\ncalled from ") + place.file + ":" +
            std::to_string(place.line) + ":" + std::to_string(place.column);
  return text;
}

/// Where a hint about the op on a line stands: at its end, or after the op's
/// name if the line is so long that an editor does not show its end.
static size_t placeOn(const Document &document, size_t line) {
  constexpr size_t visibleColumns = 110;
  const Text &text = document.text();
  const Syntax &syntax = document.syntax();
  Span span = text.lineSpan(line);
  size_t first = syntax.tokenAfter(span.begin);
  if (span.size() <= visibleColumns || first >= syntax.tokens().size())
    return span.end;
  SyntaxId id = syntax.statementAt(syntax.tokens()[first].begin);
  if (id == noSyntax)
    return span.end;
  const Statement &statement = syntax.statement(id);
  bool isOperation =
      statement.kind == Statement::Operation && span.contains(statement.name);
  return isOperation ? statement.name.end : span.end;
}

/// Whether there may be something to say: to copy all that a function calls
/// takes long.
static bool usesBarriers(mlir::Operation *root) {
  return root
      ->walk([](ttg::MBarrierOpInterface) {
        return mlir::WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Beside `ttng.init_barrier`, the arrivals that its count has to match.
static void addArrivals(const Document &document, const Unit &unit, Span span,
                        std::vector<InlayHint> &hints) {
  mlir::Operation *root = unit.facts->root;
  if (!unit.facts->isValid || !llvm::isa<mlir::FunctionOpInterface>(root) ||
      !usesBarriers(root))
    return;
  const Text &text = document.text();
  std::optional<FlatFunction> flat;
  for (const CallerLints &caller : document.callers())
    if (caller.functions.front() == unit.facts)
      flat = flatten(caller.functions);
  if (!flat && FlatFunction::hasBranches(root))
    flat.emplace(root);
  Barriers barriers(flat ? flat->function() : root);
  for (const BarrierRing &ring : barriers.rings()) {
    std::string arrivals = describeArrivals(ring);
    if (arrivals.empty())
      continue;
    for (const BarrierUse &init : ring.usesOf(ttg::BarrierAction::Init)) {
      const auto *definition = unit.fragment->state.getOpDef(
          flat ? flat->originalOf(init.op) : init.op);
      if (!definition)
        continue;
      Span name = unit.toDocument(definition->loc);
      size_t place = placeOn(document, text.lineAt(name.begin));
      if (span.touches(place))
        hints.push_back({place, "arrivals: " + arrivals,
                         "What arrives at this barrier. A phase completes when "
                         "the number of arrivals reaches its count."});
    }
  }
}

/// On a line, what was emitted for it.
static void addEmitted(const Document &document, Span span,
                       const EmittedCode &emitted,
                       std::vector<InlayHint> &hints) {
  for (const EmittedCode::Line &line : emitted.lines)
    if (!line.label.empty())
      if (size_t place = placeOn(document, line.line); span.touches(place))
        hints.push_back(
            {place, line.label, "On " + emitted.arch + ":\n" + line.details});
}

std::vector<InlayHint> kernelscope::inlayHints(const Document &document,
                                               Span span,
                                               const EmittedCode *emitted) {
  const Text &text = document.text();
  std::vector<InlayHint> hints;
  if (emitted)
    addEmitted(document, span, *emitted, hints);
  for (const Unit &unit : document.units()) {
    if (unit.statement == noSyntax || !unit.fragment->isParsed ||
        unit.span.end < span.begin || unit.span.begin > span.end)
      continue;
    std::vector<InlayHint> inUnit;
    Origins origins(*unit.fragment, document.syntax());
    for (const auto &definition : unit.ops()) {
      Span name = unit.toDocument(definition.loc);
      auto origin = origins.of(definition.op, name.begin);
      if (!origin || !unit.span.contains(name))
        continue;
      std::vector<SourcePlace> places = sourcePlaces(*origin);
      if (places.empty())
        continue;
      size_t end = text.lineSpan(text.lineAt(name.begin)).end;
      inUnit.push_back(
          {end, describe(places.back()), tooltip(places), places.back()});
    }
    std::sort(inUnit.begin(), inUnit.end(),
              [](const InlayHint &a, const InlayHint &b) {
                return a.offset < b.offset;
              });
    std::string last;
    for (InlayHint &hint : inUnit) {
      bool isNew = hint.label != last;
      last = hint.label;
      if (isNew && span.touches(hint.offset))
        hints.push_back(std::move(hint));
    }
    addArrivals(document, unit, span, hints);
  }
  return hints;
}
