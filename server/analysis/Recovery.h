//===- Recovery.h - patches that let a parse go past its errors -*- C++ -*-===//
//
// A syntax error costs its own statement: the statement is taken out, a hole
// takes its place, and the rest is parsed again.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_RECOVERY_H
#define KERNELSCOPE_SERVER_ANALYSIS_RECOVERY_H

#include "server/analysis/FragmentReports.h"
#include "server/analysis/ParserHazards.h"
#include "server/analysis/TypeAliases.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>
#include <set>

namespace kernelscope {

class Recovery {
public:
  Recovery(const Syntax &syntax, const FragmentRequest &request,
           FragmentReports &reports)
      : syntax(syntax), request(request), reports(reports),
        culprits(syntax, request, broken) {}

  /// A change that the text needs in any case.
  void patch(const TextEdit &edit) {
    patches.push_back({edit.span, {{edit.newText, {}}}, 0});
  }
  /// Missing braces of the unit's op are put in, stray ones taken out.
  void patchBraces() { patchBraces(request.statement); }
  /// What the parser does not survive is reported and goes away; what MLIR
  /// printed and does not read is mended.
  void avoidHazards();
  /// Reports the errors of a failed parse of `patched` and changes the text so
  /// that the next one gets past them; false if no way is known. `isLastResort`
  /// leaves out everything from the error on.
  bool repair(const FailedParse &failure, const PatchedText &patched,
              bool isLastResort);
  /// The same after a parse of `composePart`, of which only an error that the
  /// whole text has, too, counts.
  bool repairPart(const FailedParse &failure, const PatchedText &patched);
  /// A use of a value that nothing defines, unless what may define it was taken
  /// out.
  void reportUndeclared(size_t token);

  size_t countPatches() const { return patches.size(); }
  /// The unit's text with all repairs so far, and with aliases for `types`.
  PatchedText compose(const TypeAliases &types) const {
    return compose(types, patches);
  }
  /// The same with holes for all statements outside `part`, except those with a
  /// label, and those around it. Null if MLIR's parser may not survive it.
  std::optional<PatchedText> composePart(const TypeAliases &types, Span part);
  /// Bytes of text that were searched for foreign uses after repairs.
  size_t searchedBytes() const { return searched; }
  /// The repairs that were made.
  std::vector<Patch> takePatches() { return std::move(patches); }
  /// The statements that they repair.
  const llvm::DenseSet<SyntaxId> &takenOut() const { return broken; }
  /// Those that only lost what follows the op.
  const llvm::DenseSet<SyntaxId> &shortened() const { return cut; }

private:
  PatchedText compose(const TypeAliases &types,
                      llvm::ArrayRef<Patch> repairs) const;
  bool isOfWholeText(const ParseError &error, const PatchedText &patched) const;
  void hideOutside(Span part, SyntaxId region,
                   std::vector<Patch> &hidden) const;
  void avoidForeignUses();
  bool avoid(const ForeignUse &use, const Syntax &parsed,
             const PatchedText &patched, llvm::DenseSet<SyntaxId> &users);
  bool repairErrors(const FailedParse &failure, const PatchedText &patched,
                    bool isLastResort = false);
  bool repair(const ParseError &error, const PatchedText &patched);
  bool giveUpRest(const ParseError &error, const PatchedText &patched);
  bool dropPart(size_t offset);

  /// The statement around `token`. False: it is out already.
  bool takeOutAt(size_t token);
  bool takeOut(SyntaxId id, bool isDefinedElsewhere);
  bool blank(Span span);
  bool blankLine(Span span);
  bool separate(SyntaxId id);
  bool replaceAlias(const Statement &statement, bool isDefinedElsewhere);
  void keepRegions(const Statement &statement);
  void patchBraces(SyntaxId id);

  void defineResults(const Statement &statement);
  void takeOutShadows(const Statement &statement);
  void takeOutDefinitions(SyntaxId region, Span name);
  const Token *findUnclosed(size_t end) const;
  bool repairUndeclared(size_t offset);
  bool declareValue(const Syntax &parsed, size_t token, SyntaxId region);
  bool addHole(SyntaxId region, llvm::StringRef name, unsigned count);
  void hideValues(Span span);
  bool followsFromHole(llvm::StringRef message) const;

  bool isInUnit(SyntaxId region) const;
  SyntaxId outermostRegion(size_t offset) const;
  bool isIsolated(const Statement &statement) const;
  Patch atEndOf(SyntaxId region) const;
  size_t depthOf(SyntaxId region) const;

  const Syntax &syntax;
  const FragmentRequest &request;
  FragmentReports &reports;
  std::vector<Patch> patches;
  llvm::DenseSet<SyntaxId> broken;
  llvm::DenseSet<SyntaxId> cut;
  CulpritFinder culprits;
  std::set<std::pair<size_t, size_t>> blanked;
  llvm::DenseSet<SyntaxId> separated;
  std::set<std::pair<size_t, size_t>> defined;
  std::map<std::pair<size_t, std::string>, unsigned> missing;
  std::set<size_t> droppedParts;
  /// Values that are defined, but where nobody sees it.
  llvm::StringMap<Span> definedElsewhere;
  llvm::StringSet<> hiddenValues; ///< Their definition was taken out.
  /// Whether arguments of regions may have lost their definition since the last
  /// search for foreign uses, or regions may nest otherwise.
  bool mustSearch = false;
  size_t searched = 0; ///< See `searchedBytes`.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_RECOVERY_H
