//===- EditParser.h - edited ops in a small text of their own ---*- C++ -*-===//
//
// The edited ops of a function can be parsed without the rest of it: in a
// function that has nothing but them and holes for the values that they use.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_EDITPARSER_H
#define KERNELSCOPE_SERVER_ANALYSIS_EDITPARSER_H

#include "server/analysis/Graft.h"
#include "server/analysis/Reparse.h"

#include <string>

namespace kernelscope {

/// What `Reparse` and `EditErrors` share; they find out what was edited, and
/// parse the text.
class EditParser {
public:
  EditParser(const EarlierUnit &earlier, const Syntax &syntax,
             const FragmentRequest &request, const PatchedText &patched)
      : earlier(*earlier.unit), root(earlier.unit->facts->root),
        oldSyntax(*earlier.syntax), syntax(syntax), request(request),
        patched(patched) {}

protected:
  /// The edited statements, as they are now.
  llvm::ArrayRef<SyntaxId> newStatements() const {
    return edit.place.after.statements(syntax);
  }
  /// The op that `id` of the earlier version was; null if it was none.
  mlir::Operation *oldOpOf(SyntaxId id) const;
  /// Finds an op beside the edited ones, without which it is not known which
  /// block they are in; false if there is none.
  bool findNeighbor();
  mlir::Operation *neighbor() const {
    return edit.next ? edit.next : edit.previous;
  }
  /// Writes the holes that stand for the used values; false if one of them is
  /// not there.
  bool declareUsed();
  /// Writes the text, with the ops up to `opsEnd`.
  void writeText(size_t opsEnd);

  const Unit &earlier;
  mlir::Operation *root; ///< The function.
  const Syntax &oldSyntax, &syntax;
  const FragmentRequest &request;
  const PatchedText &patched; ///< What the parser would see of the function.
  ParsedEdit edit;

private:
  std::optional<UsedValue> findValue(llvm::StringRef name) const;
  bool isArgument(mlir::Value value) const;
  void declare(llvm::StringRef name, const UsedValue &value);

  std::string declarations; ///< Of the holes.
};

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_EDITPARSER_H
