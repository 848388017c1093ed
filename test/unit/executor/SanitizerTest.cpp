//===- SanitizerTest.cpp - Accesses that nothing orders -------------------===//
//
// Each finding with a kernel that has it and one that does not.
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A kernel whose `body` may use %in and %out, tensors of 8 x 32 i32, %values,
/// such a block, %buf, memory for one, %ring, two of them, %bar and %bar2,
/// barriers for one arrival.
std::string kernel(const std::string &body, int arch = 100) {
  return R"(
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
!barrier = !ttg.memdesc<1xi64, #s, #smem, mutable>
!buffer = !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
!ring = !ttg.memdesc<2x8x32xi32, #tma, #smem, mutable>
!desc = !tt.tensordesc<8x32xi32, #tma>
!tensor = tensor<8x32xi32, #b>
!pointers = tensor<8x32x!tt.ptr<i32>, #b>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:)" +
         std::to_string(arch) + R"(", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %true = arith.constant true
    %false = arith.constant false
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %row = arith.constant 32 : i64
    %one = arith.constant 1 : i64
    %values = arith.constant dense<7> : !tensor
    %in = tt.make_tensor_descriptor %p, [%c8, %c32], [%row, %one] : !tt.ptr<i32>, !desc
    %out = tt.make_tensor_descriptor %q, [%c8, %c32], [%row, %one] : !tt.ptr<i32>, !desc
    %from = tt.splat %p : !tt.ptr<i32> -> !pointers
    %buf = ttg.local_alloc : () -> !buffer
    %ring = ttg.local_alloc : () -> !ring
    %r0 = ttg.memdesc_index %ring[%c0] : !ring -> !buffer
    %r1 = ttg.memdesc_index %ring[%c1] : !ring -> !buffer
    %bar = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar, 1 : !barrier
    %bar2 = ttg.local_alloc : () -> !barrier
    ttng.init_barrier %bar2, 1 : !barrier
)" + body +
         R"(
    tt.return
  }
}
)";
}

/// What the sanitizer finds with the schedule late; others must find something,
/// too, or nothing.
std::string findings(const std::string &text) {
  std::optional<std::string> first;
  for (const char *schedule : {"late", "eager", "seed:1", "seed:2"}) {
    Program program(text);
    std::vector<int32_t> in(256, 1), out(256);
    Options options;
    options.sanitize = true;
    options.schedule = *Schedule::parse(schedule);
    program.run({buffer(in), buffer(out)}, {}, options);
    if (!first)
      first = program.errors;
    EXPECT_EQ(program.errors.empty(), first->empty())
        << schedule << program.errors;
  }
  return *first;
}

/// What it finds with the schedule late only, which others may not show.
std::string late(const std::string &text) {
  Program program(text);
  std::vector<int32_t> in(256, 1), out(256);
  Options options;
  options.sanitize = true;
  program.run({buffer(in), buffer(out)}, {}, options);
  return program.errors;
}

const std::string expect = "ttng.barrier_expect %bar, 1024, %true : !barrier\n";
const std::string wait = "ttng.wait_barrier %bar, %c0 : !barrier\n";
const std::string fence = "ttng.fence_async_shared {bCluster = false}\n";
/// TMA loads to `memory`, its bytes to %bar.
std::string load(const std::string &memory = "%buf") {
  return "ttng.async_tma_copy_global_to_local %in[%c0, %c0] " + memory +
         ", %bar, %true : !desc, !barrier -> !buffer\n";
}
std::string read(const std::string &memory, const std::string &name = "%v") {
  return name + " = ttg.local_load " + memory + " : !buffer -> !tensor\n";
}
std::string write(const std::string &memory) {
  return "ttg.local_store %values, " + memory + " : !tensor -> !buffer\n";
}
std::string store(const std::string &memory) {
  return "ttng.async_tma_copy_local_to_global %out[%c0, %c0] " + memory +
         " : !desc, !buffer\n";
}
std::string storeWait(int pending) {
  return "ttng.async_tma_store_wait {pendings = " + std::to_string(pending) +
         " : i32}\n";
}
std::string copy(const std::string &memory) {
  static int number = 0;
  const std::string token = "%copy" + std::to_string(number++);
  return token + " = ttg.async_copy_global_to_local %from, " + memory +
         " : !pointers -> !buffer\n" + token +
         "g = ttg.async_commit_group tokens " + token + "\n";
}
std::string copyWait(int pending) {
  static int number = 0;
  return "%waited" + std::to_string(number++) +
         " = ttg.async_wait {num = " + std::to_string(pending) + " : i32}\n";
}

TEST(Sanitizer, AReadWhileTmaWrites) {
  EXPECT_THAT(findings(kernel(expect + load() + wait + read("%buf"))),
              IsEmpty());
  EXPECT_THAT(
      findings(kernel(expect + load() + read("%buf") + wait)),
      AllOf(HasSubstr("program (0, 0, 0) reads shared memory while an "
                      "asynchronous write to it may be in flight; a wait for "
                      "the phase of the barrier that it completes must come "
                      "in between"),
            HasSubstr("note: the asynchronous write starts here"),
            HasSubstr("note: it completes on the barrier initialised here")));
}

TEST(Sanitizer, AWriteWhileTmaWrites) {
  EXPECT_THAT(findings(kernel(expect + load() + wait + write("%buf"))),
              IsEmpty());
  EXPECT_THAT(findings(kernel(expect + load() + write("%buf") + wait)),
              HasSubstr("writes shared memory while an asynchronous write"));
}

TEST(Sanitizer, TheBuffersOfARingAreNamed) {
  EXPECT_THAT(findings(kernel(write("%r1") + expect + load("%r0") +
                              read("%r1") + wait)),
              IsEmpty());
  EXPECT_THAT(findings(kernel(write("%r1") + expect + load("%r1") +
                              read("%r1") + wait)),
              HasSubstr("reads shared memory while an asynchronous write"));
}

// A transposed view, and another type, show the same bytes; the other half of a
// buffer does not.
TEST(Sanitizer, ViewsOfTheSameBytes) {
  auto readView = [&](const std::string &view, const std::string &type,
                      const std::string &result) {
    return kernel(write("%buf") + fence + expect + load() + view +
                  "%v = ttg.local_load %view : " + type + " -> " + result +
                  "\n" + wait);
  };
  EXPECT_THAT(
      findings(readView(
          "%view = ttg.memdesc_trans %buf {order = array<i32: 1, 0>} : !buffer "
          "-> !ttg.memdesc<32x8xi32, #ttg.nvmma_shared<{swizzlingByteWidth = "
          "128, transposed = true, elementBitWidth = 32}>, #smem, mutable>\n",
          "!ttg.memdesc<32x8xi32, #ttg.nvmma_shared<{swizzlingByteWidth = 128, "
          "transposed = true, elementBitWidth = 32}>, #smem, mutable>",
          "tensor<32x8xi32, #b>")),
      HasSubstr("reads shared memory while"));
  const std::string plain = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, "
                            "maxPhase = 1, order = [1, 0]}>, #smem, mutable";
  const std::string whole = "!ttg.memdesc<8x32xi32, " + plain + ">",
                    half = "!ttg.memdesc<8x16xi32, " + plain + ", 8x32>";
  auto halves = [&](const std::string &read) {
    return kernel("%whole = ttg.local_alloc : () -> " + whole +
                  "\n%low = ttg.memdesc_subslice %whole[0, 0] : " + whole +
                  " -> " + half +
                  "\n%high = ttg.memdesc_subslice %whole[0, 16] : " + whole +
                  " -> " + half +
                  "\n%part = arith.constant dense<1> : tensor<8x16xi32, #b>\n" +
                  "ttg.local_store %part, %low : tensor<8x16xi32, #b> -> " +
                  half + "\n%v = ttg.local_load " + read + " : " + half +
                  " -> tensor<8x16xi32, #b>");
  };
  EXPECT_THAT(findings(halves("%low")), IsEmpty());
  EXPECT_THAT(findings(halves("%high")),
              HasSubstr("nothing has written 512 of the bytes"));
}

TEST(Sanitizer, CopiesOfThreadsAndTheirGroups) {
  const std::string two = copy("%r0") + copy("%r1");
  EXPECT_THAT(findings(kernel(two + copyWait(1) + read("%r0") + copyWait(0) +
                              read("%r1", "%w"))),
              IsEmpty());
  EXPECT_THAT(findings(kernel(copy("%r0") + copy("%r1") + copyWait(1) +
                              read("%r1") + copyWait(0))),
              HasSubstr("a 'ttg.async_wait' that covers its group must come "
                        "in between"));
  // Two copies to one buffer.
  EXPECT_THAT(findings(kernel(copy("%buf") + copy("%buf") + copyWait(0))),
              HasSubstr("starts to write shared memory while an asynchronous "
                        "write"));
}

TEST(Sanitizer, AStoreReadsItsSourceUntilItsWait) {
  const std::string both = write("%r0") + write("%r1") + fence + store("%r0") +
                           store("%r1") + storeWait(1);
  EXPECT_THAT(findings(kernel(both + write("%r0") + storeWait(0))), IsEmpty());
  EXPECT_THAT(findings(kernel(both + write("%r1") + storeWait(0))),
              AllOf(HasSubstr("writes shared memory while an asynchronous read "
                              "of it may be in flight"),
                    HasSubstr("a 'ttng.async_tma_store_wait' that covers it")));
  EXPECT_THAT(
      findings(kernel(write("%buf") + fence + store("%buf"))),
      HasSubstr("may still read shared memory after its warps have exited"));
}

TEST(Sanitizer, AFenceBetweenStoresAndTheAsyncProxy) {
  const std::string end = store("%buf") + storeWait(0);
  EXPECT_THAT(findings(kernel(write("%buf") + fence + end)), IsEmpty());
  EXPECT_THAT(
      findings(kernel(write("%buf") + end)),
      AllOf(HasSubstr("starts to read shared memory through the async proxy "
                      "after ordinary stores to it; a "
                      "'ttng.fence_async_shared' must come in between"),
            HasSubstr("note: the ordinary stores")));
  // A fence before the stores does not order them.
  EXPECT_THAT(findings(kernel(fence + write("%buf") + end)),
              HasSubstr("must come in between"));
}

TEST(Sanitizer, MemoryThatNothingHasWritten) {
  EXPECT_THAT(findings(kernel(write("%buf") + read("%buf"))), IsEmpty());
  EXPECT_THAT(findings(kernel(read("%buf"))),
              AllOf(HasSubstr("reads shared memory, but nothing has written "
                              "1024 of the bytes that it needs"),
                    HasSubstr("note: the buffer is allocated here")));
}

TEST(Sanitizer, UseAfterDeallocation) {
  const std::string free = "ttg.local_dealloc %buf : !buffer\n";
  EXPECT_THAT(findings(kernel(write("%buf") + read("%buf") + free)), IsEmpty());
  EXPECT_THAT(findings(kernel(write("%buf") + free + read("%buf"))),
              AllOf(HasSubstr("reads shared memory that has been deallocated"),
                    HasSubstr("note: it is deallocated here")));
  EXPECT_THAT(findings(kernel(expect + load() + free + wait)),
              HasSubstr("while an asynchronous write to it may be in flight"));
}

/// The default region runs `first`, a partition `second`, which knows %b as
/// the buffer, %x and %y as the barriers, %z as zero.
std::string partitions(const std::string &first, const std::string &second) {
  return kernel(R"(ttg.warp_specialize(%buf, %bar, %bar2)
    default {
)" + first + R"(
      ttg.warp_yield
    }
    partition0(%b: !buffer, %x: !barrier, %y: !barrier) num_warps(4) {
      %z = arith.constant 0 : i32
      %w = arith.constant dense<9> : !tensor
)" + second + R"(
      ttg.warp_return
    } : (!buffer, !barrier, !barrier) -> ()
)");
}

TEST(Sanitizer, PartitionsPublishThroughABarrier) {
  const std::string arrive = "ttng.arrive_barrier %bar, 1 : !barrier\n";
  const std::string other = "%v = ttg.local_load %b : !buffer -> !tensor\n";
  EXPECT_THAT(
      findings(partitions(write("%buf") + arrive,
                          "ttng.wait_barrier %x, %z : !barrier\n" + other)),
      IsEmpty());
  EXPECT_THAT(
      findings(partitions(arrive + write("%buf"),
                          "ttng.wait_barrier %x, %z : !barrier\n" + other)),
      AllOf(HasSubstr("no barrier orders the two"),
            HasSubstr("note: the other partition's ")));
  // What is published before the partitions start needs none.
  EXPECT_THAT(findings(kernel(write("%buf") + R"(ttg.warp_specialize(%buf)
    default {
      %u = ttg.local_load %buf : !buffer -> !tensor
      ttg.warp_yield
    }
    partition0(%b: !buffer) num_warps(4) {
      %v = ttg.local_load %b : !buffer -> !tensor
      ttg.warp_return
    } : (!buffer) -> ()
)" + write("%buf"))),
              IsEmpty());
}

// The barrier of one partition's copy signals its end to another.
TEST(Sanitizer, ACopyIsVisibleAfterAWaitForItsBarrier) {
  const std::string reads = "%v = ttg.local_load %b : !buffer -> !tensor\n";
  EXPECT_THAT(
      findings(partitions(expect + load(),
                          "ttng.wait_barrier %x, %z : !barrier\n" + reads)),
      IsEmpty());
  // A phase that ended earlier says nothing about the copies of this one.
  EXPECT_THAT(findings(partitions(expect + load(),
                                  "%one1 = arith.constant 1 : i32\n"
                                  "ttng.wait_barrier %x, %one1 : !barrier\n" +
                                      reads)),
              HasSubstr("asynchronous write"));
}

TEST(Sanitizer, ABarrierInvalidatedBeforeItIsSignalled) {
  const std::string end = "ttng.inval_barrier %bar : !barrier\n";
  EXPECT_THAT(late(kernel(expect + load() + wait + end)), IsEmpty());
  EXPECT_THAT(late(kernel(expect + load() + end)),
              AllOf(HasSubstr("invalidates a barrier that asynchronous work "
                              "has yet to signal"),
                    HasSubstr("note: the work that signals it")));
}

// The partition waits for two phases; the second arrival must follow the first
// wait, or the phase that it waits for may be over.
TEST(Sanitizer, APhaseThatAWaitCanMiss) {
  const std::string arrive = "ttng.arrive_barrier %bar, 1 : !barrier\n",
                    waits = "%o = arith.constant 1 : i32\n"
                            "ttng.wait_barrier %x, %z : !barrier\n"
                            "ARRIVE"
                            "ttng.wait_barrier %x, %o : !barrier\n";
  auto with = [&](std::string between) {
    std::string text = waits;
    return text.replace(text.find("ARRIVE"), 6, between);
  };
  EXPECT_THAT(findings(partitions(
                  arrive + "ttng.wait_barrier %bar2, %c0 : !barrier\n" + arrive,
                  with("ttng.arrive_barrier %y, 1 : !barrier\n"))),
              IsEmpty());
  EXPECT_THAT(
      late(partitions(arrive + arrive, with(""))),
      AnyOf(HasSubstr("a wait may not have seen the end of the previous phase"),
            HasSubstr("deadlock")));
}

TEST(Schedule, EagerTakesEffectAtTheIssue) {
  const std::string text = kernel(
      expect + load() + read("%buf") +
      "tt.descriptor_store %out[%c0, %c0], %v : !desc, !tensor\n" + wait);
  auto result = [&](const char *schedule) {
    Program program(text);
    std::vector<int32_t> in(256, 5), out(256, 1);
    Options options;
    options.schedule = *Schedule::parse(schedule);
    EXPECT_TRUE(program.run({buffer(in), buffer(out)}, {}, options))
        << program.errors;
    return out[0];
  };
  EXPECT_EQ(result("late"), 0);
  EXPECT_EQ(result("eager"), 5);
  // The same seed gives the same run, and some seeds differ.
  std::set<int32_t> seen;
  for (int seed = 0; seed < 32; ++seed) {
    const std::string name = "seed:" + std::to_string(seed);
    seen.insert(result(name.c_str()));
    EXPECT_EQ(result(name.c_str()), result(name.c_str()));
  }
  EXPECT_THAT(seen, testing::UnorderedElementsAre(0, 5));
}

TEST(Schedule, Names) {
  for (const char *name : {"late", "eager", "seed:0", "seed:77"})
    EXPECT_EQ(Schedule::parse(name)->name(), name);
  for (const char *name : {"", "soon", "seed", "seed:", "seed:x", "seed:-1"})
    EXPECT_FALSE(Schedule::parse(name)) << name;
}

TEST(Schedule, AnEndlessLoopIsAnErrorOnIt) {
  Program program(kernel(R"(
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
)"));
  std::vector<int32_t> in(256), out(256);
  Options options;
  options.maxSteps = 1000;
  EXPECT_FALSE(program.run({buffer(in), buffer(out)}, {}, options));
  EXPECT_THAT(program.errors, HasSubstr("has done the work of 1000 ops on "
                                        "scalars and is still in this loop"));
}

/// A kernel of which each program has its number as %i, and a pointer to that
/// element of %p as %mine.
std::string programs(const std::string &body) {
  return R"(
module {
  tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %i = tt.get_program_id x : i32
    %mine = tt.addptr %p, %i : !tt.ptr<i32>, i32
)" + body +
         R"(
    tt.return
  }
})";
}

std::string ofPrograms(const std::string &body) {
  Program program(programs(body));
  std::vector<int32_t> in(8, 1), out(8);
  Options options;
  options.sanitize = true;
  options.threads = 1;
  program.run({buffer(in), buffer(out)}, {4, 1, 1}, options);
  return program.errors;
}

TEST(Sanitizer, ProgramsThatWriteOneElement) {
  EXPECT_THAT(
      ofPrograms("tt.store %p, %i : !tt.ptr<i32>"),
      AllOf(HasSubstr("program (1, 0, 0) writes the element at offset 0 of "
                      "argument 0, which program (0, 0, 0) writes"),
            HasSubstr("note: the access of program (0, 0, 0)")));
  EXPECT_THAT(ofPrograms("tt.store %mine, %i : !tt.ptr<i32>"), IsEmpty());
}

TEST(Sanitizer, AProgramReadsWhatAnotherWrites) {
  const std::string next = R"(
    %other = tt.addptr %mine, %c1 : !tt.ptr<i32>, i32
    %v = tt.load %other : !tt.ptr<i32>
    tt.store %mine, %v : !tt.ptr<i32>)";
  EXPECT_THAT(ofPrograms(next),
              HasSubstr("program (1, 0, 0) writes the element at offset 4 of "
                        "argument 0, which program (0, 0, 0) reads"));
  EXPECT_THAT(ofPrograms("%v = tt.load %p : !tt.ptr<i32>"), IsEmpty());
}

TEST(Sanitizer, AtomicsCanOverlapAndOrderPrograms) {
  const std::string lock = "%old = tt.atomic_rmw add, acq_rel, gpu, %q, %c1, "
                           "%true : (!tt.ptr<i32>, i32, i1) -> i32\n";
  EXPECT_THAT(ofPrograms(lock), IsEmpty());
  // Each has the lock before it updates the sum.
  const std::string update = R"(
    %sum = tt.load %p : !tt.ptr<i32>
    %new = arith.addi %sum, %i : i32
    tt.store %p, %new : !tt.ptr<i32>
)";
  const std::string unlock = "%o = tt.atomic_rmw exch, acq_rel, gpu, %q, %c0, "
                             "%true : (!tt.ptr<i32>, i32, i1) -> i32\n";
  EXPECT_THAT(ofPrograms(lock + update + unlock), IsEmpty());
  EXPECT_THAT(ofPrograms(update), HasSubstr("programs run in any order"));
}

} // namespace
