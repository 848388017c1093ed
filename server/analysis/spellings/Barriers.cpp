//===- Barriers.cpp - arrivals, waits and marks, spelt otherwise ----------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Spellings.h"

#include <tuple>

using namespace kernelscope;
using namespace kernelscope::spelling;

/// `ttng.tmem_copy %a, %b, %barrier : A, B, C` is the copy and a
/// `ttng.tc_gen5_commit`; types were `(A, B) -> ()` before that.
static std::optional<Edits> rewriteCopy(const Site &site, bool isOfBarrier) {
  size_t end = site.opEnd();
  size_t colon = site.find(":", site.at, end);
  size_t loc = site.find("loc", colon, end);
  if (colon == end)
    return std::nullopt;
  bool isFunction = site.text(colon + 1) == "(";
  bool hasBarrier = site.text(site.at + 5).starts_with("%");
  if (hasBarrier != isOfBarrier || (!hasBarrier && !isFunction))
    return std::nullopt;
  Edits edits;
  std::string barrier;
  if (site.text(site.at + 4) == ",") {
    if (hasBarrier)
      barrier = site.text(site.at + 5).str();
    edits.push_back(site.replace(Span{site.span(site.at + 4).begin,
                                      site.span(site.at + 4 + hasBarrier).end},
                                 ""));
  }
  size_t first = colon + 1, last = loc;
  if (isFunction) {
    auto operands = site.inside(colon + 1);
    if (!operands)
      return Edits();
    std::tie(first, last) = *operands;
    edits.push_back(site.replace(colon + 1, ""));
    edits.push_back(site.replace(site.span(last, loc), ""));
  }
  auto types = site.split(first, last);
  if (!barrier.empty()) {
    if (types.size() != 3)
      return Edits();
    std::string type = inOurSpelling(
        site.syntax, site.span(types[2].first, types[2].second), site.context);
    edits.push_back(
        {{site.span(types[1].second).begin, site.span(types[2].second - 1).end},
         ""});
    edits.push_back(
        site.insertOpAfter("ttng.tc_gen5_commit " + barrier + " : " + type));
  }
  return edits;
}

/// Whether the module around the site says that it runs in clusters.
static bool hasClusters(const Site &site) {
  const Syntax &syntax = site.syntax;
  for (SyntaxId id = syntax.statementAt(site.span(site.at).begin);
       id != noSyntax;) {
    const Statement &statement = syntax.statement(id);
    const size_t end = statement.header(syntax).end;
    for (size_t token = statement.firstToken; site.span(token).end < end;
         ++token)
      if (site.text(token) == "\"ttg.num-ctas\"" && site.text(token + 1) == "=")
        return site.text(token + 2) != "1";
    id = syntax.region(statement.parent).owner;
  }
  return false;
}

std::optional<Edits> spelling::commitOfPairs(const Site &site) {
  const size_t entry = site.findEntry("two_ctas");
  if (!entry || !hasClusters(site))
    return std::nullopt;
  return Edits{site.dropEntry(entry)};
}

std::optional<Edits> spelling::copyBarrier(const Site &site) {
  return rewriteCopy(site, /*isOfBarrier=*/true);
}

std::optional<Edits> spelling::copyTypes(const Site &site) {
  return rewriteCopy(site, /*isOfBarrier=*/false);
}

/// An arrival and the wait right behind it are one `ttng.cluster_barrier`.
std::optional<Edits> spelling::clusterArrive(const Site &site) {
  const Statement &arrive = *site.op();
  if (site.text(arrive.endToken) != "ttng.cluster_wait")
    return Edits();
  Edits edits{site.replaceIn("arrive", "barrier")};
  SyntaxId wait = site.syntax.statementAt(site.span(arrive.endToken).begin);
  edits.push_back(site.dropOp(site.syntax.statement(wait)));
  return edits;
}

std::optional<Edits> spelling::clusterWait(const Site &site) {
  SyntaxId before = site.syntax.statementBefore(
      site.op()->parent, site.op()->span.begin ? site.op()->span.begin - 1 : 0);
  bool isPaired = before != noSyntax &&
                  site.syntax.text(site.syntax.statement(before).name) ==
                      "ttng.cluster_arrive";
  return isPaired ? std::nullopt : std::optional(Edits());
}

/// `proton.record() {isStart = true, regionId = 1 : i32}` names its region
/// today: `proton.record start "1"`.
std::optional<Edits> spelling::recordByNumber(const Site &site) {
  if (site.text(site.at + 1) != "(")
    return std::nullopt;
  size_t start = site.findEntry("isStart"), id = site.findEntry("regionId");
  if (!start || !id)
    return Edits();
  size_t open = site.find("{", site.at, site.opEnd());
  std::string today = site.text(start + 2) == "true" ? " start \"" : " end \"";
  return Edits{site.replace(site.span(site.at + 1, site.pastBracket(open)),
                            today + site.text(id + 2).str() + "\"")};
}
