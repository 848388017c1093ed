//===- ClusterTest.cpp - CTAs of a cluster --------------------------------===//
//
// Two CTAs, each with half of the rows, half of the columns, or all of a
// tensor.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace kernelscope::executor;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A kernel of two CTAs whose `body` may use %values, the 4 x 32 i32 at %p,
/// with the rows split; %to, pointers to as many at %q; %buf, memory for them
/// with the rows split, %all, with a copy in each CTA; %bar, a barrier of each
/// CTA for one arrival, %pair, one that both share; %in, a descriptor of %p.
std::string kernel(const std::string &body) {
  return R"(
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#columns = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#both = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0]]}>
#smem = #ttg.shared_memory
#srows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0], CGALayout = [[1, 0]]}>
#sboth = #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[0, 0]]}>
#each = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[0]]}>
!values = tensor<4x32xi32, #rows>
!buffer = !ttg.memdesc<4x32xi32, #srows, #smem, mutable>
!copies = !ttg.memdesc<4x32xi32, #sboth, #smem, mutable>
!barrier = !ttg.memdesc<2xi64, #each, #smem, mutable>
!leader = !ttg.memdesc<1xi64, #shared, #smem, mutable>
!desc = !tt.tensordesc<4x32xi32, #sboth>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = true} {
  tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %c32 = arith.constant 32 : i32
    %row = arith.constant 32 : i64
    %one = arith.constant 1 : i64
    %width = arith.constant dense<32> : tensor<4x1xi32, #rows>
    %m = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    %n = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %m1 = tt.expand_dims %m {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>> -> tensor<4x1xi32, #rows>
    %n1 = tt.expand_dims %n {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
    %m2 = arith.muli %m1, %width : tensor<4x1xi32, #rows>
    %m3 = tt.broadcast %m2 : tensor<4x1xi32, #rows> -> !values
    %n2 = tt.broadcast %n1 : tensor<1x32xi32, #rows> -> !values
    %at = arith.addi %m3, %n2 : !values
    %p1 = tt.splat %p : !tt.ptr<i32> -> tensor<4x32x!tt.ptr<i32>, #rows>
    %from = tt.addptr %p1, %at : tensor<4x32x!tt.ptr<i32>, #rows>, !values
    %q1 = tt.splat %q : !tt.ptr<i32> -> tensor<4x32x!tt.ptr<i32>, #rows>
    %to = tt.addptr %q1, %at : tensor<4x32x!tt.ptr<i32>, #rows>, !values
    %values = tt.load %from : tensor<4x32x!tt.ptr<i32>, #rows>
    %in = tt.make_tensor_descriptor %p, [%c4, %c32], [%row, %one] : !tt.ptr<i32>, !desc
    %cta = tt.elementwise_inline_asm "mov.u32 $0, %cluster_ctarank;" {constraints = "=r", packed_element = 1 : i32, pure = true} -> i32
    %buf = ttg.local_alloc : () -> !buffer
    %all = ttg.local_alloc : () -> !copies
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    %pair = ttg.local_alloc : () -> !leader
    ttng.init_barrier %pair, 1 : !leader
)" + body +
         R"(
    tt.return
  }
}
)";
}

/// What a run reports, and what it leaves at %q.
struct Result {
  std::string errors;
  std::vector<int32_t> out = std::vector<int32_t>(128);
};

std::vector<int32_t> counted() {
  std::vector<int32_t> values(128);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

Result run(const std::string &text, const char *schedule = "late") {
  Program program(text);
  std::vector<int32_t> in = counted();
  Result result;
  Options options;
  options.sanitize = true;
  options.schedule = *Schedule::parse(schedule);
  program.run({buffer(in), buffer(result.out)}, {}, options);
  result.errors = program.errors;
  return result;
}

/// It copies all values with any schedule, without a finding.
void expectCopy(const std::string &text) {
  for (const char *schedule : {"late", "eager", "seed:1", "seed:2", "seed:3"}) {
    const Result result = run(text, schedule);
    EXPECT_THAT(result.errors, IsEmpty()) << schedule;
    EXPECT_EQ(result.out, counted()) << schedule;
  }
}

const std::string store =
    "tt.store %to, %result : tensor<4x32x!tt.ptr<i32>, #rows>\n";
const std::string barrier = "ttng.cluster_barrier\n";
const std::string back =
    "%result = ttg.convert_layout %read : tensor<4x32xi32, "
    "#columns> -> !values\n";
const std::string write =
    "ttg.local_store %values, %buf : !values -> !buffer\n";
const std::string readColumns =
    "%read = ttg.local_load %buf : !buffer -> tensor<4x32xi32, #columns>\n";

TEST(Cluster, ElementsMoveToAnotherCTA) {
  expectCopy(kernel("%read = ttg.convert_layout %values : !values -> "
                    "tensor<4x32xi32, #columns>\n" +
                    back + store));
}

TEST(Cluster, ASumOverAllCTAs) {
  const Result result = run(kernel(R"(
    %s = "tt.reduce"(%values) <{axis = 0 : i32}> ({
    ^bb0(%a: i32, %b: i32):
      %sum = arith.addi %a, %b : i32
      tt.reduce.return %sum : i32
    }) : (!values) -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>>
    %s1 = tt.expand_dims %s {axis = 0 : i32} : tensor<32xi32, #ttg.slice<{dim = 0, parent = #rows}>> -> tensor<1x32xi32, #rows>
    %result = tt.broadcast %s1 : tensor<1x32xi32, #rows> -> !values
)" + store));
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_EQ(result.out[0], 1 + 33 + 65 + 97);
  EXPECT_EQ(result.out[127], 32 + 64 + 96 + 128);
}

TEST(Cluster, AnAtomicIsExecutedOnce) {
  const Result result = run(kernel(R"(
    %old = tt.atomic_rmw add, acq_rel, gpu, %q, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
    %old2 = tt.atomic_rmw add, acq_rel, gpu, %q, %old, %true : (!tt.ptr<i32>, i32, i1) -> i32
)"));
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_EQ(result.out[0], 1);
}

TEST(Cluster, MemoryOfTheOtherCTA) {
  expectCopy(kernel(write + barrier + readColumns + back + store));
  EXPECT_THAT(run(kernel(write + readColumns + back + store)).errors,
              AllOf(HasSubstr("reads shared memory that another CTA writes"),
                    HasSubstr("no barrier orders the two")));
  // Such a barrier orders no memory.
  EXPECT_THAT(run(kernel(write + "ttng.cluster_barrier {relaxed = true}\n" +
                         readColumns + back + store))
                  .errors,
              HasSubstr("reads shared memory that another CTA writes"));
}

TEST(Cluster, AFenceOfTheMemoryOfAllCTAs) {
  // Each CTA stores its columns to both CTAs' rows, which TMA reads.
  auto stored = [](const std::string &fence) {
    return kernel(R"(
    %mine = ttg.convert_layout %values : !values -> tensor<4x32xi32, #columns>
    %rows = ttg.local_alloc : () -> !ttg.memdesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>, #smem, mutable>
    ttg.local_store %mine, %rows : tensor<4x32xi32, #columns> -> !ttg.memdesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>, #smem, mutable>
)" + fence + R"(
    ttng.cluster_barrier
    %out = tt.make_tensor_descriptor %q, [%c4, %c32], [%row, %one] : !tt.ptr<i32>, !tt.tensordesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>>
    ttng.async_tma_copy_local_to_global %out[%c0, %c0] %rows : !tt.tensordesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>>, !ttg.memdesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
)");
  };
  expectCopy(stored("ttng.fence_async_shared {bCluster = true}"));
  EXPECT_THAT(run(stored("ttng.fence_async_shared {bCluster = false}")).errors,
              HasSubstr("with 'bCluster = true' must come in between, because "
                        "the one there does not cover another CTA's memory"));
}

const std::string expect = "ttng.barrier_expect %bar, 512, %true : !barrier\n";
const std::string multicast =
    "ttng.async_tma_copy_global_to_local %in[%c0, %c0] %all, %bar, %true "
    "{multicast} : !desc, !barrier -> !copies\n";
const std::string wait = "ttng.wait_barrier %bar, %c0 : !barrier\n";
const std::string readAll =
    "%result = ttg.local_load %all : !copies -> !values\n";

TEST(Cluster, OneCopyForAllCTAs) {
  expectCopy(kernel(expect + multicast + wait + readAll + store));
  EXPECT_THAT(run(kernel(expect + multicast + readAll + wait + store)).errors,
              HasSubstr("while an asynchronous write to it may be in flight"));
}

TEST(Cluster, ACopyIntoMemoryThatTheOtherCTAReads) {
  const std::string again =
      "ttng.barrier_expect %bar, 512, %true : !barrier\n" + multicast +
      "ttng.wait_barrier %bar, %c1 : !barrier\n";
  // The first CTA's wait says nothing of what the second one has read.
  EXPECT_THAT(
      run(kernel(expect + multicast + wait + readAll + again + store)).errors,
      HasSubstr("starts to write shared memory while an asynchronous write to "
                "it may be in flight"));
  expectCopy(
      kernel(expect + multicast + wait + readAll + barrier + again + store));
}

TEST(Cluster, EachCTACopiesItsPart) {
  auto moved = [](const std::string &row) {
    return kernel(
        R"(
    %c2 = arith.constant 2 : i32
    %rows = ttg.local_alloc : () -> !ttg.memdesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>, #smem, mutable>
    %halves = tt.make_tensor_descriptor %q, [%c4, %c32], [%row, %one] : !tt.ptr<i32>, !tt.tensordesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>>
    ttng.barrier_expect %bar, 256, %true : !barrier
    ttng.async_tma_copy_global_to_local %halves[%c0, %c0] %rows, %bar, %true : !tt.tensordesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>>, !barrier -> !ttg.memdesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>, #smem, mutable>
    ttng.wait_barrier %bar, %c0 : !barrier
    ttng.async_tma_copy_local_to_global %halves[)" +
        row +
        R"(, %c0] %rows : !tt.tensordesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>>, !ttg.memdesc<4x32xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, elementBitWidth = 32, CGALayout = [[1, 0]]}>, #smem, mutable>
    ttng.async_tma_store_wait {pendings = 0 : i32}
)");
  };
  EXPECT_THAT(run(moved("%c0")).errors, IsEmpty());
  // The first CTA stores the rows that the second one loads.
  EXPECT_THAT(run(moved("%c2")).errors,
              HasSubstr("an element of global memory that an asynchronous "
                        "copy reads"));
}

TEST(Cluster, BytesForTwoCTAsOnTheLeadersBarrier) {
  // Both announce their bytes at one barrier, and only the leader waits.
  const std::string pair = R"(
    ttng.barrier_expect %pair, 512, %true : !leader
    ttng.async_tma_copy_global_to_local %in[%c0, %c0] %all, %pair, %true : !desc, !leader -> !copies
    ttng.wait_barrier %pair, %c0 : !leader
)";
  EXPECT_THAT(run(kernel(pair + readAll + store)).errors,
              HasSubstr("while an asynchronous write to it may be in flight"));
  expectCopy(kernel(pair + barrier + readAll + store));
}

TEST(Cluster, ArrivalsFromOneCTA) {
  // Each barrier takes the arrival of CTA 0.
  EXPECT_THAT(
      run(kernel(
              "ttng.arrive_barrier %bar, 1 {fromCTA = 0 : i32} : !barrier\n" +
              wait))
          .errors,
      IsEmpty());
  // That of each CTA goes to both.
  EXPECT_THAT(run(kernel("ttng.arrive_barrier %bar, 1 {multicastCTA = 1 : i32} "
                         ": !barrier\n" +
                         wait))
                  .errors,
              HasSubstr("completes a phase of a barrier"));
}

TEST(Cluster, OneCTADoesNotArrive) {
  const std::string onlyFirst = R"(
    %isFirst = arith.cmpi eq, %cta, %c0 : i32
    scf.if %isFirst {
      ttng.cluster_barrier
    }
)";
  EXPECT_THAT(
      run(kernel(onlyFirst)).errors,
      AllOf(HasSubstr("deadlock: CTA 0 waits for the cluster's barrier, "
                      "at which CTA 1 must still arrive"),
            HasSubstr("note: CTA 1 has ended")));
}

TEST(Cluster, LaunchControlAnswersAllCTAs) {
  EXPECT_THAT(run(kernel(R"(
    %response = ttg.local_alloc : () -> !ttg.memdesc<2xi64, #shared, #smem, mutable>
    ttng.barrier_expect %bar, 16 {fromCTA = 0 : i32}, %true : !barrier
    ttng.clc_try_cancel %response, %bar : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !barrier
    ttng.wait_barrier %bar, %c0 : !barrier
    %r = ttng.clc_load_result %response : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
)"))
                  .errors,
              IsEmpty());
}

} // namespace
