//===- LoweredAccessTest.cpp - What hover says, and the code --------------===//
//
// Each load and store of shared memory is compiled, and its instructions are
// counted in the PTX or AMDGCN.
//
//===----------------------------------------------------------------------===//

#include "passes/lower/support/LoweredAccess.h"
#include "dialects/Dialects.h"
#include "dialects/ttg/TTG.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/Source.h"
#include "passes/emit/EmittedCode.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kernelscope;
using lower::LoweredAccess;

namespace {

/// A buffer that is read in one layout; what is read goes to another.
struct Case {
  const char *arch, *element, *registers, *from, *to;
  /// What the load and the store are, of matrices; empty for ordinary ones.
  const char *load, *store;
};

constexpr const char *layouts = R"(
#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#left = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#right = #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>
#swizzled = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#across = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [64, 64]}>
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mfma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 16], isTransposed = true}>
#b = #ttg.dot_op<{opIdx = 1, parent = #mfma, kWidth = 8}>
#smem = #ttg.shared_memory
)";

constexpr Case cases[] = {
    {"sm_90a", "f16", "mma", "tma", "tma", "ldmatrix.x4", "stmatrix.x4"},
    {"sm_80", "f16", "left", "swizzled", "swizzled", "ldmatrix.x4", ""},
    {"sm_90a", "f16", "right", "swizzled", "swizzled", "ldmatrix.x4.trans",
     "stmatrix.x4.trans"},
    {"sm_90a", "f16", "rows", "plain", "plain", "", ""},
    {"sm_90a", "f32", "mma", "plain", "swizzled", "", ""},
    {"sm_90a", "f32", "columns", "plain", "across", "", ""},
    {"sm_90a", "i8", "rows", "across", "across", "", ""},
    {"sm_80", "i8", "columns", "plain", "plain", "", ""},
    {"sm_90a", "f16", "mma", "padded", "padded", "ldmatrix.x4", "stmatrix.x4"},
    {"gfx950", "f16", "b", "swizzled", "swizzled", "ds_read_b64_tr_b16", ""},
    {"gfx950", "f16", "b", "padded", "padded", "ds_read_b64_tr_b16", ""},
    {"gfx942", "f16", "wide", "plain", "plain", "", ""},
};

std::string moduleOf(const Case &one) {
  llvm::StringRef arch = one.arch;
  const bool isWide = arch.starts_with("gfx9");
  auto memory = [&](const char *layout) {
    return std::string("!ttg.memdesc<64x64x") + one.element + ", #" + layout +
           ", #smem, mutable>";
  };
  std::string tensor =
      std::string("tensor<64x64x") + one.element + ", #" + one.registers + ">";
  return std::string(layouts) +
         "module attributes {\"ttg.num-ctas\" = 1 : i32, \"ttg.num-warps\" = 4 "
         ": i32, \"ttg.threads-per-warp\" = " +
         (isWide ? "64" : "32") +
         " : i32} {\n  tt.func public @k() {\n    %a = ttg.local_alloc : () "
         "-> " +
         memory(one.from) + "\n    %b = ttg.local_alloc : () -> " +
         memory(one.to) + "\n    %x = ttg.local_load %a : " + memory(one.from) +
         " -> " + tensor + "\n    ttg.local_store %x, %b : " + tensor + " -> " +
         memory(one.to) + "\n    tt.return\n  }\n}\n";
}

class Accesses : public testing::TestWithParam<Case> {};

TEST_P(Accesses, AreInTheCodeAsOften) {
  const Case &one = GetParam();
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  const std::string source = moduleOf(one);
  auto target = llvm::cantFail(Target::parse(one.arch));
  auto module = parseSource(source, "k.ttgir", &context);
  ASSERT_TRUE(module) << source;

  std::map<unsigned, LoweredAccess> said;
  std::map<unsigned, unsigned> bits;
  CompileOptions options;
  options.onTtgir = [&](ModuleOp ttgir) {
    ttgir.walk([&](Operation *op) {
      auto access = lower::loweredAccessOf(op, target);
      auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
      if (!access || !place)
        return;
      const bool isLoad = isa<ttg::LocalLoadOp>(op);
      EXPECT_EQ(access->instruction, isLoad ? one.load : one.store);
      Type type =
          isLoad ? op->getResult(0).getType() : op->getOperand(0).getType();
      bits[place.getLine()] =
          cast<RankedTensorType>(type).getElementTypeBitWidth() *
          access->cost.vectorElements;
      said[place.getLine()] = std::move(*access);
    });
  };
  auto artifact = compile(*module, target, assemblyOf(target.vendor), options);
  ASSERT_TRUE(succeeded(artifact));
  ASSERT_EQ(said.size(), 2u);
  auto code = emit::countInstructions(artifact->output, artifact->lines);
  for (const auto &[line, access] : said) {
    // `ds_read2_b64` is two accesses.
    unsigned found = 0;
    for (const emit::InstructionCount &entry : code[line])
      if (access.instruction.empty()
              ? entry.kind == emit::InstructionClass::SharedLoad ||
                    entry.kind == emit::InstructionClass::SharedStore
              : emit::shortName(entry.opcode) == access.instruction)
        found += access.instruction.empty()
                     ? entry.count * entry.bytes * 8 / bits[line]
                     : entry.count;
    EXPECT_EQ(found, access.instruction.empty() ? access.cost.instructions
                                                : access.count)
        << "line " << line << " of\n"
        << source << artifact->output;
  }
}

/// Of a copy of 64 x 64 elements, its rows 64 elements apart.
struct CopyCase {
  const char *arch, *element, *layout, *divisibility;
};

class Copies : public testing::TestWithParam<CopyCase> {};

TEST_P(Copies, AreInTheCodeAsOften) {
  const CopyCase &one = GetParam();
  const bool isWide = llvm::StringRef(one.arch).starts_with("gfx9");
  const std::string source = llvm::formatv(
      R"({0}
module attributes {{"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = {1} : i32} {{
  tt.func public @copy(%in: !tt.ptr<{2}> {{tt.divisibility = {4} : i32}, %out: !tt.ptr<{2}> {{tt.divisibility = {4} : i32}, %n: i32 {{tt.divisibility = {4} : i32}) {{
    %row = tt.make_range {{end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{{dim = 1, parent = #{3}}>>
    %column = tt.make_range {{end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{{dim = 0, parent = #{3}}>>
    %r = tt.expand_dims %row {{axis = 1 : i32} : tensor<64xi32, #ttg.slice<{{dim = 1, parent = #{3}}>> -> tensor<64x1xi32, #{3}>
    %c = tt.expand_dims %column {{axis = 0 : i32} : tensor<64xi32, #ttg.slice<{{dim = 0, parent = #{3}}>> -> tensor<1x64xi32, #{3}>
    %size = arith.constant dense<64> : tensor<64x1xi32, #{3}>
    %start = arith.muli %r, %size : tensor<64x1xi32, #{3}>
    %starts = tt.broadcast %start : tensor<64x1xi32, #{3}> -> tensor<64x64xi32, #{3}>
    %columns = tt.broadcast %c : tensor<1x64xi32, #{3}> -> tensor<64x64xi32, #{3}>
    %at = arith.addi %starts, %columns : tensor<64x64xi32, #{3}>
    %end = tt.splat %n : i32 -> tensor<64x64xi32, #{3}>
    %inside = arith.cmpi slt, %columns, %end : tensor<64x64xi32, #{3}>
    %ins = tt.splat %in : !tt.ptr<{2}> -> tensor<64x64x!tt.ptr<{2}>, #{3}>
    %from = tt.addptr %ins, %at : tensor<64x64x!tt.ptr<{2}>, #{3}>, tensor<64x64xi32, #{3}>
    %outs = tt.splat %out : !tt.ptr<{2}> -> tensor<64x64x!tt.ptr<{2}>, #{3}>
    %to = tt.addptr %outs, %at : tensor<64x64x!tt.ptr<{2}>, #{3}>, tensor<64x64xi32, #{3}>
    %x = tt.load %from, %inside : tensor<64x64x!tt.ptr<{2}>, #{3}>
    tt.store %to, %x, %inside : tensor<64x64x!tt.ptr<{2}>, #{3}>
    tt.return
  }
})",
      layouts, isWide ? 64 : 32, one.element, one.layout, one.divisibility);
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto target = llvm::cantFail(Target::parse(one.arch));
  auto module = parseSource(source, "k.ttgir", &context);
  ASSERT_TRUE(module) << source;
  std::map<unsigned, lower::GlobalAccesses> said;
  CompileOptions options;
  options.onTtgir = [&](ModuleOp ttgir) {
    AxisInfoAnalysis axes(ttgir);
    ttgir.walk([&](tt::GlobalAccessOpInterface op) {
      auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
      if (auto accesses = lower::globalAccessesOf(op, axes, target))
        said[place.getLine()] = *accesses;
    });
  };
  auto artifact = compile(*module, target, assemblyOf(target.vendor), options);
  ASSERT_TRUE(succeeded(artifact));
  ASSERT_EQ(said.size(), 2u);
  auto code = emit::countInstructions(artifact->output, artifact->lines);
  for (const auto &[line, accesses] : said) {
    unsigned count = 0, bytes = 0;
    for (const emit::InstructionCount &entry : code[line])
      if (entry.kind == emit::InstructionClass::GlobalLoad ||
          entry.kind == emit::InstructionClass::GlobalStore) {
        count += entry.count;
        bytes = entry.bytes;
      }
    const unsigned elementBytes =
        llvm::StringRef(one.element).contains("16") ? 2 : 4;
    EXPECT_EQ(count, accesses.count) << source << artifact->output;
    EXPECT_EQ(bytes, accesses.elements * elementBytes) << artifact->output;
  }
}

constexpr CopyCase copies[] = {
    {"sm_90a", "f16", "rows", "16"},  {"sm_90a", "f32", "rows", "16"},
    {"sm_80", "f16", "rows", "4"},    {"sm_90a", "f32", "columns", "16"},
    {"sm_100a", "bf16", "mma", "16"}, {"gfx942", "f32", "wide", "16"},
    {"gfx1250", "f16", "rows", "16"},
};
INSTANTIATE_TEST_SUITE_P(LoweredAccess, Copies, testing::ValuesIn(copies));
INSTANTIATE_TEST_SUITE_P(LoweredAccess, Accesses, testing::ValuesIn(cases));

/// A copy to shared memory, of 64 x 64 elements whose rows are 64 apart.
struct AsyncCase {
  const char *arch, *element, *layout, *shared, *divisibility;
  /// One for each copy in the assembly.
  const char *instruction;
};

class AsyncCopies : public testing::TestWithParam<AsyncCase> {};

TEST_P(AsyncCopies, AreInTheCodeAsOften) {
  const AsyncCase &one = GetParam();
  const bool isWide = llvm::StringRef(one.arch).starts_with("gfx9");
  const std::string source = llvm::formatv(
      R"({0}
module attributes {{"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = {1} : i32} {{
  tt.func public @copy(%in: !tt.ptr<{2}> {{tt.divisibility = {5} : i32}) {{
    %row = tt.make_range {{end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{{dim = 1, parent = #{3}}>>
    %column = tt.make_range {{end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{{dim = 0, parent = #{3}}>>
    %r = tt.expand_dims %row {{axis = 1 : i32} : tensor<64xi32, #ttg.slice<{{dim = 1, parent = #{3}}>> -> tensor<64x1xi32, #{3}>
    %c = tt.expand_dims %column {{axis = 0 : i32} : tensor<64xi32, #ttg.slice<{{dim = 0, parent = #{3}}>> -> tensor<1x64xi32, #{3}>
    %size = arith.constant dense<64> : tensor<64x1xi32, #{3}>
    %start = arith.muli %r, %size : tensor<64x1xi32, #{3}>
    %starts = tt.broadcast %start : tensor<64x1xi32, #{3}> -> tensor<64x64xi32, #{3}>
    %columns = tt.broadcast %c : tensor<1x64xi32, #{3}> -> tensor<64x64xi32, #{3}>
    %at = arith.addi %starts, %columns : tensor<64x64xi32, #{3}>
    %ins = tt.splat %in : !tt.ptr<{2}> -> tensor<64x64x!tt.ptr<{2}>, #{3}>
    %from = tt.addptr %ins, %at : tensor<64x64x!tt.ptr<{2}>, #{3}>, tensor<64x64xi32, #{3}>
    %to = ttg.local_alloc : () -> !ttg.memdesc<64x64x{2}, #{4}, #smem, mutable>
    %token = ttg.async_copy_global_to_local %from, %to : tensor<64x64x!tt.ptr<{2}>, #{3}> -> <64x64x{2}, #{4}, #smem, mutable>
    %done = ttg.async_commit_group tokens %token
    %waited = ttg.async_wait %done {{num = 0 : i32}
    tt.return
  }
})",
      layouts, isWide ? 64 : 32, one.element, one.layout, one.shared,
      one.divisibility);
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto target = llvm::cantFail(Target::parse(one.arch));
  auto module = parseSource(source, "k.ttgir", &context);
  ASSERT_TRUE(module) << source;
  std::optional<lower::GlobalAccesses> said;
  AxisInfoAnalysis axes(*module);
  module->walk([&](ttg::AsyncCopyGlobalToLocalOp op) {
    said = lower::asyncCopyAccessesOf(
        cast<tt::GlobalAccessOpInterface>(op.getOperation()), axes, target);
  });
  ASSERT_TRUE(said);
  auto artifact = compile(*module, target, assemblyOf(target.vendor), {});
  ASSERT_TRUE(succeeded(artifact));
  EXPECT_EQ(llvm::StringRef(artifact->output).count(one.instruction),
            said->count)
      << artifact->output;
}

INSTANTIATE_TEST_SUITE_P(
    Shared, AsyncCopies,
    testing::Values(AsyncCase{"sm_90a", "f16", "rows", "swizzled", "16",
                              "cp.async.cg.shared.global"},
                    AsyncCase{"sm_80", "f16", "rows", "plain", "16",
                              "cp.async.cg.shared.global"},
                    // The pointers allow 8 bytes only.
                    AsyncCase{"sm_80", "f16", "rows", "swizzled", "8",
                              "cp.async.ca.shared.global"},
                    AsyncCase{"gfx950", "f16", "wide", "plain", "16",
                              "global_load_lds_dwordx4"},
                    AsyncCase{"gfx1250", "f16", "rows", "plain", "16",
                              "global_load_async_to_lds_b128"}));

} // namespace
