//===- FragmentBuilder.cpp - parse with recovery, then verify -------------===//

#include "server/analysis/FragmentBuilder.h"

#include "server/analysis/Hole.h"
#include "server/analysis/OlderSpellings.h"
#include "server/analysis/ParseMessages.h"
#include "server/analysis/Relocate.h"
#include "server/analysis/Verifier.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>
#include <set>
#include <utility>

using namespace kernelscope;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// FragmentRequest
//===----------------------------------------------------------------------===//

std::vector<Unit::Piece> FragmentRequest::pieces() const {
  std::vector<Unit::Piece> pieces;
  size_t local = 0;
  for (const Part &part : parts) {
    if (part.span.empty())
      continue;
    pieces.push_back({part.span, local});
    local += part.span.size() + 1;
  }
  return pieces;
}

std::string FragmentRequest::key(const Syntax &syntax) const {
  std::string key(verify ? "v" : "-");
  for (const Part &part : parts) {
    if (part.span.empty())
      key += part.literal;
    else
      key += syntax.text(part.span);
    key += '\0';
    if (part.statement == statement)
      key += '\1';
  }
  for (const Patch &patch : patches)
    for (const Patch::Insertion &insertion : patch.insertions)
      key += insertion.text;
  return key;
}

/// The value of an alias that is not known. An error that speaks of it follows
/// from another one.
static constexpr llvm::StringLiteral unknownValue = "kernelscope.unknown";

std::string kernelscope::placeholderFor(StringRef alias, bool isLocation) {
  if (alias.starts_with("!"))
    return " = none";
  // As MLIR names location aliases.
  StringRef number = alias;
  if (number.consume_front("#loc") && llvm::all_of(number, llvm::isDigit))
    isLocation = true;
  return isLocation ? " = loc(unknown)" : (" = \"" + unknownValue + "\"").str();
}

//===----------------------------------------------------------------------===//
// Recovery
//===----------------------------------------------------------------------===//

namespace {

/// Parsing a text again and again ends after this many bytes (about a second)
/// or rounds; then the rest of the op is given up.
constexpr size_t byteBudget = size_t(16) << 20;
constexpr unsigned roundBudget = 100;

/// Before a hole's results: else an op that ends with an optional operand, like
/// `tt.return`, would take the first one.
constexpr StringRef separator = "\nkernelscope.hole\n";

struct ParseError {
  size_t offset; ///< In the buffer.
  mlir::DiagnosticSeverity severity;
  std::string message;
  std::vector<std::pair<size_t, std::string>> notes; ///< Offset and message.
};

class FragmentBuilder {
public:
  FragmentBuilder(const Syntax &syntax, const FragmentRequest &request)
      : syntax(syntax), request(request), context(request.workspace->context) {}

  BuiltFragment run() {
    if (request.statement != noSyntax) {
      patchBraces(request.statement);
      checkDialects();
    }
    parse();
    if (fragment->isParsed)
      finish();
    fragment->key = request.key(syntax);
    settle();
    return {std::move(fragment), std::move(patches), std::move(broken)};
  }

private:
  //===--- Parsing --------------------------------------------------------===//

  void parse() {
    size_t bytes = 0;
    for (unsigned round = 0;; ++round) {
      if (request.progress && request.statement != noSyntax)
        request.progress(syntax.statement(request.statement).span.begin);
      parseOnce();
      if (fragment->isParsed)
        return;
      bytes +=
          errors.empty() ? fragment->buffer().size() : errors.front().offset;
      bool isOverBudget = bytes > byteBudget || round >= roundBudget;
      bool isRepaired = false;
      noteCompleted();
      for (const ParseError &error : errors)
        if (error.severity == mlir::DiagnosticSeverity::Error)
          isRepaired |= isOverBudget ? giveUpRest(error) : repair(error);
      if (!isRepaired || round >= roundBudget + 8)
        return;
    }
  }

  void parseOnce() {
    fragment = std::make_shared<Fragment>();
    fragment->workspace = request.workspace;
    compose(fragment->patched);
    fragment->sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(fragment->patched.str(),
                                             bufferName),
        llvm::SMLoc());
    fragment->top = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    errors.clear();
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &diagnostic) {
          ParseError error{offsetOf(diagnostic.getLocation()),
                           diagnostic.getSeverity(),
                           diagnostic.str(),
                           {}};
          for (mlir::Diagnostic &note : diagnostic.getNotes())
            error.notes.push_back({offsetOf(note.getLocation()), note.str()});
          errors.push_back(std::move(error));
        });
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
    fragment->isParsed = succeeded(mlir::parseAsmSourceFile(
        fragment->sources, fragment->top->getBody(), config, &fragment->state));
  }

  /// The byte of the buffer that a location of the parser names.
  size_t offsetOf(mlir::Location location) const {
    auto place = llvm::dyn_cast<mlir::FileLineColLoc>(location);
    if (!place || place.getFilename() != bufferName)
      return 0;
    llvm::SMLoc loc = fragment->sources.FindLocForLineAndColumn(
        1, place.getLine(), place.getColumn());
    return loc.isValid() ? loc.getPointer() - fragment->buffer().begin() : 0;
  }

  void compose(PatchedText &result) {
    std::vector<const Patch *> sorted;
    sorted.reserve(request.patches.size() + patches.size());
    for (const Patch &patch : request.patches)
      sorted.push_back(&patch);
    for (const Patch &patch : patches)
      sorted.push_back(&patch);
    // The two lists never have a patch at the same place; in one list, the
    // earlier comes first.
    llvm::sort(sorted, [](const Patch *a, const Patch *b) {
      return std::tuple(a->span.begin, a->order, a) <
             std::tuple(b->span.begin, b->order, b);
    });
    for (const FragmentRequest::Part &part : request.parts) {
      if (part.span.empty())
        result.insert(part.literal);
      else if (!droppedParts.contains(part.span.begin))
        copyPatched(result, part.span, sorted);
      result.insert("\n");
    }
  }

  void copyPatched(PatchedText &result, Span part,
                   llvm::ArrayRef<const Patch *> sorted) {
    size_t position = part.begin;
    auto first = llvm::partition_point(sorted, [&](const Patch *patch) {
      return patch->span.begin < part.begin;
    });
    for (const Patch *patch : llvm::make_range(first, sorted.end())) {
      if (patch->span.begin > part.end)
        break;
      if (patch->span.begin < position)
        continue;
      result.copy(syntax.text(), {position, patch->span.begin});
      for (const Patch::Insertion &insertion : patch->insertions) {
        if (insertion.copy.empty())
          result.insert(insertion.text);
        else
          result.copy(syntax.text(), insertion.copy);
      }
      position = patch->span.end;
    }
    if (position < part.end)
      result.copy(syntax.text(), {position, part.end});
  }

  //===--- Repairs --------------------------------------------------------===//

  /// Where the parse came to: the ops that were read to their end. The op
  /// pointers of a failed parse dangle, its ranges do not.
  void noteCompleted() {
    completed.clear();
    const char *buffer = fragment->buffer().begin();
    for (const auto &op : fragment->state.getOpDefs()) {
      size_t name = op.loc.Start.getPointer() - buffer;
      size_t end = op.scopeLoc.End.getPointer() - buffer;
      if (fragment->patched.isCopy(name))
        completed[fragment->patched.toSource(name)] =
            fragment->patched.toSource(end);
    }
    auto noteAlias = [&](mlir::SMRange place) {
      size_t name = place.Start.getPointer() - buffer;
      if (!fragment->patched.isCopy(name))
        return;
      size_t source = fragment->patched.toSource(name);
      SyntaxId id = syntax.statementAt(source);
      if (id != noSyntax)
        completed[source] = syntax.statement(id).span.end;
    };
    for (const auto &alias : fragment->state.getAttributeAliasDefs())
      noteAlias(alias.definition.loc);
    for (const auto &alias : fragment->state.getTypeAliasDefs())
      noteAlias(alias.definition.loc);
  }

  /// Where the op of `id` ended, if it was read to its end.
  std::optional<size_t> completedEnd(SyntaxId id) const {
    auto found = completed.find(syntax.statement(id).name.begin);
    if (found == completed.end())
      return std::nullopt;
    return found->second;
  }

  /// Tokens of `id` that are not part of its op: a line that was begun behind
  /// it.
  std::optional<Span> tailOf(SyntaxId id) const {
    std::optional<size_t> end = completedEnd(id);
    const Statement &statement = syntax.statement(id);
    if (!end || *end >= statement.span.end)
      return std::nullopt;
    size_t token = syntax.tokenAfter(*end);
    if (token >= statement.endToken)
      return std::nullopt;
    return Span{syntax.tokens()[token].begin, statement.span.end};
  }

  struct Culprit {
    SyntaxId statement = noSyntax;
    std::optional<Span> tail; ///< Only this part of it.
  };

  Culprit findCulprit(size_t offset) const {
    SyntaxId region = syntax.regionAt(offset);
    SyntaxId at = syntax.statementBefore(region, offset);
    if (at == noSyntax)
      return {syntax.region(region).owner, {}};
    const Statement &statement = syntax.statement(at);
    bool isAfter = offset >= statement.span.end;
    bool isBeforeName = !isAfter && offset <= statement.name.begin;
    if (isBeforeName) {
      // The statement before may have run on into this one.
      SyntaxId previous = previousInUnit(at);
      if (previous != noSyntax && !wasTakenOut(previous)) {
        if (std::optional<Span> tail = tailOf(previous))
          return {previous, tail};
        if (mayRunOn(syntax.statement(previous)) && !completedEnd(previous))
          return {previous, {}};
      }
      return {at, {}};
    }
    if (std::optional<Span> tail = tailOf(at))
      return {at, tail};
    if (isAfter && (wasTakenOut(at) || completedEnd(at)))
      return {syntax.region(region).owner, {}};
    return {at, {}};
  }

  static bool mayRunOn(const Statement &statement) {
    return statement.kind == Statement::Operation ||
           statement.kind == Statement::Alias;
  }

  /// The sibling before `id` that is parsed too.
  SyntaxId previousInUnit(SyntaxId id) const {
    const auto &siblings =
        syntax.region(syntax.statement(id).parent).statements;
    auto self = llvm::lower_bound(siblings, id);
    while (self != siblings.begin()) {
      --self;
      bool isParsed =
          request.statement != noSyntax
              ? isOwn(*self)
              : llvm::any_of(request.parts,
                             [&](const FragmentRequest::Part &part) {
                               return part.statement == *self;
                             });
      if (isParsed)
        return *self;
    }
    return noSyntax;
  }

  bool wasTakenOut(SyntaxId id) const { return broken.contains(id); }

  bool isOwn(SyntaxId id) const {
    if (request.statement == noSyntax)
      return true;
    return syntax.statement(request.statement)
        .span.contains(syntax.statement(id).span);
  }

  /// Changes the text so that the next parse gets past `error`; false if no
  /// way is known.
  bool repair(const ParseError &error) {
    size_t offset = fragment->patched.toSource(error.offset);
    if (isUndeclaredValue(error.message))
      return declareValue(error);
    // MLIR puts an error on the first word of a line at the end of the line
    // before.
    size_t token = syntax.tokenAfter(offset);
    if (token < syntax.tokens().size())
      offset = std::max<size_t>(offset, syntax.tokens()[token].begin);
    Culprit culprit = findCulprit(offset);
    if (culprit.statement == noSyntax)
      return reportAt(error, wordAt(offset)), false;
    if (!isOwn(culprit.statement))
      return dropPart(offset);

    bool isNews = !followsFromHole(error.message) &&
                  !StringRef(error.message).contains(unknownValue) &&
                  !wasTakenOut(culprit.statement);
    if (isNews)
      reportSyntax(error, offset, culprit);
    if (culprit.tail)
      return blank(*culprit.tail);
    return takeOut(culprit.statement, isRedefinition(error.message));
  }

  bool followsFromHole(StringRef message) const {
    StringRef value = mistypedValue(message);
    return !value.empty() && hiddenValues.contains(value);
  }

  /// Takes a statement out of the parsed text and leaves what keeps the rest
  /// sound.
  bool takeOut(SyntaxId id, bool isDefinedElsewhere) {
    const Statement &statement = syntax.statement(id);
    bool isSecondTime = !broken.insert(id).second;
    switch (statement.kind) {
    case Statement::Alias:
      return !isSecondTime && replaceAlias(statement, isDefinedElsewhere);
    case Statement::Label: {
      if (isSecondTime)
        return blank(statement.span);
      hideValues(statement.span);
      patches.push_back(
          {{statement.name.end, statement.span.end}, {{":", {}}}, 0});
      return true;
    }
    default:
      break;
    }
    if (!isDefinedElsewhere)
      defineResults(statement);
    if (statement.regions.empty() || isSecondTime)
      return blank(statement.span);
    keepRegions(statement);
    return true;
  }

  bool blank(Span span) {
    llvm::erase_if(patches, [&](const Patch &patch) {
      return !patch.span.empty() && span.contains(patch.span);
    });
    if (!blanked.insert({span.begin, span.end}).second)
      return false;
    patches.push_back({span, {{" ", {}}}, 0});
    return true;
  }

  bool replaceAlias(const Statement &statement, bool isDefinedElsewhere) {
    if (isDefinedElsewhere)
      return blank(statement.span);
    patches.push_back(
        {{statement.name.end, statement.span.end},
         {{placeholderFor(syntax.text(statement.name), isLocation(statement)),
           {}}},
         0});
    return true;
  }

  bool isLocation(const Statement &alias) const {
    size_t value = alias.firstToken + 2;
    return value < alias.endToken &&
           syntax.text(syntax.tokens()[value]) == "loc";
  }

  /// Its results become holes at the end of its region, where all uses are
  /// behind. Without results a hole still says that something is missing.
  void defineResults(const Statement &statement) {
    if (!isInUnit(statement.parent))
      return;
    Patch patch = atEndOf(statement.parent);
    if (!defined.insert({patch.span.begin, statement.span.begin}).second)
      return;
    patch.insertions.push_back({separator.str(), {}});
    bool isFirst = true;
    for (const ResultName &result : statement.results) {
      // A `%` without a name.
      if (result.name.size() < 2)
        continue;
      if (!std::exchange(isFirst, false))
        patch.insertions.push_back({", ", {}});
      patch.insertions.push_back({"", result.name});
      if (result.count != 1)
        patch.insertions.push_back({":" + std::to_string(result.count), {}});
      hiddenValues.insert(syntax.text(result.name));
    }
    if (!isFirst)
      patch.insertions.push_back({" = kernelscope.hole\n", {}});
    patches.push_back(std::move(patch));
  }

  /// The header, and all between and behind the regions, gives way to a hole.
  void keepRegions(const Statement &statement) {
    size_t begin = statement.span.begin;
    std::string replacement = "kernelscope.hole ";
    for (SyntaxId id : statement.regions) {
      const Region &region = syntax.region(id);
      hideValues({begin, region.body.begin});
      patches.push_back({{begin, region.openBrace()}, {{replacement, {}}}, 0});
      begin = region.body.end + (region.isClosed ? 1 : 0);
      replacement = " ";
    }
    if (begin < statement.span.end)
      patches.push_back({{begin, statement.span.end}, {{" ", {}}}, 0});
  }

  /// Values that a broken header may have defined are not reported as missing.
  void hideValues(Span span) {
    for (size_t i = syntax.tokenAfter(span.begin);
         i < syntax.tokens().size() && syntax.tokens()[i].begin < span.end; ++i)
      if (syntax.tokens()[i].kind == Token::Value)
        hiddenValues.insert(syntax.text(syntax.tokens()[i]));
  }

  bool isInUnit(SyntaxId region) const {
    SyntaxId owner = syntax.region(region).owner;
    return request.statement != noSyntax && owner != noSyntax && isOwn(owner);
  }

  Patch atEndOf(SyntaxId region) const {
    size_t end = syntax.region(region).body.end;
    return {{end, end}, {}, -2 * int(depthOf(region))};
  }

  size_t depthOf(SyntaxId region) const {
    size_t depth = 0;
    for (SyntaxId owner = syntax.region(region).owner; owner != noSyntax;
         owner = syntax.region(syntax.statement(owner).parent).owner)
      ++depth;
    return depth;
  }

  /// All uses of a name that nothing defines get one hole.
  bool declareValue(const ParseError &error) {
    if (request.statement == noSyntax)
      return false;
    size_t offset = fragment->patched.toSource(error.offset);
    size_t token = syntax.tokenAfter(offset);
    if (token >= syntax.tokens().size() ||
        syntax.tokens()[token].kind != Token::Value)
      return false;
    StringRef name = syntax.text(syntax.tokens()[token]);
    reportUndeclared(token);
    // `%x#3` needs a hole of four results.
    unsigned number = 0;
    if (token + 1 < syntax.tokens().size()) {
      const Token &next = syntax.tokens()[token + 1];
      if (next.kind == Token::Hash &&
          next.begin == syntax.tokens()[token].end &&
          syntax.text(next).drop_front().getAsInteger(10, number))
        number = 0;
    }
    constexpr unsigned mostResults = 1000;
    number = std::min(number, mostResults);
    return addHole(outermostRegion(offset), name, number + 1);
  }

  bool addHole(SyntaxId region, StringRef name, unsigned count) {
    Patch patch = region == noSyntax
                      ? Patch{{syntax.statement(request.statement).span.end,
                               syntax.statement(request.statement).span.end},
                              {},
                              2}
                      : atEndOf(region);
    auto [entry, isNew] = missing.insert({{patch.span.begin, name.str()}, 0});
    if (!isNew && entry->second >= count)
      return false;
    entry->second = count;
    std::string mark = (separator + name).str();
    llvm::erase_if(patches, [&](const Patch &other) {
      return other.span == patch.span && !other.insertions.empty() &&
             other.insertions.front().text == mark;
    });
    patch.insertions = {
        {mark, {}},
        {":" + std::to_string(count) + " = kernelscope.hole\n", {}}};
    patches.push_back(std::move(patch));
    return true;
  }

  /// The largest region around `offset` in which a name of it is visible.
  SyntaxId outermostRegion(size_t offset) const {
    SyntaxId region = syntax.regionAt(offset);
    if (!isInUnit(region))
      return noSyntax;
    while (true) {
      SyntaxId owner = syntax.region(region).owner;
      if (owner == request.statement || isIsolated(syntax.statement(owner)))
        return region;
      region = syntax.statement(owner).parent;
    }
  }

  bool isIsolated(const Statement &statement) const {
    StringRef name = syntax.text(statement.name).trim('"');
    return mlir::OperationName(name, &context)
        .hasTrait<mlir::OpTrait::IsIsolatedFromAbove>();
  }

  /// An error in the header of a symbol that the unit only refers to.
  bool dropPart(size_t offset) {
    for (const FragmentRequest::Part &part : request.parts)
      if (part.span.touches(offset) && part.statement != noSyntax &&
          part.statement != request.statement &&
          syntax.statement(part.statement).kind == Statement::Operation &&
          part.literal.empty())
        return droppedParts.insert(part.span.begin).second;
    return false;
  }

  /// The last resort: leaves out everything from the error on.
  bool giveUpRest(const ParseError &error) {
    if (request.statement == noSyntax)
      return false;
    size_t offset = fragment->patched.toSource(error.offset);
    const Statement &statement = syntax.statement(request.statement);
    for (SyntaxId id : statement.regions) {
      const Region &region = syntax.region(id);
      if (!region.body.touches(offset))
        continue;
      SyntaxId at = syntax.statementBefore(id, offset);
      size_t begin =
          at == noSyntax ? region.body.begin : syntax.statement(at).span.begin;
      if (isUndeclaredValue(error.message))
        return declareValue(error);
      return blank({begin, region.body.end});
    }
    return blank(statement.span);
  }

  /// Missing `}` are put in, stray ones taken out.
  void patchBraces(SyntaxId id) {
    const Statement &statement = syntax.statement(id);
    for (SyntaxId regionId : statement.regions) {
      const Region &region = syntax.region(regionId);
      if (!region.isOpened)
        patches.push_back(
            {{region.body.begin, region.body.begin}, {{" {\n", {}}}, 1});
      if (!region.isClosed)
        patches.push_back({{region.body.end, region.body.end},
                           {{"\n}", {}}},
                           -2 * int(depthOf(regionId)) + 1});
      for (SyntaxId inner : region.statements) {
        const Statement &child = syntax.statement(inner);
        if (child.kind == Statement::Other && syntax.text(child.span) == "}") {
          broken.insert(inner);
          blank(child.span);
        } else if (!child.regions.empty()) {
          patchBraces(inner);
        }
      }
    }
  }

  //===--- Reports --------------------------------------------------------===//

  void report(Diagnostic diagnostic) {
    reports.push_back(std::move(diagnostic));
  }

  Span wordAt(size_t offset) const {
    const Token *token = syntax.tokenAt(offset);
    return token ? token->span() : Span{offset, offset};
  }

  void reportAt(const ParseError &error, Span span) {
    Diagnostic diagnostic;
    diagnostic.span = span;
    diagnostic.message = error.message;
    classifyParseError(diagnostic, context);
    for (const auto &[offset, message] : error.notes)
      if (!StringRef(message).starts_with("Available dialects"))
        diagnostic.related.push_back(
            {wordAt(fragment->patched.toSource(offset)), std::nullopt,
             message});
    report(std::move(diagnostic));
  }

  void reportSyntax(const ParseError &error, size_t offset,
                    const Culprit &culprit) {
    Span allowed =
        culprit.tail ? *culprit.tail : syntax.statement(culprit.statement).span;
    // A statement that ran on into the next one is wrong at its end.
    if (offset >= allowed.end)
      offset = allowed.end - 1;
    offset = std::max(offset, allowed.begin);
    size_t token = syntax.tokenAfter(offset);
    reportAt(error, token < syntax.tokens().size()
                        ? syntax.tokens()[token].span()
                        : Span{offset, allowed.end});
  }

  /// Types and attributes of a dialect that nobody knows parse as opaque ones.
  void checkDialects() {
    const Statement &statement = syntax.statement(request.statement);
    llvm::StringMap<bool> isKnown;
    for (size_t i = statement.firstToken; i < statement.endToken; ++i) {
      const Token &token = syntax.tokens()[i];
      if (token.kind != Token::Hash && token.kind != Token::Bang)
        continue;
      StringRef word = syntax.text(token).drop_front();
      if (!word.contains('.'))
        continue;
      StringRef space = word.split('.').first;
      auto [entry, isNew] = isKnown.try_emplace(space, false);
      if (isNew)
        entry->second = isKnownDialect(context, space);
      if (entry->second)
        continue;
      Diagnostic diagnostic;
      diagnostic.span = token.span();
      diagnostic.code = "unknown-dialect";
      diagnostic.message =
          ("unknown dialect '" + space + "' of " +
           (token.kind == Token::Bang ? "type '" : "attribute '") +
           syntax.text(token) + "'")
              .str();
      report(std::move(diagnostic));
    }
  }

  //===--- After a successful parse ---------------------------------------===//

  void finish() {
    for (const ParseError &error : errors)
      reportRemark(error);
    fragment->origins = relocate(fragment->state, context);
    tidyHoles(*fragment->top->getBody());
    reportUndeclared();
    reportOlderSpellings();
    fragment->root = findRoot();
    if (!request.verify)
      return;
    if (fragment->root)
      return verify(fragment->root);
    // A skeleton, or an op whose header is broken.
    for (mlir::Operation &op : *fragment->top->getBody())
      if (request.statement == noSyntax || llvm::isa<HoleOp>(op))
        verify(&op);
      else if (llvm::isa<mlir::ModuleOp>(op))
        for (HoleOp hole : llvm::cast<mlir::ModuleOp>(op).getOps<HoleOp>())
          verify(hole);
  }

  /// All uses of the values that only a hole defines; the parser names the
  /// first one.
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
            reportUndeclared(syntax.tokenAfter(sourceSpan(use).begin));
      }
    }
  }

  void reportUndeclared(size_t token) {
    StringRef name = syntax.text(syntax.tokens()[token]);
    if (hiddenValues.contains(name))
      return;
    Diagnostic diagnostic;
    diagnostic.span = syntax.tokens()[token].span();
    diagnostic.code = "undeclared-value";
    diagnostic.message = ("nothing defines '" + name + "'").str();
    report(std::move(diagnostic));
  }

  void reportOlderSpellings() {
    for (const FragmentRequest::Part &part : request.parts)
      if (!part.span.empty() && (request.statement == noSyntax ||
                                 part.statement == request.statement))
        llvm::append_range(reports,
                           findOlderSpellings(syntax, part.span, context));
  }

  /// Warnings and remarks of the parse that succeeded.
  void reportRemark(const ParseError &error) {
    Diagnostic diagnostic;
    diagnostic.span = wordAt(fragment->patched.toSource(error.offset));
    diagnostic.severity = error.severity == mlir::DiagnosticSeverity::Warning
                              ? Severity::Warning
                              : Severity::Hint;
    diagnostic.code = "syntax";
    diagnostic.message = error.message;
    report(std::move(diagnostic));
  }

  /// Holes that define values go to the front of their block, so that its
  /// terminator is last again; a terminator that the parser made up behind it
  /// goes away.
  void tidyHoles(mlir::Block &block) {
    for (mlir::Operation &op : llvm::make_early_inc_range(block)) {
      for (mlir::Region &region : op.getRegions())
        for (mlir::Block &inner : region)
          tidyHoles(inner);
      if (llvm::isa<HoleOp>(op) && op.getNumRegions() == 0 &&
          &op != &block.front())
        op.moveBefore(&block.front());
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
      return definition && sourceSpan(definition->loc).begin == name;
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

  Span sourceSpan(mlir::SMRange range) const {
    const char *buffer = fragment->buffer().begin();
    size_t begin = range.Start.getPointer() - buffer;
    size_t length = range.End.getPointer() - range.Start.getPointer();
    size_t source = fragment->patched.toSource(begin);
    return {source, source + length};
  }

  void verify(mlir::Operation *root) {
    mlir::Operation *current = root;
    auto enter = [&](mlir::Operation *op) {
      current = op;
      if (request.progress)
        request.progress(placeOf(op).begin);
    };
    auto add = [&](mlir::Operation *op, StringRef code, std::string message,
                   Severity severity) -> Diagnostic & {
      Diagnostic diagnostic;
      diagnostic.span = placeOf(op);
      diagnostic.severity = severity;
      diagnostic.code = code.str();
      diagnostic.message = std::move(message);
      reports.push_back(std::move(diagnostic));
      return reports.back();
    };
    auto addOrigin = [&](Diagnostic &diagnostic, mlir::Operation *op) {
      auto origin = fragment->origins.find(op);
      if (origin != fragment->origins.end())
        addSourcePlaces(diagnostic, origin->second);
    };
    mlir::ScopedDiagnosticHandler handler(
        &context, [&](mlir::Diagnostic &message) {
          mlir::Operation *op = current;
          if (mlir::Operation *named =
                  opAt(message.getLocation(), fragment->state))
            op = named;
          Severity severity =
              message.getSeverity() == mlir::DiagnosticSeverity::Error
                  ? Severity::Error
              : message.getSeverity() == mlir::DiagnosticSeverity::Warning
                  ? Severity::Warning
                  : Severity::Hint;
          Diagnostic &diagnostic =
              add(op, ("verify." + current->getName().getStringRef()).str(),
                  message.str(), severity);
          for (mlir::Diagnostic &note : message.getNotes())
            addNote(diagnostic, note);
          addOrigin(diagnostic, op);
        });
    auto reportOwn = [&](mlir::Operation *op, StringRef code,
                         const llvm::Twine &message) {
      addOrigin(add(op, code, message.str(), Severity::Error), op);
    };
    verifyAll(root, {enter, reportOwn, brokenBlocks()});
  }

  /// The blocks whose arguments got lost with their label.
  llvm::SmallPtrSet<mlir::Block *, 4> brokenBlocks() const {
    llvm::SmallPtrSet<mlir::Block *, 4> blocks;
    for (const auto &block : fragment->state.getBlockDefs()) {
      if (!block.definition.loc.isValid())
        continue;
      SyntaxId id = syntax.statementAt(sourceSpan(block.definition.loc).begin);
      if (id != noSyntax && broken.contains(id) &&
          syntax.statement(id).kind == Statement::Label)
        blocks.insert(block.block);
    }
    return blocks;
  }

  void addNote(Diagnostic &diagnostic, mlir::Diagnostic &note) {
    if (mlir::Operation *op = opAt(note.getLocation(), fragment->state)) {
      diagnostic.related.push_back({placeOf(op), std::nullopt, note.str()});
      return;
    }
    std::vector<SourcePlace> places = sourcePlaces(note.getLocation());
    std::optional<SourcePlace> place;
    if (!places.empty())
      place = places.front();
    diagnostic.related.push_back({std::nullopt, place, note.str()});
  }

  /// Where the document names `op`; of an op that the parser made up, where it
  /// names the op around it.
  Span placeOf(mlir::Operation *op) const {
    for (; op; op = op->getParentOp())
      if (const auto *definition = fragment->state.getOpDef(op))
        return sourceSpan(definition->loc);
    return {0, 0};
  }

  //===--- From the document's offsets to the unit's ----------------------===//

  void settle() {
    Unit unit;
    unit.pieces = request.pieces();
    auto toLocal = [&](size_t offset) {
      return unit.toLocal(offset).value_or(0);
    };
    auto localSpan = [&](Span span) {
      size_t begin = toLocal(span.begin);
      return Span{begin, begin + span.size()};
    };
    for (Diagnostic &diagnostic : reports) {
      diagnostic.span = localSpan(diagnostic.span);
      for (RelatedInformation &related : diagnostic.related)
        if (related.span)
          related.span = localSpan(*related.span);
      for (QuickFix &fix : diagnostic.fixes)
        for (TextEdit &edit : fix.edits)
          edit.span = localSpan(edit.span);
    }
    fragment->diagnostics = std::move(reports);
    fragment->patched.rebase(toLocal);
  }

  const Syntax &syntax;
  const FragmentRequest &request;
  mlir::MLIRContext &context;
  std::shared_ptr<Fragment> fragment;
  std::vector<ParseError> errors;
  std::vector<Diagnostic> reports; ///< In offsets of the document.
  std::vector<Patch> patches;
  llvm::DenseSet<SyntaxId> broken;
  llvm::DenseMap<size_t, size_t> completed; ///< From an op's name to its end.
  std::set<std::pair<size_t, size_t>> blanked;
  std::set<std::pair<size_t, size_t>> defined;
  std::map<std::pair<size_t, std::string>, unsigned> missing;
  std::set<size_t> droppedParts;
  llvm::StringSet<> hiddenValues; ///< Their definition was taken out.
};

} // namespace

BuiltFragment kernelscope::buildFragment(const Syntax &syntax,
                                         const FragmentRequest &request) {
  return FragmentBuilder(syntax, request).run();
}
