//===- Document.h - a text with everything known about it -------*- C++ -*-===//
//
// Text in, `Document` out: parse with recovery, verification op by op,
// diagnostics. A document is immutable; each edit makes a new one, which takes
// over the parts that the edit did not touch.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_SERVER_ANALYSIS_DOCUMENT_H
#define KERNELSCOPE_SERVER_ANALYSIS_DOCUMENT_H

#include "server/analysis/Diagnostic.h"
#include "server/text/Text.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kernelscope {

class Document;
class Syntax;
class Workspace;
struct Unit;

struct AnalyzeOptions {
  /// An earlier version of the same document; unchanged functions are taken
  /// from it. The two share an MLIRContext, so they belong to one thread.
  std::shared_ptr<const Document> previous;
  /// Called with the offset of the part that is about to be parsed and of each
  /// op that is about to be verified. Whoever runs analysis in a process that
  /// may die keeps the last value, and knows where it died.
  std::function<void(size_t offset)> progress;
  /// Offsets at which an earlier analysis of the same text died. The function
  /// (or other top-level part) around each is left out and gets one diagnostic
  /// `stopped` at the offset.
  std::vector<size_t> quarantine;
  /// Codes of warnings that are not wanted.
  std::vector<std::string> allow;
};

/// What analysis found in one version of a text.
class Document {
public:
  ~Document();

  const Text &text() const { return content; }
  /// The file's name as the user knows it; appears in messages only.
  const std::string &path() const { return name; }
  /// Sorted by place; no two are equal.
  const std::vector<Diagnostic> &diagnostics() const { return problems; }

  /// The statements, tokens and nesting of the text, broken or not.
  const Syntax &syntax() const { return *tree; }
  /// The parsed parts: for each top-level op, or each op in a top-level
  /// module, the op with what it refers to. In the order of the text, and
  /// before those of each chunk (`// -----`) its skeleton: a unit without a
  /// statement that holds the aliases and the headers of the modules.
  const std::vector<Unit> &units() const { return parts; }
  /// The unit whose op holds `offset`, or null.
  const Unit *unitAt(size_t offset) const;
  /// The skeleton of the chunk that holds `offset`, or null.
  const Unit *skeletonAt(size_t offset) const;
  /// How many units were parsed, not taken over from `previous`.
  size_t freshUnits() const { return fresh; }

private:
  friend class Analyzer;
  Document();

  Text content;
  std::string name;
  std::vector<Diagnostic> problems;
  std::unique_ptr<const Syntax> tree;
  std::shared_ptr<Workspace> workspace;
  std::vector<Unit> parts;
  size_t fresh = 0;
};

/// Analyses `text`. Never fails: what is wrong with the text is in the
/// document's diagnostics, and everything else in it is analysed all the same.
std::shared_ptr<const Document> analyze(Text text, std::string path,
                                        const AnalyzeOptions &options = {});

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_DOCUMENT_H
