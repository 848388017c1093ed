//===- Document.cpp - a text with everything known about it ---------------===//
//
// Divides a text into units, takes over those that an earlier version has, and
// builds the others.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Document.h"

#include "server/analysis/Allowed.h"
#include "server/analysis/CallerLints.h"
#include "server/analysis/FragmentBuilder.h"
#include "server/analysis/LayoutErrors.h"
#include "server/analysis/NearMisses.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"
#include "server/analysis/spellings/Spellings.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

using namespace kernelscope;
using llvm::StringRef;

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

std::vector<TextEdit> Document::editsFor(Release wanted) const {
  return kernelscope::editsFor(*tree, wanted, workspace->context);
}

namespace kernelscope {

/// Where an alias is named, apart from its definition.
static bool isAliasUse(const Syntax &syntax, size_t index) {
  const std::vector<Token> &tokens = syntax.tokens();
  const Token &token = tokens[index];
  if (token.kind != Token::Hash && token.kind != Token::Bang)
    return false;
  StringRef word = syntax.text(token);
  if (word.size() < 2 || word.contains('.'))
    return false;
  // `%x#1` is a result of `%x`, `#name<` an attribute in its opaque form.
  if (index > 0 && tokens[index - 1].kind == Token::Value &&
      tokens[index - 1].end == token.begin)
    return false;
  return syntax.text().substr(token.end, 1) != "<";
}

class Analyzer {
public:
  Analyzer(Text text, std::string path, const AnalyzeOptions &options)
      : options(options), document(new Document) {
    document->content = std::move(text);
    document->name = std::move(path);
    document->tree = std::make_unique<Syntax>(document->content.str());
    for (auto [index, token] : llvm::enumerate(syntax().tokens()))
      if (token.kind == Token::Symbol)
        symbolTokens.push_back(index);
      else if (isAliasUse(syntax(), index))
        aliasUses.push_back(index);
    takeOver();
  }

  std::shared_ptr<const Document> run() {
    for (SyntaxId root : syntax().chunks())
      analyzeChunk(root);
    if (options.isCancelled()) {
      document->complete = false;
      for (auto &[key, fragment] : known)
        document->spare.push_back(std::move(fragment));
    } else {
      document->callerLints =
          lintCallers(document->parts, callees,
                      options.previous ? options.previous->callerLints
                                       : std::vector<CallerLints>(),
                      syntax(), options.progress, document->problems);
      collectDiagnostics();
    }
    return document;
  }

private:
  struct Alias {
    SyntaxId statement;
    std::vector<StringRef> uses;
  };
  /// The top of a chunk, or a module there.
  struct Container {
    SyntaxId module;
    SyntaxId region;
    llvm::StringMap<SyntaxId> symbols;
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
      return;
    }
    document->workspace = previous->workspace;
    ++document->workspace->generation;
    for (const Unit &unit : previous->parts)
      if (!unit.fragment->key.empty())
        known.try_emplace(unit.fragment->key, unit.fragment);
    for (const std::shared_ptr<const Fragment> &fragment : previous->spare)
      known.try_emplace(fragment->key, fragment);
  }

  void analyzeChunk(SyntaxId root) {
    aliases.clear();
    undeclared.clear();
    containers.assign(1, {noSyntax, root, {}});
    for (SyntaxId id : syntax().region(root).statements) {
      const Statement &statement = syntax().statement(id);
      if (statement.kind == Statement::Alias)
        addAlias(id);
      else if (isModule(statement))
        containers.push_back({id, statement.regions.front(), {}});
    }
    for (Container &container : containers)
      addSymbols(container);

    size_t first = document->parts.size();
    addSkeleton(root);
    for (const Container &container : containers)
      for (SyntaxId id : syntax().region(container.region).statements)
        if (isUnit(container, id) && !options.isCancelled())
          addUnit(container, id);
    auto ofChunk = llvm::drop_begin(document->parts, first);
    llvm::sort(ofChunk, [](const Unit &a, const Unit &b) {
      return std::tuple(a.span.begin, a.statement != noSyntax) <
             std::tuple(b.span.begin, b.statement != noSyntax);
    });
    reportUndeclared();
    checkBraces(root);
  }

  bool isModule(const Statement &statement) const {
    StringRef name = syntax().text(statement.name);
    return statement.kind == Statement::Operation &&
           (name == "module" || name == "builtin.module") &&
           statement.regions.size() == 1;
  }

  bool isUnit(const Container &container, SyntaxId id) const {
    const Statement &statement = syntax().statement(id);
    if (statement.kind == Statement::Alias ||
        statement.kind == Statement::Metadata ||
        syntax().text(statement.span) == "}") // closes nothing
      return false;
    return container.module != noSyntax || !isModule(statement);
  }

  //===--- Names ----------------------------------------------------------===//

  /// Those of some tokens that are in `[begin, end)`.
  static llvm::ArrayRef<uint32_t> within(const std::vector<uint32_t> &tokens,
                                         size_t begin, size_t end) {
    auto first = llvm::lower_bound(tokens, begin);
    auto last = std::lower_bound(first, tokens.end(), std::max(begin, end));
    return llvm::ArrayRef(tokens).slice(first - tokens.begin(), last - first);
  }

  void addAlias(SyntaxId id) {
    const Statement &statement = syntax().statement(id);
    Alias alias{id, {}};
    for (size_t use :
         within(aliasUses, statement.firstToken + 2, statement.endToken))
      alias.uses.push_back(syntax().text(syntax().tokens()[use]));
    aliases.try_emplace(syntax().text(statement.name), std::move(alias));
  }

  /// `@"name"` as it is without its quotes.
  static std::string plainName(StringRef symbol) {
    return "@" + symbol.drop_front().trim('"').str();
  }

  /// The name, with its `@`, that an op defines; empty if none.
  std::pair<std::string, Span> symbolOf(const Statement &statement) const {
    if (statement.kind != Statement::Operation)
      return {};
    bool isGeneric = syntax().text(statement.name).starts_with("\"");
    if (!isGeneric) {
      const Token *token = syntax().symbolOf(statement);
      if (!token)
        return {};
      return {plainName(syntax().text(*token)), token->span()};
    }
    const std::vector<Token> &tokens = syntax().tokens();
    for (size_t i = statement.firstToken; i + 2 < statement.endToken; ++i)
      if (syntax().text(tokens[i]) == "sym_name" &&
          tokens[i + 2].kind == Token::String)
        return {"@" + syntax().text(tokens[i + 2]).trim('"').str(),
                tokens[i + 2].span()};
    return {};
  }

  void addSymbols(Container &container) {
    for (SyntaxId id : syntax().region(container.region).statements) {
      auto [name, span] = symbolOf(syntax().statement(id));
      if (name.empty())
        continue;
      auto [entry, isNew] = container.symbols.try_emplace(name, id);
      if (isNew)
        continue;
      Diagnostic diagnostic;
      diagnostic.span = span;
      diagnostic.code = "redefinition";
      diagnostic.message = "'" + name + "' is defined twice";
      diagnostic.related.push_back(
          {symbolOf(syntax().statement(entry->second)).second, std::nullopt,
           "first defined here"});
      report(std::move(diagnostic));
    }
  }

  //===--- Units ----------------------------------------------------------===//

  void addSkeleton(SyntaxId root) {
    FragmentRequest request;
    for (SyntaxId id : syntax().region(root).statements) {
      const Statement &statement = syntax().statement(id);
      if (statement.kind == Statement::Alias ||
          statement.kind == Statement::Metadata) {
        request.parts.push_back({statement.span, "", id});
        declareMissing(request, statement);
      } else if (isModule(statement)) {
        addHeader(request, id);
        addTrailer(request, id);
        declareMissing(request, statement.header(syntax()),
                       statement.firstToken);
      }
    }
    repairs.clear();
    broken.clear();
    if (request.parts.empty())
      return;
    Unit unit;
    unit.span = syntax().region(root).body;
    if (isQuarantined(unit.span.begin, unit.span.begin + 1)) {
      unit.fragment = std::make_shared<Fragment>();
      document->parts.push_back(std::move(unit));
      return;
    }
    if (options.progress)
      options.progress(unit.span.begin);
    finishUnit(std::move(unit), std::move(request));
  }

  void addHeader(FragmentRequest &request, SyntaxId module) {
    const Statement &statement = syntax().statement(module);
    if (broken.contains(module)) {
      request.parts.push_back({{}, "module {", module});
      request.verify = false;
      return;
    }
    const Region &region = syntax().region(statement.regions.front());
    request.parts.push_back(
        {{statement.span.begin, region.body.begin}, "", module});
    if (!region.isOpened)
      request.parts.push_back({{}, "{", module});
  }

  void addTrailer(FragmentRequest &request, SyntaxId module) {
    const Statement &statement = syntax().statement(module);
    const Region &region = syntax().region(statement.regions.front());
    if (broken.contains(module) || !region.isClosed)
      request.parts.push_back({{}, "}", module});
    else
      request.parts.push_back(
          {{region.body.end, statement.span.end}, "", module});
  }

  void addUnit(const Container &container, SyntaxId id) {
    const Statement &statement = syntax().statement(id);
    Unit unit;
    unit.statement = id;
    unit.span = statement.span;
    if (isQuarantined(unit.span.begin, unit.span.end)) {
      unit.fragment = std::make_shared<Fragment>();
      document->parts.push_back(std::move(unit));
      return;
    }

    FragmentRequest request;
    request.statement = id;
    // What is declared, but missing, comes first; all else as in the text.
    std::vector<SyntaxId> others = referredSymbols(container, id);
    request.isWhole = others.empty();
    if (!others.empty())
      callees[id] = others;
    llvm::StringSet<> wanted;
    declareMissing(request, statement);
    collectAliases(wanted, statement);
    for (SyntaxId other : others)
      collectAliases(wanted, syntax().statement(other));
    std::vector<SyntaxId> order = others;
    order.push_back(id);
    if (container.module != noSyntax) {
      order.push_back(container.module);
      const Statement &module = syntax().statement(container.module);
      collectAliases(wanted, module, module.header(syntax()));
      collectAliases(wanted, module, trailerOf(module));
    }
    for (const auto &entry : wanted)
      order.push_back(aliases.find(entry.getKey())->second.statement);
    llvm::sort(order);

    bool isInModule = false;
    auto endModule = [&] {
      if (isInModule)
        addTrailer(request, container.module);
      isInModule = false;
    };
    for (SyntaxId part : order) {
      const Statement &other = syntax().statement(part);
      if (isInModule &&
          other.span.begin >= syntax().statement(container.module).span.end)
        endModule();
      if (part == container.module) {
        addHeader(request, part);
        isInModule = true;
      } else if (part == id || other.kind == Statement::Alias) {
        request.parts.push_back({other.span, "", part});
      } else {
        request.parts.push_back({declarationOf(other), "", part});
      }
      if (other.kind == Statement::Alias && broken.contains(part))
        request.verify = false;
    }
    endModule();
    for (const Patch &patch : repairs)
      if (llvm::any_of(request.parts, [&](const FragmentRequest::Part &part) {
            return part.span.contains(patch.span);
          }))
        request.patches.push_back(patch);
    finishUnit(std::move(unit), std::move(request));
  }

  Span trailerOf(const Statement &module) const {
    return {syntax().region(module.regions.front()).body.end, module.span.end};
  }

  /// What stands for an op in a unit that only names it.
  Span declarationOf(const Statement &statement) const {
    bool isGeneric = syntax().text(statement.name).starts_with("\"");
    if (isGeneric || statement.regions.size() != 1)
      return statement.span;
    return statement.header(syntax());
  }

  std::vector<SyntaxId> referredSymbols(const Container &container,
                                        SyntaxId id) const {
    std::vector<SyntaxId> result;
    const Statement &statement = syntax().statement(id);
    for (size_t i :
         within(symbolTokens, statement.firstToken, statement.endToken)) {
      auto found = container.symbols.find(
          plainName(syntax().text(syntax().tokens()[i])));
      if (found != container.symbols.end() && found->second != id &&
          !llvm::is_contained(result, found->second))
        result.push_back(found->second);
    }
    return result;
  }

  void collectAliases(llvm::StringSet<> &wanted, const Statement &statement) {
    collectAliases(wanted, statement, statement.span);
  }
  void collectAliases(llvm::StringSet<> &wanted, const Statement &statement,
                      Span span) {
    for (size_t use : within(aliasUses, syntax().tokenAfter(span.begin),
                             statement.endToken)) {
      const Token &token = syntax().tokens()[use];
      if (token.begin >= span.end)
        return;
      if (!wanted.contains(syntax().text(token)))
        wantAlias(wanted, syntax().text(token));
    }
  }

  void wantAlias(llvm::StringSet<> &wanted, StringRef name) {
    std::vector<StringRef> open = {name};
    while (!open.empty()) {
      StringRef next = open.back();
      open.pop_back();
      auto found = aliases.find(next);
      if (found == aliases.end() || !wanted.insert(next).second)
        continue;
      llvm::append_range(open, found->second.uses);
    }
  }

  void declareMissing(FragmentRequest &request, const Statement &statement) {
    declareMissing(request, statement.span, statement.firstToken);
  }

  /// Defines aliases for the parser that nothing else defines.
  void declareMissing(FragmentRequest &request, Span span, size_t firstToken) {
    const std::vector<Token> &tokens = syntax().tokens();
    llvm::StringSet<> declared;
    for (size_t i : within(aliasUses, firstToken, tokens.size())) {
      if (tokens[i].begin >= span.end)
        return;
      StringRef name = syntax().text(tokens[i]);
      if (aliases.contains(name))
        continue;
      undeclared[name].push_back(tokens[i].span());
      request.verify = false;
      if (!declared.insert(name).second)
        continue;
      bool isLocation = i >= 2 && syntax().text(tokens[i - 2]) == "loc";
      request.parts.insert(
          request.parts.begin(),
          {{}, name.str() + placeholderFor(name, isLocation), noSyntax});
    }
  }

  /// One error for each alias, else a missing layout hides all other errors.
  void reportUndeclared() {
    for (auto &[name, uses] : undeclared) {
      llvm::sort(uses, [](Span a, Span b) { return a.begin < b.begin; });
      Diagnostic diagnostic;
      diagnostic.span = uses.front();
      diagnostic.code = "undeclared-alias";
      diagnostic.message = "nothing defines the alias '" + name.str() + "'";
      if (size_t more = uses.size() - 1)
        diagnostic.related.push_back(
            {uses[1], std::nullopt,
             more == 1
                 ? "and here"
                 : std::to_string(more) + " more uses, the next one here"});
      suggestAlias(diagnostic, syntax());
      report(std::move(diagnostic));
    }
  }

  void finishUnit(Unit unit, FragmentRequest request) {
    request.workspace = document->workspace;
    request.progress = options.progress;
    request.cancelled = options.cancelled;
    unit.pieces = request.pieces();
    auto found = known.find(request.key(syntax()));
    if (found != known.end()) {
      unit.fragment = found->second;
    } else {
      BuiltFragment built = buildFragment(syntax(), request);
      if (options.isCancelled())
        return;
      unit.fragment = built.fragment;
      ++document->fresh;
      if (unit.statement == noSyntax) {
        repairs = std::move(built.patches);
        broken = std::move(built.broken);
      }
    }
    document->parts.push_back(std::move(unit));
  }

  bool isQuarantined(size_t begin, size_t end) {
    for (size_t offset : options.quarantine) {
      if (offset < begin || offset >= end)
        continue;
      size_t token = syntax().tokenAfter(offset);
      Diagnostic diagnostic;
      diagnostic.span = token < syntax().tokens().size()
                            ? syntax().tokens()[token].span()
                            : Span{offset, offset};
      diagnostic.code = "stopped";
      diagnostic.message = "analysis stopped here: it crashed or took too "
                           "long; this part is ignored";
      report(std::move(diagnostic));
      return true;
    }
    return false;
  }

  //===--- Diagnostics ----------------------------------------------------===//

  void report(Diagnostic diagnostic) {
    document->problems.push_back(std::move(diagnostic));
  }

  void checkBraces(SyntaxId root) {
    Span chunk = syntax().region(root).body;
    for (const Region &region : syntax().regions()) {
      if (!chunk.contains(region.body) || region.owner == noSyntax)
        continue;
      if (!region.isOpened) {
        Diagnostic diagnostic;
        size_t token = syntax().tokenAfter(region.body.begin - 1);
        diagnostic.span = syntax().tokens()[token].span();
        diagnostic.code = "syntax";
        diagnostic.message = "expected '{' after this";
        braces.push_back(std::move(diagnostic));
      }
      if (region.isClosed)
        continue;
      Diagnostic diagnostic;
      size_t token = syntax().tokenAfter(region.body.end - 1);
      diagnostic.span = syntax().tokens()[token].span();
      diagnostic.code = "syntax";
      diagnostic.message = "expected '}' after this";
      diagnostic.related.push_back({Span{region.openBrace(), region.body.begin},
                                    std::nullopt,
                                    "to close the region that starts here"});
      report(std::move(diagnostic));
    }
    for (SyntaxId id : syntax().strayBraces()) {
      Span span = syntax().statement(id).span;
      if (!chunk.contains(span))
        continue;
      Diagnostic diagnostic;
      diagnostic.span = span;
      diagnostic.code = "syntax";
      diagnostic.message = "this '}' has no matching '{'";
      braces.push_back(std::move(diagnostic));
    }
  }

  void collectDiagnostics() {
    std::vector<Diagnostic> &all = document->problems;
    for (const Unit &unit : document->parts) {
      for (Diagnostic diagnostic : unit.fragment->diagnostics) {
        diagnostic.span = unit.toDocument(diagnostic.span);
        for (RelatedInformation &related : diagnostic.related)
          if (related.span)
            related.span = unit.toDocument(*related.span);
        for (QuickFix &fix : diagnostic.fixes)
          for (TextEdit &edit : fix.edits)
            edit.span = unit.toDocument(edit.span);
        all.push_back(std::move(diagnostic));
      }
    }
    tellAtAliases(all);
    speakForRelease();
    // A lost string may have taken a brace with it: only the first thing that
    // is wrong counts.
    size_t firstError = document->content.size() + 1;
    for (const Diagnostic &other : all)
      if (other.code == "syntax")
        firstError = std::min(firstError, other.span.begin);
    for (Diagnostic &brace : braces)
      if (brace.span.begin < firstError) {
        firstError = brace.span.begin;
        all.push_back(std::move(brace));
      }
    for (Diagnostic &diagnostic : all)
      settleHint(diagnostic, document->name);
    auto place = [](const Diagnostic &d) {
      return std::tie(d.span.begin, d.span.end, d.message);
    };
    llvm::sort(all, [&](const Diagnostic &a, const Diagnostic &b) {
      return place(a) < place(b);
    });
    all.erase(std::unique(all.begin(), all.end(),
                          [&](const Diagnostic &a, const Diagnostic &b) {
                            return place(a) == place(b);
                          }),
              all.end());
    Allowed allowed(document->content, syntax(), options.settings.allow);
    llvm::erase_if(all, [&](const Diagnostic &diagnostic) {
      return allowed.allows(diagnostic);
    });
  }

  /// Leaves of the hints about spelling those that are not of the file's
  /// release.
  void speakForRelease() {
    Evidence evidence;
    for (const Unit &unit : document->parts)
      evidence.add(unit.fragment->evidence);
    std::optional<Release> release = Release::parse(options.settings.release);
    if (!release)
      release = evidence.release();
    document->writtenBy = release;
    if (!release)
      return;
    std::vector<Diagnostic> &all = document->problems;
    llvm::erase_if(all, [&](const Diagnostic &diagnostic) {
      return diagnostic.lastRelease >= release->minor;
    });
    if (evidence.hasNewerThan(*release))
      llvm::append_range(
          all, findNewer(syntax(), *release, document->workspace->context));
  }

  const AnalyzeOptions &options;
  std::shared_ptr<Document> document;
  std::unordered_map<std::string, std::shared_ptr<const Fragment>> known;
  NamedOps callees;
  /// Tokens that name an alias apart from its definition, and symbols.
  std::vector<uint32_t> aliasUses, symbolTokens;

  // Of the chunk at hand.
  llvm::StringMap<Alias> aliases;
  llvm::MapVector<StringRef, std::vector<Span>> undeclared; ///< Aliases' uses.
  std::vector<Container> containers;
  std::vector<Patch> repairs; ///< Of its skeleton.
  llvm::DenseSet<SyntaxId> broken;

  std::vector<Diagnostic> braces; ///< Missing `{` and stray `}`.
};

} // namespace kernelscope

std::shared_ptr<const Document>
kernelscope::analyze(Text text, std::string path,
                     const AnalyzeOptions &options) {
  return Analyzer(std::move(text), std::move(path), options).run();
}
