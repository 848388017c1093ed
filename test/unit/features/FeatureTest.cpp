//===- FeatureTest.cpp - IR with a cursor, expected text beside it --------===//
//
// Each file in cases/ is named after a feature and holds cases:
//
//   ==== what the case shows
//   IR, with `$0` where the cursor is
//   ----
//   what the feature answers, as text
//
// Each is a test of its own, `hover.an_op` on its line of hover.txt.
// UPDATE_EXPECT=1 writes the answers of those that run into the files; read the
// diff.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/Document.h"
#include "server/analysis/spellings/Spellings.h"
#include "server/features/AssemblyHover.h"
#include "server/features/CallHierarchy.h"
#include "server/features/CodeActions.h"
#include "server/features/CodeLens.h"
#include "server/features/Completion.h"
#include "server/features/Definition.h"
#include "server/features/DocumentHighlight.h"
#include "server/features/DocumentSymbols.h"
#include "server/features/FoldingRanges.h"
#include "server/features/Formatting.h"
#include "server/features/Hover.h"
#include "server/features/InlayHints.h"
#include "server/features/LayoutView.h"
#include "server/features/LinkedEditing.h"
#include "server/features/Refactorings.h"
#include "server/features/References.h"
#include "server/features/Rename.h"
#include "server/features/SelectionRanges.h"
#include "server/features/SemanticTokens.h"
#include "server/features/SignatureHelp.h"
#include "server/features/SourceFiles.h"
#include "server/features/SourceLines.h"

#include "server/analysis/Unit.h"
#include "test/unit/RunTests.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

using namespace kernelscope;
using llvm::StringRef;

namespace {

struct Case {
  int line; ///< Of `====`, from one.
  std::string name;
  std::string input;
  std::string expected;
};

//===--- How answers look
//---------------------------------------------------===//

std::string at(const Document &document, size_t offset) {
  Position position =
      document.text().positionAt(offset, PositionEncoding::UTF8);
  return std::to_string(position.line + 1) + ":" +
         std::to_string(position.character + 1);
}

/// `3:5 "%x"`
std::string show(const Document &document, Span span) {
  return at(document, span.begin) + " \"" +
         document.text().str().substr(span.begin, span.size()) + "\"";
}

std::string diagnostics(const Document &document, size_t) {
  static const char *names[] = {"error", "warning", "information", "hint"};
  std::string text;
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    text += show(document, diagnostic.span) + " " +
            names[int(diagnostic.severity)] + " " + diagnostic.code + ": " +
            diagnostic.message + "\n";
    for (const RelatedInformation &related : diagnostic.related) {
      text += "  ";
      if (related.span)
        text += show(document, *related.span) + " ";
      if (related.source)
        text += related.source->file + ":" +
                std::to_string(related.source->line) + ":" +
                std::to_string(related.source->column) + " ";
      text += related.message + "\n";
    }
    for (const QuickFix &fix : diagnostic.fixes)
      text += "  fix: " + fix.title + "\n";
  }
  return text;
}

std::string hoverText(const Document &document, size_t offset) {
  std::optional<Hover> answer = hover(document, offset);
  return answer ? show(document, answer->span) + "\n" + answer->markdown : "";
}

template <std::optional<Hover> (*hoverText)(const Text &, size_t)>
std::string assemblyHoverText(const Document &document, size_t offset) {
  std::optional<Hover> answer = hoverText(document.text(), offset);
  return answer ? show(document, answer->span) + "\n" + answer->markdown : "";
}

std::string definitionText(const Document &document, size_t offset) {
  std::optional<Definition> answer = definition(document, offset);
  return answer ? show(document, answer->origin) + " -> " +
                      show(document, answer->target) + "\n"
                : "";
}

std::string referencesText(const Document &document, size_t offset) {
  std::string text;
  for (Span span : references(document, offset, true))
    text += show(document, span) + "\n";
  return text;
}

std::string highlightText(const Document &document, size_t offset) {
  std::string text;
  for (const DocumentHighlight &highlight : documentHighlight(document, offset))
    text += show(document, highlight.span) +
            (highlight.isWrite ? " write\n" : " read\n");
  return text;
}

void showSymbols(const Document &document,
                 const std::vector<DocumentSymbol> &symbols, size_t depth,
                 std::string &text) {
  static const char *kinds[] = {"module", "function", "loop", "branch",
                                "region"};
  for (const DocumentSymbol &symbol : symbols) {
    text += std::string(2 * depth, ' ') + kinds[int(symbol.kind)] + " " +
            symbol.name + " | " + symbol.detail + "\n";
    EXPECT_TRUE(symbol.span.contains(symbol.selection));
    showSymbols(document, symbol.children, depth + 1, text);
  }
}

std::string symbolsText(const Document &document, size_t) {
  std::string text;
  showSymbols(document, documentSymbols(document), 0, text);
  return text;
}

std::string completionText(const Document &document, size_t offset) {
  CompletionList list = completion(document, offset);
  std::string text = "replaces " + show(document, list.span) +
                     (list.mayGrow ? ", may grow\n" : "\n");
  constexpr size_t most = 12;
  for (size_t i = 0; i < list.items.size() && i < most; ++i) {
    const CompletionItem &item = list.items[i];
    text += item.label;
    if (item.newText != item.label)
      text += " => " + item.newText;
    if (!item.detail.empty())
      text += " | " + item.detail;
    text += "\n";
  }
  if (list.items.size() > most)
    text += "...\n";
  return text;
}

std::string lensText(const Document &document, size_t) {
  std::string text;
  for (const CodeLens &lens : codeLenses(document, {}))
    text +=
        show(document, lens.span) + " " + lens.title + " " + lens.kernel + "\n";
  return text;
}

std::string foldingText(const Document &document, size_t) {
  std::string text;
  for (const FoldingRange &range : foldingRanges(document))
    text += at(document, range.span.begin) + " to " +
            at(document, range.span.end) +
            (range.kind == FoldingKind::Comment ? " comment\n" : "\n");
  return text;
}

std::string actionsText(const Document &document, size_t offset) {
  std::string text;
  for (const CodeAction &action : codeActions(document, Span{offset, offset})) {
    text += action.title +
            (action.kind == "quickfix" ? "" : " (" + action.kind + ")") + "\n";
    for (const TextEdit &edit : action.edits)
      text +=
          "  " + show(document, edit.span) + " => \"" + edit.newText + "\"\n";
  }
  return text;
}

std::string hintsText(const Document &document, size_t) {
  std::string text;
  for (const InlayHint &hint :
       inlayHints(document, Span{0, document.text().size()}))
    text += at(document, hint.offset) + " " + hint.label + "\n";
  return text;
}

std::string show(const std::vector<std::vector<int32_t>> &vectors) {
  std::string text;
  for (const std::vector<int32_t> &vector : vectors) {
    text += " [";
    for (size_t i = 0; i < vector.size(); ++i)
      text += (i ? ", " : "") + std::to_string(vector[i]);
    text += "]";
  }
  return text;
}

/// The bases of the layouts, and what the panel says about an access.
std::string layoutText(const Document &document, size_t offset) {
  std::optional<LayoutView> view = layoutView(document, offset);
  if (!view)
    return "no layout\n";
  std::string text = show(document, view->span) + ": " + view->title + ", " +
                     std::to_string(view->banks) + " banks\n";
  for (const PlacedTensor &tensor : view->tensors) {
    text += tensor.role + ": " + tensor.type + ", " +
            std::to_string(tensor.bits) + " bits\n";
    for (const MappedDim &dim : tensor.places)
      text += "  " + dim.name + show(dim.bases) + "\n";
    for (const MappedDim &dim : tensor.elements)
      text += "  " + dim.name + show(dim.bases) + "\n";
    if (!tensor.copies.empty())
      text += "  copies" + show(tensor.copies) + "\n";
    for (auto [interval, padding] : tensor.gaps)
      text += "  " + std::to_string(padding) + " empty after each " +
              std::to_string(interval) + "\n";
  }
  if (const auto &access = view->access)
    text += view->tensors[access->registers].role + " and " +
            view->tensors[access->memory].role + ": " + access->text +
            "\nvector mask " + std::to_string(access->vectorMask) + ", " +
            std::to_string(access->lanesTogether.size()) + " groups of " +
            std::to_string(access->lanesTogether.front().size()) + " lanes\n";
  return text;
}

std::string linkedText(const Document &document, size_t offset) {
  std::string text;
  for (Span span : linkedEditing(document, offset))
    text += show(document, span) + "\n";
  return text;
}

/// The text that was chosen in a comment, `// as NAME` at its end, is the name.
std::string renameText(const Document &document, size_t offset) {
  std::optional<RenameTarget> target = prepareRename(document, offset);
  std::string text =
      target ? show(document, target->span) + "\n" : "no name here\n";
  StringRef written = document.text().str();
  Renaming renaming =
      rename(document, offset, written.rsplit("// as ").second.trim().str());
  if (!renaming.refusal.empty())
    return text + renaming.refusal + "\n";
  for (const TextEdit &edit : renaming.edits)
    text += "  " + show(document, edit.span) + " => \"" + edit.newText + "\"\n";
  return text;
}

/// The text that the edits make.
std::string edited(const Document &document,
                   const std::vector<TextEdit> &edits) {
  return withEdits(document.text().str(), edits);
}

std::string formattingText(const Document &document, size_t) {
  std::string text =
      edited(document, format(document, Span{0, document.text().size()}));
  // What is formatted stays so.
  auto again = analyze(Text(text), "case.mlir");
  EXPECT_TRUE(format(*again, Span{0, text.size()}).empty()) << text;
  return text;
}

/// Of the line of the cursor, which is empty or has a `}`.
std::string typedText(const Document &document, size_t offset) {
  return edited(document, formatTyped(document, offset));
}

std::string refactoringsText(const Document &document, size_t offset) {
  std::string text;
  std::vector<CodeAction> actions =
      refactorings(document, Span{offset, offset});
  if (CodeAction all = removeUnused(document); !all.edits.empty())
    actions.push_back(all);
  for (const CodeAction &action : actions) {
    text += action.title + " (" + action.kind + ")\n";
    std::set<std::string> known;
    std::istringstream before(document.text().str());
    std::istringstream after(edited(document, action.edits));
    std::multiset<std::string> lines;
    for (std::string line; std::getline(before, line);)
      lines.insert(line);
    for (std::string line; std::getline(after, line);)
      if (auto same = lines.find(line); same != lines.end())
        lines.erase(same);
      else
        text += "+" + line + "\n";
    for (const std::string &line : lines)
      text += "-" + line + "\n";
  }
  return text;
}

std::string selectionText(const Document &document, size_t offset) {
  std::string text;
  for (Span span : selectionRanges(document, offset)) {
    std::string words = document.text().str().substr(span.begin, span.size());
    size_t end = words.find('\n');
    text += at(document, span.begin) + " to " + at(document, span.end) + " " +
            words.substr(0, end) + (end == words.npos ? "" : "...") + "\n";
  }
  return text;
}

std::string callsText(const Document &document, size_t offset) {
  std::optional<CalledFunction> function = functionAt(document, offset);
  if (!function)
    return "";
  std::string text = function->name + function->detail + "\n";
  auto add = [&](const char *how, const std::vector<FunctionCalls> &list) {
    for (const FunctionCalls &calls : list) {
      text += how + calls.function.name + ":";
      for (Span place : calls.places)
        text += " " + at(document, place.begin);
      text += "\n";
    }
  };
  add("called by ", callersOf(document, offset));
  add("calls ", calleesOf(document, offset));
  return text;
}

std::string linksText(const Document &document, size_t) {
  std::string text;
  for (const SourceLink &link : sourceLinks(document))
    text += show(document, link.span) + " -> " + link.place.file + " line " +
            std::to_string(link.place.line) + " column " +
            std::to_string(link.place.column) + "\n";
  return text;
}

std::string sourceLinesText(const Document &document, size_t) {
  std::string text;
  for (const SourceLine &line : sourceLines(document)) {
    text += at(document, line.offset) + ":";
    for (const SourcePlace &place : line.places)
      text += " " + place.file + ":" + std::to_string(place.line) + ":" +
              std::to_string(place.column);
    text += "\n";
  }
  return text;
}

/// The parameter that is due in «».
std::string signatureText(const Document &document, size_t offset) {
  std::optional<SignatureHelp> help = signatureHelp(document, offset);
  if (!help)
    return "";
  std::string text = help->label;
  std::string constraint;
  if (help->active) {
    const SignatureHelp::Parameter &due = help->parameters[*help->active];
    text.insert(due.span.end, "»").insert(due.span.begin, "«");
    constraint = due.constraint;
  }
  return text + "\n" + (constraint.empty() ? "" : constraint + "\n");
}

std::string tokensText(const Document &document, size_t) {
  static const char *kinds[] = {"operation", "value",  "symbol",
                                "block",     "type",   "attribute",
                                "string",    "number", "comment"};
  std::string text;
  for (const SemanticToken &token :
       semanticTokens(document, Span{0, document.text().size()}))
    text += show(document, token.span) + " " + kinds[int(token.kind)] +
            (token.isDefinition ? " definition\n" : "\n");
  return text;
}

/// The IR of all units.
std::string irOf(const Document &document) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Unit &unit : document.units()) {
    EXPECT_TRUE(unit.fragment->isParsed);
    if (mlir::Operation *root = unit.facts->root) {
      if (auto module = root->getParentOfType<mlir::ModuleOp>())
        out << module->getAttrDictionary();
      root->print(out);
    }
  }
  return text;
}

/// The hints, and the lines that the fix of all changes. The fixed text has the
/// same IR, and no hint that could be fixed.
/// `text` for a release of Triton.
std::shared_ptr<const Document> analyzeFor(const std::string &release,
                                           std::string text) {
  AnalyzeOptions options;
  options.settings.release = release;
  return analyze(Text(std::move(text)), "test.mlir", options);
}

/// The offsets of 3.4's views are constants that ours have no need of.
std::string withoutConstants(const std::string &ir) {
  std::istringstream lines(ir);
  std::string rest;
  for (std::string line; std::getline(lines, line);)
    if (line.find("arith.constant") == std::string::npos)
      rest += line + "\n";
  return rest;
}

/// What each release writes otherwise than the one after it, which reads back
/// as the same IR.
std::string releasesText(const Document &ours, size_t) {
  std::string text;
  std::string before = ours.text().str();
  for (Release release = newestRelease; release >= oldestRelease;
       --release.minor) {
    std::string written = ours.text().str();
    std::vector<TextEdit> edits = ours.editsFor(release);
    for (const TextEdit &edit : llvm::reverse(edits))
      written.replace(edit.span.begin, edit.span.size(), edit.newText);
    auto document = analyzeFor(release.str(), written);
    EXPECT_EQ(withoutConstants(irOf(ours)), withoutConstants(irOf(*document)))
        << release.str() << "\n"
        << written;
    for (const Diagnostic &diagnostic : document->diagnostics())
      ADD_FAILURE() << release.str() << ": " << diagnostic.message;
    EXPECT_TRUE(document->editsFor(release).empty());
    // Lines that another release writes otherwise.
    std::set<std::string> known;
    std::istringstream lines(before), now(written);
    for (std::string line; std::getline(lines, line);)
      known.insert(line);
    std::string changed;
    for (std::string line; std::getline(now, line);)
      if (!known.contains(line))
        changed += line + "\n";
    if (!changed.empty())
      text += release.str() + ":\n" + changed;
    before = written;
  }
  return text;
}

std::string spellingsText(const Document &given, size_t) {
  auto newest = analyzeFor(newestRelease.str(), given.text().str());
  const Document &document = *newest;
  std::string text;
  for (const Diagnostic &diagnostic : document.diagnostics()) {
    EXPECT_EQ(diagnostic.severity, Severity::Hint) << diagnostic.message;
    text += std::to_string(
                document.text()
                    .positionAt(diagnostic.span.begin, PositionEncoding::UTF8)
                    .line +
                1) +
            ": " + diagnostic.message + "\n";
  }
  std::vector<CodeAction> actions = codeActions(document, Span{0, 0});
  if (actions.empty() || actions.back().kind != "source.fixAll.kernelscope")
    return text + "no fix\n";
  std::string fixed = document.text().str();
  for (const TextEdit &edit : llvm::reverse(actions.back().edits))
    fixed.replace(edit.span.begin, edit.span.size(), edit.newText);
  auto today = analyzeFor(newestRelease.str(), fixed);
  EXPECT_EQ(irOf(document), irOf(*today));
  for (const Diagnostic &diagnostic : today->diagnostics())
    EXPECT_TRUE(diagnostic.severity == Severity::Hint &&
                diagnostic.fixes.empty())
        << diagnostic.message;

  std::set<std::string> written;
  std::istringstream before(document.text().str()), after(fixed);
  std::string line;
  while (std::getline(before, line))
    written.insert(line);
  while (std::getline(after, line))
    if (!written.contains(line))
      text += line + "\n";
  return text;
}

using Feature = std::function<std::string(const Document &, size_t)>;
const std::map<std::string, Feature> &allFeatures() {
  static const std::map<std::string, Feature> features = {
      {"call-hierarchy", callsText},
      {"code-actions", actionsText},
      {"code-lens", lensText},
      {"completion", completionText},
      {"definition", definitionText},
      {"diagnostics", diagnostics},
      {"document-highlight", highlightText},
      {"document-symbols", symbolsText},
      {"document-links", linksText},
      {"folding-ranges", foldingText},
      {"formatting", formattingText},
      {"formatting-typed", typedText},
      {"hover", hoverText},
      {"hover-amdgcn", assemblyHoverText<hoverAmdgcn>},
      {"hover-ptx", assemblyHoverText<hoverPtx>},
      {"inlay-hints", hintsText},
      {"layout", layoutText},
      {"linked-editing", linkedText},
      {"older-spellings", spellingsText},
      {"recovery", diagnostics},
      {"refactorings", refactoringsText},
      {"references", referencesText},
      {"releases", releasesText},
      {"rename", renameText},
      {"selection-ranges", selectionText},
      {"semantic-tokens", tokensText},
      {"signature-help", signatureText},
      {"source-lines", sourceLinesText},
  };
  return features;
}

//===--- Cases
//--------------------------------------------------------------===//

std::vector<Case> readCases(const std::filesystem::path &path) {
  std::ifstream file(path);
  std::vector<Case> cases;
  std::string line;
  bool isInput = true;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.starts_with("==== ")) {
      cases.push_back({number, line.substr(5), "", ""});
      isInput = true;
    } else if (line == "----") {
      isInput = false;
    } else if (!cases.empty()) {
      (isInput ? cases.back().input : cases.back().expected) += line + "\n";
    }
  }
  return cases;
}

/// A title may end with the release that the text is for: `..., for 3.9`.
std::string answer(const Feature &feature, const std::string &title,
                   std::string input) {
  size_t release = title.rfind(", for 3.");
  size_t cursor = input.find("$0");
  if (cursor != std::string::npos)
    input.erase(cursor, 2);
  else
    cursor = 0;
  AnalyzeOptions options;
  if (release != std::string::npos)
    options.settings.release = title.substr(release + 6);
  return feature(*analyze(Text(input), "case.mlir", options), cursor);
}

/// The answers that UPDATE_EXPECT asks to write, by file and line.
std::map<std::filesystem::path, std::map<int, std::string>> answersToWrite;

class FeatureCase : public testing::Test {
public:
  FeatureCase(const std::filesystem::path &path, const Feature *feature,
              Case test)
      : path(path), feature(feature), test(std::move(test)) {}
  void TestBody() override {
    testing::ScopedTrace trace(path.c_str(), test.line, test.name);
    ASSERT_TRUE(feature) << "no feature has the name of this file";
    std::string given = answer(*feature, test.name, test.input);
    if (std::getenv("UPDATE_EXPECT"))
      answersToWrite[path][test.line] = given;
    else
      EXPECT_EQ(given, test.expected) << "in:\n" << test.input;
  }

private:
  std::filesystem::path path;
  const Feature *feature;
  Case test;
};

class Update : public testing::Environment {
public:
  void TearDown() override {
    for (auto &[path, answers] : answersToWrite) {
      std::vector<Case> cases = readCases(path);
      std::ofstream file(path);
      for (const Case &test : cases) {
        auto given = answers.find(test.line);
        file << "==== " << test.name << "\n"
             << test.input << "----\n"
             << (given == answers.end() ? test.expected : given->second);
      }
    }
  }
};

/// `text` as a name that GoogleTest's filter takes without quotes.
std::string asTestName(std::string text) {
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return text;
}

void registerCases() {
  for (const auto &entry : std::filesystem::directory_iterator(KS_CASES)) {
    const std::filesystem::path &path = entry.path();
    auto row = allFeatures().find(path.stem().string());
    const Feature *feature =
        row == allFeatures().end() ? nullptr : &row->second;
    for (const Case &test : readCases(path))
      testing::RegisterTest(asTestName(path.stem()).c_str(),
                            asTestName(test.name).c_str(), nullptr, nullptr,
                            path.c_str(), test.line,
                            [path, feature, test]() -> testing::Test * {
                              return new FeatureCase(path, feature, test);
                            });
  }
}

} // namespace

int main(int argc, char **argv) {
  registerCases();
  testing::AddGlobalTestEnvironment(new Update);
  return runTests(argc, argv);
}
