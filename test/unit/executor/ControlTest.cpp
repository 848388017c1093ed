//===- ControlTest.cpp - Loops, branches, calls, errors -------------------===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

TEST(Control, LoopsCarrySwappedValues) {
  Program program(R"(
    tt.func public @fibonacci(%p: !tt.ptr<i64>, %n: i32) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero, %y = %one) -> (i64, i64) : i32 {
        %z = arith.addi %x, %y : i64
        scf.yield %y, %z : i64, i64
      }
      tt.store %p, %a : !tt.ptr<i64>
      tt.return
    })");
  std::vector<int64_t> r(1);
  ASSERT_TRUE(program.run({buffer(r), scalar(50)})) << program.errors;
  EXPECT_THAT(r, ElementsAre(12586269025));
}

TEST(Control, WhileAndIf) {
  Program program(R"(
    tt.func public @collatz(%p: !tt.ptr<i32>) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %n = tt.load %p : !tt.ptr<i32>
      %end, %steps = scf.while (%v = %n, %count = %c0) : (i32, i32) -> (i32, i32) {
        %go = arith.cmpi sgt, %v, %c1 : i32
        scf.condition(%go) %v, %count : i32, i32
      } do {
      ^bb0(%v: i32, %count: i32):
        %rest = arith.remsi %v, %c2 : i32
        %even = arith.cmpi eq, %rest, %c0 : i32
        %next = scf.if %even -> (i32) {
          %half = arith.divsi %v, %c2 : i32
          scf.yield %half : i32
        } else {
          %triple = arith.muli %v, %c3 : i32
          %more = arith.addi %triple, %c1 : i32
          scf.yield %more : i32
        }
        %counted = arith.addi %count, %c1 : i32
        scf.yield %next, %counted : i32, i32
      }
      tt.store %p, %steps : !tt.ptr<i32>
      tt.return
    })");
  std::vector<int32_t> n = {27};
  ASSERT_TRUE(program.run({buffer(n)})) << program.errors;
  EXPECT_THAT(n, ElementsAre(111));
}

// It bounds what a default launch may cost, which is the same on each machine.
TEST(Control, StepsCountTheWorkOfAllPrograms) {
  Program program(R"(
    tt.func public @sum(%p: !tt.ptr<i32>, %n: i32) {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
        %y = arith.addi %x, %i : i32
        scf.yield %y : i32
      }
      tt.store %p, %sum : !tt.ptr<i32>
      tt.return
    })");
  auto steps = [&](int32_t rounds, uint32_t programs, unsigned threads) {
    std::vector<int32_t> r(1);
    uint64_t steps = 0;
    Options options;
    options.steps = &steps;
    options.threads = threads;
    EXPECT_TRUE(
        program.run({buffer(r), scalar(rounds)}, {programs, 1, 1}, options))
        << program.errors;
    return steps;
  };
  const uint64_t one = steps(100, 1, 1);
  EXPECT_GE(one, 100u);
  EXPECT_EQ(steps(100, 64, 1), 64 * one);
  EXPECT_EQ(steps(100, 64, 3), 64 * one);
  EXPECT_GT(steps(200, 1, 1), 3 * one / 2);
}

TEST(Control, BranchesReturnEarly) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>) {
      %c1 = arith.constant 1 : i32
      %pid = tt.get_program_id x : i32
      %odd = arith.andi %pid, %c1 : i32
      %skip = arith.cmpi eq, %odd, %c1 : i32
      cf.cond_br %skip, ^done, ^store(%pid : i32)
    ^store(%v: i32):
      %q = tt.addptr %p, %pid : !tt.ptr<i32>, i32
      %w = arith.addi %v, %c1 : i32
      tt.store %q, %w : !tt.ptr<i32>
      cf.br ^done
    ^done:
      tt.return
    })");
  std::vector<int32_t> r(4);
  ASSERT_TRUE(program.run({buffer(r)}, {4, 1, 1})) << program.errors;
  EXPECT_THAT(r, ElementsAre(1, 0, 3, 0));
}

TEST(Control, CallsReturnResults) {
  Program program(R"(
    module {
      tt.func public @k(%p: !tt.ptr<i32>) {
        %a = tt.load %p : !tt.ptr<i32>
        %b = tt.call @square(%a) : (i32) -> i32
        %c = tt.call @square(%b) : (i32) -> i32
        tt.store %p, %c : !tt.ptr<i32>
        tt.return
      }
      tt.func private @square(%x: i32) -> i32 attributes {noinline = true} {
        %y = arith.muli %x, %x : i32
        tt.return %y : i32
      }
    })");
  std::vector<int32_t> x = {3};
  ASSERT_TRUE(program.run({buffer(x)})) << program.errors;
  EXPECT_THAT(x, ElementsAre(81));
}

TEST(Control, TheGridHasThreeAxes) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>) {
      %x = tt.get_program_id x : i32
      %y = tt.get_program_id y : i32
      %z = tt.get_program_id z : i32
      %nx = tt.get_num_programs x : i32
      %ny = tt.get_num_programs y : i32
      %a = arith.muli %z, %ny : i32
      %b = arith.addi %a, %y : i32
      %c = arith.muli %b, %nx : i32
      %i = arith.addi %c, %x : i32
      %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
      tt.store %q, %i : !tt.ptr<i32>
      tt.return
    })");
  std::vector<int32_t> r(12, -1);
  ASSERT_TRUE(program.run({buffer(r)}, {3, 2, 2})) << program.errors;
  EXPECT_THAT(r, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(Control, AFailedAssertionIsAnError) {
  Program program(R"(
    tt.func public @k() {
      %c = arith.constant dense<[true, false]> : tensor<2xi1>
      tt.assert %c, "x must be positive" : tensor<2xi1>
      tt.return
    })");
  EXPECT_FALSE(program.run({}));
  EXPECT_EQ(
      program.errors,
      "program (0, 0, 0), element [1]: assertion failed: x must be positive\n");
}

TEST(Control, AStepOfZeroIsAnError) {
  Program program(R"(
    tt.func public @k(%n: i32) {
      %c0 = arith.constant 0 : i32
      scf.for %i = %c0 to %n step %c0 : i32 {
      }
      tt.return
    })");
  EXPECT_FALSE(program.run({scalar(3)}));
  EXPECT_THAT(program.errors,
              HasSubstr("the loop's step is 0; it must be positive"));
}

TEST(Control, RegionsOfManyKinds) {
  Program program(R"(
    tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c7 = arith.constant 7 : i32
      %index = arith.index_cast %n : i32 to index
      %a = scf.execute_region -> i32 {
        %x = arith.addi %n, %c7 : i32
        scf.yield %x : i32
      }
      %b = scf.index_switch %index -> i32
      case 3 {
        scf.yield %c7 : i32
      }
      default {
        scf.yield %c1 : i32
      }
      // Two stages ahead: n + 2 < 7.
      %live = ttg.predicate_stage %n, %c7, %c1 maxStage 3 stage 1 : i32 -> i1
      %c = "ttg.mask"(%live) ({
        "ttg.mask.return"(%c2) : (i32) -> ()
      }) : (i1) -> i32
      %p1 = tt.addptr %p, %c1 : !tt.ptr<i32>, i32
      %p2 = tt.addptr %p, %c2 : !tt.ptr<i32>, i32
      tt.store %p, %a : !tt.ptr<i32>
      tt.store %p1, %b : !tt.ptr<i32>
      tt.store %p2, %c : !tt.ptr<i32>
      tt.return
    })");
  for (auto [n, expected] : {std::pair(3, std::vector{10, 7, 2}),
                             {4, {11, 1, 2}},
                             {5, {12, 1, 0}}}) {
    std::vector<int32_t> r(3, -1);
    ASSERT_TRUE(program.run({buffer(r), scalar(n)})) << program.errors;
    EXPECT_EQ(r, expected);
  }
}

TEST(Control, AnUnsupportedOpIsNamed) {
  Program program(R"(
    tt.func public @k() {
      %0 = llvm.mlir.constant(1 : i32) : i32
      tt.return
    })");
  EXPECT_FALSE(program.planned());
  EXPECT_EQ(program.errors,
            "the CPU executor does not run 'llvm.mlir.constant'\n");
}

TEST(Control, PrintsInOrder) {
  Program program(R"(
    tt.func public @k() {
      %pid = tt.get_program_id x : i32
      tt.print ": pid " {hex = false, isSigned = array<i32: 1>} : %pid : i32
      tt.return
    })");
  std::string text;
  llvm::raw_string_ostream out(text);
  Options options;
  options.print = &out;
  ASSERT_TRUE(program.run({}, {2, 1, 1}, options)) << program.errors;
  EXPECT_EQ(text, "program (0, 0, 0): pid 0\nprogram (1, 0, 0): pid 1\n");
}

} // namespace
