//===- ElementwiseInstructionsTest.cpp - What hover says, and the code ----===//
//
// A kernel for each row of the tables of arith and math, and each type of
// element in it, is compiled; its PTX or AMDGCN must have the instructions that
// the row names.
//
//===----------------------------------------------------------------------===//

#include "dialects/Dialects.h"
#include "dialects/target/Instructions.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/Compile.h"
#include "passes/Source.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelscope;
using llvm::StringRef;

namespace {

/// One op on elements of type `from`.
struct Case {
  const Instructions *row;
  std::string from, to;
};

std::string load(StringRef name, StringRef type) {
  return llvm::formatv(
      R"(
  %{0}s = tt.splat %{0}p : !tt.ptr<{1}> -> tensor<128x!tt.ptr<{1}>>
  %{0}a = tt.addptr %{0}s, %at : tensor<128x!tt.ptr<{1}>>, tensor<128xi32>
  %{0} = tt.load %{0}a : tensor<128x!tt.ptr<{1}>>)",
      name, type);
}

std::string kernelOf(StringRef name, const Case &one) {
  StringRef op = one.row->op;
  auto tensor = [](StringRef type) {
    return ("tensor<128x" + type + ">").str();
  };
  StringRef from = one.from, to = one.to;
  bool isConversion = from != to && to != "i1";
  bool isSelect = op == "arith.select";
  bool isUnary = isConversion || op == "arith.negf" ||
                 (op.starts_with("math.") && op != "math.powf");
  unsigned operands = op == "math.fma" ? 3 : isUnary ? 1 : 2;
  std::string text =
      llvm::formatv("tt.func public @{0}(%xp: !tt.ptr<{1}>, %yp: !tt.ptr<{1}>, "
                    "%zp: !tt.ptr<{1}>, %op: !tt.ptr<{2}>, %bp: !tt.ptr<i8>) "
                    "{{\n  %at = tt.make_range {{end = 128 : i32, start = 0 : "
                    "i32} : tensor<128xi32>",
                    name, from, to == "i1" ? "i8" : to);
  StringRef names[] = {"x", "y", "z"};
  for (StringRef operand : llvm::ArrayRef(names).take_front(operands))
    text += load(operand, from);
  if (isSelect)
    text += load("b", "i8") + "\n  %c = arith.trunci %b : tensor<128xi8> to "
                              "tensor<128xi1>";
  text += ("\n  %r = " + op + " ").str();
  if (isSelect)
    text += "%c, %x, %y : tensor<128xi1>, " + tensor(from);
  else {
    if (op == "arith.cmpi")
      text += "slt, ";
    if (op == "arith.cmpf")
      text += "olt, ";
    for (unsigned i = 0; i < operands; ++i)
      text += ((i ? ", %" : "%") + names[i]).str();
    text += " : " + tensor(from);
    if (isConversion)
      text += " to " + tensor(to);
  }
  StringRef result = "r";
  if (to == "i1") {
    text += "\n  %e = arith.extui %r : tensor<128xi1> to tensor<128xi8>";
    result = "e";
    to = "i8";
  }
  return text + llvm::formatv(
                    R"(
  %os = tt.splat %op : !tt.ptr<{0}> -> tensor<128x!tt.ptr<{0}>>
  %oa = tt.addptr %os, %at : tensor<128x!tt.ptr<{0}>>, tensor<128xi32>
  tt.store %oa, %{1} : tensor<128x!tt.ptr<{0}>>
  tt.return
}
)",
                    to, result)
                    .str();
}

std::vector<Case> casesOf(const Target &chip) {
  std::vector<Case> cases;
  for (llvm::ArrayRef<Instructions> rows :
       {arithInstructions(), mathInstructions()})
    for (const Instructions &row : rows) {
      if (!row.chips.include(chip) || row.types.empty())
        continue;
      for (StringRef type : llvm::split(row.types, ' ')) {
        auto [from, to] = type.split('>');
        bool isTest = row.op.starts_with("arith.cmp");
        cases.push_back({&row, from.str(),
                         isTest       ? "i1"
                         : to.empty() ? from.str()
                                      : to.str()});
      }
    }
  return cases;
}

/// "add.f32" and "v_add_f32" of a sentence.
std::vector<std::string> instructionsIn(StringRef text) {
  std::vector<std::string> found;
  for (StringRef word : llvm::split(text, ' ')) {
    word = word.rtrim(",");
    if (llvm::Regex("^([a-z0-9]+\\.[a-zA-Z0-9.]+|[vs]_[a-z0-9_]+)$")
            .match(word))
      found.push_back(word.str());
  }
  return found;
}

class Elementwise : public testing::TestWithParam<const char *> {};

TEST_P(Elementwise, InstructionsAreInTheCode) {
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto chip = llvm::cantFail(Target::parse(GetParam()));
  std::vector<Case> cases = casesOf(chip);
  ASSERT_GT(cases.size(), 100u);
  std::string source = "module {\n";
  for (auto [i, one] : llvm::enumerate(cases))
    source += kernelOf("k" + std::to_string(i) + "k", one);
  auto module = parseSource(source + "}\n", "k.ttir", &context);
  ASSERT_TRUE(module);
  auto artifact = compile(*module, chip, assemblyOf(chip.vendor), {});
  ASSERT_TRUE(succeeded(artifact));
  for (auto [i, one] : llvm::enumerate(cases)) {
    std::string label = "k" + std::to_string(i) + "k";
    StringRef code = artifact->output;
    code = code.substr(
        code.find(chip.isNvidia() ? ".entry " + label : "\n" + label + ":"));
    code = code.take_front(code.find(chip.isNvidia() ? "\n}" : ".Lfunc_end"));
    std::string text = one.row->textFor(one.from, one.to);
    bool isEither = StringRef(text).contains(" or ");
    bool hasOne = false;
    for (StringRef word : instructionsIn(text)) {
      // Two instructions at once, as `v_dual_max_f32`.
      bool isThere = code.contains(word) ||
                     code.contains(("v_dual_" + word.drop_front(2)).str());
      hasOne |= isThere;
      EXPECT_TRUE(isThere || isEither)
          << one.row->op.str() << " of " << one.from << " on " << GetParam()
          << ": no " << word.str() << " in\n"
          << code.str();
    }
    EXPECT_TRUE(hasOne || instructionsIn(text).empty()) << text << code.str();
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, Elementwise,
                         testing::Values("sm_80", "sm_90a", "sm_100a", "gfx942",
                                         "gfx950", "gfx1100", "gfx1201",
                                         "gfx1250"));

} // namespace
