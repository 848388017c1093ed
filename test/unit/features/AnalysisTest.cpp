//===- AnalysisTest.cpp - versions of a document, and bad ends ------------===//

#include "server/analysis/Document.h"
#include "server/analysis/Lexer.h"
#include "server/analysis/ParseForCompile.h"
#include "server/analysis/ParserWatch.h"
#include "server/analysis/Syntax.h"
#include "server/analysis/Unit.h"

#include "dialects/Dialects.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>

using namespace kernelscope;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

constexpr std::string_view threeFunctions = R"(
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @first() {
    %0 = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #blocked>
    tt.return
  }
  tt.func private @second(%x: i32) -> i32 {
    tt.return %x : i32
  }
  tt.func public @third(%x: i32) {
    %0 = tt.call @second(%x) : (i32) -> i32
    tt.return
  }
}
)";

std::string replaced(std::string_view original, const std::string &from,
                     const std::string &to) {
  std::string text(original);
  size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

std::vector<std::string> messages(const Document &document) {
  std::vector<std::string> result;
  for (const Diagnostic &diagnostic : document.diagnostics())
    result.push_back(diagnostic.code);
  return result;
}

std::shared_ptr<const Document>
reanalyze(const std::shared_ptr<const Document> &previous,
          std::string_view text) {
  AnalyzeOptions options;
  options.previous = previous;
  return analyze(Text(std::string(text)), "test.ttgir", options);
}

TEST(Reuse, NothingChanged) {
  auto first = analyze(Text(std::string(threeFunctions)), "test.ttgir");
  EXPECT_THAT(messages(*first), IsEmpty());
  EXPECT_EQ(first->freshUnits(), 4u); // with the skeleton
  EXPECT_EQ(reanalyze(first, threeFunctions)->freshUnits(), 0u);
}

TEST(Reuse, OnlyTheEditedFunction) {
  auto first = analyze(Text(std::string(threeFunctions)), "test.ttgir");
  auto second =
      reanalyze(first, replaced(threeFunctions, "end = 128", "end = 64"));
  EXPECT_EQ(second->freshUnits(), 1u);
  EXPECT_THAT(messages(*second), ElementsAre("verify.tt.make_range"));
}

TEST(Reuse, DiagnosticsMoveWithTheirFunction) {
  std::string broken =
      replaced(threeFunctions, "tt.return %x : i32", "tt.retrn %x : i32");
  auto first = analyze(Text(broken), "test.ttgir");
  auto second = reanalyze(first, "// one more line\n" + broken);
  EXPECT_EQ(second->freshUnits(), 0u);
  ASSERT_EQ(second->diagnostics().size(), 1u);
  EXPECT_EQ(second->diagnostics()[0].span.begin,
            first->diagnostics()[0].span.begin + 17);
}

/// What was parsed together with its neighbours moves when one of them grows.
TEST(Reuse, DiagnosticsMoveWithoutTheirNeighbour) {
  std::string broken =
      replaced(replaced(threeFunctions, "end = 128", "end = 64"),
               "tt.call @second(%x) : (i32) -> i32",
               "tt.call @second(%x) : (i32) -> i64");
  auto first = analyze(Text(broken), "test.ttgir");
  EXPECT_THAT(messages(*first),
              ElementsAre("verify.tt.make_range", "verify.tt.call"));
  std::string longer = replaced(broken, "-> i32 {", "-> i32 { // longer");
  auto second = reanalyze(first, longer);
  EXPECT_EQ(second->freshUnits(), 1u);
  auto fresh = analyze(Text(longer), "test.ttgir");
  ASSERT_EQ(second->diagnostics().size(), fresh->diagnostics().size());
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(second->diagnostics()[i].span, fresh->diagnostics()[i].span);
    EXPECT_EQ(second->diagnostics()[i].message,
              fresh->diagnostics()[i].message);
  }
}

TEST(Reuse, CallersSeeANewSignature) {
  auto first = analyze(Text(std::string(threeFunctions)), "test.ttgir");
  auto second = reanalyze(
      first, replaced(replaced(threeFunctions, "-> i32 {", "-> i64 {"),
                      "@second(%x: i32)", "@second(%x: i64)"));
  EXPECT_EQ(second->freshUnits(), 2u);
  EXPECT_THAT(messages(*second), testing::Contains("verify.tt.call"));
}

TEST(Reuse, CallersSeeANewBody) {
  std::string text = R"(
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
!barrier = !ttg.memdesc<1xi64, #bar, #ttg.shared_memory, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @caller() {
    %c0 = arith.constant 0 : i32
    %b = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %b, 1 : !barrier
    tt.call @callee(%b) : (!barrier) -> ()
    ttng.wait_barrier %b, %c0 : !barrier
    tt.return
  }
  tt.func private @other(%x: i32) -> i32 {
    tt.return %x : i32
  }
  tt.func private @callee(%b: !barrier) attributes {noinline = true} {
    ttng.arrive_barrier %b, 1 : !barrier
    tt.return
  }
}
)";
  auto first = analyze(Text(text), "test.ttgir");
  EXPECT_THAT(messages(*first), IsEmpty());
  auto second = reanalyze(
      first, replaced(text, "arrive_barrier %b, 1", "arrive_barrier %b, 2"));
  EXPECT_EQ(second->freshUnits(), 1u);
  EXPECT_THAT(messages(*second), ElementsAre("barrier-arrivals"));
  // What was found moves, and its fix with it.
  auto third = reanalyze(second, "// one more line\n" +
                                     replaced(text, "arrive_barrier %b, 1",
                                              "arrive_barrier %b, 2"));
  EXPECT_EQ(third->freshUnits(), 0u);
  ASSERT_EQ(third->diagnostics().size(), 1u);
  const Diagnostic &moved = third->diagnostics()[0];
  EXPECT_EQ(third->text().str().substr(moved.span.begin, moved.span.size()),
            "ttng.init_barrier");
  ASSERT_EQ(moved.fixes.size(), 1u);
  const Span number = moved.fixes[0].edits[0].span;
  EXPECT_EQ(third->text().str().substr(number.begin - 4, 5), "%b, 1");
}

TEST(Reuse, AllThatUseAnAlias) {
  auto first = analyze(Text(std::string(threeFunctions)), "test.ttgir");
  auto second = reanalyze(first, replaced(threeFunctions, "sizePerThread = [1]",
                                          "sizePerThread = [2]"));
  EXPECT_EQ(second->freshUnits(), 2u); // the skeleton and @first
}

TEST(Reuse, AFunctionKeepsABrokenAlias) {
  std::string broken = replaced(threeFunctions, "order", "odor");
  auto first = analyze(Text(broken), "test.ttgir");
  auto second = reanalyze(first, replaced(broken, "end = 128", "end = 64"));
  for (const auto &document : {first, second}) {
    EXPECT_EQ(document->diagnostics().size(), 1u);
    for (const Unit &unit : document->units())
      EXPECT_TRUE(unit.fragment->isParsed);
  }
}

TEST(Cancel, FinishedUnitsAreReused) {
  std::atomic<bool> cancelled = false;
  size_t third = threeFunctions.find("tt.func public @third");
  AnalyzeOptions options;
  options.cancelled = &cancelled;
  options.progress = [&](size_t offset) { cancelled = offset >= third; };
  auto first =
      analyze(Text(std::string(threeFunctions)), "test.ttgir", options);
  EXPECT_FALSE(first->isComplete());
  auto second = reanalyze(first, threeFunctions);
  EXPECT_TRUE(second->isComplete());
  EXPECT_EQ(second->freshUnits(), 1u);
  EXPECT_THAT(messages(*second), IsEmpty());
}

TEST(Cancel, KeepsResultsNotYetReused) {
  auto first = analyze(Text(std::string(threeFunctions)), "test.ttgir");
  std::atomic<bool> cancelled = true;
  AnalyzeOptions options;
  options.cancelled = &cancelled;
  options.previous = first;
  auto second =
      analyze(Text(std::string(threeFunctions)), "test.ttgir", options);
  EXPECT_FALSE(second->isComplete());
  EXPECT_EQ(reanalyze(second, threeFunctions)->freshUnits(), 0u);
}

TEST(Cancel, KeepsOpsThatWereTakenOver) {
  auto textWith = [](std::string_view op) {
    return Text("tt.func @f(%x: i32) {\n  %0 = " + std::string(op) +
                " %x, %x : i32\n  %1 = arith.addi %0, %0 : i32\n"
                "  tt.return\n}\n");
  };
  std::atomic<bool> cancelled = false;
  AnalyzeOptions options;
  options.cancelled = &cancelled;
  options.previous = analyze(textWith("arith.addi"), "test.mlir");
  options.previousIsSpent = true;
  options.progress = [&](size_t) { cancelled = true; };
  auto second = analyze(textWith("arith.muli"), "test.mlir", options);
  EXPECT_FALSE(second->isComplete());
  AnalyzeOptions last;
  last.previous = second;
  last.previousIsSpent = true;
  auto third = analyze(textWith("arith.subi"), "test.mlir", last);
  EXPECT_EQ(third->reparsedUnits(), 1u);
  EXPECT_THAT(messages(*third), IsEmpty());
}

TEST(Quarantine, LeavesOutOneFunction) {
  AnalyzeOptions options;
  options.quarantine = {threeFunctions.find("tt.make_range")};
  auto document =
      analyze(Text(std::string(threeFunctions)), "test.ttgir", options);
  EXPECT_THAT(messages(*document), ElementsAre("stopped"));
  EXPECT_EQ(document->diagnostics()[0].span.begin, options.quarantine[0]);
}

/// What an edit leaves of an earlier text is not read again, with the same
/// result.
TEST(Lexer, ReadsOnlyWhatAnEditChanged) {
  const std::string pieces[] = {
      "%x",   "\n", "\r",     " ",  "\"",           "{",
      "}",    "[",  ">",      ":",  "200",          "array",
      "// a", "@f", "%x:200", "\\", "\n// -----\n", "-",
      "0x"};
  std::mt19937 random(1);
  auto below = [&](size_t count) { return random() % count; };
  std::string text(threeFunctions);
  LexedText lexed = lex(text);
  for (int i = 0; i < 3000; ++i) {
    std::string edited = text;
    for (size_t edits = 1 + below(3); edits > 0; --edits) {
      size_t at = below(edited.size() + 1);
      edited.erase(at, below(4) ? 0 : below(40));
      edited.insert(at, pieces[below(std::size(pieces))]);
    }
    LexedText expected = lex(edited);
    ChangedTokens changed;
    lexed = lex(edited, text, lexed, changed);
    auto same = [](const Token &a, const Token &b) {
      return std::tie(a.begin, a.end, a.kind, a.firstOnLine, a.lastOnLine) ==
             std::tie(b.begin, b.end, b.kind, b.firstOnLine, b.lastOnLine);
    };
    ASSERT_TRUE(llvm::equal(lexed.tokens, expected.tokens, same)) << edited;
    ASSERT_TRUE(llvm::equal(
        lexed.comments, expected.comments,
        [](Span a, Span b) { return a.begin == b.begin && a.end == b.end; }))
        << edited;
    ASSERT_EQ(lexed.deepestBracket, expected.deepestBracket) << edited;
    ASSERT_EQ(lexed.arrays, expected.arrays) << edited;
    ASSERT_EQ(lexed.largePacks, expected.largePacks) << edited;
    text = edited.size() < 6000 ? edited : std::string(threeFunctions);
    if (text != edited)
      lexed = lex(text);
  }
}

std::string describe(const Syntax &syntax) {
  std::ostringstream out;
  auto span = [&](Span span) { out << span.begin << "-" << span.end << " "; };
  for (const Statement &statement : syntax.statements()) {
    out << "statement " << int(statement.kind) << " " << statement.parent << " "
        << statement.firstToken << "-" << statement.endToken << " ";
    span(statement.span);
    span(statement.name);
    for (const ResultName &result : statement.results) {
      span(result.name);
      out << result.count << " ";
    }
    for (SyntaxId region : statement.regions)
      out << "region " << region << " ";
    out << "\n";
  }
  for (const Region &region : syntax.regions()) {
    out << "region " << region.owner << region.isOpened << region.isClosed
        << " ";
    span(region.body);
    for (SyntaxId statement : region.statements)
      out << statement << " ";
    out << "\n";
  }
  for (SyntaxId root : syntax.chunks())
    out << "chunk " << root << "\n";
  for (SyntaxId stray : syntax.strayBraces())
    out << "stray " << stray << "\n";
  return out.str();
}

/// One that takes over statements from the version before is like one that does
/// not.
TEST(Syntax, TakesOverWhatAnEditDidNotChange) {
  const std::string pieces[] = {
      "%x = tt.a\n",
      "\n",
      " ",
      "{",
      "}",
      "(",
      ")",
      "\n}\n",
      "// -----\n",
      "// ",
      "\"",
      "\n  scf.if %c {\n    tt.b\n  }\n",
      "^bb1:\n",
      "#a = 1\n",
      "%r:2 =",
      ", %y",
      "{-# a #-}",
      "=",
      "tt.func @f() {\n  ^bb0(%a: i32):\n  tt.c\n}\n"};
  std::mt19937 random(2);
  auto below = [&](size_t count) { return random() % count; };
  auto text = std::make_unique<std::string>(threeFunctions);
  auto syntax = std::make_unique<Syntax>(*text);
  for (int i = 0; i < 5000; ++i) {
    auto edited = std::make_unique<std::string>(*text);
    for (size_t edits = 1 + below(2); edits > 0; --edits) {
      size_t at = below(edited->size() + 1);
      if (size_t line = edited->find('\n', at);
          line != std::string::npos && below(2))
        at = line + 1;
      edited->erase(at, below(4) ? 0 : below(40));
      edited->insert(at, pieces[below(std::size(pieces))]);
    }
    auto next = std::make_unique<Syntax>(*edited, *syntax);
    ASSERT_EQ(describe(*next), describe(Syntax(*edited)))
        << *text << "\n======\n"
        << *edited;
    // Most texts are sound; what is taken from others is little.
    if (below(3) || edited->size() > 6000)
      continue;
    bool isBroken = !below(2) || edited->size() > 5000;
    if (isBroken)
      *edited = std::string(threeFunctions);
    syntax = isBroken ? std::make_unique<Syntax>(*edited) : std::move(next);
    text = std::move(edited);
  }
}

TEST(ParserWatch, IsAfterTheLastOpThatWasRead) {
  std::string text =
      replaced(threeFunctions, "tt.return\n  }\n  tt.func private",
               "tt.retrn\n  }\n  tt.func private");
  Syntax syntax(text);
  FragmentRequest request;
  request.workspace = std::make_shared<Workspace>();
  request.statement =
      syntax.statementAt(text.find("tt.func public @first") + 1);
  Fragment fragment;
  fragment.patched.copy(text, {0, text.size()});
  fragment.sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
  EXPECT_EQ(ParserWatch::position(), std::nullopt);
  {
    mlir::MLIRContext &context = request.workspace->context;
    mlir::ScopedDiagnosticHandler silent(&context, [](mlir::Diagnostic &) {});
    mlir::Block block;
    ParserWatch watch(fragment, syntax, request);
    mlir::ParserConfig config(&context, /*verifyAfterParse=*/false);
    EXPECT_TRUE(failed(mlir::parseAsmSourceFile(fragment.sources, &block,
                                                config, &fragment.state)));
    EXPECT_EQ(ParserWatch::position(), text.find("tt.retrn"));
  }
  EXPECT_EQ(ParserWatch::position(), std::nullopt);
}

TEST(TypeAliases, StandForTypesOfOps) {
  auto document = analyze(Text(R"(
#layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func @f(%p: !tt.ptr<f32>, %x: tensor<128xf32, #layout>) {
    %0 = arith.addf %x, %x : tensor<128xf32, #layout>
    %1 = "foo.a"(%p) {b = #foo.c<tensor<128xf32, #layout>>} : (!tt.ptr<f32>) -> tensor<
        4xf32>
    tt.return
  }
}
)"),
                          "a.ttgir");
  const Unit &function = document->units().back();
  std::string seen = function.fragment->buffer().str();
  for (const char *part :
       {"\n!0 = !tt.ptr<f32>\n!1 = tensor<128xf32, #layout>\nmodule",
        "@f(%p: !0 , %x: !1 ) {\n", "%0 = arith.addf %x, %x : !1 \n",
        // An attribute may be its text, and lines stay lines.
        "{b = #foo.c<tensor<128xf32, #layout>>}",
        ": (!0 ) -> tensor<\n        4xf32>\n"})
    EXPECT_THAT(seen, testing::HasSubstr(part));
  EXPECT_TRUE(function.fragment->typeAliases().empty());
}

TEST(TypeAliases, OfFunctionsAfterTheModule) {
  auto document = analyze(Text(R"(
#loc1 = loc("k.py":1:0)
module {
  tt.func @f(%x: tensor<128xf32>) {
    %0 = arith.addf %x, %x : tensor<128xf32> loc(#loc1)
    tt.return loc(#loc1)
  }
}
tt.func @g(%x: tensor<64xi32>) {
  %0 = arith.addi %x, %x : tensor<64xi32> loc(#loc1)
  tt.return loc(#loc1)
}
)"),
                          "a.ttir");
  EXPECT_THAT(messages(*document), IsEmpty());
  std::string seen = document->units().back().fragment->buffer().str();
  for (const char *part : {"@f(%x: !0 ) {", "%0 = arith.addf %x, %x : !0   \n",
                           "@g(%x: !1 ) {", "%0 = arith.addi %x, %x : !1   \n"})
    EXPECT_THAT(seen, testing::HasSubstr(part));
}

/// What is said of what, after one function alone was edited.
std::vector<std::string> findingsAfterEdit(const std::string &from,
                                           const std::string &to) {
  std::string text = replaced(threeFunctions, from, to);
  auto document = reanalyze(reanalyze(nullptr, threeFunctions), text);
  std::vector<std::string> findings;
  for (const Diagnostic &one : document->diagnostics())
    findings.push_back(text.substr(one.span.begin, one.span.size()) + ": " +
                       one.message);
  return findings;
}

TEST(TypeAliases, AnEditedFunctionHasThem) {
  auto document =
      reanalyze(reanalyze(nullptr, threeFunctions),
                replaced(threeFunctions, "end = 128", "end =  128"));
  EXPECT_THAT(document->units()[1].fragment->buffer().str(),
              testing::HasSubstr("i32} : !0 \n"));
}

TEST(TypeAliases, ErrorsAreWhereTheTypeIsWritten) {
  std::string type = "tensor<128xi32, #blocked>";
  auto findings = [&](const std::string &typed) {
    return findingsAfterEdit(type, typed);
  };
  EXPECT_THAT(findings("tensor<128xq32, #blocked>"),
              ElementsAre("q32: expected a type, found 'q32'; did you mean "
                          "'f32'?"));
  EXPECT_THAT(findings(type + " foo"),
              ElementsAre("foo: expected an operation, found 'foo'"));
  EXPECT_THAT(findings(type + ","), ElementsAre(",: expected an operation"));
  EXPECT_THAT(findings(type + "\n%1 = arith.addi %0, %0 : tensor<4xi32>"),
              ElementsAre("%0: '%0' is used as 'tensor<4xi32>', but its type "
                          "is 'tensor<128xi32, #blocked>'"));
  EXPECT_THAT(findings("tensor<256xi32, #blocked>"),
              ElementsAre("tt.make_range: 'tt.make_range' op needs a result of "
                          "rank 1 with 128 elements, but it is "
                          "'tensor<256xi32, #blocked>'"));
}

TEST(Layouts, FitTheNumberOfWarpsOfEachVersion) {
  std::string eightWarps = replaced(threeFunctions, "\"ttg.num-warps\" = 4",
                                    "\"ttg.num-warps\" = 8");
  auto four = reanalyze(nullptr, threeFunctions);
  EXPECT_THAT(messages(*four), IsEmpty());
  auto eight = reanalyze(four, eightWarps);
  EXPECT_THAT(messages(*eight), ElementsAre("verify.layout"));
  EXPECT_THAT(messages(*reanalyze(eight, threeFunctions)), IsEmpty());
}

TEST(Progress, NamesEachOp) {
  std::vector<size_t> offsets;
  AnalyzeOptions options;
  options.progress = [&](size_t offset) { offsets.push_back(offset); };
  analyze(Text(std::string(threeFunctions)), "test.ttgir", options);
  for (const char *op : {"tt.make_range", "tt.call", "module"})
    EXPECT_THAT(offsets, testing::Contains(threeFunctions.find(op))) << op;
}

TEST(Limits, ManyErrors) {
  std::string text = "module {\n  tt.func @f(%x: i32) {\n";
  for (int i = 0; i < 500; ++i)
    text += "    %a" + std::to_string(i) + " = arith.adi %x, %x : i32\n";
  text += "    tt.return\n  }\n}\n";
  EXPECT_GT(analyze(Text(text), "test.mlir")->diagnostics().size(), 50u);
}

/// Each error costs what is before it only as long as there are few.
TEST(Limits, ErrorsOfALargeFunction) {
  std::string text = "tt.func @f(%x: i32, %n: index) {\n";
  constexpr size_t loops = 120;
  for (size_t i = 0; i < loops; ++i) {
    std::string number = std::to_string(i);
    if (i % 10 == 0)
      text += "  cf.br ^bb" + number + "\n^bb" + number + ":\n";
    text += "  scf.for %i = %n %n step %n {\n";
    for (size_t j = 0; j < 500; ++j)
      text += "    %" + std::to_string(i * 500 + j) +
              " = arith.addi %x, %x : i32\n";
    text += "  }\n  %l" + number + " = arith.addi %" +
            (i == 0 ? "x" : "l" + std::to_string(i - 1)) + ", %x : i32\n";
  }
  text += "  tt.return\n}\n";
  auto document = analyze(Text(text), "test.mlir");
  EXPECT_THAT(messages(*document), testing::Each("syntax"));
  EXPECT_EQ(document->diagnostics().size(), loops);
}

/// So do operands of a wrong type, if their definitions are near.
TEST(Limits, WrongOperandsInALargeFunction) {
  std::string text = "tt.func @f(%x: i32) {\n  %v0 = arith.addi %x, %x : i32\n";
  constexpr size_t errors = 40, ops = 2000;
  for (size_t i = 1; i <= errors * ops; ++i) {
    std::string before = "%v" + std::to_string(i - 1),
                number = std::to_string(i);
    text += "  %v" + number + " = arith.addi " + before + ", %x : i32\n";
    if (i % ops == 0)
      text += "  %w" + number + " = arith.negf " +
              (i % (2 * ops) == 0 ? "%x" : before) + " : f32\n";
  }
  text += "  tt.return\n}\n";
  auto document = analyze(Text(text), "test.mlir");
  EXPECT_THAT(messages(*document), testing::Each("type-mismatch"));
  EXPECT_EQ(document->diagnostics().size(), errors);
}

/// `what` around itself very often, inside a function with one more error.
std::vector<std::string> messagesOfDeep(const std::string &begin,
                                        const std::string &end) {
  std::string text = "module {\n  tt.func @f() {\n";
  constexpr size_t depth = 50'000;
  for (size_t i = 0; i < depth; ++i)
    text += begin;
  for (size_t i = 0; i < depth; ++i)
    text += end;
  return messages(*analyze(Text(text + "\n    tt.foo\n    tt.return\n  }\n}\n"),
                           "test.mlir"));
}

TEST(Limits, DeepBrackets) {
  for (auto [begin, end] : {std::pair("[", "]"), {"(", ")"}, {"<", ">"}})
    EXPECT_THAT(messagesOfDeep(begin, end), ElementsAre("syntax", "unknown-op"))
        << begin;
  EXPECT_THAT(messagesOfDeep("builtin.module {\n", "}\n"),
              ElementsAre("syntax", "unknown-op"));
}

TEST(Limits, OddTexts) {
  for (std::string text : {"",
                           "\n",
                           "}",
                           "{",
                           "%",
                           "#",
                           "!",
                           "\"",
                           "// -----",
                           "%x =",
                           "%x:999999999 = tt.get",
                           "module",
                           "module {",
                           "module {}}",
                           "#a = #a",
                           "!a = !a",
                           "#a = loc(#b)\n#b = loc(#a)",
                           "\xff\xfe",
                           "tt.func @f() {",
                           "{-#",
                           "{-# #-}",
                           "module { tt.func @f() { %0 = arith.constant",
                           "^bb0:",
                           "^bb0(",
                           "({[",
                           "func.func @f() { return }",
                           "%0:99999 = kernelscope.hole"})
    analyze(Text(text), "odd.mlir");
}

TEST(Syntax, EveryByteHasAPlace) {
  Syntax syntax(threeFunctions);
  for (const Statement &statement : syntax.statements()) {
    EXPECT_TRUE(statement.span.contains(statement.name));
    for (SyntaxId region : statement.regions)
      EXPECT_TRUE(statement.span.contains(syntax.region(region).body));
  }
  EXPECT_THAT(syntax.strayBraces(), IsEmpty());
}

//===--- parseForCompile
//----------------------------------------------------===//

class Compile : public testing::Test {
protected:
  Compile() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
  }
  mlir::MLIRContext context;
  std::vector<Diagnostic> diagnostics;
};

TEST_F(Compile, LocationsAreLinesOfTheText) {
  auto module = parseForCompile(
      "module {\n  tt.func @f() {\n    tt.return loc(\"x.py\":51:0)\n  }\n}\n",
      "f.ttir", context, diagnostics);
  ASSERT_TRUE(module);
  EXPECT_THAT(diagnostics, IsEmpty());
  std::vector<unsigned> lines;
  module->walk([&](mlir::Operation *op) {
    auto place = llvm::cast<mlir::FileLineColLoc>(op->getLoc());
    EXPECT_EQ(place.getFilename(), "f.ttir");
    lines.push_back(place.getLine());
  });
  EXPECT_THAT(lines, ElementsAre(3, 2, 1));
}

TEST_F(Compile, AllErrorsOfABrokenText) {
  auto module = parseForCompile(
      "module {\n  tt.func @f() {\n    tt.foo\n    tt.bar\n    tt.return\n"
      "  }\n}\n",
      "f.ttir", context, diagnostics);
  EXPECT_FALSE(module);
  EXPECT_EQ(diagnostics.size(), 2u);
}

} // namespace
