//===- ReparseTest.cpp - an edit of which only a few ops are parsed -------===//
//
// A document whose edited ops alone were parsed is the same as one that was
// parsed as a whole: ops, their locations and uses, what the parser noted, and
// the diagnostics.
//
//===----------------------------------------------------------------------===//

#include "Dumps.h"
#include "server/analysis/Document.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"

#include "mlir/IR/Operation.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <set>

using namespace kernelscope;
using llvm::StringRef;

namespace {

class Describer {
public:
  explicit Describer(const Document &document) : document(document) {}

  std::string run() {
    for (const Diagnostic &diagnostic : document.diagnostics())
      describe(diagnostic);
    for (const Unit &unit : document.units())
      if (unit.statement != noSyntax && unit.fragment->isParsed)
        describe(unit);
    return std::move(text);
  }

private:
  void describe(const Diagnostic &diagnostic) {
    out << diagnostic.code << " " << place(diagnostic.span) << ": "
        << diagnostic.message << "\n";
    for (const auto &related : diagnostic.related)
      out << "  " << (related.span ? place(*related.span) : "elsewhere") << ": "
          << related.message << "\n";
    for (const QuickFix &fix : diagnostic.fixes)
      for (const TextEdit &edit : fix.edits)
        out << "  " << fix.title << ": " << place(edit.span) << " "
            << edit.newText << "\n";
  }

  void describe(const Unit &unit) {
    out << "unit " << place(unit.span) << " " << unit.facts->isValid << "\n";
    for (const auto &definition : unit.ops()) {
      mlir::Operation *op = definition.op;
      out << op->getName() << " " << place(unit.toDocument(definition.loc))
          << " to " << place(unit.toDocument(definition.scopeLoc)) << " "
          << op->getLoc() << " " << op->getAttrDictionary() << "\n";
      for (const auto &group : definition.resultGroups)
        describe(unit, group.definition);
      for (mlir::Value result : op->getResults())
        describe(result);
    }
    for (const auto &block : unit.fragment->state.getBlockDefs()) {
      if (!unit.facts->root ||
          !unit.facts->root->isAncestor(block.block->getParentOp()))
        continue;
      out << "block\n";
      describe(unit, block.definition);
      for (const auto &argument : block.arguments)
        describe(unit, argument);
      for (mlir::BlockArgument argument : block.block->getArguments()) {
        out << argument.getLoc();
        describe(argument);
      }
    }
    std::set<std::string> aliases;
    for (const auto &alias : unit.fragment->state.getAttributeAliasDefs())
      aliases.insert(alias.name.str() + " " +
                     place(unit.toDocument(alias.definition.loc)));
    for (const std::string &alias : aliases)
      out << "alias " << alias << "\n";
    if (unit.facts->root)
      unit.facts->root->print(out, mlir::OpPrintingFlags()
                                       .enableDebugInfo()
                                       .useLocalScope()
                                       .assumeVerified());
    out << "\n";
  }

  void describe(const Unit &unit,
                const mlir::AsmParserState::SMDefinition &definition) {
    out << "  ";
    if (definition.loc.isValid())
      out << place(unit.toDocument(definition.loc));
    std::vector<size_t> uses;
    for (mlir::SMRange use : definition.uses)
      uses.push_back(unit.toDocument(use).begin);
    llvm::sort(uses);
    for (size_t use : uses)
      out << " " << use;
    out << "\n";
  }

  void describe(mlir::Value value) {
    out << "  " << value.getType();
    for (mlir::OpOperand &use : value.getUses())
      out << " " << use.getOwner()->getName() << " " << use.getOwner()->getLoc()
          << " " << use.getOperandNumber();
    out << "\n";
  }

  static std::string place(Span span) {
    return std::to_string(span.begin) + "-" + std::to_string(span.end);
  }

  const Document &document;
  std::string text;
  llvm::raw_string_ostream out{text};
};

/// A document that is edited twice at once: with and without the ops of the
/// version before.
class Pair {
public:
  void set(std::string text) {
    quick = next(std::move(quick), text, /*isSpent=*/true);
    whole = next(std::move(whole), text, /*isSpent=*/false);
    reparsed += quick->reparsedUnits();
  }
  std::string ofQuick() const { return Describer(*quick).run(); }
  std::string ofWhole() const { return Describer(*whole).run(); }

  size_t reparsed = 0;

private:
  static std::shared_ptr<const Document>
  next(std::shared_ptr<const Document> previous, const std::string &text,
       bool isSpent) {
    AnalyzeOptions options;
    options.previous = std::move(previous);
    options.previousIsSpent = isSpent;
    return analyze(Text(text), "test.ttgir", options);
  }

  std::shared_ptr<const Document> quick, whole;
};

constexpr StringRef kernel = R"(
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%n: i32, %p: !tt.ptr<f32>) {
    %c0 = arith.constant 0 : i32
    %c8 = arith.constant 8 : i32
    %range = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    %sum = scf.for %i = %c0 to %n step %c8 iter_args(%at = %range) -> (tensor<128xi32, #blocked>) : i32 {
      %s = tt.splat %i : i32 -> tensor<128xi32, #blocked>
      // A comment.
      %next = arith.addi %at, %s : tensor<128xi32, #blocked>
      scf.yield %next : tensor<128xi32, #blocked>
    }
    %max = "tt.reduce"(%sum) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %m = arith.maxsi %a, %b : i32
      tt.reduce.return %m : i32
    }) : (tensor<128xi32, #blocked>) -> i32
    %q = tt.addptr %p, %max : !tt.ptr<f32>, i32
    %f = arith.sitofp %max : i32 to f32
    tt.store %q, %f : !tt.ptr<f32>
    tt.return
  }
}
)";

struct Edit {
  const char *from, *to;
  bool isQuick; ///< Whether only the edited ops are to be parsed.
};

/// Each edit alone, of the kernel, and back.
TEST(Reparse, IsAsIfAllWasParsed) {
  const Edit edits[] = {
      {"%c8 = arith.constant 8", "%c8 = arith.constant 16", true},
      {"%c8 = arith", "%c8  =  arith", true},
      {"    %c8 =", "\n\n    %c8 =", true},
      {"A comment.", "A longer comment.", true},
      {"arith.addi %at, %s", "arith.addi %s, %at", true},
      {"arith.addi %at, %s", "arith.subi %range, %at", true},
      {"arith.maxsi %a, %b", "arith.minsi %b, %n", true},
      {"tt.splat %i", "tt.splat %n", true},
      {"scf.yield %next", "scf.yield %at", true},
      {"tt.addptr %p, %max", "tt.addptr %p, %n", true},
      {"    tt.store %q, %f : !tt.ptr<f32>\n", "", true},
      {"    tt.store %q, %f : !tt.ptr<f32>\n",
       "    tt.store %q, %f : !tt.ptr<f32>\n    tt.store %p, %f : "
       "!tt.ptr<f32>\n",
       true},
      {"end = 128", "end = 64", true}, // an error
      // What else must be parsed: a name, a type, a header, a broken op.
      {"%f = arith", "%g = arith", false},
      {"%max : i32 to f32", "%max : i32 to f64", false},
      {"@kernel(%n: i32", "@kernel(%n: i64", false},
      {"order = [0]", "order = [0 ]", false},
      {"arith.addi %at, %s", "arith.addi %at, ", false},
      {"arith.addi %at, %s", "arith.addi %at, %f", false},
      {"axis = 0", "axis = 1", false},
      {"// A comment.", "A comment.", false},
      {"tt.store %q, %f : !tt.ptr<f32>", "tt.store %q, %f : !tt.ptr<f32> }",
       false},
  };
  for (const Edit &edit : edits) {
    SCOPED_TRACE(std::string(edit.from) + " -> " + edit.to);
    Pair document;
    document.set(kernel.str());
    std::string text = kernel.str();
    size_t place = text.find(edit.from);
    ASSERT_NE(place, std::string::npos);
    text.replace(place, strlen(edit.from), edit.to);
    document.set(text);
    EXPECT_EQ(document.reparsed, edit.isQuick);
    EXPECT_EQ(document.ofQuick(), document.ofWhole());
    document.set(kernel.str());
    EXPECT_EQ(document.ofQuick(), document.ofWhole());
  }
}

/// What was edited is broken now and then, and mended after it.
std::string edited(const std::string &text, std::mt19937 &random) {
  std::string result = text;
  size_t place = random() % text.size();
  size_t line = text.rfind('\n', place) + 1;
  size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
  static const int kinds[] = {0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6};
  switch (kinds[random() % std::size(kinds)]) {
  case 0: // a digit
    place = text.find_first_of("0123456789", place);
    if (place != std::string::npos)
      result[place] = '0' + random() % 10;
    break;
  case 1: // a blank
    result.insert(text.find(' ', place) == std::string::npos
                      ? place
                      : text.find(' ', place),
                  random() % 2 ? " " : "\n ");
    break;
  case 2: // an operand
    if (size_t other = text.find('%', random() % text.size()),
        use = text.find(", %", place);
        use != std::string::npos && other != std::string::npos)
      result.replace(
          use + 2, text.find_first_of(" ,:", use + 2) - use - 2,
          text.substr(other, text.find_first_of(" ,:)#", other) - other));
    break;
  case 3: // a line less
    result.erase(line, end - line);
    break;
  case 4: // a line twice
    result.insert(line, text.substr(line, end - line));
    break;
  case 5: // a comment
    result.insert(line, random() % 2 ? "// x\n" : "// ");
    break;
  default: // a character
    result.insert(place, 1, "xi0%:}{(\"/"[random() % 10]);
  }
  return result;
}

/// KS_ROUNDS asks for more texts, KS_SEED for others.
TEST(Reparse, OfDumpsIsAsIfAllWasParsed) {
  auto paths = dumps();
  SKIP_WITHOUT_CORPUS(paths);
  std::mt19937 random(numberFrom("KS_SEED", 20261128));
  size_t reparsed = 0, edits = 0;
  for (size_t rounds = numberFrom("KS_ROUNDS", 20); rounds > 0; --rounds) {
    const auto &path = paths[random() % paths.size()];
    std::string text = read(path);
    if (text.size() > 60000)
      continue;
    SCOPED_TRACE(path.string() + ", round " + std::to_string(rounds));
    Pair document;
    document.set(text);
    for (size_t i = 0; i < 20; ++i) {
      std::string next = edited(text, random);
      SCOPED_TRACE("edit " + std::to_string(i));
      document.set(next);
      ++edits;
      ASSERT_EQ(document.ofQuick(), document.ofWhole()) << next;
      if (random() % 3)
        document.set(text);
      else
        text = next;
    }
    reparsed += document.reparsed;
  }
  RecordProperty("reparsed", int(reparsed));
  EXPECT_GT(reparsed, edits / 40);
}

/// A line of a dump is typed again, one to three letters at a time. KS_ROUNDS
/// asks for more lines, KS_SEED for others.
TEST(Reparse, TypedLinesAreAsIfAllWasParsed) {
  auto paths = dumps();
  SKIP_WITHOUT_CORPUS(paths);
  std::mt19937 random(numberFrom("KS_SEED", 20261128));
  size_t reparsed = 0, letters = 0;
  for (size_t rounds = numberFrom("KS_ROUNDS", 20); rounds > 0; --rounds) {
    const auto &path = paths[random() % paths.size()];
    std::string text = read(path);
    if (text.size() > 30000)
      continue;
    auto lineAt = [&](size_t place) { return text.rfind('\n', place) + 1; };
    size_t begin = lineAt(random() % text.size());
    std::string line = text.substr(begin, text.find('\n', begin) + 1 - begin);
    text.erase(begin, line.size());
    SCOPED_TRACE(path.string() + ", round " + std::to_string(rounds) + ": " +
                 line);
    Pair document;
    document.set(text);
    for (size_t i = 0; i <= line.size(); i += 1 + random() % 3) {
      std::string next = text;
      next.insert(begin, line.substr(0, i) + "\n");
      SCOPED_TRACE("letter " + std::to_string(i));
      document.set(next);
      ++letters;
      ASSERT_EQ(document.ofQuick(), document.ofWhole()) << next;
    }
    reparsed += document.reparsed;
  }
  RecordProperty("reparsed", int(reparsed));
  EXPECT_GT(reparsed, letters / 4);
}

/// What a document has where, without what differs between functions that were
/// parsed together and alone.
std::string placesIn(const Document &document) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Diagnostic &diagnostic : document.diagnostics())
    out << diagnostic.code << " " << diagnostic.span.begin << " "
        << diagnostic.span.end << ": " << diagnostic.message << "\n";
  for (const Unit &unit : document.units()) {
    out << "unit " << unit.span.begin << " " << unit.span.end << " "
        << unit.facts->isValid << "\n";
    if (!unit.fragment->isParsed || unit.statement == noSyntax)
      continue;
    EXPECT_EQ(document.syntax().statement(unit.statement).span.begin,
              unit.span.begin);
    for (const auto &definition : unit.ops())
      if (unit.facts->root && unit.facts->root->isAncestor(definition.op))
        out << definition.op->getName() << " "
            << unit.toDocument(definition.loc).begin << " "
            << unit.toDocument(definition.scopeLoc).end << "\n";
  }
  return text;
}

/// Functions that an edit of another one leaves as they are have moved with the
/// text. KS_ROUNDS asks for more texts, KS_SEED for others.
TEST(Reparse, UntouchedFunctionsMove) {
  const size_t begin = kernel.find("  tt.func"), end = kernel.rfind("}\n");
  std::string text = kernel.take_front(begin).str();
  for (const char *name : {"@first", "@second", "@third"}) {
    text += kernel.slice(begin, end);
    text.replace(text.rfind("@kernel"), strlen("@kernel"), name);
    text += "  // Another one.\n";
  }
  text += "}\ntt.func @outside(%n: i32) {\n  tt.return\n}\n";
  std::mt19937 random(numberFrom("KS_SEED", 20261128));
  size_t fresh = 0, edits = 0;
  for (size_t rounds = numberFrom("KS_ROUNDS", 20); rounds > 0; --rounds) {
    std::string now = text;
    auto document = analyze(Text(now), "test.ttgir");
    for (size_t i = 0; i < 20; ++i) {
      now = random() % 3 ? edited(now, random) : text;
      SCOPED_TRACE("round " + std::to_string(rounds) + ", edit " +
                   std::to_string(i));
      AnalyzeOptions options;
      options.previous = std::move(document);
      options.previousIsSpent = random() % 2;
      document = analyze(Text(now), "test.ttgir", options);
      fresh += document->freshUnits();
      ++edits;
      ASSERT_EQ(placesIn(*document),
                placesIn(*analyze(Text(now), "test.ttgir")))
          << now;
    }
  }
  EXPECT_LT(fresh, 3 * edits);
}

} // namespace
