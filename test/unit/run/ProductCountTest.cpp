//===- ProductCountTest.cpp - How much a kernel multiplies ----------------===//

#include "server/run/ProductCount.h"
#include "dialects/Dialects.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::run;

namespace {

/// The operations of a kernel with one argument, `%n`, of value `n`.
double operationsOf(llvm::StringRef body, unsigned n, executor::Grid grid) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(tt.func @kernel(%n: i32) {
           %c0 = arith.constant 0 : i32
           %c1 = arith.constant 1 : i32
           %a = arith.constant dense<1.0> : tensor<16x32xf16>
           %b = arith.constant dense<1.0> : tensor<32x64xf16>
           %c = arith.constant dense<0.0> : tensor<16x64xf32>
           %x = tt.get_program_id x : i32
)" + body.str() +
          "tt.return\n}",
      &context);
  if (!module)
    return -2;
  Launch launch;
  launch.grid = grid;
  launch.arguments.emplace_back();
  launch.arguments.back().scalar.bits = n;
  auto kernel = *module->getOps<mlir::FunctionOpInterface>().begin();
  std::optional<ProductCount> count = countProducts(kernel, launch);
  return count ? count->operations : -1;
}

constexpr double once = 2.0 * 16 * 64 * 32;
std::string dot() {
  return "%d = tt.dot %a, %b, %c : tensor<16x32xf16> * tensor<32x64xf16> -> "
         "tensor<16x64xf32>\n";
}

TEST(ProductCount, CountsLoopsOfArguments) {
  EXPECT_EQ(
      operationsOf("scf.for %i = %c0 to %n step %c1 : i32 {\n" + dot() + "}\n",
                   5, {3, 2, 1}),
      once * 5 * 6);
}

/// As in causal attention: program x does x + 1 steps.
TEST(ProductCount, FollowsEachProgram) {
  EXPECT_EQ(operationsOf("%end = arith.addi %x, %c1 : i32\n"
                         "scf.for %i = %c0 to %end step %c1 : i32 {\n" +
                             dot() + "}\n",
                         0, {4, 2, 1}),
            once * (1 + 2 + 3 + 4) * 2);
}

TEST(ProductCount, FollowsBranches) {
  EXPECT_EQ(operationsOf("%first = arith.cmpi eq, %x, %c0 : i32\n"
                         "scf.if %first {\n" +
                             dot() + "}\n",
                         0, {8, 1, 1}),
            once);
}

/// As in pipelined loops, whose last iteration starts nothing.
TEST(ProductCount, FollowsPredicatesOfIterations) {
  EXPECT_EQ(
      operationsOf(
          R"(%ta = ttg.local_alloc : () -> !ttg.memdesc<128x16xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>
             %tb = ttg.local_alloc : () -> !ttg.memdesc<16x128xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>
             %td = ttng.tmem_alloc : () -> !ttg.memdesc<128x128xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>, #ttng.tensor_memory, mutable>
             %true = arith.constant true
             %last = arith.subi %n, %c1 : i32
             scf.for %i = %c0 to %n step %c1 : i32 {
               %more = arith.cmpi slt, %i, %last : i32
               ttng.tc_gen5_mma %ta, %tb, %td, %true, %more : !ttg.memdesc<128x16xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>, !ttg.memdesc<16x128xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>, #ttg.shared_memory, mutable>, !ttg.memdesc<128x128xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1>, #ttng.tensor_memory, mutable>
             })",
          5, {1, 1, 1}),
      4 * 2.0 * 128 * 128 * 16);
}

TEST(ProductCount, DoesNotGuess) {
  EXPECT_EQ(operationsOf("%w = arith.extsi %x : i32 to i64\n"
                         "%p = tt.int_to_ptr %w : i64 -> !tt.ptr<i32>\n"
                         "%m = tt.load %p : !tt.ptr<i32>\n"
                         "scf.for %i = %c0 to %m step %c1 : i32 {\n" +
                             dot() + "}\n",
                         5, {1, 1, 1}),
            -1);
}

} // namespace
