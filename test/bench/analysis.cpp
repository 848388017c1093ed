//===- analysis.cpp - what analysis costs, without a server around it -----===//
//
// usage: analysis_bench FILE...   milliseconds of CPU time, the median of some
// rounds, for each file: a first look; a look at a changed number in its middle
// with the rest taken over; the lints, which are part of a look; each of the
// features that an editor asks for at once.
//
//===----------------------------------------------------------------------===//

#include "passes/lint/Lint.h"
#include "server/analysis/Document.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"
#include "server/features/Completion.h"
#include "server/features/DocumentSymbols.h"
#include "server/features/Hover.h"
#include "server/features/SemanticTokens.h"

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

int main(int argc, char **argv) {
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
      options.previous = document;
      document = analyze(Text(changed), argv[i], options);
    });
    double lints = medianMilliseconds([&] {
      for (const Unit &unit : document->units())
        if (unit.fragment->root)
          runLints(unit.fragment->root, [](const LintFinding &) {});
    });
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
}
