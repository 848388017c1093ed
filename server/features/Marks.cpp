//===- Marks.cpp - what passes write on ops and modules -------------------===//

#include "server/features/Marks.h"

#include "llvm/ADT/STLExtras.h"

using namespace kernelscope;

static constexpr Mark marks[] = {
    {Mark::Module, "ttg.num-warps", "4 : i32",
     "the warps of a program\n\nLayouts of this module divide their tensors "
     "among as many; a partition of `ttg.warp_specialize` has its own number."},
    {Mark::Module, "ttg.num-ctas", "1 : i32",
     "the CTAs of a cluster that run one program together"},
    {Mark::Module, "ttg.threads-per-warp", "32 : i32",
     "the threads of a warp: 32 on NVIDIA and on RDNA, 64 on CDNA"},
    {Mark::Module, "ttg.target", "\"cuda:90\"",
     "the chip that the module is for: `cuda:` with the compute capability, or "
     "`hip:` with the name of the architecture"},
    {Mark::Module, "ttg.shared", "0 : i32",
     "the bytes of shared memory of a program, written when it is allocated"},
    {Mark::Module, "ttg.total-num-warps", "8 : i32",
     "the warps of a program together with those of all partitions of its "
     "`ttg.warp_specialize`"},
    {Mark::Module, "ttg.maxnreg", "128 : i32",
     "the most registers that a thread may have, which `maxnreg` of the launch "
     "asked for"},
    {Mark::Module, "ttng.two-ctas", "false",
     "whether CTAs work in pairs\n\nKernels with tcgen05 and TMA run as "
     "`cta_group::2` if it is true. CTAs 2i and 2i + 1 are a pair, and the "
     "even one leads: it issues products, and the barrier of a copy to either "
     "CTA may be in it, with a CGALayout of `[[0], [1], [2], ...]`. TMA "
     "signals the CTA of the pair whose number has the parity of the one that "
     "holds the barrier (PTX ISA, *cp.async.bulk.tensor*). If it is false each "
     "CTA works by itself, and has a barrier of its own: `[[1], [2], ...]`."},
    {Mark::Argument, "tt.divisibility", "16 : i32",
     "the value is a multiple of this; a pointer is, in bytes\n\nTriton finds "
     "it from the value of the argument at launch. It is what allows wide "
     "accesses and TMA: with 16, eight elements of `f16` come at once. A "
     "launch with another value is undefined."},
    {Mark::Argument, "tt.contiguity", "16 : i32",
     "so many values in a row are consecutive"},
    {Mark::Argument, "tt.constancy", "16 : i32",
     "so many values in a row are equal"},
    {Mark::Argument, "tt.pointer_range", "32 : i32",
     "offsets into what the pointer points to fit in so many bits: the buffer "
     "is smaller than 2 GiB\n\nOn AMD it allows buffer loads and stores with "
     "offsets of 32 bits."},
    {Mark::Loop, "tt.num_stages", "3 : i32",
     "how many iterations of this loop are in flight at once: loads are issued "
     "so many stages ahead, less one"},
    {Mark::Loop, "tt.loop_unroll_factor", "2 : i32",
     "how many times the body of this loop is repeated"},
    {Mark::Loop, "tt.warp_specialize", "true",
     "the loop is to be divided among partitions of warps"},
    {Mark::Loop, "tt.flatten", "true",
     "this loop and the one inside it are to become one"},
    {Mark::Loop, "ttg.warp_specialize.tag", "0 : i32",
     "the number of this loop among those that are divided among partitions"},
    {Mark::Loop, "tt.disallow_acc_multi_buffer", "true",
     "the accumulator of this loop is not to be kept twice"},
    {Mark::Op, "tt.self_latency", "1 : i32",
     "the stages of the pipelined loop between this op and its own next "
     "result"},
    {Mark::Op, "tt.latency", "2 : i32",
     "the stages of the pipelined loop between this op and those that use its "
     "result"},
    {Mark::Op, "loop.stage", "0 : i32",
     "the stage of the pipelined loop in which this op runs: stage s of an "
     "iteration runs together with stage 0 of the one that is s later"},
    {Mark::Op, "loop.cluster", "0 : i32",
     "the place of this op among those of an iteration of the pipelined loop; "
     "lower ones come first"},
    {Mark::Op, "ttg.partition", "0 : i32",
     "the partitions of warps that run this op\n\nNumbers of the partitions of "
     "the loop that `ttg.warp_specialize.tag` names. Until they are split, one "
     "op may be in several."},
    {Mark::Op, "ttg.amdg.syncedViaAsyncWait", "true",
     "an asynchronous wait comes before this load\n\nOn gfx942 and gfx950, "
     "LLVM waits for all direct-to-LDS copies before each load of LDS. A load "
     "with this mark gets alias scopes that say that it reads none of their "
     "data, so that it does not wait; a `ttg.async_wait` before it must have "
     "done so. The warning `async-wait-missing` finds loads without one."},
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
