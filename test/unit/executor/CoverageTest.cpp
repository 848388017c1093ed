//===- CoverageTest.cpp - Every op of our dialects runs -------------------===//
//
// Or the executor says why not.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "executor/plan/Registry.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace kernelscope;
using namespace kernelscope::executor;

namespace {

/// What is a part of another op, which runs it: functions, ends of regions, and
/// the regions of partitions.
bool isPart(mlir::RegisteredOperationName op) {
  return op.hasTrait<mlir::OpTrait::IsTerminator>() ||
         op.hasInterface<mlir::FunctionOpInterface>() ||
         op.getStringRef() == "ttg.warp_specialize.partitions";
}

TEST(Coverage, EveryOpRunsOrHasAReasonItDoesNot) {
  mlir::MLIRContext context;
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  const llvm::StringSet<> ours = {"tt",         "ttg",  "ttng", "nvws",
                                  "nvg",        "amdg", "tti",  "proton",
                                  "proton_gpu", "gluon"};
  llvm::StringSet<> seen;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations()) {
    const llvm::StringRef name = op.getStringRef();
    if (!ours.contains(op.getDialectNamespace()) || isPart(op))
      continue;
    seen.insert(op.getDialectNamespace());
    const bool runs = Registry::get().find(name),
               has = !whyUnsupported(name).empty();
    EXPECT_TRUE(runs || has) << name.str() << " has no planner and no reason";
    EXPECT_FALSE(runs && has) << name.str() << " runs, and has a reason not to";
  }
  EXPECT_EQ(seen.size(), ours.size());
}

TEST(Coverage, TheErrorSaysWhyNot) {
  Program program(R"(module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @k() {
    %a = arith.constant 0 : i64
    %true = arith.constant true
    %d = nvg.wgmma %a, %a, %true {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1) -> !llvm.struct<(f32, f32, f32, f32)>
    tt.return
  }
})");
  EXPECT_FALSE(program.planned());
  EXPECT_NE(program.errors.find("does not run 'nvg.wgmma': its registers "
                                "are those of one thread"),
            std::string::npos)
      << program.errors;
}

} // namespace
