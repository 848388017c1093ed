//===- Marks.cpp - what passes write on ops and modules -------------------===//

#include "server/analysis/Marks.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

static constexpr Mark marks[] = {
    {Mark::Module, "ttg.num-warps", "4 : i32",
     "the number of warps of a program\n\nLayouts in this module divide "
     "tensors among this many warps; a partition of `ttg.warp_specialize` has "
     "its own number."},
    {Mark::Module, "ttg.num-ctas", "1 : i32",
     "the number of CTAs in the cluster that runs one program"},
    {Mark::Module, "ttg.threads-per-warp", "32 : i32",
     "the number of threads in a warp: 32 on NVIDIA and RDNA, 64 on CDNA"},
    {Mark::Module, "ttg.target", "\"cuda:90\"",
     "the chip that the module is compiled for: `cuda:` and the compute "
     "capability, or `hip:` and the name of the architecture"},
    {Mark::Module, "ttg.shared", "0 : i32",
     "the bytes of shared memory that a program uses, set by its allocation"},
    {Mark::Module, "ttg.total-num-warps", "8 : i32",
     "the number of warps of a program, including all partitions of its "
     "`ttg.warp_specialize`"},
    {Mark::Module, "ttg.maxnreg", "128 : i32",
     "the maximum number of registers per thread, `maxnreg` of the launch"},
    {Mark::Module, "ttng.two-ctas", "false",
     "whether CTAs work in pairs\n\nIf true, tcgen05 and TMA use "
     "`cta_group::2`. CTAs 2i and 2i + 1 form a pair, and the even CTA leads: "
     "it issues the products, and it may hold the barrier for copies to either "
     "CTA, with a CGALayout of `[[0], [1], [2], ...]`. TMA signals the CTA of "
     "the pair whose id has the same parity as the CTA that holds the barrier "
     "(PTX ISA, *cp.async.bulk.tensor*). If false, each CTA works by itself "
     "and has its own barrier: `[[1], [2], ...]`."},
    {Mark::Function, "noinline", "true",
     "whether calls of this function stay calls; Triton inlines all others"},
    {Mark::Argument, "tt.divisibility", "16 : i32",
     "the argument, or the address in bytes if it is a pointer, is a multiple "
     "of this number\n\nTriton derives it from the value of the argument at "
     "launch. "
     "It allows wide accesses and TMA: with 16, eight elements of `f16` can be "
     "loaded at once. Launching the kernel with any other value is undefined "
     "behaviour."},
    {Mark::Argument, "tt.contiguity", "16 : i32",
     "groups of this many adjacent values are consecutive numbers"},
    {Mark::Argument, "tt.constancy", "16 : i32",
     "groups of this many adjacent values are equal"},
    {Mark::Argument, "tt.pointer_range", "32 : i32",
     "offsets from the pointer fit in this many bits; with 32, the buffer is "
     "smaller than 2 GiB\n\nOn AMD this allows buffer loads and stores with "
     "32-bit offsets."},
    {Mark::Loop, "tt.num_stages", "3 : i32",
     "the number of stages of the software pipeline: loads are issued "
     "`num_stages - 1` iterations ahead"},
    {Mark::Loop, "tt.loop_unroll_factor", "2 : i32",
     "the factor by which this loop is unrolled"},
    {Mark::Loop, "tt.warp_specialize", "true",
     "divide this loop among partitions of warps"},
    {Mark::Loop, "tt.flatten", "true",
     "merge this loop with the loop inside it"},
    {Mark::Loop, "ttg.warp_specialize.tag", "0 : i32",
     "the index of this loop among the warp-specialised loops"},
    {Mark::Loop, "tt.disallow_acc_multi_buffer", "true",
     "do not double-buffer the accumulator of this loop"},
    {Mark::Op, "tt.self_latency", "1 : i32",
     "the number of pipeline stages between this op and the same op in the "
     "next iteration"},
    {Mark::Op, "tt.latency", "2 : i32",
     "the number of pipeline stages between this op and the users of its "
     "result"},
    {Mark::Op, "loop.stage", "0 : i32",
     "the pipeline stage in which this op runs: stage s of one iteration runs "
     "together with stage 0 of the iteration s later"},
    {Mark::Op, "loop.cluster", "0 : i32",
     "the position of this op within the body of the pipelined loop: lower "
     "clusters come first"},
    {Mark::Op, "ttg.partition", "0 : i32",
     "the partitions of warps that run this op\n\nPartitions are numbered "
     "within the loop that has `ttg.warp_specialize.tag`. Until the loop is "
     "split, an op may belong to several."},
    {Mark::Op, "amdg.cd_regclass", "\"a\"",
     "the registers of the sums of this product by MFMA: `\"a\"` for AGPRs, "
     "`\"v\"` for VGPRs\n\nWithout it LLVM chooses. Gluon writes it for "
     "`mfma(cd_regclass=...)`."},
    {Mark::Op, "ttg.amdg.syncedViaAsyncWait", "true",
     "this load comes after a wait for the copies that it reads\n\nOn gfx942 "
     "and gfx950, LLVM waits for all direct-to-LDS copies before each load "
     "from LDS. A load with this attribute gets alias scopes that tell LLVM "
     "not to wait, so a `ttg.async_wait` must come before it. The warning "
     "`async-wait-missing` reports loads without one."},
};

llvm::ArrayRef<Mark> kernelscope::allMarks() { return marks; }

std::string Mark::key() const {
  return name.contains('-') ? ("\"" + name + "\"").str() : name.str();
}

std::string kernelscope::describeMark(llvm::StringRef name) {
  const Mark *mark =
      llvm::find_if(marks, [&](const Mark &mark) { return mark.name == name; });
  return mark == std::end(marks)
             ? ""
             : ("**" + name + "**: " + mark->text + "\n").str();
}
