//===- WaveTest.cpp - The wave simulator ----------------------------------===//

#include "executor/wave/Kernel.h"
#include "gmock/gmock.h"
#include <numeric>

using namespace kernelscope;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// A kernel of %out, where each lane may store, and %lane, its number.
std::string kernel(const std::string &body) {
  return R"(
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"
@lds = external addrspace(3) global [0 x i8], align 16
@firstTwo = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
@lastTwo = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison
define amdgpu_kernel void @k(ptr addrspace(1) %out) {
  %lane = call i32 @llvm.amdgcn.workitem.id.x()
  %place = getelementptr i32, ptr addrspace(1) %out, i32 %lane
)" + body +
         R"(
  ret void
}
)";
}

/// The numbers that the lanes of a workgroup of `waves` waves store.
struct Outcome {
  std::vector<int> lanes;
  std::string error;
};
Outcome run(const std::string &body, const char *arch = "gfx942",
            unsigned waves = 1) {
  Target target = llvm::cantFail(Target::parse(arch));
  Outcome outcome;
  outcome.lanes.resize(size_t{waves} * target.warpSize, -1);
  auto loaded = wave::Kernel::create(kernel(body), "k", target);
  if (!loaded) {
    outcome.error = toString(loaded.takeError());
    return outcome;
  }
  wave::GlobalMemory memory;
  const int *out = outcome.lanes.data();
  memory.allow(std::bit_cast<uint64_t>(out), outcome.lanes.size() * 4);
  const auto *parameter = static_cast<const void *>(&out);
  wave::LaunchShape shape;
  shape.waves = waves;
  shape.ldsBytes = 4096;
  shape.maxSteps = 100000;
  if (llvm::Error error = (*loaded)->run(parameter, shape, memory))
    outcome.error = toString(std::move(error));
  return outcome;
}

/// The error of a kernel that is PTX `text` without operands.
std::string runPtx(const std::string &text) {
  Target target = llvm::cantFail(Target::parse("sm_90a"));
  auto loaded = wave::Kernel::create(R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() {
  call void asm sideeffect ")" + text + R"(", ""()
  ret void
}
)",
                                     "k", target);
  if (!loaded)
    return toString(loaded.takeError());
  wave::LaunchShape shape;
  shape.maxSteps = 100000;
  return toString((*loaded)->run({}, shape, wave::GlobalMemory()));
}

/// What lanes `first` and those after it store.
std::vector<int> someOf(const Outcome &outcome, size_t first, size_t count) {
  EXPECT_EQ(outcome.error, "");
  return {outcome.lanes.begin() + static_cast<ptrdiff_t>(first),
          outcome.lanes.begin() + static_cast<ptrdiff_t>(first + count)};
}

TEST(Wave, LanesThatLeaveALoopWaitForTheOthers) {
  // Lane n runs n rounds; then all lanes vote.
  const Outcome outcome = run(R"(
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %i, %lane
  br i1 %more, label %loop, label %done
done:
  %odd = trunc i32 %next to i1
  %votes = call i64 @llvm.amdgcn.ballot.i64(i1 %odd)
  %count = call i64 @llvm.ctpop.i64(i64 %votes)
  %small = trunc i64 %count to i32
  %sum = add i32 %small, %next
  store i32 %sum, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 4), ElementsAre(33, 34, 35, 36));
}

TEST(Wave, FloatsOfAVectorAreReduced) {
  const Outcome outcome = run(R"(
  %x = uitofp i32 %lane to float
  %v = insertelement <3 x float> <float 5.0, float 7.0, float poison>, float %x, i32 2
  %nan = insertelement <3 x float> %v, float 0x7FF8000000000000, i32 0
  %least = call float @llvm.vector.reduce.fminimum.v3f32(<3 x float> %v)
  %most = call float @llvm.vector.reduce.fmax.v3f32(<3 x float> %nan)
  %product = call float @llvm.vector.reduce.fmul.v3f32(float 2.0, <3 x float> %v)
  %s = fadd float %least, %most
  %sum = fadd float %s, %product
  %none = call float @llvm.vector.reduce.fmaximum.v3f32(<3 x float> %nan)
  %isNone = fcmp uno float %none, %none
  %z = select i1 %isNone, float %sum, float -1.0
  %out32 = fptosi float %z to i32
  store i32 %out32, ptr addrspace(1) %place
)");
  // min(5, 7, n) + max(7, n) + 2 * 5 * 7 * n
  EXPECT_THAT(someOf(outcome, 0, 3), ElementsAre(7, 78, 149));
  EXPECT_THAT(someOf(outcome, 9, 1), ElementsAre(5 + 9 + 630));
}

TEST(Wave, IntegersOfSeveralWordsAreComputedWith) {
  // The high half of 2^62 * (-lane - 4), and the sign of a sum.
  const Outcome outcome = run(R"(
  %less = sub i32 -4, %lane
  %wide = sext i32 %less to i128
  %large = zext i64 4611686018427387904 to i128
  %product = mul i128 %wide, %large
  %high = ashr i128 %product, 64
  %narrow = trunc i128 %high to i32
  %sum = add i128 %product, %large
  %negative = icmp slt i128 %sum, 0
  %one = zext i1 %negative to i32
  %times = mul i32 %one, 100
  %all = add i32 %narrow, %times
  store i32 %all, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 6), ElementsAre(99, 98, 98, 98, 98, 97));
}

TEST(Wave, BitsOfTwoOverPiForLargeAngles) {
  // The second 53 bits, and the 53 that an angle of 2^60 needs first.
  const Outcome outcome = run(R"(
  %second = call double @llvm.amdgcn.trig.preop.f64(double 1.0, i32 1)
  %isSecond = fcmp oeq double %second, 0x3C94A7F09D5F47D4
  %large = call double @llvm.amdgcn.trig.preop.f64(double 0x43B0000000000000, i32 0)
  %isLarge = fcmp oeq double %large, 0x3F87CC1B727220A9
  %both = and i1 %isSecond, %isLarge
  %flag = zext i1 %both to i32
  store i32 %flag, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 1), ElementsAre(1));
}

TEST(Wave, BarriersOrderStoresToLds) {
  // Each lane reads what the same lane of the other wave stored.
  const Outcome outcome = run(R"(
  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %lane
  store i32 %lane, ptr addrspace(3) %mine
  call void @llvm.amdgcn.s.barrier()
  %other = xor i32 %lane, 64
  %theirs = getelementptr i32, ptr addrspace(3) @lds, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
  store i32 %value, ptr addrspace(1) %place
)",
                              "gfx942", 2);
  EXPECT_THAT(someOf(outcome, 0, 3), ElementsAre(64, 65, 66));
  EXPECT_THAT(someOf(outcome, 64, 3), ElementsAre(0, 1, 2));
}

TEST(Wave, ConstantStructsHoldAddressesAndNumbers) {
  const Outcome outcome = run(R"(
  %isOdd = trunc i32 %lane to i1
  br i1 %isOdd, label %odd, label %both
odd:
  br label %both
both:
  %window = phi { ptr addrspace(3), i32 } [ { ptr addrspace(3) @lds, i32 7 }, %0 ], [ { ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i64 1024), i32 9 }, %odd ]
  %base = extractvalue { ptr addrspace(3), i32 } %window, 0
  %offset = extractvalue { ptr addrspace(3), i32 } %window, 1
  %mine = getelementptr i32, ptr addrspace(3) %base, i32 %lane
  store i32 %offset, ptr addrspace(3) %mine
  %value = load i32, ptr addrspace(3) %mine
  store i32 %value, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 4), ElementsAre(7, 9, 7, 9));
}

TEST(Wave, LoadsThatNoBarrierOrdersNameBothLanes) {
  EXPECT_THAT(run(R"(
  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %lane
  store i32 %lane, ptr addrspace(3) %mine
  %other = and i32 %lane, 63
  %theirs = getelementptr i32, ptr addrspace(3) @lds, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
)",
                  "gfx942", 2)
                  .error,
              HasSubstr("wave 1, lane 0: loads 4 bytes at 0 of LDS that lane 0 "
                        "of wave 0 has stored; no barrier orders the two"));
}

TEST(Wave, StoresThatNoBarrierOrdersAfterLoadsNameBothLanes) {
  EXPECT_THAT(run(R"(
  %other = or i32 %lane, 64
  %theirs = getelementptr i32, ptr addrspace(3) @lds, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %lane
  store i32 %lane, ptr addrspace(3) %mine
)",
                  "gfx942", 2)
                  .error,
              HasSubstr("wave 1, lane 0: stores 4 bytes at 256 of LDS that "
                        "lane 0 of wave 0 has loaded; no barrier orders"));
}

/// Of four waves the first two store, and each two meet at a barrier of theirs.
/// Then a lane reads what the lane of wave `wave ^ reader` has stored.
std::string pairs(unsigned reader) {
  return R"(
  %wave = lshr i32 %lane, 5
  %isFirst = icmp ult i32 %wave, 2
  br i1 %isFirst, label %first, label %last
first:
  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %lane
  store i32 %lane, ptr addrspace(3) %mine
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @firstTwo)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @firstTwo, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  br label %read
last:
  call void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) @lastTwo)
  call void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3) @lastTwo, i32 2)
  call void @llvm.amdgcn.s.barrier.wait(i16 1)
  br label %read
read:
  %other = xor i32 %lane, )" +
         std::to_string(32 * reader) + R"(
  %theirs = getelementptr i32, ptr addrspace(3) @lds, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
  store i32 %value, ptr addrspace(1) %place
)";
}

TEST(Wave, BarriersOrderOnlyTheWavesThatTakePart) {
  EXPECT_THAT(someOf(run(pairs(1), "gfx1250", 4), 32, 2), ElementsAre(0, 1));
  EXPECT_THAT(run(pairs(2), "gfx1250", 4).error,
              HasSubstr("wave 3, lane 0: loads 4 bytes at 128 of LDS that lane "
                        "0 of wave 1 has stored; no barrier orders the two"));
}

/// Each lane copies its number and one more to LDS, by two copies; `wait` comes
/// before the barrier; then it reads what the other wave copied first.
std::string copies(const std::string &wait) {
  return R"(
  store i32 %lane, ptr addrspace(1) %place
  %first = and i32 %lane, 64
  %base = getelementptr i32, ptr addrspace(3) @lds, i32 %first
  %behind = getelementptr i32, ptr addrspace(3) %base, i32 128
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %place, ptr addrspace(3) %base, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %place, ptr addrspace(3) %behind, i32 4, i32 0, i32 0)
)" + wait +
         R"(
  call void @llvm.amdgcn.s.barrier()
  %other = xor i32 %lane, 64
  %theirs = getelementptr i32, ptr addrspace(3) @lds, i32 %other
  %value = load i32, ptr addrspace(3) %theirs
  store i32 %value, ptr addrspace(1) %place
)";
}

TEST(Wave, CopiesAreDoneWhenTheCounterSaysSo) {
  // vmcnt(1), vmcnt(2) and nothing.
  constexpr const char *enough = "  call void @llvm.amdgcn.s.waitcnt(i32 3953)",
                       *tooWeak =
                           "  call void @llvm.amdgcn.s.waitcnt(i32 3954)";
  EXPECT_THAT(someOf(run(copies(enough), "gfx950", 2), 64, 3),
              ElementsAre(0, 1, 2));
  for (const char *wait : {tooWeak, ""})
    EXPECT_THAT(
        run(copies(wait), "gfx950", 2).error,
        HasSubstr("wave 1, lane 0: loads 4 bytes at 0 of LDS that a copy "
                  "of wave 0 may still access; that wave has not "
                  "waited for it"));
}

/// Two waves copy to the same bytes; lane 0 of wave 0 copies `number`.
static std::string twoCopies(int number) {
  return R"(
  %same = and i32 %lane, 63
  %kind = icmp eq i32 %lane, 0
  %number = select i1 %kind, i32 )" +
         std::to_string(number) + R"(, i32 %same
  store i32 %number, ptr addrspace(1) %place
  call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %place, ptr addrspace(3) @lds, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.s.barrier()
  call void @llvm.amdgcn.s.waitcnt(i32 3952)
  call void @llvm.amdgcn.s.barrier()
  %mine = getelementptr i32, ptr addrspace(3) @lds, i32 %same
  %value = load i32, ptr addrspace(3) %mine
  store i32 %value, ptr addrspace(1) %place
)";
}

TEST(Wave, CopiesOfTheSameBytesMustAgree) {
  EXPECT_THAT(someOf(run(twoCopies(0), "gfx950", 2), 64, 3),
              ElementsAre(0, 1, 2));
  EXPECT_THAT(run(twoCopies(7), "gfx950", 2).error,
              HasSubstr("wave 0, lane 0: stores 4 bytes at 0 of LDS by a copy, "
                        "where another copy in flight at the same time has "
                        "stored other data"));
}

TEST(Wave, ConversionsToF16TowardsZero) {
  const Outcome outcome = run(R"(
  %number = uitofp i32 %lane to float
  %half = fadd float %number, 0x40A0006000000000
  %negative = fneg float %half
  %both = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %half, float %negative)
  %result = bitcast <2 x half> %both to i32
  store i32 %result, ptr addrspace(1) %place
)",
                              "gfx950");
  // 2048.1875 and one more, whose neighbours are 2 apart.
  EXPECT_THAT(someOf(outcome, 0, 3),
              ElementsAre(0xe8006800, 0xe8006800, 0xe8016801));
}

TEST(Wave, TransposingReadsGiveColumns) {
  // Each lane reads 4 of the 16 numbers of a row of LDS, and gets a column.
  const Outcome outcome = run(R"(
  %number = trunc i32 %lane to i16
  %mine = getelementptr i16, ptr addrspace(3) @lds, i32 %lane
  store i16 %number, ptr addrspace(3) %mine
  %group = and i32 %lane, 15
  %part = getelementptr i64, ptr addrspace(3) @lds, i32 %group
  %column = call <4 x i16> @llvm.amdgcn.ds.read.tr16.b64.v4i16(ptr addrspace(3) %part)
  %third = extractelement <4 x i16> %column, i32 2
  %result = zext i16 %third to i32
  store i32 %result, ptr addrspace(1) %place
)",
                              "gfx950");
  EXPECT_THAT(someOf(outcome, 0, 3), ElementsAre(32, 33, 34));
}

TEST(Wave, TransposedReadsOfFourBits) {
  // Each lane's first eight numbers are its id's low bits, the others its high
  // bit. Lane l gets number l % 16 of 16 lanes, of which 8 and 8 are
  // neighbours.
  const Outcome outcome = run(R"(
  %mine = getelementptr i64, ptr addrspace(3) @lds, i32 %lane
  %low = and i32 %lane, 15
  %first = mul i32 %low, u0x11111111
  %high = lshr i32 %lane, 4
  %second = mul i32 %high, u0x11111111
  store i32 %first, ptr addrspace(3) %mine
  %next = getelementptr i32, ptr addrspace(3) %mine, i32 1
  store i32 %second, ptr addrspace(3) %next
  %column = call <2 x i32> @llvm.amdgcn.ds.load.tr4.b64.v2i32(ptr addrspace(3) %mine)
  %c0 = extractelement <2 x i32> %column, i32 0
  %c1 = extractelement <2 x i32> %column, i32 1
  %result = add i32 %c0, %c1
  store i32 %result, ptr addrspace(1) %place
)",
                              "gfx1250");
  EXPECT_THAT(someOf(outcome, 0, 1), ElementsAre(2 * 0x76543210u));
  EXPECT_THAT(someOf(outcome, 8, 1), ElementsAre(0x11111111));
  EXPECT_THAT(someOf(outcome, 16, 1), ElementsAre(2 * 0xfedcba98u));
}

TEST(Wave, ConversionsToFp8SaturateByTheMode) {
  // 1000 is more than the largest number, 448.
  const std::string convert = R"(
  %bytes = call i32 @llvm.amdgcn.cvt.pk.fp8.f32(float 1000.0, float 1.0, i32 0, i1 false)
  store i32 %bytes, ptr addrspace(1) %place
)";
  EXPECT_THAT(someOf(run(convert, "gfx950"), 0, 1), ElementsAre(0x387f));
  EXPECT_THAT(
      someOf(run("  call void @llvm.amdgcn.s.setreg(i32 1473, i32 1)" + convert,
                 "gfx950"),
             0, 1),
      ElementsAre(0x387e));
}

TEST(Wave, ReadsFloatsInTheSpellingOfNewerLlvm) {
  // LLVM 23 writes them so, and has other operands of AMD's intrinsics.
  const Outcome outcome = run(R"(
  %first = fadd float f0x40400000, 2.000000e+00
  %isLess = fcmp olt float %first, +inf
  %number = select i1 %isLess, float %first, float +qnan
  %result = fptosi float %number to i32
  store i32 %result, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 1), ElementsAre(5));
}

TEST(Wave, DppMovesValuesWithinRows) {
  // row_shr:1, in banks 0 to 2; the lanes at the start of a row keep -7.
  const Outcome outcome = run(R"(
  %moved = call i32 @llvm.amdgcn.update.dpp.i32(i32 -7, i32 %lane, i32 273, i32 15, i32 7, i1 false)
  store i32 %moved, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 14, 5), ElementsAre(-7, -7, -7, 16, 17));
}

TEST(Wave, BpermuteReadsOtherLanes) {
  const Outcome outcome = run(R"(
  %partner = xor i32 %lane, 33
  %address = shl i32 %partner, 2
  %value = call i32 @llvm.amdgcn.ds.bpermute(i32 %address, i32 %lane)
  store i32 %value, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 3), ElementsAre(33, 32, 35));
}

TEST(Wave, PermlaneSwapsHalves) {
  const Outcome outcome = run(R"(
  %more = add i32 %lane, 100
  %both = call { i32, i32 } @llvm.amdgcn.permlane32.swap(i32 %lane, i32 %more, i1 false, i1 false)
  %first = extractvalue { i32, i32 } %both, 0
  %second = extractvalue { i32, i32 } %both, 1
  %high = mul i32 %second, 1000
  %sum = add i32 %first, %high
  store i32 %sum, ptr addrspace(1) %place
)",
                              "gfx950");
  EXPECT_THAT(someOf(outcome, 0, 2), ElementsAre(32000, 33001));
  EXPECT_THAT(someOf(outcome, 32, 2), ElementsAre(132100, 133101));
}

TEST(Wave, BuffersHaveBounds) {
  // What is beyond 40 bytes is not stored, and loads zero.
  const Outcome outcome = run(R"(
  %resource = call ptr addrspace(8) @llvm.amdgcn.make.buffer.rsrc.p8.p1(ptr addrspace(1) %out, i16 0, i64 40, i32 159744)
  %offset = shl i32 %lane, 2
  call void @llvm.amdgcn.raw.ptr.buffer.store.i32(i32 %lane, ptr addrspace(8) %resource, i32 %offset, i32 0, i32 0)
  %back = call i32 @llvm.amdgcn.raw.ptr.buffer.load.i32(ptr addrspace(8) %resource, i32 %offset, i32 0, i32 0)
  %isFirst = icmp ult i32 %lane, 8
  br i1 %isFirst, label %end, label %store
store:
  store i32 %back, ptr addrspace(1) %place
  br label %end
end:
)");
  EXPECT_THAT(someOf(outcome, 6, 6), ElementsAre(6, 7, 8, 9, 0, 0));
}

TEST(Wave, ProductsFollowTheTableOfFragments) {
  // A is 1 in row 2 at k 0 and elsewhere 0; B's row 0 is the lane's column.
  const Outcome outcome = run(R"(
  %isRow = icmp eq i32 %lane, 2
  %a = select i1 %isRow, float 1.0, float 0.0
  %column = and i32 %lane, 15
  %b = sitofp i32 %column to float
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x4f32(float %a, float %b, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %third = extractelement <4 x float> %sum, i32 2
  %number = fptosi float %third to i32
  store i32 %number, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 12, 6), ElementsAre(12, 13, 14, 15, 0, 0));
}

TEST(Wave, DotProductsAddTheElementsOfWords) {
  // 1.5 * 2 + 0.5 * 4 + lane in f32; then of bytes -1 * 2 + 3 * 4 as signed and
  // 255 * 2 + 3 * 4 as mixed numbers.
  const Outcome floats = run(R"(
  %c = uitofp i32 %lane to float
  %sum = call float @llvm.amdgcn.fdot2(<2 x half> <half 0xH3E00, half 0xH3800>, <2 x half> <half 0xH4000, half 0xH4400>, float %c, i1 false)
  %result = fptosi float %sum to i32
  store i32 %result, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(floats, 0, 3), ElementsAre(5, 6, 7));
  const Outcome integers = run(R"(
  %signed = call i32 @llvm.amdgcn.sdot4(i32 1023, i32 1026, i32 %lane, i1 false)
  %mixed = call i32 @llvm.amdgcn.sudot4(i1 false, i32 1023, i1 true, i32 1026, i32 %signed, i1 false)
  store i32 %mixed, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(integers, 0, 3), ElementsAre(532, 533, 534));
}

TEST(Wave, AccessesOutsideOfBuffersNameTheLane) {
  EXPECT_THAT(run(R"(
  %beyond = getelementptr i8, ptr addrspace(1) %place, i32 4
  store i32 1, ptr addrspace(1) %beyond
)")
                  .error,
              HasSubstr("workgroup (0, 0, 0), wave 0, lane 63: stores 4 bytes "
                        "at offset 256 from the start of a buffer of 256 "
                        "bytes"));
}

TEST(Wave, WavesThatWaitForeverAreAnError) {
  EXPECT_THAT(run(R"(
  %isFirst = icmp ult i32 %lane, 64
  br i1 %isFirst, label %wait, label %end
wait:
  call void @llvm.amdgcn.s.barrier()
  br label %end
end:
)",
                  "gfx942", 2)
                  .error,
              HasSubstr("the wave waits forever at a barrier"));
}

TEST(Wave, EndlessLoopsEnd) {
  EXPECT_THAT(run("  br label %loop\nloop:\n  br label %loop\nend:").error,
              HasSubstr("has run 100000 steps"));
}

TEST(Wave, EndlessAssemblyEnds) {
  // Branches of PTX let other warps run; the text is one step.
  EXPECT_THAT(runPtx("L: bra L;"), HasSubstr("has run 100000 steps"));
}

TEST(Wave, AssemblyWithoutItsOperandsIsAnError) {
  for (const char *text :
       {"activemask.b32;", "createpolicy.fractional.L2::evict_first.b64;",
        "cp.async.mbarrier.arrive.shared.b64;", "ldmatrix.sync.aligned;",
        "tensormap.cp_fenceproxy.global;", "wgmma.wait_group.sync.aligned;"})
    EXPECT_THAT(runPtx(text),
                HasSubstr("does not run the instruction '" +
                          llvm::StringRef(text).drop_back().str() + "'"));
}

TEST(Wave, ManyArrivalsAreCountedAtOnce) {
  // A barrier that needs one arrival in each phase gets 2^40 + 3.
  const Outcome outcome = run(R"(
  store i64 0, ptr addrspace(3) @lds
  %isFirst = icmp eq i32 %lane, 0
  br i1 %isFirst, label %first, label %end
first:
  %before = call i64 @llvm.amdgcn.ds.atomic.barrier.arrive.rtn.b64(ptr addrspace(3) @lds, i64 1099511627779)
  %state = load i64, ptr addrspace(3) @lds
  %phase = lshr i64 %state, 29
  %number = trunc i64 %phase to i32
  store i32 %number, ptr addrspace(1) %place
  br label %end
end:
)",
                              "gfx1250");
  // Phases are counted down modulo 8.
  EXPECT_THAT(someOf(outcome, 0, 1), ElementsAre(-3 & 7));
}

TEST(Wave, ProductsOfHalvesAndSumsAreRoundedOnce) {
  // (1 + e) * (1 - e) / 2048 + (1 + e) with e = 2^-10 is just below the middle
  // of two numbers, which an f32 cannot tell.
  const Outcome outcome = run(R"(
  %sum = call half @llvm.fma.f16(half 0xH3C01, half 0xH0FFE, half 0xH3C01)
  %bits = bitcast half %sum to i16
  %number = zext i16 %bits to i32
  store i32 %number, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 1), ElementsAre(0x3C01));
}

TEST(Wave, FractionsAreLessThanOne) {
  // The fraction of -2^-40 is not 1 but the float before it; of NaN it is NaN.
  const Outcome outcome = run(R"(
  %isFirst = icmp eq i32 %lane, 0
  %x = select i1 %isFirst, float 0xBD70000000000000, float 0x7FF8000000000000
  %part = call float @llvm.amdgcn.fract.f32(float %x)
  %bits = bitcast float %part to i32
  store i32 %bits, ptr addrspace(1) %place
)");
  EXPECT_THAT(someOf(outcome, 0, 2), ElementsAre(0x3F7FFFFF, 0x7FC00000));
}

TEST(Wave, CodeThatIsTooWideIsAnError) {
  EXPECT_THAT(run("  %x = zext i32 %lane to i128\n"
                  "  %y = call i128 @llvm.umax.i128(i128 %x, i128 3)")
                  .error,
              HasSubstr("on integers of more than 64 bits"));
  EXPECT_THAT(run("  %x = zext i32 %lane to i128\n"
                  "  switch i128 %x, label %end [ i128 1, label %end ]\nend:")
                  .error,
              HasSubstr("does not switch on more than 64 bits"));
  EXPECT_THAT(
      run("  %x = getelementptr i8, ptr addrspace(1) %place, i128 1").error,
      HasSubstr("indices of at most 64 bits"));
  EXPECT_THAT(run("  %x = load <2 x i63>, ptr addrspace(1) %place").error,
              HasSubstr("does not access memory by this type"));
  EXPECT_THAT(run("  %x = alloca [1099511627776 x i8], addrspace(5)").error,
              HasSubstr("at most 524288 bytes"));
  EXPECT_THAT(run("  %x = alloca <vscale x 4 x i32>, addrspace(5)").error,
              HasSubstr("at most 524288 bytes"));
  EXPECT_THAT(
      run("  %x = extractelement <2 x i128> zeroinitializer, i32 %lane").error,
      HasSubstr("only at constant places"));
}

TEST(Wave, IntrinsicsWithOtherOperandsAreErrors) {
  // LLVM does not check those that a dump declares: releases differ in their
  // operands.
  auto errorOf = [](const std::string &result, const std::string &name,
                    const std::string &types, const std::string &operands) {
    Target target = llvm::cantFail(Target::parse("gfx950"));
    auto loaded = wave::Kernel::create(
        kernel("  " + std::string(result == "void" ? "" : "%x = ") + "call " +
               result + " @" + name + "(" + operands + ")") +
            "\ndeclare " + result + " @" + name + "(" + types + ")\n" +
            "declare i32 @llvm.amdgcn.workitem.id.x()\n",
        "k", target);
    return loaded ? "" : toString(loaded.takeError());
  };
  EXPECT_THAT(errorOf("i32", "llvm.amdgcn.ds.bpermute", "i32", "i32 %lane"),
              HasSubstr("'llvm.amdgcn.ds.bpermute' has too few operands"));
  EXPECT_THAT(errorOf("void", "llvm.amdgcn.ds.permute", "i32, i32",
                      "i32 %lane, i32 %lane"),
              HasSubstr("'llvm.amdgcn.ds.permute' must have a result"));
  EXPECT_THAT(errorOf("i32", "llvm.amdgcn.permlane32.swap", "i32, i32",
                      "i32 %lane, i32 %lane"),
              HasSubstr("the result of 'llvm.amdgcn.permlane32.swap' must have "
                        "2 scalars, but it has 1"));
  EXPECT_THAT(errorOf("i32", "llvm.amdgcn.raw.ptr.buffer.load.i32",
                      "ptr addrspace(1), i32, i32, i32",
                      "ptr addrspace(1) %place, i32 0, i32 0, i32 0"),
              HasSubstr("operand 0 of 'llvm.amdgcn.raw.ptr.buffer.load' must "
                        "have 2 scalars"));
  EXPECT_THAT(errorOf("i32", "llvm.amdgcn.sin", "i32", "i32 %lane"),
              HasSubstr("operand 0 of 'llvm.amdgcn.sin' must be a float"));
  EXPECT_THAT(errorOf("<4 x float>", "llvm.amdgcn.exp2", "float", "float 1.0"),
              HasSubstr("operand 0 of 'llvm.amdgcn.exp2' must have 4 scalars"));
  EXPECT_THAT(errorOf("float", "llvm.amdgcn.fdot2", "i32, i32, float, i1",
                      "i32 %lane, i32 %lane, float 0.0, i1 false"),
              HasSubstr("operand 0 of 'llvm.amdgcn.fdot2' must be a float"));
  EXPECT_THAT(errorOf("i32", "llvm.amdgcn.raw.ptr.buffer.atomic.fadd",
                      "i32, ptr addrspace(8), i32, i32, i32",
                      "i32 %lane, ptr addrspace(8) null, i32 0, i32 0, i32 0"),
              HasSubstr("this atomic operation must be of floats"));
  EXPECT_THAT(errorOf("void", "llvm.amdgcn.raw.ptr.buffer.atomic.smax",
                      "i32, ptr addrspace(8), i32, i32, i32",
                      "i32 %lane, ptr addrspace(8) null, i32 0, i32 0, i32 0"),
              HasSubstr("'llvm.amdgcn.raw.ptr.buffer.atomic.smax' must have a "
                        "result"));
  EXPECT_THAT(errorOf("void", "llvm.amdgcn.cvt.pk.fp8.f32",
                      "float, float, i32, i1",
                      "float 1.0, float 1.0, i32 0, i1 false"),
              HasSubstr("'llvm.amdgcn.cvt.pk.fp8.f32' must have a result"));
  EXPECT_THAT(errorOf("<8 x i32>", "llvm.amdgcn.ds.read.tr16.b64",
                      "ptr addrspace(3)", "ptr addrspace(3) null"),
              HasSubstr("'llvm.amdgcn.ds.read.tr16.b64' must give at most 128 "
                        "bits"));
}

TEST(Wave, UnknownIntrinsicsAreNamed) {
  EXPECT_THAT(
      run("  %bits = call i32 @llvm.amdgcn.s.getreg(i32 0)").error,
      HasSubstr("the wave simulator does not know 'llvm.amdgcn.s.getreg'"));
  EXPECT_THAT(run(R"(
  %sum = call <4 x float> @llvm.amdgcn.mfma.f32.16x16x32.f16(<8 x half> zeroinitializer, <8 x half> zeroinitializer, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
)")
                  .error,
              HasSubstr("gfx942 has no 'llvm.amdgcn.mfma.f32.16x16x32.f16'"));
}

} // namespace
