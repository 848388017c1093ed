//===- FragmentBuilder.cpp - parse with recovery, then verify -------------===//

#include "server/analysis/FragmentBuilder.h"

#include "server/analysis/EditErrors.h"
#include "server/analysis/FragmentVerifier.h"
#include "server/analysis/Hole.h"
#include "server/analysis/Origins.h"
#include "server/analysis/ParserWatch.h"
#include "server/analysis/Recovery.h"
#include "server/analysis/TypeAliases.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

namespace {

/// Repeated parsing of a text stops after this many bytes (about a second) or
/// rounds; the rest of the op is then left out.
constexpr size_t byteBudget = size_t(16) << 20;
constexpr unsigned roundBudget = 100;
/// How many bytes are searched for foreign uses in the time that MLIR's parser
/// takes for one.
constexpr size_t searchRate = 4;
/// How much of a text is parsed at a time where it is parsed in parts, and how
/// many errors are repaired so.
constexpr size_t partBytes = size_t(64) << 10;
constexpr unsigned partBudget = 200;

class FragmentBuilder {
public:
  FragmentBuilder(const Syntax &syntax, const FragmentRequest &request,
                  const EarlierUnit &earlier)
      : syntax(syntax), request(request), earlier(earlier),
        context(request.workspace->context), reports(syntax, request),
        recovery(syntax, request, reports) {}

  BuiltUnit run() {
    for (const TextEdit &edit : reports.addSpellings(facts->evidence))
      recovery.patch(edit);
    const size_t respelt = recovery.countPatches();
    if (request.statement != noSyntax)
      recovery.patchBraces();
    reports.addUnknownNames();
    recovery.avoidHazards();
    parse(recovery.countPatches() == respelt && request.patches.empty());
    if (fragment->isParsed)
      finish();
    facts->endOp = llvm::size(fragment->state.getOpDefs());
    facts->fragment = std::move(fragment);
    facts->places = request.places();
    facts->diagnostics = reports.take();
    std::vector<Patch> patches = recovery.takePatches();
    // The units need the repairs of their skeleton each time.
    if (request.statement != noSyntax || patches.empty())
      facts->key = request.key(syntax);
    return {std::move(facts), std::move(patches), recovery.takenOut(),
            tookEarlier};
  }

private:
  //===--- Parsing --------------------------------------------------------===//

  void parse(bool isAsWritten) {
    const TypeAliases none(syntax);
    TypeAliases types(syntax);
    // A type that is spelt otherwise must stay where it is rewritten.
    if (request.statement != noSyntax && !recovery.countPatches())
      types.add(syntax.statement(request.statement));
    UnitKey surroundings = request.surroundings(syntax, types.definitions());
    PatchedText patched = recovery.compose(types);
    const bool isEdit = isAsWritten && earlier.unit &&
                        earlier.unit->facts->surroundings == surroundings;
    if (isEdit)
      fragment = reparse(earlier, syntax, request, patched);
    tookEarlier = fragment != nullptr;
    if (!tookEarlier)
      parseAsWritten(std::move(patched), isEdit);
    if (isAnyOfType(types))
      parseOnce(recovery.compose(none));
    const unsigned repairs = repair(none);
    if (isAsWritten && fragment->isParsed &&
        (repairs == 0 ? !fragment->hasRemarks : noteBroken(repairs)))
      facts->surroundings = surroundings;
  }

  void parseAsWritten(PatchedText patched, bool isEdit) {
    if (isEdit)
      if (auto found = findErrors(earlier, syntax, request, patched)) {
        failure = std::move(*found);
        return begin(std::move(patched));
      }
    parseOnce(std::move(patched));
  }

  /// Whether the text is as it was written but for one op without regions.
  bool noteBroken(unsigned repairs) {
    llvm::DenseSet<SyntaxId> changed = recovery.takenOut();
    changed.insert_range(recovery.shortened());
    if (repairs != 1 || changed.size() != 1)
      return false;
    const SyntaxId id = *changed.begin();
    if (!request.owns(syntax, id) || !syntax.statement(id).regions.empty())
      return false;
    facts->broken = id - request.statement;
    return true;
  }

  /// Repairs the text until it is parsed; how many times.
  unsigned repair(const TypeAliases &none) {
    const size_t size = fragment->buffer().size();
    size_t partsEnd = 0;
    for (unsigned round = 0;; ++round) {
      if (fragment->isParsed || request.isCancelled())
        return round + partRepairs;
      countParsed();
      bool isOverBudget = spentBytes() > byteBudget || round >= roundBudget;
      const auto &errors = failure.errors;
      const size_t error = errors.empty() ? 0 : errors.front().offset;
      partsEnd = std::max(partsEnd, fragment->patched.toSource(error));
      if (!recovery.repair(failure, fragment->patched, isOverBudget) ||
          round >= roundBudget + 8)
        return round;
      // From here on, parts cost less than what has been spent.
      if (!isOverBudget && spentBytes() > std::max(size, partBytes))
        repairParts(none, partsEnd);
      if (request.isCancelled())
        return round;
      PatchedText patched = recovery.compose(none);
      if (auto taken = takeParse(earlier, patched)) {
        fragment = std::move(taken);
        failure = FailedParse();
        tookEarlier = true;
      } else {
        parseOnce(std::move(patched));
      }
    }
  }

  /// Uses of values without a definition are reported at the end.
  void countParsed() {
    const auto &errors = failure.errors;
    const bool isToEnd =
        errors.empty() || isUndeclaredValue(errors.front().message);
    parsedBytes += isToEnd ? fragment->buffer().size() : errors.front().offset;
  }
  size_t spentBytes() const {
    return parsedBytes + recovery.searchedBytes() / searchRate;
  }

  /// Repairs what is wrong from `offset` on, which goes to the end.
  void repairParts(const TypeAliases &types, size_t &offset) {
    if (request.statement == noSyntax || !syntax.hasMatchingBrackets())
      return;
    const size_t end = syntax.statement(request.statement).span.end;
    while (offset < end && partRepairs < partBudget &&
           spentBytes() < byteBudget && !request.isCancelled()) {
      const Span part{offset, offset + partBytes};
      std::optional<PatchedText> patched = recovery.composePart(types, part);
      offset = part.end;
      if (!patched)
        continue;
      parseOnce(std::move(*patched));
      countParsed();
      if (fragment->isParsed ||
          !recovery.repairPart(failure, fragment->patched))
        continue;
      ++partRepairs;
      offset =
          std::max(part.begin,
                   fragment->patched.toSource(failure.errors.front().offset));
    }
  }

  /// Whether the parser reported something on a type that it saw an alias of:
  /// it must then see the type where it is written.
  bool isAnyOfType(const TypeAliases &types) const {
    return llvm::any_of(failure.errors, [&](const ParseError &error) {
      return types.covers(fragment->patched.toSource(error.offset)) ||
             (!types.definitions().empty() &&
              !fragment->patched.isCopy(error.offset));
    });
  }

  /// Begins a fragment of this text.
  void begin(PatchedText patched) {
    fragment = std::make_shared<Fragment>();
    fragment->patched = std::move(patched);
    fragment->open(request.workspace);
  }

  void parseOnce(PatchedText patched) {
    if (request.progress && request.statement != noSyntax)
      request.progress(syntax.statement(request.statement).span.begin);
    begin(std::move(patched));
    fragment->top = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    failure = FailedParse();
    ParserWatch watch(*fragment, syntax, request);
    fragment->isParsed = parseText(fragment->sources, fragment->top->getBody(),
                                   fragment->state, failure.errors);
    if (!fragment->isParsed)
      failure.completed = completedIn(*fragment, syntax, request);
    fragment->hasRemarks = !failure.errors.empty();
  }

  //===--- After a successful parse ---------------------------------------===//

  void finish() {
    for (const ParseError &error : failure.errors)
      reports.addRemark(error, fragment->patched);
    relocate(*fragment);
    tidyHoles(*fragment->top->getBody());
    reportUndeclared();
    facts->root = findRoot();
    if (!request.verify)
      return;
    if (facts->root) {
      facts->isValid = verify(facts->root);
      return;
    }
    // A skeleton, or an op whose header is broken.
    for (mlir::Operation &op : *fragment->top->getBody())
      if (request.statement == noSyntax || llvm::isa<HoleOp>(op))
        verify(&op);
      else if (llvm::isa<mlir::ModuleOp>(op))
        for (HoleOp hole : llvm::cast<mlir::ModuleOp>(op).getOps<HoleOp>())
          verify(hole);
  }

  /// All uses of values that only a hole defines; the parser reports only the
  /// first.
  void reportUndeclared() {
    for (const auto &op : fragment->state.getOpDefs()) {
      if (!llvm::isa<HoleOp>(op.op))
        continue;
      for (const auto &group : op.resultGroups) {
        const char *buffer = fragment->buffer().begin();
        bool isBroken = fragment->patched.isCopy(
            group.definition.loc.Start.getPointer() - buffer);
        for (mlir::SMRange use : group.definition.uses)
          if (!isBroken &&
              fragment->patched.isCopy(use.Start.getPointer() - buffer))
            recovery.reportUndeclared(
                syntax.tokenAfter(fragment->span(use).begin));
      }
    }
  }

  /// Holes that define values go to the front of their block, so that its
  /// terminator is last again; a terminator that the parser inserted after them
  /// is removed.
  void tidyHoles(mlir::Block &block) {
    auto front = block.begin(); // Past the holes at the front.
    for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
      for (mlir::Region &region : op.getRegions())
        for (mlir::Block &inner : region)
          tidyHoles(inner);
      if (!llvm::isa<HoleOp>(op) || op.getNumRegions() != 0)
        continue;
      if (&op == &*front)
        ++front;
      else
        op.moveBefore(&*front);
    }
    if (block.empty() || !llvm::isa<HoleOp>(block.front()) ||
        block.getOperations().size() < 2)
      return;
    mlir::Operation &last = block.back();
    mlir::Operation *before = last.getPrevNode();
    if (before->hasTrait<mlir::OpTrait::IsTerminator>() &&
        !fragment->state.getOpDef(&last))
      last.erase();
  }

  mlir::Operation *findRoot() {
    if (request.statement == noSyntax)
      return nullptr;
    size_t name = syntax.statement(request.statement).name.begin;
    auto isIt = [&](mlir::Operation &op) {
      const auto *definition = fragment->state.getOpDef(&op);
      return definition && fragment->span(definition->loc).begin == name;
    };
    for (mlir::Operation &op : *fragment->top->getBody()) {
      if (isIt(op))
        return &op;
      if (auto module = llvm::dyn_cast<mlir::ModuleOp>(op))
        for (mlir::Operation &inner : *module.getBody())
          if (isIt(inner))
            return &inner;
    }
    return nullptr;
  }

  bool verify(mlir::Operation *root) {
    // The earlier unit is gone, so the next one needs this one complete.
    return verifyFragment(*fragment, root, syntax, request, recovery.takenOut(),
                          reports, /*isHeaderOnly=*/false,
                          /*mayStop=*/!tookEarlier);
  }

  const Syntax &syntax;
  const FragmentRequest &request;
  const EarlierUnit &earlier;
  mlir::MLIRContext &context;
  FragmentReports reports;
  Recovery recovery;
  std::shared_ptr<UnitFacts> facts = std::make_shared<UnitFacts>();
  std::shared_ptr<Fragment> fragment;
  /// What the last parse said, remarks if it did not fail.
  FailedParse failure;
  size_t parsedBytes = 0; ///< By all parses that found an error.
  unsigned partRepairs = 0;
  bool tookEarlier = false;
};

} // namespace

BuiltUnit kernelscope::buildUnit(const Syntax &syntax,
                                 const FragmentRequest &request,
                                 const EarlierUnit &earlier) {
  return FragmentBuilder(syntax, request, earlier).run();
}
