//===- NvwsTest.cpp - References and tokens between groups of warps -------===//

#include "Program.h"
#include "gmock/gmock.h"

using namespace kernelscope::executor;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A kernel with a ring %ring of two i32, and %aref on it, that stores the
/// tensor<1xi32> of `store` at its argument.
std::string kernel(const std::string &body) {
  return R"(
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!ring = !ttg.memdesc<2x1xi32, #s, #smem, mutable>
!one = !ttg.memdesc<1xi32, #s, #smem, mutable>
!aref = !nvws.aref<[!ring]>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c5 = arith.constant 5 : i32
    %ring = ttg.local_alloc : () -> !ring
)" + body +
         R"(
    tt.return
  }
})";
}

/// Stores 10 * %i to the buffer %w, and adds what is in %g to memory at %i.
const std::string put = R"(
        %ten = arith.constant 10 : i32
        %v = arith.muli %i, %ten : i32
        %t = tt.splat %v : i32 -> tensor<1xi32, #b>
        ttg.local_store %t, %w : tensor<1xi32, #b> -> !one
)",
                  get = R"(
        %t = ttg.local_load %g : !one -> tensor<1xi32, #b>
        %q = tt.addptr %p, %i : !tt.ptr<i32>, i32
        %s = tt.splat %q : !tt.ptr<i32> -> tensor<1x!tt.ptr<i32>, #b>
        tt.store %s, %t : tensor<1x!tt.ptr<i32>, #b>
)";

std::string loop(const std::string &body) {
  return "scf.for %i = %c0 to %c5 step %c1 : i32 {\n" + body + "}\n";
}

std::vector<int32_t> run(const std::string &body) {
  Program program(kernel(body));
  std::vector<int32_t> r(5, -1);
  EXPECT_TRUE(program.run({buffer(r)})) << program.errors;
  return r;
}

/// Puts and gets in two partitions; `enters` and `exits` are what the ops say
/// of stage and phase.
std::string handover(const std::string &enters, const std::string &exits) {
  auto side = [&](const std::string &name, const std::string &buffer,
                  const std::string &body) {
    return loop(buffer + ", %tok = nvws.aref." + name + ".enter %aref" +
                enters + " : !aref -> !one, !ttg.async.token\n" + body +
                "nvws.aref." + name + ".exit %aref" + exits +
                ", %tok [#nvws.async_op<none>] : !aref, !ttg.async.token\n") +
           "nvws.warp_group.return\n}";
  };
  return "%aref = nvws.aref.create %ring : !aref\nnvws.warp_group\n"
         "partition0 num_warps(4) {\n" +
         side("put", "%w", put) + "\npartition1 num_warps(4) {\n" +
         side("get", "%g", get);
}

TEST(Nvws, AReferencePassesBuffers) {
  EXPECT_THAT(run(handover("", "")), ElementsAre(0, 10, 20, 30, 40));
}

TEST(Nvws, ZerosForAllStagesAndPhasesAreStillToBeReplaced) {
  EXPECT_THAT(run(handover("[%c0, %c0]", "[%c0]")),
              ElementsAre(0, 10, 20, 30, 40));
}

TEST(Nvws, StagesAndPhasesAsWritten) {
  const std::string at = R"(
        %stage = arith.remui %i, %c2 : i32
        %round = arith.divui %i, %c2 : i32
        %phase = arith.andi %round, %c1 : i32
        %before = arith.xori %phase, %c1 : i32
)";
  EXPECT_THAT(
      run("%aref = nvws.aref.create %ring : !aref\nnvws.warp_group\n"
          "partition0 num_warps(4) {\n" +
          loop(at +
               "%g, %tok = nvws.aref.get.enter %aref[%stage, %phase] : !aref "
               "-> !one, !ttg.async.token\n" +
               get +
               "nvws.aref.get.exit %aref[%stage], %tok [#nvws.async_op<none>] "
               ": !aref, !ttg.async.token\n") +
          "nvws.warp_group.return\n}\npartition1 num_warps(4) {\n" +
          loop(at +
               "%x, %tok = nvws.aref.put.enter %aref[%stage, %before] : !aref "
               "-> !one, !ttg.async.token\n"
               "%w = nvws.aref.buffer %aref[%stage], %tok : !aref, "
               "!ttg.async.token -> !one\n" +
               put +
               "nvws.aref.put.exit %aref[%stage], %tok [#nvws.async_op<none>] "
               ": !aref, !ttg.async.token\n") +
          "nvws.warp_group.return\n}"),
      ElementsAre(0, 10, 20, 30, 40));
}

TEST(Nvws, APutThatIsNeverReadIsADeadlock) {
  Program program(kernel(
      "%aref = nvws.aref.create %ring : !aref\n" +
      loop("%w, %tok = nvws.aref.put.enter %aref : !aref -> !one, "
           "!ttg.async.token\n" +
           put +
           "nvws.aref.put.exit %aref, %tok [#nvws.async_op<none>] : !aref, "
           "!ttg.async.token\n")));
  std::vector<int32_t> r(5);
  EXPECT_FALSE(program.run({buffer(r)}));
  EXPECT_THAT(program.errors,
              HasSubstr("deadlock: it waits for phase 0 of the barrier, which "
                        "still needs 1 of 1 arrivals"));
}

TEST(Nvws, AGroupReturnsResults) {
  EXPECT_THAT(run(R"(
    %r = nvws.warp_group
    partition0 num_warps(4) {
      %x = arith.addi %c5, %c2 : i32
      nvws.warp_group.yield %x : i32
    }
    partition1 num_warps(4) {
      nvws.warp_group.return
    } -> (i32)
    tt.store %p, %r : !tt.ptr<i32>
)")[0],
              7);
}

TEST(Nvws, TokensPassBuffers) {
  const std::string at = R"(
        %index = arith.remui %i, %c2 : i32
        %round = arith.divui %i, %c2 : i32
        %phase = arith.trunci %round : i32 to i1
)",
                    slot = "ttg.memdesc_index %ring[%index] : !ring -> !one\n",
                    type = " : tensor<2x!nvws.token>, i32";
  EXPECT_THAT(
      run("%tokens = nvws.create_token {numBuffers = 2 : i32, loadType = 3 : "
          "i32} : tensor<2x!nvws.token>\nnvws.warp_group\n"
          "partition0 num_warps(4) {\n" +
          loop(at + "nvws.consumer_wait %tokens, %index, %phase" + type +
               ", i1\n%g = " + slot + get +
               "nvws.consumer_release %tokens, %index" + type + "\n") +
          "nvws.warp_group.return\n}\npartition1 num_warps(4) {\n" +
          loop(at + "nvws.producer_acquire %tokens, %index, %phase" + type +
               ", i1\n%w = " + slot + put +
               "nvws.producer_commit %tokens, %index" + type + "\n") +
          "nvws.warp_group.return\n}"),
      ElementsAre(0, 10, 20, 30, 40));
}

/// A block of the 8 x 32 at %p in memory, by `load`, and from there to %q.
std::vector<int32_t> loaded(const std::string &load) {
  Program program(R"(
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0]}>
#tma = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 32}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<8x32xi32, #tma, #smem, mutable>
!desc = !tt.tensordesc<8x32xi32, #tma>
!rows = !tt.tensordesc<1x32xi32, #tma>
!picked = tensor<8xi32, #ttg.slice<{dim = 0, parent = #b}>>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
    %c0 = arith.constant 0 : i32
    %c4 = arith.constant 4 : i32
    %c8 = arith.constant 8 : i32
    %c32 = arith.constant 32 : i32
    %row = arith.constant 32 : i64
    %one = arith.constant 1 : i64
    %in = tt.make_tensor_descriptor %p, [%c8, %c32], [%row, %one] : !tt.ptr<i32>, !desc
    %table = tt.make_tensor_descriptor %p, [%c8, %c32], [%row, %one] : !tt.ptr<i32>, !rows
    %out = tt.make_tensor_descriptor %q, [%c8, %c32], [%row, %one] : !tt.ptr<i32>, !desc
    %last = arith.constant dense<7> : !picked
    %m = ttg.local_alloc : () -> !buffer
)" + load + R"(
    %v = ttg.local_load %m : !buffer -> tensor<8x32xi32, #b>
    tt.descriptor_store %out[%c0, %c0], %v : !desc, tensor<8x32xi32, #b>
    tt.return
  }
})");
  std::vector<int32_t> in(256), out(256, -1);
  for (int i = 0; i < 256; ++i)
    in[i] = i;
  Options options;
  options.sanitize = true;
  EXPECT_TRUE(program.run({buffer(in), buffer(out)}, {}, options))
      << program.errors;
  return out;
}

TEST(Nvws, LoadsByDescriptor) {
  auto out = loaded("nvws.descriptor_load %in[%c4, %c0] 1024 %m : !desc, i32, "
                    "i32, !buffer");
  EXPECT_EQ(out[0], 4 * 32);
  EXPECT_EQ(out[127], 255);
  EXPECT_EQ(out[128], 0); // outside of the tensor
  out = loaded("nvws.descriptor_gather %table[%last, %c0] 1024 %m : !rows, "
               "!picked, i32, !buffer");
  EXPECT_EQ(out[0], 7 * 32);
  EXPECT_EQ(out[255], 255);
}

} // namespace
