//===- RecoveryParts.cpp - errors far from the beginning of a text --------===//
//
// A parse that stops at each error in turn reads what is before it again and
// again. In a large function a part is parsed at a time instead, in which holes
// stand for all else, until its errors are known.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Recovery.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace kernelscope;

/// A value that is used in the part and defined elsewhere has no definition
/// here, so that nothing is known of it.
bool Recovery::isOfWholeText(const ParseError &error,
                             const PatchedText &patched) const {
  if (error.severity != mlir::DiagnosticSeverity::Error ||
      isUndeclaredValue(error.message) || !patched.isCopy(error.offset))
    return false;
  if (mistypedValue(error.message).empty())
    return true;
  if (error.notes.empty() || !patched.isCopy(error.notes.front().first))
    return false;
  size_t other = patched.toSource(error.notes.front().first);
  SyntaxId id = syntax.statementAt(other);
  return id != noSyntax && (id == request.statement ||
                            llvm::any_of(syntax.statement(id).results,
                                         [&](const ResultName &result) {
                                           return result.name.begin == other;
                                         }));
}

bool Recovery::repairPart(const FailedParse &failure,
                          const PatchedText &patched) {
  return !failure.errors.empty() &&
         isOfWholeText(failure.errors.front(), patched) &&
         repairErrors(failure, patched);
}

std::optional<PatchedText> Recovery::composePart(const TypeAliases &types,
                                                 Span part) {
  std::vector<Patch> all = patches;
  for (SyntaxId region : syntax.statement(request.statement).regions)
    hideOutside(part, region, all);
  PatchedText patched = compose(types, all);
  // A definition that is hidden here no longer comes before a later one.
  Syntax parsed(patched.str(), Nesting::Braces);
  searched += patched.str().size();
  for (SyntaxId root : parsed.region(parsed.chunks().front()).statements)
    if (!findForeignUses(parsed, root).empty())
      return std::nullopt;
  return patched;
}

/// Of a statement that is larger than the part, only what is around it is kept.
void Recovery::hideOutside(Span part, SyntaxId region,
                           std::vector<Patch> &hidden) const {
  auto spanOf = [&](SyntaxId id) { return syntax.statement(id).span; };
  llvm::ArrayRef<SyntaxId> ids = syntax.region(region).statements;
  auto first = llvm::partition_point(
      ids, [&](SyntaxId id) { return spanOf(id).end <= part.begin; });
  auto last = llvm::partition_point(
      ids, [&](SyntaxId id) { return spanOf(id).begin < part.end; });
  // An error at the beginning may be due to the statement before.
  if (first != ids.begin())
    --first;
  auto hide = [&](llvm::ArrayRef<SyntaxId> run) {
    while (!run.empty()) {
      auto rest = run.drop_until([&](SyntaxId id) {
        return syntax.statement(id).kind == Statement::Label;
      });
      if (llvm::ArrayRef<SyntaxId> ops = run.drop_back(rest.size());
          !ops.empty())
        hidden.push_back({{spanOf(ops.front()).begin, spanOf(ops.back()).end},
                          {{" kernelscope.hole ", {}}},
                          std::numeric_limits<int>::min()});
      run = rest.empty() ? rest : rest.drop_front();
    }
  };
  hide({ids.begin(), first});
  hide({last, ids.end()});
  for (SyntaxId id : llvm::make_range(first, last))
    if (spanOf(id).size() > part.size() || spanOf(id).end <= part.begin)
      for (SyntaxId inner : syntax.statement(id).regions)
        hideOutside(part, inner, hidden);
}
