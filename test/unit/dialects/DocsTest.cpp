//===- DocsTest.cpp - every op is documented ------------------------------===//

#include "dialects/Dialects.h"
#include "dialects/UpstreamSummaries.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace kernelscope;

namespace {

TEST(Docs, SaysWhatAnOpDoes) {
  const Doc *doc = findDoc(DocKind::Op, "tt.load");
  ASSERT_TRUE(doc);
  EXPECT_EQ(doc->summary, "load from global memory");
  EXPECT_TRUE(doc->description.contains("`mask`"));
  EXPECT_TRUE(doc->signature.contains("operand\tptr\t"));
  EXPECT_TRUE(doc->signature.contains("attribute\tcache\t"));
  EXPECT_TRUE(doc->signature.contains("result\tresult\t"));
}

TEST(Docs, KnowsTypesAttributesAndUpstreamOps) {
  EXPECT_TRUE(findDoc(DocKind::Type, "tt.tensordesc"));
  EXPECT_TRUE(findDoc(DocKind::Attribute, "gluon.auto_encoding"));
  EXPECT_TRUE(findDoc(DocKind::Op, "arith.addf"));
  EXPECT_TRUE(findDoc(DocKind::Op, "scf.for"));
  EXPECT_FALSE(findDoc(DocKind::Type, "tt.load"));
  EXPECT_FALSE(findDoc(DocKind::Op, "tt.nothing"));
}

TEST(Docs, DescribesUpstreamOpsInItsOwnWords) {
  EXPECT_EQ(findDoc(DocKind::Op, "arith.addi")->summary,
            "a + b of integers, modulo 2^bits");
  llvm::StringSet<> described;
  for (const UpstreamSummary &row : upstreamSummaries()) {
    EXPECT_TRUE(described.insert(row.op).second) << row.op.str();
    EXPECT_TRUE(findDoc(DocKind::Op, row.op)) << row.op.str();
  }
  llvm::StringSet<> dialects = {"arith", "math", "scf", "cf", "ub"};
  for (const Doc &doc : getDocs())
    if (doc.kind == DocKind::Op && dialects.contains(doc.name.split('.').first))
      EXPECT_TRUE(described.contains(doc.name)) << doc.name.str();
}

TEST(Docs, HasEveryRegisteredOp) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  llvm::StringSet<> upstream = {"arith", "builtin", "cf",    "gpu", "llvm",
                                "math",  "nvvm",    "rocdl", "scf", "ub"};
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() == "builtin")
      continue; // `module` has a hover of its own
    const Doc *doc = findDoc(DocKind::Op, name.getStringRef());
    ASSERT_TRUE(doc) << name.getStringRef().str();
    // Completion types it.
    EXPECT_FALSE(doc->syntax.empty()) << name.getStringRef().str();
    if (!upstream.contains(name.getDialectNamespace()))
      EXPECT_FALSE(doc->description.empty() || doc->summary.empty())
          << name.getStringRef().str();
  }
}

} // namespace
