//===- EmittedCodeTest.cpp - Instructions by line of the IR ---------------===//

#include "passes/emit/EmittedCode.h"
#include "passes/emit/LineLinks.h"
#include "passes/emit/ResourceUse.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace kernelscope;
using namespace kernelscope::emit;
using Class = InstructionClass;

namespace {

Instruction only(llvm::StringRef line) {
  auto found = instructionsOn(line);
  EXPECT_EQ(found.size(), 1u) << line.str();
  return found.empty() ? Instruction() : found.front();
}

TEST(EmittedCode, ClassAndBytesOfAnInstruction) {
  struct {
    const char *line;
    Class kind;
    unsigned bytes;
  } cases[] = {
      {"\t@%p1 ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];",
       Class::GlobalLoad, 16},
      {"ld.relaxed.gpu.global.L1::no_allocate.b64 %rd1, [%rd2];",
       Class::GlobalLoad, 8},
      {"st.shared::cta.v2.b16 [%r1], {%rs1, %rs2};", Class::SharedStore, 4},
      {"ld.param.b64 %rd5, [k_param_0];", Class::Other, 8},
      {"ld.local.b32 %r1, [%rd1];", Class::LocalMemory, 4},
      {"cp.async.cg.shared.global [%r29], [%rd8], 16, %r30;", Class::AsyncCopy,
       16},
      {"cp.async.wait_group 2;", Class::Wait, 0},
      {"again: mbarrier.try_wait.parity.shared::cta.b64 complete, [%r1], 0;",
       Class::Wait, 8},
      {"bar.sync 0;", Class::Barrier, 0},
      {"bar.warp.sync -1;", Class::Other, 0},
      {"wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%f1}, %rd1;",
       Class::MatrixProduct, 0},
      {"atom.global.gpu.acq_rel.cas.b32 %r1, [%rd1], 0, 1;", Class::Atomic, 4},
      {"\tbuffer_load_dwordx4 v[0:3], v4, s[0:3], 0 offen", Class::GlobalLoad,
       16},
      {"buffer_load_dword v4, s[0:3], 0 offen lds", Class::AsyncCopy, 4},
      {"ds_read2_b64 v[0:3], v4 offset1:1 ; a comment", Class::SharedLoad, 16},
      {"ds_read_b64_tr_b16 v[0:1], v2", Class::MatrixLoad, 8},
      {"ds_bpermute_b32 v1, v2, v3", Class::Exchange, 4},
      {"v_add_f32_dpp v1, v2, v3 row_shr:1", Class::Exchange, 0},
      {"v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]",
       Class::MatrixProduct, 0},
      {"s_waitcnt vmcnt(0)", Class::Other, 0},
      {"s_barrier", Class::Barrier, 0},
      {"s_barrier_signal -1", Class::Other, 0},
      {"s_barrier_wait -1", Class::Barrier, 0},
  };
  for (const auto &[line, kind, bytes] : cases) {
    EXPECT_EQ(classOf(only(line)), kind) << line;
    if (kind != Class::MatrixProduct && kind != Class::Other)
      EXPECT_EQ(bytesMoved(only(line)), bytes) << line;
  }
}

TEST(EmittedCode, LinesThatAreNotInstructions) {
  for (const char *line : {"// begin inline asm", "; %bb.0:", "",
                           "$L__BB0_1:", "{ .reg .pred complete;", "}"})
    EXPECT_TRUE(instructionsOn(line).empty()) << line;
}

TEST(EmittedCode, CountsByLineOfTheIR) {
  llvm::StringRef ptx = "\t.loc\t1 7 3\n"
                        "\t@%p1 ld.global.b32 %r1, [%rd1];\n"
                        "\tld.global.b32 %r2, [%rd2];\n"
                        "\t.loc\t1 8 3\n"
                        "\tadd.f32 %f1, %f2, %f3; add.f32 %f4, %f5, %f6;\n";
  EmittedLines lines = countInstructions(ptx, linksFromAssembly(ptx));
  ASSERT_EQ(lines[7].size(), 1u);
  EXPECT_EQ(lines[7][0].opcode, "ld.global.b32");
  EXPECT_EQ(lines[7][0].count, 2u);
  EXPECT_EQ(lines[7][0].predicated, 1u);
  ASSERT_EQ(lines[8].size(), 1u);
  EXPECT_EQ(lines[8][0].count, 2u);
}

TEST(EmittedCode, WhatAMaskGuardsOnAmdIsPredicated) {
  llvm::StringRef code = "\tglobal_load_dword v1, v0, s[0:1]\n"
                         "\ts_and_saveexec_b64 s[2:3], vcc\n"
                         "\ts_cbranch_execz .LBB0_2\n"
                         "\tglobal_store_dword v0, v1, s[0:1]\n"
                         ".LBB0_2:\n"
                         "\ts_or_b64 exec, exec, s[2:3]\n"
                         "\tglobal_store_dword v0, v1, s[4:5]\n";
  LineLink links[] = {{7, 1}, {8, 4}, {8, 7}};
  EmittedLines lines = countInstructions(code, links);
  ASSERT_EQ(lines[7].size(), 1u);
  EXPECT_EQ(lines[7][0].predicated, 0u);
  ASSERT_EQ(lines[8].size(), 1u);
  EXPECT_EQ(lines[8][0].count, 2u);
  EXPECT_EQ(lines[8][0].predicated, 1u);
}

TEST(EmittedCode, RegistersOfAmdKernelsFromTheirMetadata) {
  KernelInfo kernels[2];
  kernels[0].name = "second";
  kernels[1].name = "first";
  readAmdUse("first:     ; -- Begin function first\n"
             "; Occupancy: 3\n"
             "second:    ; -- Begin function second\n"
             "; Occupancy: 8\n"
             "amdhsa.kernels:\n"
             "  - .agpr_count:     0\n"
             "      - .name:           argument\n"
             "    .name:           first\n"
             "    .vgpr_count:     132\n"
             "    .vgpr_spill_count: 5\n"
             "  - .agpr_count:     0\n"
             "    .name:           second\n"
             "    .vgpr_count:     24\n"
             "    .vgpr_spill_count: 0\n",
             kernels);
  ASSERT_TRUE(kernels[0].resources && kernels[1].resources);
  EXPECT_EQ(kernels[0].resources->registers, 24u);
  EXPECT_EQ(kernels[0].resources->wavesPerSimd, 8u);
  EXPECT_EQ(kernels[1].resources->registers, 132u);
  EXPECT_EQ(kernels[1].resources->spilledBytes, 20u);
  EXPECT_EQ(kernels[1].resources->wavesPerSimd, 3u);
}

} // namespace
