//===- InlineAsmTest.cpp - Inline assembly, and library functions ---------===//

#include "Program.h"
#include "gmock/gmock.h"
#include <cmath>

using namespace kernelscope::executor;
using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;

namespace {

/// The op on %a, and %b if there are two inputs, for a `target`.
std::string asmKernel(const std::string &text, const std::string &constraints,
                      std::vector<std::string> inputs,
                      const std::string &output, int count,
                      const std::string &target = "cuda:90", int packed = 1) {
  const std::string n = "tensor<" + std::to_string(count) + "x";
  std::string names, types;
  for (size_t i = 0; i < inputs.size(); ++i) {
    names += (i ? ", %" : "%") + std::string(1, char('a' + i));
    types += (i ? ", " : "") + n + inputs[i] + ">";
  }
  return "module attributes {ttg.target = \"" + target + "\"} {\n" +
         elementwiseKernel(
             inputs, output, count,
             "%r = tt.elementwise_inline_asm \"" + text +
                 "\" {constraints = \"" + constraints +
                 "\", packed_element = " + std::to_string(packed) +
                 " : i32, pure = true} " + names + " : " + types + " -> " + n +
                 output + ">") +
         "}";
}

template <typename R, typename A>
std::vector<R> unary(const std::string &text, const std::string &constraints,
                     const std::string &input, const std::string &output,
                     std::vector<A> a, const std::string &target = "cuda:90",
                     int packed = 1) {
  Program program(asmKernel(text, constraints, {input}, output, int(a.size()),
                            target, packed));
  std::vector<R> r(a.size());
  EXPECT_TRUE(program.run({buffer(a), buffer(r)})) << program.errors;
  return r;
}

template <typename T>
std::vector<T> binary(const std::string &text, const std::string &type,
                      std::vector<T> a, std::vector<T> b,
                      const std::string &target = "cuda:90") {
  Program program(
      asmKernel(text, "=r,r,r", {type, type}, type, int(a.size()), target));
  std::vector<T> r(a.size());
  EXPECT_TRUE(program.run({buffer(a), buffer(b), buffer(r)}))
      << text << ": " << program.errors;
  return r;
}

using Ints = std::vector<int32_t>;
using Words = std::vector<uint32_t>;

TEST(Ptx, IntegerArithmetic) {
  const Ints a = {7, -7, 1 << 30, -1}, b = {3, 2, 4, 31};
  EXPECT_EQ(binary("add.s32 $0, $1, $2;", "i32", a, b),
            (Ints{10, -5, (1 << 30) + 4, 30}));
  EXPECT_EQ(binary("mul.hi.s32 $0, $1, $2;", "i32", a, b),
            (Ints{0, -1, 1, -1}));
  EXPECT_EQ(binary("div.s32 $0, $1, $2;", "i32", a, b),
            (Ints{2, -3, 1 << 28, 0}));
  EXPECT_EQ(binary("shr.s32 $0, $1, $2;", "i32", a, b),
            (Ints{0, -2, 1 << 26, -1}));
  EXPECT_EQ(binary("shr.u32 $0, $1, $2;", "i32", a, b),
            (Ints{0, 0x3ffffffe, 1 << 26, 1}));
  EXPECT_EQ(binary("lop3.b32 $0, $1, $2, $1, 0x96;", "i32", a, b), b);
  EXPECT_EQ(binary("min.u32 $0, $1, $2;", "i32", a, b), (Ints{3, 2, 4, 31}));
  EXPECT_EQ(binary("mad.lo.s32 $0, $1, $2, -1;", "i32", a, b),
            (Ints{20, -15, -1, -32}));
}

TEST(Ptx, BitsAndBytes) {
  const Words a = {0x12345678, 1, 0x80000000, 0xff00};
  const Words b = {0xaabbccdd, 2, 3, 4};
  EXPECT_EQ(binary("prmt.b32 $0, $1, $2, 0x4501;", "i32", a, b)[0],
            0xddcc7856u);
  EXPECT_EQ(binary("popc.b32 $0, $1; add.u32 $0, $0, $2;", "i32", a, b)[3],
            12u);
  EXPECT_EQ(binary("clz.b32 $0, $1; add.u32 $0, $0, $2;", "i32", a, b)[1], 33u);
  EXPECT_EQ(binary("bfe.u32 $0, $1, 8, 8; add.u32 $0, $0, $2;", "i32", a, b)[3],
            0xff + 4u);
  EXPECT_EQ(binary("bfi.b32 $0, $2, $1, 4, 8;", "i32", a, b)[0], 0x12345dd8u);
  EXPECT_EQ(binary("shf.l.wrap.b32 $0, $1, $2, 8;", "i32", a, b)[0],
            0xbbccdd12u);
  EXPECT_EQ(binary("dp4a.u32.u32 $0, $1, 0x01010101, $2;", "i32", a, b)[1], 3u);
}

TEST(Ptx, RegistersScopesAndPredicates) {
  EXPECT_EQ(binary("{\\0A .reg .pred p; .reg .b32 t<2>; // a comment\\0A"
                   "setp.lt.s32 p, $1, $2;\\0A mov.b32 t0, 100;\\0A"
                   "@p mov.b32 t0, 200;\\0A @!p add.s32 t0, t0, 1;\\0A"
                   "mov.b32 $0, t0; }",
                   "i32", Ints{1, 5}, Ints{2, 2}),
            (Ints{200, 101}));
  EXPECT_EQ(binary("{ .reg .pred p, q; setp.ge.s32 p|q, $1, $2; "
                   "selp.s32 $0, 1, 0, q; }",
                   "i32", Ints{1, 5}, Ints{2, 2}),
            (Ints{1, 0}));
}

TEST(Ptx, FloatArithmetic) {
  using Floats = std::vector<float>;
  const Floats a = {1.5f, -2, 0x1p-130f, 2}, b = {0.25f, 8, 1, -2};
  EXPECT_EQ(binary("fma.rn.f32 $0, $1, $2, 0f3F800000;", "f32", a, b),
            (Floats{1.375f, -15, 1, -3}));
  EXPECT_EQ(binary("mul.ftz.f32 $0, $1, $2;", "f32", a, b),
            (Floats{0.375f, -16, 0, -4}));
  EXPECT_EQ(binary("add.sat.f32 $0, $1, $2;", "f32", a, b),
            (Floats{1, 1, 1, 0}));
  EXPECT_EQ(binary("ex2.approx.f32 $0, $1; add.f32 $0, $0, 1.0;", "f32",
                   Floats{3, -1}, Floats{0, 0}),
            (Floats{9, 1.5f}));
}

TEST(Ptx, PairsInOneRegister) {
  auto r = unary<uint16_t, uint16_t>("add.rn.f16x2 $0, $1, $1;", "=r,r", "f16",
                                     "f16", {0x3c00, 0x4000, 0xc000, 0},
                                     "cuda:90", 2);
  EXPECT_THAT(r, ElementsAre(0x4000, 0x4400, 0xc400, 0));
  auto reversed =
      unary<uint8_t, uint8_t>("prmt.b32 $0, $1, 0, 0x0123;", "=r,r", "i8", "i8",
                              {1, 2, 3, 4, 5, 6, 7, 8}, "cuda:90", 4);
  EXPECT_THAT(reversed, ElementsAre(4, 3, 2, 1, 8, 7, 6, 5));
  const uint64_t both = uint64_t(std::bit_cast<uint32_t>(2.0f)) << 32 |
                        std::bit_cast<uint32_t>(0.5f);
  auto swapped = unary<uint64_t, uint64_t>(
      "{ .reg .b32 low, high; mov.b64 {low, high}, $1; "
      "mov.b64 $0, {high, low}; mul.f32x2 $0, $0, $0; }",
      "=l,l", "i64", "i64", {both, both});
  EXPECT_EQ(swapped[0], uint64_t(std::bit_cast<uint32_t>(0.25f)) << 32 |
                            std::bit_cast<uint32_t>(4.0f));
}

TEST(Ptx, Conversions) {
  EXPECT_THAT((unary<int32_t, float>("cvt.rni.s32.f32 $0, $1;", "=r,f", "f32",
                                     "i32", {2.5f, -3.7f, 3e10f, NAN})),
              ElementsAre(2, -4, INT32_MAX, 0));
  EXPECT_THAT((unary<float, float>("cvt.rna.tf32.f32 $0, $1;", "=r,r", "f32",
                                   "f32", {1 + 0x1p-11f, 1 + 0x1p-12f})),
              ElementsAre(1 + 0x1p-10f, 1));
  // The first source is the upper half.
  auto packed = unary<uint32_t, float>("cvt.rn.bf16x2.f32 $0, 0f40000000, $1;",
                                       "=r,f", "f32", "i32", {1, -1});
  EXPECT_THAT(packed, ElementsAre(0x40003f80u, 0x4000bf80u));
  auto fp8 =
      unary<uint16_t, float>("cvt.rn.satfinite.e4m3x2.f32 $0, 0f43FA0000, $1;",
                             "=h,f", "f32", "i16", {1, 2});
  EXPECT_THAT(fp8, ElementsAre(0x7e38, 0x7e40));
}

TEST(Ptx, ComparisonsAndSelections) {
  using Floats = std::vector<float>;
  const Floats a = {1, 5, NAN, -0.0f}, b = {2, 2, 2, 0};
  EXPECT_THAT(binary("{ .reg .pred p; setp.lt.f32 p, $1, $2; "
                     "selp.f32 $0, $2, 1.5, p; }",
                     "f32", a, b),
              ElementsAre(2, 1.5f, 1.5f, 1.5f));
  EXPECT_THAT(
      binary("{ .reg .pred p, q; setp.gt.f32 q, $1, 2.0; "
             "setp.ltu.or.f32 p, $1, $2, q; setp.ne.and.f32 p, $1, $2, !p; "
             "selp.f32 $0, 1.0, 0.0, p; }",
             "f32", Floats{1, 5, 2, 3}, Floats{2, 2, 2, 0}),
      ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(binary("set.ge.f32.f32 $0, $1, $2;", "f32", a, b),
              ElementsAre(0, 1, 0, 1));
  // 0x7e00 is a NaN, 0x3c00 is 1.0.
  for (auto [to, all] : {std::pair{"f16x2", 0x3c00u}, {"u32", 0xffffu}})
    EXPECT_THAT(
        (unary<uint32_t, uint32_t>(
            std::string("set.nan.") + to + ".f16x2 $0, $1, $1;", "=r,r", "i32",
            "i32", {0x7e003c00, 0x00007e00, 0x7c000001, 0xffffffff})),
        ElementsAre(all << 16, all, 0, all << 16 | all));
  EXPECT_THAT(binary("slct.f32.f32 $0, $1, $2, $1;", "f32", Floats{1, -1},
                     Floats{7, 8}),
              ElementsAre(1, 8));
  EXPECT_THAT(binary("{ .reg .pred p; testp.notanumber.f32 p, $1; "
                     "selp.f32 $0, $2, $1, p; }",
                     "f32", Floats{NAN, 3}, Floats{4, 5}),
              ElementsAre(4, 3));
  EXPECT_THAT(binary("max.xorsign.abs.f32 $0, $1, $2;", "f32", Floats{-3, 2},
                     Floats{1, -4}),
              ElementsAre(-3, -4));
}

TEST(Ptx, CarriesAndFields) {
  // 64 bits in two halves: 0xffffffff'00000001 + 0x00000001'ffffffff.
  EXPECT_EQ(binary("{ .reg .u32 low, high; add.cc.u32 low, $1, $2; "
                   "addc.u32 high, 0xffffffff, 1; xor.b32 $0, low, high; }",
                   "i32", Words{1, 1}, Words{0xffffffff, 2}),
            (Words{1, 3}));
  EXPECT_EQ(binary("{ .reg .u32 low; sub.cc.u32 low, $1, $2; "
                   "subc.u32 $0, 10, 0; }",
                   "i32", Words{1, 5}, Words{2, 2}),
            (Words{9, 10}));
  EXPECT_EQ(
      binary("mul24.lo.u32 $0, $1, $2;", "i32", Words{0x01000003}, Words{5}),
      (Words{15}));
  EXPECT_EQ(binary("bmsk.clamp.b32 $0, $1, $2;", "i32", Words{4}, Words{8}),
            (Words{0xff0}));
  EXPECT_EQ(binary("szext.wrap.s32 $0, $1, $2;", "i32", Words{0xf8}, Words{8}),
            (Words{0xfffffff8}));
  EXPECT_EQ(binary("prmt.b32.f4e $0, $1, $2, 1;", "i32", Words{0x44332211},
                   Words{0x88776655}),
            (Words{0x55443322}));
  EXPECT_EQ(binary("dp2a.lo.u32.u32 $0, $1, $2, 1;", "i32", Words{0x00030002},
                   Words{0x0504}),
            (Words{2 * 4 + 3 * 5 + 1}));
}

TEST(Ptx, Scales) {
  EXPECT_THAT(
      (unary<uint16_t, float>("cvt.rp.satfinite.ue8m0x2.f32 $0, $1, $1;",
                              "=h,f", "f32", "i16", {1, 1.5f, 0, INFINITY})),
      ElementsAre(0x7f7f, 0x8080, 0, 0xfefe));
  EXPECT_THAT(
      (unary<uint32_t, uint16_t>("cvt.rn.bf16x2.ue8m0x2 $0, $1;", "=r,h", "i16",
                                 "i32", {0x7f80, 0xff7e})),
      ElementsAre(0x3f804000, 0x7fc03f00));
}

TEST(Ptx, Directions) {
  using Floats = std::vector<float>;
  const Floats one = {1, -1}, tiny = {0x1p-100f, 0x1p-100f};
  EXPECT_THAT(binary("add.rp.f32 $0, $1, $2;", "f32", one, tiny),
              ElementsAre(1 + 0x1p-23f, -1 + 0x1p-24f));
  EXPECT_THAT(binary("sub.rz.f32 $0, $1, $2;", "f32", one, tiny),
              ElementsAre(1 - 0x1p-24f, -1));
  EXPECT_THAT(binary("{ .reg .f32 t; cvt.rn.tf32.f32 t, $1; "
                     "sub.f32 $0, t, $2; }",
                     "f32", Floats{1 + 0x1p-11f, 1 + 0x3p-11f}, Floats{0, 0}),
              ElementsAre(1, 1 + 0x1p-9f));
}

TEST(Amdgcn, BitsOfLanes) {
  using Floats = std::vector<float>;
  const std::string hip = "hip:gfx942";
  const std::string choose = "\\0Av_cndmask_b32 $0, 1.0, $2, vcc";
  const Floats a = {1, 5, NAN, 2}, b = {2, 2, 2, 2};
  EXPECT_THAT(binary("v_cmp_lt_f32 vcc, $1, $2" + choose, "f32", a, b, hip),
              ElementsAre(2, 1, 1, 1));
  EXPECT_THAT(binary("v_cmp_nge_f32 vcc, $1, $2" + choose, "f32", a, b, hip),
              ElementsAre(2, 1, 2, 1));
  EXPECT_EQ(binary("v_add_co_u32 $0, vcc, $1, $2\\0A"
                   "v_addc_co_u32 $0, vcc, 5, 0, vcc",
                   "i32", Words{1, 1}, Words{0xffffffff, 1}, hip),
            (Words{6, 5}));
}

TEST(Amdgcn, SignsAndParts) {
  using Floats = std::vector<float>;
  const std::string hip = "hip:gfx1100";
  EXPECT_THAT(binary("v_add_f32 $0, -$1, |$2|", "f32", Floats{1, 2},
                     Floats{-4, 5}, hip),
              ElementsAre(3, 3));
  EXPECT_THAT(binary("v_mov_b32 $0, $1\\0Av_fmac_f32 $0, $1, $2", "f32",
                     Floats{1, 2}, Floats{-4, 5}, hip),
              ElementsAre(-3, 12));
  EXPECT_EQ(
      binary("v_mad_u32_u24 $0, $1, $2, 7", "i32", Words{3}, Words{5}, hip),
      (Words{22}));
  EXPECT_EQ(binary("v_dot4_i32_i8 $0, $1, $2, 0", "i32", Words{0x01ff0203},
                   Words{0x01010101}, hip),
            (Words{1 - 1 + 2 + 3}));
  EXPECT_EQ(binary("v_med3_i32 $0, $1, 0, $2", "i32", Words{9, 0xffffffff},
                   Words{5, 5}, hip),
            (Words{5, 0}));
}

TEST(Amdgcn, VectorInstructions) {
  using Floats = std::vector<float>;
  const std::string hip = "hip:gfx942";
  EXPECT_EQ(
      binary("v_mul_f32 $0, $1, $2", "f32", Floats{2, 3}, Floats{4, 5}, hip),
      (Floats{8, 15}));
  EXPECT_EQ(binary("v_sub_f32_e32 $0, 1.0, $1\\0Av_max_f32 $0, $0, $2 ; rest",
                   "f32", Floats{2, 3}, Floats{-4, 5}, hip),
            (Floats{-1, 5}));
  EXPECT_EQ(binary("v_lshlrev_b32 $0, 4, $1\\0Av_xor_b32 $0, $0, $2", "i32",
                   Words{1, 2}, Words{1, 1}, hip),
            (Words{17, 33}));
  // The first bit that differs from the sign.
  EXPECT_EQ(binary("v_ffbh_i32 $0, $1", "i32", Words{0xffff0000, 1},
                   Words{0, 0}, hip),
            (Words{16, 31}));
  EXPECT_EQ(binary("v_lshl_add_u32 $0, $1, 3, $2", "i32", Words{1, 2},
                   Words{5, 6}, hip),
            (Words{13, 22}));
  EXPECT_EQ(binary("v_perm_b32 $0, $1, $2, 0x00010c05", "i32",
                   Words{0x11223344}, Words{0xaabbccdd}, hip),
            (Words{0xddcc0033}));
  EXPECT_THAT((unary<int32_t, float>("v_cvt_i32_f32 $0, $1", "=v,v", "f32",
                                     "i32", {2.9f, -2.9f}, hip)),
              ElementsAre(2, -2));
}

TEST(InlineAsm, InvalidInstructionsAreErrors) {
  auto errorOf = [](const std::string &text, const std::string &target) {
    Program program(asmKernel(text, "=r,r", {"i32"}, "i32", 4, target));
    EXPECT_FALSE(program.planned()) << text;
    return program.errors;
  };
  EXPECT_THAT(
      errorOf("add.s32 $0, $1, 1; ld.global.u32 $0, [$1];", "cuda:90"),
      HasSubstr("does not run the instruction 'ld.global.u32 $0, [$1]'"));
  EXPECT_THAT(errorOf("mov.u32 $0, %tid.x;", "cuda:90"),
              HasSubstr("'tid.x' is neither declared nor the same for all "
                        "elements"));
  EXPECT_THAT(errorOf("add.s32 $0, $1;", "cuda:90"),
              HasSubstr("it takes 3 operands, not 2"));
  EXPECT_THAT(errorOf("add.s32 $0, $1, $2;", "cuda:90"),
              HasSubstr("$2 is not one of the 2 operands"));
  for (const char *text :
       {"{ .reg .b32 a<16>; mov.b64 {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, "
        "a10, a11, a12, a13, a14, a15}, $1; mov.b32 $0, a0; }",
        "mul.wide.u64 $0, $1, $1;", "selp.b64x2 $0, $1, $1, $1;",
        "set.eq.u32.u32 $0|$0, $1, $1;"})
    EXPECT_THAT(errorOf(text, "cuda:90"),
                HasSubstr("does not run the instruction"))
        << text;
  EXPECT_THAT(errorOf("v_lshlrev_f32 $0, $1, $1", "hip:gfx1100"),
              HasSubstr("does not run the instruction"));
  EXPECT_THAT(errorOf("v_mfma_f32_4x4x1f32 $0, $1, $1, $1", "hip:gfx942"),
              HasSubstr("does not run the instruction 'v_mfma"));
  EXPECT_THAT(errorOf("add.s32.what $0, $1, $1;", "cuda:90"),
              HasSubstr("does not run the instruction"));
}

// Two registers of each thread change places.
TEST(InlineAsm, OnAllRegistersOfAThread) {
  Program program(R"(
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {
    %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #b>
    %r = ttg.inline_asm "mov.b32 $0, $3; add.s32 $1, $2, $4;" {constraints = "=r,=r,r,r,r", pure = true} %i, %n : (tensor<64xi32, #b>, i32) -> tensor<64xi32, #b>
    %s = tt.splat %p : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>, #b>
    %q = tt.addptr %s, %i : tensor<64x!tt.ptr<i32>, #b>, tensor<64xi32, #b>
    tt.store %q, %r : tensor<64x!tt.ptr<i32>, #b>
    tt.return
  }
})");
  std::vector<int32_t> r(64);
  ASSERT_TRUE(program.run({buffer(r), scalar(100)})) << program.errors;
  EXPECT_EQ(r[0], 32);
  EXPECT_EQ(r[31], 63);
  EXPECT_EQ(r[32], 100);
  EXPECT_EQ(r[63], 131);
}

/// Two warps run `assembly` on their ids and on a swizzled 4 x 16 buffer of
/// what is 10 in row 1, 20 in row 2, plus the column.
std::string onSharedMemory(const std::string &assembly) {
  return R"(
#b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 1, parent = #b}>
#column = #ttg.slice<{dim = 0, parent = #b}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @k(%p: !tt.ptr<i32>) {
    %rows = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<4xi32, #row>
    %columns = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32, #column>
    %r0 = tt.expand_dims %rows {axis = 1 : i32} : tensor<4xi32, #row> -> tensor<4x1xi32, #b>
    %c0 = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32, #column> -> tensor<1x16xi32, #b>
    %ten = arith.constant dense<10> : tensor<4x1xi32, #b>
    %sixteen = arith.constant dense<16> : tensor<4x1xi32, #b>
    %r1 = arith.muli %r0, %ten : tensor<4x1xi32, #b>
    %r2 = tt.broadcast %r1 : tensor<4x1xi32, #b> -> tensor<4x16xi32, #b>
    %c2 = tt.broadcast %c0 : tensor<1x16xi32, #b> -> tensor<4x16xi32, #b>
    %x = arith.addi %r2, %c2 : tensor<4x16xi32, #b>
    %m = ttg.local_alloc %x : (tensor<4x16xi32, #b>) -> !ttg.memdesc<4x16xi32, #s, #smem, mutable>
    %o1 = arith.muli %r0, %sixteen : tensor<4x1xi32, #b>
    %o2 = tt.broadcast %o1 : tensor<4x1xi32, #b> -> tensor<4x16xi32, #b>
    %i = arith.addi %o2, %c2 : tensor<4x16xi32, #b>
    %v = ttg.inline_asm ")" +
         assembly +
         R"(" {constraints = "=r,r,r", pure = false} %m, %i : (!ttg.memdesc<4x16xi32, #s, #smem, mutable>, tensor<4x16xi32, #b>) -> tensor<4x16xi32, #b>
    %after = ttg.local_load %m : !ttg.memdesc<4x16xi32, #s, #smem, mutable> -> tensor<4x16xi32, #b>
    %sum = arith.addi %v, %after : tensor<4x16xi32, #b>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<4x16x!tt.ptr<i32>, #b>
    %q = tt.addptr %ps, %i : tensor<4x16x!tt.ptr<i32>, #b>, tensor<4x16xi32, #b>
    tt.store %q, %sum : tensor<4x16x!tt.ptr<i32>, #b>
    tt.return
  }
})";
}

TEST(InlineAsm, LoadsWhatTheLayoutPlacesAtAnAddress) {
  // What follows element i in memory: columns of a row are swizzled.
  Program program(
      onSharedMemory(".reg .u32 a<2>; shl.b32 a0, $2, 2; add.u32 a1, a0, $1; "
                     "@!a0 ld.shared.u32 $0, [a1]; ld.shared.b32 $0, [a1+0];"));
  std::vector<int32_t> r(64);
  ASSERT_TRUE(program.run({buffer(r)})) << program.errors;
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(r[i], i / 16 * 20 + i % 16 + (i % 16 ^ i / 16)) << i;
}

TEST(InlineAsm, StoresHalvesAtAnAddress) {
  // The upper half of each element is set, as its signed neighbour shows.
  Program program(onSharedMemory(
      ".reg .u32 a<2>; mad.lo.u32 a0, $2, 4, $1; mov.b32 a1, 0xffffffff; "
      "st.shared.b16 [a0+2], a1; ld.shared.s16 $0, [a0+2];"));
  std::vector<int32_t> r(64);
  ASSERT_TRUE(program.run({buffer(r)})) << program.errors;
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(r[i], (i / 16 * 10 + i % 16 | int32_t(0xffff0000)) - 1) << i;
}

TEST(InlineAsm, AnAddressOutsideAllBuffersIsAFault) {
  Program program(
      onSharedMemory("mov.b32 $0, $2; ld.shared.b32 $0, [$1+256];"));
  std::vector<int32_t> r(64);
  EXPECT_FALSE(program.run({buffer(r)}));
  EXPECT_THAT(program.errors, HasSubstr("4 bytes that are in none of the"));
}

/// `symbol` of %a, and %b if there are two.
template <typename R = float, typename T = float>
std::vector<R> library(const std::string &symbol, std::vector<T> a,
                       std::vector<T> b = {}, const std::string &type = "f32",
                       const std::string &result = "f32") {
  const std::string n = "tensor<" + std::to_string(a.size()) + "x" + type + ">";
  Program program(elementwiseKernel(
      b.empty() ? std::vector{type} : std::vector{type, type}, result,
      int(a.size()),
      "%r = tt.extern_elementwise %a" + std::string(b.empty() ? "" : ", %b") +
          " {libname = \"\", libpath = \"\", pure = true, symbol = \"" +
          symbol + "\"} : (" + n + (b.empty() ? "" : ", " + n) +
          ") -> tensor<" + std::to_string(a.size()) + "x" + result + ">"));
  std::vector<R> r(a.size());
  std::vector<Argument> arguments = {buffer(a)};
  if (!b.empty())
    arguments.push_back(buffer(b));
  arguments.push_back(buffer(r));
  EXPECT_TRUE(program.run(arguments)) << symbol << ": " << program.errors;
  return r;
}

TEST(Extern, InversesUndoTheirFunctions) {
  for (float x : {-0.999f, -0.3f, 1e-6f, 0.5f, 0.75f, 0.99999f}) {
    EXPECT_NEAR(std::erf(library("__nv_erfinvf", {x})[0]), x, 1e-7);
    EXPECT_EQ(library("__ocml_erfinv_f32", {x}), library("__nv_erfinvf", {x}));
  }
  for (double x : {1e-30, 1e-3, 0.4, 1.0, 1.7}) {
    const double y =
        library<double, double>("__nv_erfcinv", {x}, {}, "f64", "f64")[0];
    EXPECT_NEAR(std::erfc(y) / x, 1, 1e-12) << x;
  }
  EXPECT_THAT(library("__nv_erfinvf", {1, -1}),
              ElementsAre(INFINITY, -INFINITY));
  EXPECT_NEAR(library("__nv_normcdfinvf", {0.975f})[0], 1.959964f, 1e-6);
}

TEST(Extern, FunctionsOfBothLibraries) {
  EXPECT_THAT(library("__nv_rsqrtf", {4}), ElementsAre(0.5f));
  EXPECT_THAT(library("__ocml_cospi_f32", {0.5f, 1}), ElementsAre(0, -1));
  EXPECT_THAT(library("__nv_fast_fdividef", {1}, {4}), ElementsAre(0.25f));
  EXPECT_THAT(library("__nv_cyl_bessel_i0f", {2}),
              ElementsAre(FloatEq(2.2795853f)));
  EXPECT_THAT(library("__nv_erfcxf", {30}), ElementsAre(FloatEq(0.018795888f)));
  EXPECT_THAT((library<int32_t>("__nv_isnanf", {1, NAN}, {}, "f32", "i32")),
              ElementsAre(0, 1));
  EXPECT_THAT(
      (library<int32_t>("__nv_float2int_rd", {-1.5f}, {}, "f32", "i32")),
      ElementsAre(-2));
  EXPECT_THAT((library<int32_t>("__nv_float_as_int", {1}, {}, "f32", "i32")),
              ElementsAre(0x3f800000));
  EXPECT_THAT(
      (library<int32_t, int32_t>("__nv_umulhi", {-1}, {16}, "i32", "i32")),
      ElementsAre(15));
  EXPECT_THAT((library<int32_t, int32_t>("__nv_abs", {-5}, {}, "i32", "i32")),
              ElementsAre(5));
}

TEST(Extern, AFunctionInNoLibraryIsAnError) {
  Program program(elementwiseKernel(
      {"f32"}, "f32", 4,
      "%r = tt.extern_elementwise %a {libname = \"\", libpath = \"\", pure = "
      "true, symbol = \"__nv_nothing\"} : (tensor<4xf32>) -> tensor<4xf32>"));
  EXPECT_FALSE(program.planned());
  EXPECT_THAT(program.errors, HasSubstr("has no function '__nv_nothing'"));
}

} // namespace
