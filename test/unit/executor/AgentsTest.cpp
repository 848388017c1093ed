//===- AgentsTest.cpp - Partitions, barriers between them, deadlocks ------===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A kernel whose `body` may use %p, a pointer to i32, %n, tensors of 8xi32 in
/// #b, memory for them in #s, and barriers in #s; `functions` follow it.
std::string kernel(const std::string &body, const std::string &functions = "") {
  return R"(
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
!barriers = !ttg.memdesc<2x1xi64, #s, #smem, mutable>
!buffer = !ttg.memdesc<8xi32, #s, #smem, mutable>
!buffers = !ttg.memdesc<2x8xi32, #s, #smem, mutable>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
)" + body +
         R"(
    tt.return
  }
)" + functions +
         "}";
}

/// The first `count` elements after a run with %n = `n`.
std::vector<int32_t> run(const std::string &text, size_t count, int32_t n = 0,
                         Grid grid = {}) {
  Program program(text);
  std::vector<int32_t> memory(count);
  EXPECT_TRUE(program.run({buffer(memory), scalar(n)}, grid)) << program.errors;
  return memory;
}

/// The errors of a run that must fail.
std::string failure(const std::string &text, int32_t n = 0) {
  Program program(text);
  std::vector<int32_t> memory(64);
  EXPECT_FALSE(program.run({buffer(memory), scalar(n)}));
  return program.errors;
}

/// One barrier, %bar, for `count` arrivals.
std::string oneBarrier(int count) {
  return R"(
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, )" +
         std::to_string(count) + " : !barrier\n";
}

TEST(Agents, TheDefaultRegionGivesTheResults) {
  const std::string text = kernel(R"(
    %r:2 = ttg.warp_specialize(%p, %n)
    default {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (i32) : i32 {
        %next = arith.addi %a, %i : i32
        scf.yield %next : i32
      }
      %more = arith.addi %sum, %c1 : i32
      ttg.warp_yield %sum, %more : i32, i32
    }
    partition0(%q: !tt.ptr<i32>, %m: i32) num_warps(4) {
      %k2 = arith.constant 2 : i32
      %at = tt.addptr %q, %k2 : !tt.ptr<i32>, i32
      tt.store %at, %m : !tt.ptr<i32>
      ttg.warp_return
    }
    partition1(%q: !tt.ptr<i32>, %m: i32) num_warps(2) {
      %lo = arith.constant 0 : i32
      %by = arith.constant 1 : i32
      %k3 = arith.constant 3 : i32
      %at = tt.addptr %q, %k3 : !tt.ptr<i32>, i32
      %product = scf.for %i = %lo to %m step %by iter_args(%a = %by) -> (i32) : i32 {
        %inner = scf.for %j = %lo to %i step %by iter_args(%c = %a) -> (i32) : i32 {
          %d = arith.addi %c, %by : i32
          scf.yield %d : i32
        }
        scf.yield %inner : i32
      }
      tt.store %at, %product : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>, i32) -> (i32, i32)
    %p1 = tt.addptr %p, %c1 : !tt.ptr<i32>, i32
    tt.store %p, %r#0 : !tt.ptr<i32>
    tt.store %p1, %r#1 : !tt.ptr<i32>)");
  EXPECT_THAT(run(text, 4, 5), ElementsAre(10, 11, 5, 11));
  // The same plan, program after program.
  EXPECT_THAT(run(text, 4, 5, {7, 2, 1}), ElementsAre(10, 11, 5, 11));
}

/// Two partitions fill a ring of two buffers in turn with i, i + 1, ... in
/// round i, one the first half of the barrier's arrivals and one the second;
/// the default region stores round i's to row i. `phaseOfFull` is what the
/// consumer waits for.
std::string ring(const std::string &phaseOfFull = "%turn") {
  const std::string producer =
      R"((%f: !barriers, %e: !barriers, %b: !buffers, %m: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %k2 = arith.constant 2 : i32
      %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #b>
      scf.for %i = %k0 to %m step %k1 : i32 {
        %own = arith.remsi %i, %k2 : i32
        %mine = arith.cmpi eq, %own, %PART : i32
        scf.if %mine {
          %slot = arith.remsi %i, %k2 : i32
          %round = arith.divsi %i, %k2 : i32
          %parity = arith.andi %round, %k1 : i32
          %free = arith.xori %parity, %k1 : i32
          %fb = ttg.memdesc_index %f[%slot] : !barriers -> !barrier
          %eb = ttg.memdesc_index %e[%slot] : !barriers -> !barrier
          %into = ttg.memdesc_index %b[%slot] : !buffers -> !buffer
          ttng.wait_barrier %eb, %free deps %into : !barrier, !buffer
          %is = tt.splat %i : i32 -> tensor<8xi32, #b>
          %v = arith.addi %range, %is : tensor<8xi32, #b>
          ttg.local_store %v, %into : tensor<8xi32, #b> -> !buffer
          ttng.arrive_barrier %fb, 1 : !barrier
        }
      }
      ttg.warp_return
    }
)";
  auto part = [&](const char *number) {
    std::string made = producer;
    made.replace(made.find("%PART"), 5, number);
    return made;
  };
  return kernel(R"(
    %full = ttg.local_alloc : () -> !barriers
    %empty = ttg.local_alloc : () -> !barriers
    %buf = ttg.local_alloc : () -> !buffers
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %f = ttg.memdesc_index %full[%i] : !barriers -> !barrier
      %e = ttg.memdesc_index %empty[%i] : !barriers -> !barrier
      ttng.init_barrier %f, 1 : !barrier
      ttng.init_barrier %e, 1 : !barrier
    }
    ttg.barrier all
    ttg.warp_specialize(%full, %empty, %buf, %n)
    default {
      %range = tt.make_range {start = 0 : i32, end = 8 : i32} : tensor<8xi32, #b>
      %ps = tt.splat %p : !tt.ptr<i32> -> tensor<8x!tt.ptr<i32>, #b>
      %c8 = arith.constant 8 : i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        %slot = arith.remsi %i, %c2 : i32
        %round = arith.divsi %i, %c2 : i32
        %turn = arith.andi %round, %c1 : i32
        %f = ttg.memdesc_index %full[%slot] : !barriers -> !barrier
        %e = ttg.memdesc_index %empty[%slot] : !barriers -> !barrier
        %from = ttg.memdesc_index %buf[%slot] : !buffers -> !buffer
        ttng.wait_barrier %f, )" +
                phaseOfFull + R"(, %true : !barrier
        %v = ttg.local_load %from : !buffer -> tensor<8xi32, #b>
        ttng.arrive_barrier %e, 1, %true : !barrier
        %row = arith.muli %i, %c8 : i32
        %rows = tt.splat %row : i32 -> tensor<8xi32, #b>
        %o = arith.addi %rows, %range : tensor<8xi32, #b>
        %at = tt.addptr %ps, %o : tensor<8x!tt.ptr<i32>, #b>, tensor<8xi32, #b>
        tt.store %at, %v : tensor<8x!tt.ptr<i32>, #b>
      }
      ttg.warp_yield
    }
    partition0)" +
                part("%k0") + "    partition1" + part("%k1") +
                R"( : (!barriers, !barriers, !buffers, i32) -> ()
    scf.for %i = %c0 to %c2 step %c1 : i32 {
      %f = ttg.memdesc_index %full[%i] : !barriers -> !barrier
      ttng.inval_barrier %f : !barrier
    })");
}

TEST(Agents, PartitionsPassDataThroughARingWithPhases) {
  const std::vector<int32_t> rows = run(ring(), 56, 7);
  for (int round = 0; round < 7; ++round)
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(rows[round * 8 + i], round + i);
}

TEST(Agents, AWaitForAPhaseThatNeverEndsIsADeadlock) {
  // A consumer that takes each phase for an even one does not wait in round 2,
  // releases a buffer that nothing filled, and later waits for one too many.
  Program program(ring("%c0"));
  std::vector<int32_t> memory(56);
  EXPECT_FALSE(program.run({buffer(memory), scalar(7)}));
  EXPECT_THAT(program.errors,
              AllOf(HasSubstr("program (0, 0, 0): deadlock: "),
                    HasSubstr("waits for phase "),
                    HasSubstr("which still needs 1 of 1 arrivals")));
}

TEST(Agents, ADeadlockReportsWhereEachAgentWaits) {
  const std::string errors = failure(kernel(oneBarrier(2) + R"(
    ttg.warp_specialize(%bar)
    default {
      ttng.wait_barrier %bar, %c0 : !barrier
      ttg.warp_yield
    }
    partition0(%b: !barrier) num_warps(4) {
      ttng.arrive_barrier %b, 1 : !barrier
      ttg.warp_return
    }
    partition1(%b: !barrier) num_warps(4) {
      %k0 = arith.constant 0 : i32
      ttng.wait_barrier %b, %k0 : !barrier
      ttg.warp_return
    } : (!barrier) -> ())"));
  EXPECT_EQ(
      errors,
      "program (0, 0, 0): deadlock: the default partition waits for "
      "phase 0 of the barrier, which still needs 1 of 2 arrivals, and nothing "
      "else can go on\n"
      "note: partition0 has ended\n"
      "note: partition1 waits here for phase 0 of the barrier, which still "
      "needs 1 of 2 arrivals\n");
}

TEST(Agents, AWaitOfASingleAgentIsADeadlockToo) {
  EXPECT_EQ(failure(kernel(oneBarrier(1) + R"(
    ttng.barrier_expect %bar, 512, %true : !barrier
    ttng.wait_barrier %bar, %c0 : !barrier)")),
            "program (0, 0, 0): deadlock: it waits for phase 0 of the barrier, "
            "which still needs 0 of 1 arrivals and 512 bytes\n");
}

TEST(Agents, PhasesEndWithTheirArrivalsUnlessAPredicateIsFalse) {
  EXPECT_THAT(run(kernel(oneBarrier(3) + R"(
    %false = arith.constant false
    ttng.wait_barrier %bar, %c1 : !barrier
    ttng.wait_barrier %bar, %c0, %false : !barrier
    ttng.arrive_barrier %bar, 2 : !barrier
    ttng.arrive_barrier %bar, 1, %false : !barrier
    ttng.barrier_expect %bar, 64, %false : !barrier
    ttng.arrive_barrier %bar, 1 : !barrier
    ttng.wait_barrier %bar, %c0 : !barrier
    ttng.arrive_barrier %bar, 3 : !barrier
    ttng.wait_barrier %bar, %c1 : !barrier
    tt.store %p, %c1 : !tt.ptr<i32>)"),
                  1),
              ElementsAre(1));
}

TEST(Agents, FlagsExtendedByTheirSignArePhases) {
  Program program(kernel(oneBarrier(1) + R"(
    %flag = arith.constant true
    %phase = arith.extsi %flag : i1 to i32
    ttng.wait_barrier %bar, %phase : !barrier)"));
  std::vector<int32_t> memory(64);
  EXPECT_TRUE(program.run({buffer(memory), scalar(0)})) << program.errors;
}

TEST(Agents, MisusedBarriersAreErrors) {
  EXPECT_THAT(failure(kernel(R"(
    %bar = ttg.local_alloc : () -> !barrier
    ttng.arrive_barrier %bar, 1 : !barrier)")),
              HasSubstr("the barrier is not initialised"));
  EXPECT_THAT(
      failure(kernel(oneBarrier(1) + "ttng.init_barrier %bar, 1 : !barrier")),
      HasSubstr("the barrier is already initialised"));
  EXPECT_THAT(
      failure(kernel(oneBarrier(2) + "ttng.arrive_barrier %bar, 3 : !barrier")),
      HasSubstr("arrives 3 times at a barrier whose phase 0 needs only "
                "2 of 2 arrivals"));
  EXPECT_THAT(
      failure(kernel(oneBarrier(2) + "ttng.wait_barrier %bar, %c2 : !barrier")),
      HasSubstr("the phase is 2; it must be 0 or 1"));
  EXPECT_THAT(failure(kernel(oneBarrier(2) + R"(
    ttng.inval_barrier %bar : !barrier
    ttng.wait_barrier %bar, %c0 : !barrier)")),
              HasSubstr("the barrier is not initialised"));
  EXPECT_THAT(failure(kernel(oneBarrier(1) + R"(
    ttg.warp_specialize(%bar)
    default {
      %other = ttg.local_alloc : () -> !barrier
      ttng.init_barrier %other, 1 : !barrier
      ttng.wait_barrier %bar, %c0 : !barrier
      ttg.warp_yield
    }
    partition0(%b: !barrier) num_warps(4) {
      ttng.inval_barrier %b : !barrier
      ttg.warp_return
    } : (!barrier) -> ())")),
              HasSubstr("the barrier is invalidated while another partition"));
}

TEST(Agents, AnAllocationInALoopHasAFreshBarrierEachTime) {
  EXPECT_THAT(run(kernel(R"(
    scf.for %i = %c0 to %n step %c1 : i32 {
      %bar = ttg.local_alloc : () -> !barrier
      ttng.init_barrier %bar, 1 : !barrier
      ttng.arrive_barrier %bar, 1 : !barrier
      ttng.wait_barrier %bar, %c0 : !barrier
      tt.store %p, %i : !tt.ptr<i32>
    })"),
                  1, 3),
              ElementsAre(2));
}

TEST(Agents, AFaultInAPartitionIsAFaultOfTheProgram) {
  const std::string errors = failure(kernel(oneBarrier(1) + R"(
    ttg.warp_specialize(%bar, %p)
    default {
      ttng.wait_barrier %bar, %c0 : !barrier
      ttg.warp_yield
    }
    partition0(%b: !barrier, %q: !tt.ptr<i32>) num_warps(4) {
      %k0 = arith.constant 0 : i32
      ttng.wait_barrier %b, %k0 : !barrier
      ttg.warp_return
    }
    partition1(%b: !barrier, %q: !tt.ptr<i32>) num_warps(4) {
      %far = arith.constant 1000 : i32
      %at = tt.addptr %q, %far : !tt.ptr<i32>, i32
      tt.store %at, %far : !tt.ptr<i32>
      ttg.warp_return
    } : (!barrier, !tt.ptr<i32>) -> ())"));
  EXPECT_EQ(errors,
            "program (0, 0, 0) is out of bounds: 4 bytes at offset 4000 of "
            "argument 0, whose buffer has 256 bytes\n");
}

// Both partitions stop in the middle of the same function, which has its values
// once for each.
TEST(Agents, PartitionsCanCallTheSameFunction) {
  const std::string body = oneBarrier(1) + R"(
    ttg.warp_specialize(%bar, %p)
    default {
      ttng.wait_barrier %bar, %c1 : !barrier
      tt.call @put(%p, %c0, %bar) : (!tt.ptr<i32>, i32, !barrier) -> ()
      ttg.warp_yield
    }
    partition0(%b: !barrier, %q: !tt.ptr<i32>) num_warps(4) {
      %k1 = arith.constant 1 : i32
      tt.call @put(%q, %k1, %b) : (!tt.ptr<i32>, i32, !barrier) -> ()
      ttg.warp_return
    }
    partition1(%b: !barrier, %q: !tt.ptr<i32>) num_warps(4) {
      %k2 = arith.constant 2 : i32
      tt.call @put(%q, %k2, %b) : (!tt.ptr<i32>, i32, !barrier) -> ()
      ttg.warp_return
    }
    partition2(%b: !barrier, %q: !tt.ptr<i32>) num_warps(4) {
      ttng.arrive_barrier %b, 1 : !barrier
      ttg.warp_return
    } : (!barrier, !tt.ptr<i32>) -> ())";
  EXPECT_THAT(run(kernel(body, R"(
  tt.func private @put(%q: !tt.ptr<i32>, %i: i32, %b: !barrier) {
    %k0 = arith.constant 0 : i32
    %k10 = arith.constant 10 : i32
    %v = arith.addi %i, %k10 : i32
    %at = tt.addptr %q, %i : !tt.ptr<i32>, i32
    ttng.wait_barrier %b, %k0 : !barrier
    tt.store %at, %v : !tt.ptr<i32>
    tt.return
  })"),
                  3),
              ElementsAre(10, 11, 12));
}

TEST(Agents, APartitionThatCallsItsOwnKernelIsAnError) {
  EXPECT_THAT(failure(kernel(R"(
    ttg.warp_specialize(%p, %n)
    default {
      ttg.warp_yield
    }
    partition0(%q: !tt.ptr<i32>, %m: i32) num_warps(4) {
      tt.call @k(%q, %m) : (!tt.ptr<i32>, i32) -> ()
      ttg.warp_return
    } : (!tt.ptr<i32>, i32) -> ())")),
              HasSubstr("the CPU executor does not run recursive calls"));
}

// Each agent takes tickets in turn; who got which is the same every time.
TEST(Agents, TheSameProgramGivesTheSameRun) {
  auto partition = [](const std::string &name, const std::string &base) {
    return "partition" + name +
           R"((%b: !barrier, %q: !tt.ptr<i32>, %m: i32) num_warps(4) {
      %k0 = arith.constant 0 : i32
      %k1 = arith.constant 1 : i32
      %base = arith.constant )" +
           base + R"( : i32
      scf.for %i = %k0 to %m step %k1 : i32 {
        %parity = arith.andi %i, %k1 : i32
        %live = arith.constant true
        %ticket = tt.atomic_rmw add, acq_rel, gpu, %q, %k1, %live : (!tt.ptr<i32>, i32, i1) -> i32
        %o = arith.addi %base, %i : i32
        %at = tt.addptr %q, %o : !tt.ptr<i32>, i32
        tt.store %at, %ticket : !tt.ptr<i32>
        ttng.arrive_barrier %b, 1 : !barrier
        ttng.wait_barrier %b, %parity : !barrier
      }
      ttg.warp_return
    }
)";
  };
  const std::string text = kernel(oneBarrier(2) + R"(
    ttg.warp_specialize(%bar, %p, %n)
    default {
      ttg.warp_yield
    }
)" + partition("0", "1") + partition("1", "9") +
                                  " : (!barrier, !tt.ptr<i32>, i32) -> ()");
  const std::vector<int32_t> once = run(text, 17, 8);
  // A partition that completes a phase continues at once, so turns alternate in
  // twos.
  EXPECT_THAT(once, ElementsAre(16, 0, 3, 4, 7, 8, 11, 12, 15, 1, 2, 5, 6, 9,
                                10, 13, 14));
  for (int again = 0; again < 5; ++again)
    EXPECT_EQ(run(text, 17, 8), once);
}

TEST(Agents, ACancelRequestFindsNoMoreWork) {
  Program program(R"(
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c3 = arith.constant 3 : i32
    %response = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #s, #smem, mutable>
    %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #s, #smem, mutable>
    ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #s, #smem, mutable>
    ttng.barrier_expect %bar, 16, %true : !ttg.memdesc<1xi64, #s, #smem, mutable>
    ttng.clc_try_cancel %response, %bar : !ttg.memdesc<2xi64, #s, #smem, mutable>, !ttg.memdesc<1xi64, #s, #smem, mutable>
    ttng.wait_barrier %bar, %c0, %true : !ttg.memdesc<1xi64, #s, #smem, mutable>
    %r = ttng.clc_load_result %response : !ttg.memdesc<2xi64, #s, #smem, mutable> -> i128
    %more = ttng.clc_is_canceled %r : i128 -> i1
    %n = arith.extui %more : i1 to i32
    %v = arith.addi %n, %c3 : i32
    tt.store %p, %v : !tt.ptr<i32>
    tt.return
  }
})");
  std::vector<int32_t> r(1);
  ASSERT_TRUE(program.run({buffer(r)})) << program.errors;
  EXPECT_EQ(r[0], 3);
}

TEST(Agents, WideIntegersAreMovedButNotComputed) {
  Program program(R"(
    tt.func public @k() {
      %0 = arith.constant 1 : i128
      tt.return
    })");
  EXPECT_FALSE(program.planned());
  EXPECT_THAT(program.errors, HasSubstr("does not run 'arith.constant'"));
}

} // namespace
