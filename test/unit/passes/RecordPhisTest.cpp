//===- RecordPhisTest.cpp - Tensors that blocks pass on -------------------===//

#include "passes/emit/RecordPhis.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kernelscope;

namespace {

/// The body of `@f`, written as `text`, after its phis are split.
std::string split(const std::string &text) {
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(
      "declare {float, i32} @both()\ndeclare void @use({float, i32})\n"
      "define float @f(i32 %n, float %x, {float, i32} %given) {\n" +
          text + "}\n",
      error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  Function &function = *module->getFunction("f");
  emit::splitRecordPhis(function);
  EXPECT_FALSE(verifyFunction(function, &errs()));
  std::string result;
  raw_string_ostream stream(result);
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block)
      stream << instruction << "\n";
  return result;
}

TEST(RecordPhis, ALoopCarriesFields) {
  EXPECT_EQ(split(R"(entry:
  br label %loop
loop:
  %v = phi {float, i32} [zeroinitializer, %entry], [%w, %loop]
  %a = extractvalue {float, i32} %v, 0
  %i = extractvalue {float, i32} %v, 1
  %b = fadd float %a, %x
  %j = add i32 %i, 1
  %u = insertvalue {float, i32} poison, float %b, 0
  %w = insertvalue {float, i32} %u, i32 %j, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %end
end:
  ret float %b
)"),
            R"(  br label %loop
  %0 = phi float [ 0.000000e+00, %entry ], [ %b, %loop ]
  %1 = phi i32 [ 0, %entry ], [ %j, %loop ]
  %b = fadd float %0, %x
  %j = add i32 %1, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %end
  ret float %b
)");
}

TEST(RecordPhis, WhatIsUsedWholeIsPutTogetherOnce) {
  EXPECT_EQ(split(R"(entry:
  %r = call {float, i32} @both()
  %more = icmp slt i32 %n, 3
  br i1 %more, label %then, label %end
then:
  br label %end
end:
  %v = phi {float, i32} [%r, %entry], [%given, %then]
  call void @use({float, i32} %v)
  %a = extractvalue {float, i32} %v, 0
  ret float %a
)"),
            R"(  %0 = extractvalue { float, i32 } %given, 1
  %1 = extractvalue { float, i32 } %given, 0
  %r = call { float, i32 } @both()
  %2 = extractvalue { float, i32 } %r, 1
  %3 = extractvalue { float, i32 } %r, 0
  %more = icmp slt i32 %n, 3
  br i1 %more, label %then, label %end
  br label %end
  %4 = phi float [ %3, %entry ], [ %1, %then ]
  %5 = phi i32 [ %2, %entry ], [ %0, %then ]
  %6 = insertvalue { float, i32 } poison, float %4, 0
  %7 = insertvalue { float, i32 } %6, i32 %5, 1
  call void @use({ float, i32 } %7)
  ret float %4
)");
}

TEST(RecordPhis, PhisOfPhisAndOfThemselves) {
  EXPECT_EQ(split(R"(entry:
  br label %outer
outer:
  %v = phi {float, i32} [%given, %entry], [%w, %inner]
  br label %inner
inner:
  %w = phi {float, i32} [%v, %outer], [%w, %inner]
  %i = extractvalue {float, i32} %w, 1
  %more = icmp slt i32 %i, %n
  br i1 %more, label %inner, label %outer
)"),
            R"(  %0 = extractvalue { float, i32 } %given, 1
  %1 = extractvalue { float, i32 } %given, 0
  br label %outer
  %2 = phi float [ %1, %entry ], [ %4, %inner ]
  %3 = phi i32 [ %0, %entry ], [ %5, %inner ]
  br label %inner
  %4 = phi float [ %2, %outer ], [ %4, %inner ]
  %5 = phi i32 [ %3, %outer ], [ %5, %inner ]
  %more = icmp slt i32 %5, %n
  br i1 %more, label %inner, label %outer
)");
}

TEST(RecordPhis, WhatNoPathReachesIsRemoved) {
  EXPECT_EQ(split(R"(entry:
  ret float %x
never:
  %v = phi {float, i32} [%u, %never]
  %u = insertvalue {float, i32} %u, i32 1, 1
  br label %never
)"),
            "  ret float %x\n");
}

} // namespace
