//===- BatchBuilder.cpp - several units parsed together -------------------===//

#include "server/analysis/BatchBuilder.h"

#include "server/analysis/FragmentReports.h"
#include "server/analysis/FragmentVerifier.h"
#include "server/analysis/Origins.h"
#include "server/analysis/ParserHazards.h"
#include "server/analysis/ParserWatch.h"
#include "server/analysis/TypeAliases.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

using namespace kernelscope;

bool kernelscope::isSound(const Syntax &syntax,
                          const FragmentRequest &request) {
  if (!request.verify || !request.patches.empty() ||
      !syntax.hasMatchingBrackets())
    return false;
  for (const FragmentRequest::Part &part : request.parts)
    if (part.span.empty() || !findIndexArrays(syntax, part.span).empty() ||
        !findDeepBrackets(syntax, part.span).empty() ||
        !findLargePacks(syntax, part.span).empty())
      return false;
  return request.statement == noSyntax ||
         findForeignUses(syntax, request.statement).empty();
}

namespace {

class BatchBuilder {
public:
  BatchBuilder(const Syntax &syntax,
               llvm::ArrayRef<const FragmentRequest *> requests)
      : syntax(syntax) {
    request.workspace = requests.front()->workspace;
    request.progress = requests.front()->progress;
    for (const FragmentRequest *one : requests) {
      members.emplace_back(syntax, *one);
      ops += one->statement != noSyntax;
      llvm::append_range(request.locations, one->locations);
    }
    auto isBefore = [](Span a, Span b) { return a.begin < b.begin; };
    if (!llvm::is_sorted(request.locations, isBefore))
      llvm::sort(request.locations, isBefore);
  }

  std::vector<std::shared_ptr<const UnitFacts>> run() {
    std::vector<std::shared_ptr<const UnitFacts>> built;
    if (!respell())
      return built;
    compose();
    if (!parse())
      return built;
    relocate(*fragment);
    findRoots();
    for (Member &member : members)
      if (!finish(member))
        return {};
    const llvm::DenseSet<mlir::Operation *> tied = findTied();
    for (Member &member : members)
      if (!tied.contains(member.facts->root))
        built.push_back(std::move(member.facts));
    return built;
  }

private:
  struct Member {
    Member(const Syntax &syntax, const FragmentRequest &request)
        : request(request), reports(syntax, request) {}
    const FragmentRequest &request;
    FragmentReports reports;
    std::shared_ptr<UnitFacts> facts = std::make_shared<UnitFacts>();
  };

  /// False if the skeleton is spelt otherwise, which all units have to know.
  bool respell() {
    for (Member &member : members) {
      for (const TextEdit &edit :
           member.reports.addSpellings(member.facts->evidence)) {
        if (member.request.statement == noSyntax)
          return false;
        // Several units may name an op whose declaration is spelt otherwise.
        if (respelt.insert({edit.span.begin, edit.span.end, edit.newText})
                .second)
          patches.push_back({edit.span, {{edit.newText, {}}}, 0});
      }
      member.reports.addUnknownNames();
    }
    return true;
  }

  /// The parts of all members, each once. An op comes before its declaration.
  void compose() {
    std::vector<Span> parts;
    size_t firstOp = syntax.text().size();
    TypeAliases types(syntax);
    for (const Member &member : members) {
      for (const FragmentRequest::Part &part : member.request.parts) {
        parts.push_back(part.span);
        if (FragmentRequest::isOp(syntax, part))
          firstOp = std::min(firstOp, part.span.begin);
      }
      // A type that is spelt otherwise must stay where it is rewritten.
      if (patches.empty() && member.request.statement != noSyntax)
        types.add(syntax.statement(member.request.statement));
    }
    llvm::sort(parts, [](Span a, Span b) {
      return std::tuple(a.begin, b.end) < std::tuple(b.begin, a.end);
    });
    parts.erase(std::unique(parts.begin(), parts.end(),
                            [](Span a, Span b) { return a.begin == b.begin; }),
                parts.end());
    std::vector<const Patch *> sorted;
    sorted.reserve(patches.size());
    for (const Patch &patch : patches)
      sorted.push_back(&patch);
    llvm::sort(sorted, [](const Patch *a, const Patch *b) {
      return std::tuple(a->span.begin, a) < std::tuple(b->span.begin, b);
    });
    for (Span part : parts) {
      if (part.begin == firstOp)
        fragment->patched.insert(aliases = types.definitions());
      fragment->patched.copy(syntax.text(), part, sorted);
      fragment->patched.insert("\n");
    }
    fragment->patched.shorten(types.andBlanks(request.locations));
  }

  /// Whether the text was parsed without a word from the parser.
  bool parse() {
    mlir::MLIRContext &context = request.workspace->context;
    fragment->open(request.workspace);
    fragment->top = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    ParserWatch watch(*fragment, syntax, request);
    if (request.progress)
      request.progress(members.front().request.places().front());
    return fragment->isParsed = parseSilently(
               fragment->sources, fragment->top->getBody(), fragment->state);
  }

  /// Whether the op is at the top, or in a module there.
  bool mayBeUnit(mlir::Operation *op) const {
    mlir::Operation *parent = op->getParentOp(),
                    *top = fragment->top->getOperation();
    return parent == top ||
           (llvm::isa<mlir::ModuleOp>(parent) && parent->getParentOp() == top);
  }

  /// The ops that may be units, by their place. The parser's ops of each come
  /// one after the other, and it last.
  void findRoots() {
    size_t first = 0;
    for (auto [index, definition] :
         llvm::enumerate(fragment->state.getOpDefs())) {
      if (!mayBeUnit(definition.op))
        continue;
      roots[fragment->span(definition.loc).begin] = {definition.op, first,
                                                     index + 1};
      first = index + 1;
    }
  }

  bool finish(Member &member) {
    UnitFacts &facts = *member.facts;
    facts.key = member.request.key(syntax);
    // The ops of one that shares its fragment with another stay where they are.
    if (ops == 1)
      facts.surroundings = member.request.surroundings(syntax, aliases);
    facts.fragment = fragment;
    facts.places = member.request.places();
    if (member.request.statement == noSyntax) {
      for (const FragmentRequest::Part &part : member.request.parts)
        if (auto module = roots.find(part.span.begin); module != roots.end())
          verify(member, module->second.op, /*isHeaderOnly=*/true);
    } else {
      auto root =
          roots.find(syntax.statement(member.request.statement).name.begin);
      if (root == roots.end())
        return false;
      facts.root = root->second.op;
      facts.firstOp = root->second.firstOp;
      facts.endOp = root->second.endOp;
      facts.isValid = verify(member, facts.root, /*isHeaderOnly=*/false);
    }
    facts.diagnostics = member.reports.take();
    return !member.request.isCancelled();
  }

  /// The functions that are not what they would be alone: the parser takes a
  /// value that its function does not define for one of a later function.
  llvm::DenseSet<mlir::Operation *> findTied() {
    llvm::DenseSet<mlir::Operation *> tied;
    for (const Member &member : members) {
      mlir::Operation *root = member.facts->root;
      if (!root || member.facts->isValid)
        continue;
      root->walk([&](mlir::Operation *op) {
        for (mlir::Value operand : op->getOperands()) {
          mlir::Operation *other = operand.getParentBlock()->getParentOp();
          if (root->isAncestor(other))
            continue;
          while (!mayBeUnit(other))
            other = other->getParentOp();
          tied.insert_range(llvm::ArrayRef{root, other});
        }
      });
    }
    return tied;
  }

  bool verify(Member &member, mlir::Operation *root, bool isHeaderOnly) {
    return verifyFragment(*fragment, root, syntax, member.request,
                          /*takenOut=*/{}, member.reports, isHeaderOnly);
  }

  struct Root {
    mlir::Operation *op;
    size_t firstOp, endOp;
  };

  const Syntax &syntax;
  FragmentRequest request; ///< What the members have in common.
  std::deque<Member> members;
  size_t ops = 0; ///< How many are not a skeleton.
  std::vector<Patch> patches;
  std::set<std::tuple<size_t, size_t, std::string>> respelt; ///< By `patches`.
  std::shared_ptr<Fragment> fragment = std::make_shared<Fragment>();
  llvm::DenseMap<size_t, Root> roots;
  std::string aliases; ///< Of types, as the parser saw them.
};

} // namespace

std::vector<std::shared_ptr<const UnitFacts>>
kernelscope::buildTogether(const Syntax &syntax,
                           llvm::ArrayRef<const FragmentRequest *> requests) {
  return BatchBuilder(syntax, requests).run();
}
