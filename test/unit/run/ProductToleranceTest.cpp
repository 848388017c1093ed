//===- ProductToleranceTest.cpp - What matrix units cut off ---------------===//

#include "server/run/ProductTolerance.h"
#include "dialects/Dialects.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::run;

namespace {

/// That of a kernel with one product of elements of `type` on `arch`.
double toleranceOf(const std::string &type, llvm::StringRef arch,
                   llvm::StringRef code) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  const std::string tensor = "tensor<64x64x" + type + ">";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "tt.func @kernel(%a: " + tensor +
          ", %c: tensor<64x64xf32>) {\n"
          "  %d = tt.dot %a, %a, %c : " +
          tensor + " * " + tensor +
          " -> tensor<64x64xf32>\n"
          "  tt.return\n}",
      &context);
  auto target = Target::parse(arch);
  if (!module || !target) {
    llvm::consumeError(target.takeError());
    return -1;
  }
  return toleranceOfProducts(
      *module->getOps<mlir::FunctionOpInterface>().begin(), *target, code);
}

constexpr llvm::StringLiteral wgmma =
    "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 ";
constexpr llvm::StringLiteral mma =
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 ";

TEST(ProductTolerance, WgmmaSumsBytesIn13Bits) {
  EXPECT_EQ(toleranceOf("f8E4M3FN", "sm_90a", wgmma), toleranceOf13Bits);
  EXPECT_EQ(toleranceOf("f8E4M3FN", "sm_90a",
                        "\x7f"
                        "ELF"),
            toleranceOf13Bits);
  EXPECT_EQ(toleranceOf("f8E4M3FN", "sm_90a", mma), 5e-5);
  EXPECT_EQ(toleranceOf("f16", "sm_90a", wgmma), 5e-5);
  EXPECT_EQ(toleranceOf("f8E4M3FN", "sm_89", mma), 5e-5);
}

TEST(ProductTolerance, OthersAddNothing) {
  EXPECT_EQ(toleranceOf("f32", "sm_90a", mma), 0);
  EXPECT_EQ(toleranceOf("f16", "gfx942", ""), 0);
}

} // namespace
