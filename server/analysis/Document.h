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
#include "server/analysis/spellings/Release.h"
#include "server/text/Text.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace kernelscope {

class Document;
class Syntax;
class Workspace;
struct CallerLints;
struct Unit;
struct UnitFacts;

struct AnalyzeOptions {
  /// An earlier version of the same document; unchanged functions are taken
  /// from it. The two share an MLIRContext, so that one thread at a time may
  /// work with them.
  std::shared_ptr<const Document> previous;
  /// Nobody asks `previous` any more: what it knows may be changed.
  bool previousIsSpent = false;
  /// One that no other document has, for the first version; made if null.
  std::shared_ptr<Workspace> workspace;
  /// Called with the offset of the part that is about to be parsed and of each
  /// op that is about to be verified. Whoever runs analysis in a process that
  /// may die keeps the last value, and knows where it died.
  std::function<void(size_t offset)> progress;
  /// Offsets at which an earlier analysis of the same text died. The function
  /// (or other top-level part) around each is left out and gets one diagnostic
  /// `stopped` at the offset.
  std::vector<size_t> quarantine;
  ClientSettings settings;
  /// Set by another thread when the result is no longer wanted. Looked at
  /// before each part is parsed and each op verified; the document is then
  /// incomplete.
  const std::atomic<bool> *cancelled = nullptr;

  bool isCancelled() const { return cancelled && *cancelled; }
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
  /// What is known of functions that call others.
  const std::vector<CallerLints> &callers() const { return callerLints; }
  /// The unit whose op holds `offset`, or null.
  const Unit *unitAt(size_t offset) const;
  /// The skeleton of the chunk that holds `offset`, or null.
  const Unit *skeletonAt(size_t offset) const;
  /// That of everything parsed.
  mlir::MLIRContext &context() const;
  /// The context's owner, which the versions of a document share.
  const std::shared_ptr<Workspace> &sharedWorkspace() const {
    return workspace;
  }
  /// The release of Triton that the settings name, or else that wrote the text,
  /// as far as its words tell.
  std::optional<Release> release() const { return writtenBy; }
  /// What makes of the text one of `wanted`, in the order of the text; no two
  /// overlap.
  std::vector<TextEdit> editsFor(Release wanted) const;
  /// False if the analysis was cancelled. Then this is good for nothing but to
  /// be the `previous` of the next one, which takes over what was done already.
  bool isComplete() const { return complete; }
  /// How many units were parsed, not taken over from `previous`.
  size_t freshUnits() const { return fresh; }
  /// For how many of those only the edited ops were parsed.
  size_t reparsedUnits() const { return reparsed; }

private:
  friend class Analyzer;
  Document();

  Text content;
  std::string name;
  std::vector<Diagnostic> problems;
  std::unique_ptr<const Syntax> tree;
  std::shared_ptr<Workspace> workspace;
  std::vector<Unit> parts;
  std::vector<CallerLints> callerLints;
  /// Of an incomplete document: what a later version may take over.
  std::vector<std::shared_ptr<const UnitFacts>> spare;
  std::optional<Release> writtenBy;
  size_t fresh = 0, reparsed = 0;
  bool complete = true;
  /// No unit names another, and each alias is defined, and defined once.
  bool isPlain = false;
};

/// Analyses `text`. Never fails: what is wrong with the text is in the
/// document's diagnostics, and everything else in it is analysed all the same.
std::shared_ptr<const Document> analyze(Text text, std::string path,
                                        const AnalyzeOptions &options = {});

} // namespace kernelscope

#endif // KERNELSCOPE_SERVER_ANALYSIS_DOCUMENT_H
