//===- analysis.cpp - what analysis costs, without a server around it -----===//
//
// usage: analysis_bench FILE...   milliseconds of CPU time, the median of some
// rounds, for each file: a first look; a look at a changed number in its middle
// with the rest taken over; the lints, which are part of a look; each of the
// features that an editor asks for at once. At the end the lints' share of the
// first looks, and the files in which it is largest.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/FlatLints.h"
#include "server/analysis/CallerLints.h"
#include "server/analysis/Document.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"
#include "server/features/Completion.h"
#include "server/features/DocumentSymbols.h"
#include "server/features/Hover.h"
#include "server/features/SemanticTokens.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

using namespace kernelscope;

static double medianMilliseconds(const std::function<void()> &work) {
  constexpr size_t rounds = 11;
  std::vector<double> times;
  for (size_t i = 0; i < rounds; ++i) {
    std::clock_t start = std::clock();
    work();
    times.push_back(1e3 * double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::sort(times.begin(), times.end());
  return times[rounds / 2];
}

/// Runs the lints as an analysis does.
static void runAllLints(const Document &document) {
  auto ignore = [](const LintFinding &) {};
  for (const Unit &unit : document.units()) {
    auto caller = llvm::find_if(document.callers(), [&](const CallerLints &c) {
      return c.functions.front() == unit.facts;
    });
    if (caller == document.callers().end()) {
      if (unit.facts->root)
        lintAlone(unit.facts->root, ignore);
    } else if (auto flat = flatten(caller->functions)) {
      runLints(flat->function(), ignore);
    }
  }
}

namespace {
struct Share {
  std::string file;
  double open, lints;
  double percent() const { return 100 * lints / std::max(open, 1e-3); }
};
} // namespace

static void printShares(std::vector<Share> shares) {
  double open = 0, lints = 0;
  for (const Share &share : shares) {
    open += share.open;
    lints += share.lints;
  }
  auto over = [&](double percent) {
    return size_t(llvm::count_if(
        shares, [&](const Share &share) { return share.percent() > percent; }));
  };
  std::printf("%zu files: lints %.1f of %.1f, %.2f%%; over 3%% in %zu, over "
              "5%% in %zu\n",
              shares.size(), lints, open, 100 * lints / std::max(open, 1e-3),
              over(3), over(5));
  llvm::sort(shares, [](const Share &a, const Share &b) {
    return a.percent() > b.percent();
  });
  shares.resize(std::min<size_t>(shares.size(), 10));
  for (const Share &share : shares)
    std::printf("  %.1f%%: %.2f of %.1f, %s\n", share.percent(), share.lints,
                share.open, share.file.c_str());
}

int main(int argc, char **argv) {
  std::vector<Share> shares;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    std::ostringstream stream;
    stream << file.rdbuf();
    std::string text = stream.str();
    std::shared_ptr<const Document> document;
    double lex = medianMilliseconds([&] { Syntax syntax(text); });
    double open =
        medianMilliseconds([&] { document = analyze(Text(text), argv[i]); });
    size_t middle = text.find("arith.", text.size() / 2);
    if (middle == std::string::npos)
      middle = text.size() / 2;
    size_t lineEnd = text.find('\n', middle);
    size_t count = 0;
    double edit = medianMilliseconds([&] {
      std::string changed = text;
      changed.insert(lineEnd, std::string(++count, ' '));
      AnalyzeOptions options;
      options.previous = std::move(document);
      options.previousIsSpent = true;
      document = analyze(Text(changed), argv[i], options);
    });
    double lints = medianMilliseconds([&] { runAllLints(*document); });
    shares.push_back({argv[i], open, lints});
    double hovering = medianMilliseconds([&] { hover(*document, middle); });
    double completing =
        medianMilliseconds([&] { completion(*document, middle); });
    double outline = medianMilliseconds([&] { documentSymbols(*document); });
    double colours = medianMilliseconds(
        [&] { semanticTokens(*document, Span{0, text.size()}); });
    std::printf("%s: %zu lines, %zu units, %zu diagnostics\n"
                "  syntax %.1f  open %.1f  edit %.1f  lints %.2f  hover %.2f  "
                "completion "
                "%.2f  symbols %.2f  semantic tokens %.2f\n",
                argv[i], document->text().lineCount(), document->units().size(),
                document->diagnostics().size(), lex, open, edit, lints,
                hovering, completing, outline, colours);
  }
  printShares(std::move(shares));
}
