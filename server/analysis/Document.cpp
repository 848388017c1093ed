//===- Document.cpp - a text with everything known about it ---------------===//
//
// Divides a text into units, takes over what an earlier version knows of them,
// and finds out the rest: of several units together, if their text is sound,
// else of each alone.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Document.h"

#include "server/analysis/BatchBuilder.h"
#include "server/analysis/CallerLints.h"
#include "server/analysis/DiagnosticCollector.h"
#include "server/analysis/FragmentBuilder.h"
#include "server/analysis/UnitPlanner.h"
#include "server/analysis/UntouchedUnits.h"
#include "server/analysis/spellings/Spellings.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace kernelscope;

Document::Document() = default;
Document::~Document() = default;

const Unit *Document::unitAt(size_t offset) const {
  for (const Unit &unit : parts)
    if (unit.statement != noSyntax && unit.span.touches(offset))
      return &unit;
  return nullptr;
}

const Unit *Document::skeletonAt(size_t offset) const {
  for (const Unit &unit : parts)
    if (unit.statement == noSyntax && unit.span.touches(offset))
      return &unit;
  return nullptr;
}

mlir::MLIRContext &Document::context() const { return workspace->context; }

std::vector<TextEdit> Document::editsFor(Release wanted) const {
  return kernelscope::editsFor(*tree, wanted, context());
}

namespace kernelscope {

/// Units are parsed together until their texts have so many bytes: the aliases
/// that they share then cost little, and an edit that comes in between does not
/// wait for long.
static constexpr size_t batchBytes = 64 << 10;

class Analyzer {
public:
  Analyzer(Text text, std::string path, const AnalyzeOptions &options)
      : options(options), document(new Document) {
    document->content = std::move(text);
    document->name = std::move(path);
    llvm::StringRef source = document->content.str();
    document->tree =
        options.previous
            ? std::make_unique<Syntax>(source, options.previous->syntax())
            : std::make_unique<Syntax>(source);
    takeOver();
    mayBatch = options.quarantine.empty() && hasAllBraces(syntax());
  }

  std::shared_ptr<const Document> run() {
    FragmentRequest request;
    request.workspace = document->workspace;
    request.progress = options.progress;
    request.cancelled = options.cancelled;
    UnitPlanner planner(syntax(), std::move(request));
    for (SyntaxId root : syntax().chunks())
      analyzeChunk(planner, root);
    document->isPlain = planner.named().empty() && document->problems.empty() &&
                        !options.isCancelled() && options.quarantine.empty();
    if (options.isCancelled()) {
      document->complete = false;
      for (auto &[key, facts] : known)
        document->spare.push_back(std::move(facts));
      return document;
    }
    document->callerLints =
        lintCallers(document->parts, planner.named(),
                    options.previous ? options.previous->callerLints
                                     : std::vector<CallerLints>(),
                    syntax(), options.progress, document->problems);
    Evidence evidence;
    for (const Unit &unit : document->parts)
      evidence.add(unit.facts->evidence);
    document->writtenBy = Release::parse(options.settings.release);
    if (!document->writtenBy)
      document->writtenBy = evidence.release();
    document->problems =
        collectDiagnostics(*document, std::move(document->problems), evidence,
                           options.settings, document->workspace->context);
    return document;
  }

private:
  /// A unit to be, and what to parse for it.
  struct Planned {
    Unit unit; ///< With its facts, if it is as it was.
    FragmentRequest request;
    UnitKey key;
    bool isLeftOut = false;
  };

  const Syntax &syntax() const { return *document->tree; }

  void takeOver() {
    // Types and attributes are never freed, so now and then start afresh.
    constexpr unsigned mostGenerations = 1000;
    const Document *previous = options.previous.get();
    if (!previous || previous->workspace->generation >= mostGenerations) {
      document->workspace = options.workspace && !previous
                                ? options.workspace
                                : std::make_shared<Workspace>();
      document->workspace->openedBytes += document->content.size();
      return;
    }
    document->workspace = previous->workspace;
    ++document->workspace->generation;
    for (const Unit &unit : previous->parts)
      if (unit.facts->key)
        known.try_emplace(*unit.facts->key, unit.facts);
    for (const std::shared_ptr<const UnitFacts> &facts : previous->spare)
      known.try_emplace(*facts->key, facts);
  }

  void analyzeChunk(UnitPlanner &planner, SyntaxId root) {
    planner.enter(root);
    Planned skeleton;
    skeleton.unit.span = syntax().region(root).body;
    skeleton.request = planner.skeleton();
    // Nothing else is known of an empty one.
    bool hasSkeleton = !skeleton.request.parts.empty();
    if (hasSkeleton)
      settle(skeleton, skeleton.unit.span.begin, skeleton.unit.span.begin + 1);
    std::vector<SyntaxId> ids = planner.units();
    std::vector<Planned> planned = plan(planner, ids, {});
    if (mayBatch)
      buildBatches(hasSkeleton ? &skeleton : nullptr, planned);

    size_t first = document->parts.size();
    if (hasSkeleton) {
      if (options.progress && !skeleton.isLeftOut)
        options.progress(skeleton.unit.span.begin);
      SkeletonRepairs repairs = finish(skeleton);
      if (!repairs.empty())
        planned = plan(planner, ids, repairs);
    }
    for (Planned &one : planned)
      if (!options.isCancelled())
        finish(one);
    auto ofChunk = llvm::drop_begin(document->parts, first);
    llvm::sort(ofChunk, [](const Unit &a, const Unit &b) {
      return std::tuple(a.span.begin, a.statement != noSyntax) <
             std::tuple(b.span.begin, b.statement != noSyntax);
    });
    planner.report(document->problems);
  }

  std::vector<Planned> plan(UnitPlanner &planner,
                            const std::vector<SyntaxId> &ids,
                            const SkeletonRepairs &repairs) {
    std::vector<Planned> planned(ids.size());
    const UntouchedUnits untouched = findUntouched(ids, repairs);
    for (auto [index, one, id] : llvm::enumerate(planned, ids)) {
      if (options.isCancelled())
        return {};
      if (std::optional<Unit> unit = untouched.find(index)) {
        one.unit = std::move(*unit);
        continue;
      }
      one.unit.statement = id;
      one.unit.span = syntax().statement(id).span;
      one.request = planner.unit(id, repairs);
      settle(one, one.unit.span.begin, one.unit.span.end);
    }
    return planned;
  }

  /// The version before, if its types are those of this one; else null.
  const Document *previousInContext() const {
    const Document *previous = options.previous.get();
    return previous && previous->workspace == document->workspace ? previous
                                                                  : nullptr;
  }

  UntouchedUnits findUntouched(llvm::ArrayRef<SyntaxId> ids,
                               const SkeletonRepairs &repairs) const {
    const Document *previous = previousInContext();
    if (!previous || !previous->isPlain || !repairs.empty() ||
        !options.quarantine.empty())
      return {};
    return {previous->syntax(), previous->parts, syntax(), ids};
  }

  /// Whether the unit is left out, and if not, its key.
  void settle(Planned &one, size_t begin, size_t end) {
    one.isLeftOut = quarantined(begin, end).has_value();
    if (!one.isLeftOut)
      one.key = one.request.key(syntax());
  }

  std::optional<size_t> quarantined(size_t begin, size_t end) const {
    for (size_t offset : options.quarantine)
      if (offset >= begin && offset < end)
        return offset;
    return std::nullopt;
  }

  //===--- Building -------------------------------------------------------===//

  /// Builds what is not known, as far as its text is sound, unless there is
  /// only one of it.
  void buildBatches(const Planned *skeleton,
                    const std::vector<Planned> &planned) {
    std::vector<const Planned *> unknown;
    auto addUnknown = [&](const Planned &one) {
      if (!one.unit.facts && !known.contains(one.key))
        unknown.push_back(&one);
    };
    if (skeleton)
      addUnknown(*skeleton);
    llvm::for_each(planned, addUnknown);
    if (unknown.size() < 2)
      return;
    std::vector<const Planned *> batch;
    size_t bytes = 0;
    for (const Planned *one : unknown) {
      if (options.isCancelled())
        return;
      if (!isSound(syntax(), one->request))
        continue;
      batch.push_back(one);
      if (one != skeleton)
        bytes += one->unit.span.size();
      if (bytes >= batchBytes) {
        build(batch);
        batch.clear();
        bytes = 0;
      }
    }
    build(batch);
  }

  void build(const std::vector<const Planned *> &batch) {
    if (batch.size() < 2)
      return;
    std::vector<const FragmentRequest *> requests;
    requests.reserve(batch.size());
    for (const Planned *one : batch)
      requests.push_back(&one->request);
    auto built = buildTogether(syntax(), requests);
    document->fresh += built.size();
    for (std::shared_ptr<const UnitFacts> &facts : built)
      known[*facts->key] = std::move(facts);
  }

  /// Gives the unit its facts and adds it to the document, unless that was
  /// cancelled; what was repaired.
  SkeletonRepairs finish(Planned &one) {
    SkeletonRepairs repairs;
    Unit &unit = one.unit;
    if (unit.facts) {
      document->parts.push_back(std::move(unit));
      return repairs;
    }
    auto found = known.end();
    if (one.isLeftOut) {
      leaveOut(unit);
    } else if (found = known.find(one.key); found != known.end()) {
      unit.facts = found->second;
    } else {
      EarlierUnit earlier = earlierOf(one);
      BuiltUnit built = buildUnit(syntax(), one.request, earlier);
      if (built.tookEarlier)
        known.erase(*earlier.unit->facts->key);
      if (options.isCancelled() && !built.tookEarlier)
        return {};
      unit.facts = std::move(built.facts);
      ++document->fresh;
      document->reparsed += built.tookEarlier;
      if (unit.statement == noSyntax)
        repairs = {std::move(built.patches), std::move(built.broken)};
    }
    unit.fragment = unit.facts->fragment.get();
    unit.pieces = one.request.piecesAt(unit.facts->places);
    document->parts.push_back(std::move(unit));
    return repairs;
  }

  /// The unit of the previous version that this one was before an edit, if its
  /// ops may be taken.
  EarlierUnit earlierOf(const Planned &one) const {
    const Document *previous = previousInContext();
    if (!previous || !options.previousIsSpent || one.unit.statement == noSyntax)
      return {};
    const Syntax &old = previous->syntax();
    auto chunkOf = [](const Syntax &syntax, const Unit &unit) {
      return llvm::find(syntax.chunks(), syntax.chunkAt(unit.span.begin)) -
             syntax.chunks().begin();
    };
    auto nameOf = [](const Syntax &syntax, const Unit &unit) {
      const Token *name = syntax.symbolOf(syntax.statement(unit.statement));
      return name ? syntax.text(*name) : llvm::StringRef();
    };
    const auto chunk = chunkOf(syntax(), one.unit);
    const llvm::StringRef name = nameOf(syntax(), one.unit);
    for (const Unit &unit : previous->parts)
      if (unit.statement != noSyntax && chunkOf(old, unit) == chunk &&
          nameOf(old, unit) == name)
        return isUsedOnce(unit) ? EarlierUnit{&unit, &old} : EarlierUnit{};
    return {};
  }

  /// Whether no other function was parsed with it, or has the same text.
  bool isUsedOnce(const Unit &unit) const {
    auto isOther = [&](const Unit &other) {
      return &other != &unit && other.statement != noSyntax &&
             other.fragment == unit.fragment;
    };
    return unit.facts->root && unit.facts->key &&
           llvm::none_of(options.previous->parts, isOther) &&
           llvm::none_of(document->parts, isOther);
  }

  void leaveOut(Unit &unit) {
    bool isSkeleton = unit.statement == noSyntax;
    size_t offset = *quarantined(
        unit.span.begin, isSkeleton ? unit.span.begin + 1 : unit.span.end);
    size_t token = syntax().tokenAfter(offset);
    Diagnostic diagnostic;
    diagnostic.span = token < syntax().tokens().size()
                          ? syntax().tokens()[token].span()
                          : Span{offset, offset};
    diagnostic.code = "stopped";
    diagnostic.message = "analysis stopped here: it crashed or took too "
                         "long; this part is ignored";
    document->problems.push_back(std::move(diagnostic));
    auto facts = std::make_shared<UnitFacts>();
    facts->fragment = std::make_shared<Fragment>();
    unit.facts = std::move(facts);
  }

  const AnalyzeOptions &options;
  std::shared_ptr<Document> document;
  llvm::DenseMap<UnitKey, std::shared_ptr<const UnitFacts>> known;
  bool mayBatch = false;
};

} // namespace kernelscope

std::shared_ptr<const Document>
kernelscope::analyze(Text text, std::string path,
                     const AnalyzeOptions &options) {
  return Analyzer(std::move(text), std::move(path), options).run();
}
