//===- Passes.td - The passes and their options ------------*- tablegen -*-===//
//
// Each pass is implemented in the file named after it. `./dev docs` makes
// docs/passes.md of the descriptions.
//
//===----------------------------------------------------------------------===//

#ifndef KERNELSCOPE_PASSES_PASSES
#define KERNELSCOPE_PASSES_PASSES

include "mlir/Pass/PassBase.td"

class ArchOption<string unset>
    : Option<"arch", "arch", "std::string", /*default=*/"",
             "Architecture, such as sm_90a or gfx950; " # unset>;

def ArchOrModulesTarget : ArchOption<"the module's ttg.target by default">;

def SelectKernel : Pass<"select-kernel", "::mlir::ModuleOp"> {
  let summary = "Keep one kernel of a module";
  let description = [{
    Erases every kernel (`tt.func public`) except the one named `kernel`.
    Private functions stay, because the kernel may call them. An empty name
    keeps all kernels.

    It is an error if the module has no kernel, or none with that name; the
    message lists the kernels that exist.
  }];
  let options = [
    Option<"kernel", "kernel", "std::string", /*default=*/"",
           "Name of the kernel to keep; all by default">
  ];
}

def RewriteBlockPointers : Pass<"rewrite-block-pointers", "::mlir::ModuleOp"> {
  let summary = "Access tensors through pointers instead of block pointers";
  let description = [{
    Replaces each block pointer (`tt.make_tensor_ptr`, `tt.advance`) with the
    values that it consists of, also in branches, loops and calls. Loads and stores
    through it become accesses through pointers, with a mask for the dimensions
    that `boundaryCheck` names. Triton's `triton-rewrite-tensor-pointer` does the
    same.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RewriteDescriptorsToPointers
    : Pass<"rewrite-descriptors-to-pointers", "::mlir::ModuleOp"> {
  let summary = "Access tensors through pointers instead of descriptors";
  let description = [{
    Replaces loads, stores, updates, gathers and scatters through a descriptor that
    the kernel makes itself (`tt.make_tensor_descriptor`) with accesses through
    pointers, with masks for the bounds of the tensor. If the kernel is not for a
    cluster, descriptors whose blocks the target's TMA can load, store, gather and
    scatter are kept.

    Descriptors that are arguments or are carried around a loop are kept, and so
    are updates without a matching atomic operation.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"",
           "Architecture, such as sm_90a; by default all are replaced">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"1",
           "Blocks per cluster, a power of two">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def DecomposeScaledProducts
    : Pass<"decompose-scaled-products", "::mlir::ModuleOp"> {
  let summary = "Compute microscaled products as plain ones";
  let description = [{
    Replaces `tt.dot_scaled` with a `tt.dot` of 16-bit operands, each element
    multiplied by its scale: f16 if one operand is f16, otherwise bf16, as Triton
    does for chips without an instruction. A scale of 2^-127 becomes 0. A product
    with one scale for a whole operand is kept, and so is a product that an
    instruction of the target computes with its scales: `tcgen05.mma`, CDNA 4's
    MFMA and gfx1250's WMMA.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"",
           "Architecture, such as sm_100a; by default all are replaced">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0",
           "Warps per block, as for `convert-ttir-to-ttgir`">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"1",
           "Blocks per cluster, a power of two">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::kernelscope::ttg::TTGDialect"];
}

def ConvertTtirToTtgir : Pass<"convert-ttir-to-ttgir", "::mlir::ModuleOp"> {
  let summary = "Give every tensor of a TTIR module a layout";
  let description = [{
    Chooses how each tensor is distributed over the threads of a block, and sets
    on the module the target and the thread counts that the layouts are made for
    (`ttg.target`, `ttg.num-warps`, `ttg.threads-per-warp`, `ttg.num-ctas`), and
    `kernelscope.own_layouts`: its kernels may take more shared memory than Triton's.

    Accesses to global memory come first: each gets a blocked layout in which a
    thread holds up to 128 bits of adjacent elements and adjacent lanes hold
    adjacent parts. A product gets the layouts of a matrix instruction of the
    target, if one fits its types and its shape: `wgmma`, whose operands are in
    shared memory unless the left one is computed by another product;
    `tcgen05.mma`, whose accumulator stays in tensor memory while a loop adds
    to it; `mma.sync`, MFMA or WMMA. If none fits, 8-bit floats are multiplied as
    f16, and 16-bit sums are accumulated in f32. On NVIDIA an f32 product in
    `tf32x3`, `bf16x3` or `bf16x6` becomes 3 or 6 products of parts of its operands.
    From there layouts propagate forward through arithmetic, reductions, views and
    loops. Values that are cheap to recompute, such as indices, masks and
    constants, are computed in every layout in which they are needed; the others
    are converted with `ttg.convert_layout`.

    Every size must be a power of two. A tensor that already has a layout is an
    error.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"::kernelscope::Target::usual(::kernelscope::Vendor::Nvidia, 32).arch",
           "Architecture, such as sm_90a or gfx950">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0",
           "Warps per block, a power of two; 0 for 4, or 8 if the results and computed operands of NVIDIA's products need them">,
    Option<"threadsPerWarp", "threads-per-warp", "unsigned", /*default=*/"0",
           "Lanes per warp; 0 for as many as the architecture has">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"1",
           "Blocks per cluster, a power of two">
  ];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect", "::kernelscope::ttng::TTNGDialect"];
}

def CombineAfterLoops : Pass<"combine-after-loops", "::mlir::ModuleOp"> {
  let summary = "Combine lanes and warps once, after the loop";
  let description = [{
    A loop that carries `carried + sum` of a tensor's sum, or another combination
    with a neutral element and a reduction by it, carries a partial result for each
    thread instead, and reduces these after the loop: in an iteration no lanes or
    warps exchange anything. So does the denominator of a softmax, which is
    multiplied by `exp(m - max(m, ...))`, or `exp2`, before something is added to
    it. A factor that may be infinite is left alone: it would make NaN of partial
    results of 0. The rounding of floating-point sums changes.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect", "::mlir::arith::ArithDialect"];
}

def PipelineLoops : Pass<"pipeline-loops", "::mlir::ModuleOp"> {
  let summary = "Copy the operands of later iterations to shared memory";
  let description = [{
    In a loop with products, each load whose data reaches a product becomes a copy
    to a ring of buffers in shared memory, issued `num-stages` - 1 iterations before
    the data is used: with `cp.async` for pointers, with TMA for descriptors. The
    same applies to each load of a loop with the attribute `tt.num_stages`, which
    gives the number of stages. If shared memory is too small for that many
    buffers, there are fewer stages. A load is kept if its addresses depend on
    loaded data, if threads load less than 4 bytes at once, or if it may read what
    the loop writes: through the same argument of the kernel, or through an unknown
    one.

    A `wgmma` product whose result is used only in the next iteration then becomes
    asynchronous: it overlaps with the next iteration. So does a `tcgen05.mma`
    product whose accumulator stays in tensor memory until the loop ends, if it
    reads what such copies write; two mbarriers signal its completion in turn.
    With attention by `tcgen05.mma`, the scores of the next iteration are computed
    during the softmax of this one, and the weighted sum during that of the next
    one, which takes one more buffer. Operands that are the same in all iterations
    are stored before the loop.

    On AMD loads are copied to LDS on chips that copy 128 bits (gfx950, gfx1250),
    if threads do not compute with them before they reach the product. Loops carry
    other loads in registers to the next iteration, unless there are more than two
    stages of copies. Does nothing for NVIDIA's chips without `cp.async` and for
    clusters.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"::kernelscope::Target::usual(::kernelscope::Vendor::Nvidia, 32).arch",
           "Architecture, such as sm_90a">,
    Option<"numStages", "num-stages", "unsigned", /*default=*/"0",
           "Pipeline stages of a loop without tt.num_stages; 1 for none, 0 for 3, or 2 on AMD">
  ];
  let dependentDialects = [
    "::kernelscope::ttg::TTGDialect", "::kernelscope::ttng::TTNGDialect",
    "::mlir::arith::ArithDialect"
  ];
}

def LowerDescriptorsToTma
    : Pass<"lower-descriptors-to-tma", "::mlir::ModuleOp"> {
  let summary = "Access tensors through descriptors by TMA or AMD's data mover";
  let description = [{
    Gives each tensor descriptor a layout in shared memory, and writes descriptors
    that the kernel makes to scratch memory. Loads, stores, updates, gathers and
    scatters through a descriptor become copies between global and shared memory,
    with a separate mbarrier for each load. Nothing is prefetched: a copy is
    complete before the next op. On gfx1250 the tensor data mover copies instead;
    it does not support updates. Does nothing for chips without either.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"::kernelscope::Target::usual(::kernelscope::Vendor::Nvidia, 32).arch",
           "Architecture, such as sm_90a">
  ];
  let dependentDialects = [
    "::kernelscope::amdg::AMDGDialect", "::kernelscope::ttg::TTGDialect",
    "::kernelscope::ttng::TTNGDialect",
    "::mlir::arith::ArithDialect"
  ];
}

def UseBufferAccesses : Pass<"use-buffer-accesses", "::mlir::ModuleOp"> {
  let summary = "Access global memory through buffer resources on AMD";
  let description = [{
    Turns loads, stores and copies to LDS into `amdg.buffer_load`, `buffer_store`
    and `buffer_load_to_local` if their pointers are an argument with
    `tt.pointer_range = 32`, whose buffer has less than 2 GiB, plus offsets. A loop
    that carries such pointers carries their offsets. Copies on a chip whose
    buffer loads do not write LDS keep pointers, but compute each from the argument
    and an offset of 32 bits. Does nothing for NVIDIA.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"::kernelscope::Target::usual(::kernelscope::Vendor::Nvidia, 32).arch",
           "Architecture, such as gfx950">
  ];
  let dependentDialects = [
    "::kernelscope::amdg::AMDGDialect", "::mlir::arith::ArithDialect"
  ];
}

def RemoveProxyFences
    : Pass<"remove-proxy-fences", "::mlir::ModuleOp"> {
  let summary = "Remove proxy fences that order nothing";
  let description = [{
    Removes each `ttng.fence_async_shared` that is not the first one between a
    thread's access to shared memory and one by TMA or a matrix unit of the same
    buffer: operands that TMA or `cp.async` brings need none. A fence for what is
    written before a loop is in front of the loop. Functions that call others are
    left as they are.
  }];
}

def EnsureTtgir : Pass<"ensure-ttgir", "::mlir::ModuleOp"> {
  let summary = "Turn TTIR, and TTGIR with ops of earlier stages, into TTGIR that can be lowered";
  let description = [{
    Lets a pipeline start from TTIR or TTGIR. A module without layouts goes
    through the pipeline `ttir-to-ttgir` with the same options. A module that has
    layouts, or a number of warps, is kept as it is, with two exceptions: if it
    has references between partitions, or loops marked with partitions, it goes
    through the pipeline `nvws-to-ttgir`; and if it then makes tensor descriptors or
    copies blocks through them, it goes through `lower-descriptors-to-tma`.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"",
           "Architecture, such as sm_90a or gfx950; by default the module's ttg.target, else sm_90a, with a remark">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0",
           "Warps per block, a power of two; 0 for 4, or 8 if the results and computed operands of NVIDIA's products need them">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"1",
           "Blocks per cluster, a power of two">,
    Option<"numStages", "num-stages", "unsigned", /*default=*/"0",
           "Pipeline stages of a loop with products; 0 for 3, or 2 on AMD">
  ];
}

def LowerMasks : Pass<"lower-masks", "::mlir::ModuleOp"> {
  let summary = "Lower ttg.mask to branches, and ttg.predicate_stage to comparisons";
  let description = [{
    The body of a `ttg.mask` runs if its predicate is true; otherwise its results
    are zero. Triton's pipeliner creates both ops and later predicates the ops of
    the body instead; this pass lowers IR from between these two steps.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"
  ];
}

def InlineIntoKernels : Pass<"inline-into-kernels", "::mlir::ModuleOp"> {
  let summary = "Inline functions whose ops only a kernel can have";
  let description = [{
    Inlines functions with `ttg.warp_specialize` or `ttng.tmem_alloc`, whether they
    are `noinline` or not, since a kernel has the warps of its partitions and its
    tensor memory from its first op to its last. Triton 3.9 inlines all functions
    that are not `noinline`, and rejects these ops in the others.

    It is an error if such a function calls itself, if a region of
    `ttg.warp_specialize` calls it, or if it has several blocks and is called
    inside another op, such as a loop.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect"];
}

def BranchOverSums : Pass<"branch-over-sums", "::mlir::ModuleOp"> {
  let summary = "Choose between sums in flight by a branch";
  let description = [{
    An `arith.select` of what a `ttng.warp_group_dot_wait` leaves in flight becomes
    a result of the `scf.if` with the same condition that follows it: an instruction
    that reads the registers of a wgmma would make ptxas run all of them one after
    the other.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def ConvertCombinedOperands : Pass<"convert-combined-operands", "::mlir::ModuleOp"> {
  let summary = "Convert operands of reductions and scans to a layout that can be combined";
  let description = [{
    A `tt.reduce` or `tt.scan` combines registers, lanes, warps and CTAs in turn.
    This needs a layout in which each basis moves either along the axis or across
    it, and no position along the axis is reached twice; for a scan, also warps that
    are adjacent along the axis, and CTAs that are outermost. If the layout is
    different, the op works in a blocked layout, between `ttg.convert_layout` ops.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
}

def SinkOperands : Pass<"sink-operands", "::mlir::ModuleOp"> {
  let summary = "Move operands that need many registers next to their uses";
  let description = [{
    Moves a `ttg.convert_layout` whose result takes 64 registers more than its
    operand right before its first use, so that its elements are not live across
    the loads in between. A product on FMA units can then multiply each column as
    soon as it has been read.

    Moves what the left operand of a `ttng.warp_group_dot` is made of next to it, if
    the operand takes 64 registers or more. What makes the right operand in shared
    memory then comes first, and its registers are free again. What the left operand is
    read from in shared memory moves with it only if the function then needs no more
    of it.
  }];
}

def StoreOperandsTogether
    : Pass<"store-operands-together", "::mlir::ModuleOp"> {
  let summary = "Store both operands of a product to shared memory before loading either";
  let description = [{
    Replaces the `ttg.convert_layout` ops of both operands of a `tt.dot`, if they move
    data between warps, by `ttg.local_alloc` and `ttg.local_load`. On NVIDIA, and in
    loops on AMD, both operands are stored before either is loaded, so that one
    barrier serves both. The buffers are laid out as the conversion would have used
    its scratch memory. Outside of loops on AMD that is so only if the module has
    `kernelscope.own_layouts` and both take no more than the warps' share of a memory
    for 32.

    So are other pairs of conversions in a block, if the first is not needed for the
    second: what makes the source of the second moves before the first, loads from
    global memory only with `kernelscope.own_layouts`.

    Conversions stay if the buffers of the function, all together, would need more
    shared memory than the chip has, or, without `kernelscope.own_layouts`, if the
    function would take more than with the conversions. Pairs may grow it to the
    memory of both.
  }];
  let options = [ArchOrModulesTarget];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
}

def PlaceScales : Pass<"place-scales", "::mlir::ModuleOp"> {
  let summary = "Give each thread the scales of its elements";
  let description = [{
    The scales of `amdg.upcast_mxfp` may have any layout. A `ttg.convert_layout`
    moves them to the threads that hold the elements.
  }];
}

def AssignWarps : Pass<"assign-warps", "::mlir::ModuleOp"> {
  let summary = "Give the partitions of ttg.warp_specialize their warps";
  let description = [{
    Sets `warpGroupStartIds` on each `ttg.warp_specialize` that does not have it:
    the warps of the partitions follow those of the kernel itself, the largest
    partition first. The number of warps that a block needs in all, on NVIDIA
    rounded up to a multiple of four, is set on the module as
    `ttg.total-num-warps`.

    A function that a partition calls is copied for that partition's warps, with
    `execution.scope = array<i32: first warp, warps, barrier, registers, -1>`; so are the
    functions that it calls. A copy has its own shared memory, because partitions
    run at the same time.

    It is an error if a block cannot have as many warps or barriers, if a warp
    would run two partitions, or if a partition is passed a tensor. Does nothing on
    AMD's chips before gfx1250. On all chips, it is an error if a tensor has no
    layout.
  }];
  let options = [ArchOrModulesTarget];
}

def AnnotateAccessRuns : Pass<"annotate-access-runs", "::mlir::ModuleOp"> {
  let summary = "Annotate how many elements each global access may move at once";
  let description = [{
    Sets `access.run = array<i32: dimension, elements>` on each op that accesses
    global memory through a tensor: the number of adjacent elements along one
    dimension that the op's layout, the alignment and contiguity of its
    addresses, its mask and the widest access of the architecture allow. An op
    without the attribute accesses one element at a time.

    Sets `registers.equal` on each elementwise integer op to the bits of the
    register index that never change the result, such as those of a mask that
    ends a row at a multiple of 16. Only one register of each such group is
    computed.

    The pass must run before control flow becomes branches, because the analysis
    derives facts about an induction variable from its loop.
  }];
  let options = [ArchOrModulesTarget];
}

def CountAsyncWaits : Pass<"count-async-waits", "::mlir::ModuleOp"> {
  let summary = "Let waits for groups of copies count instructions, on AMD";
  let description = [{
    Replaces each `ttg.async_wait`, which leaves groups of copies in flight, with an
    `amdg.async_wait`, which leaves as many instructions in flight as a warp is
    certain to have issued since the last group that the wait is for: on gfx9 and
    gfx1250 a counter states how many are in flight, in order. A masked copy
    through pointers counts as none, because a warp may skip it. Uses `access.run`.
    Replaces each `amdg.async_tdm_wait` for tokens by an
    `amdg.async_tdm_intrinsic_wait`, which leaves as many messages to the data mover
    in flight as a warp is certain to have sent since those of the tokens, or `num`.
    Does nothing for NVIDIA.

    The pass must run before control flow becomes branches.
  }];
  let dependentDialects = ["::kernelscope::amdg::AMDGDialect"];
  let options = [ArchOrModulesTarget];
}

def AllocateSharedMemory : Pass<"allocate-shared-memory", "::mlir::ModuleOp"> {
  let summary = "Assign offsets in shared memory to buffers and scratch memory";
  let description = [{
    Sets `allocation.offset`, in bytes, on every op that owns shared memory:
    `ttg.local_alloc`, and ops that exchange data between warps, such as
    `ttg.convert_layout`, `tt.reduce` and atomics. Two that are live at the same
    time never overlap. The total is set on the module as `ttg.shared`. Within
    it, buffers are placed such that few take the place of one that other warps
    may still read, which needs a barrier. If scratch memory determines the
    total, `allocation.rounds` makes an op exchange its data in several rounds
    through less memory: a conversion in as many rounds as keep its accesses equally wide,
    a reduction in as many as Triton's (one in dumps of 3.7 and older), or more if the chip has less memory.
    In a module with `kernelscope.own_layouts` rounds end where the total is what buffers take and the operands of a
    product, on NVIDIA's FMA units also the result, or all partial results of a reduction,
    within the warps' share of a memory for 32, and buffers may be apart up to there.

    Fails, with an error on the op that uses the most, if a block cannot have
    that much. Without an architecture there is no limit.
  }];
  let options = [
    ArchOption<
        "the module's ttg.target by default; without either there is no limit">
  ];
}

def AllocateGlobalScratch : Pass<"allocate-global-scratch", "::mlir::ModuleOp"> {
  let summary = "Assign offsets in global scratch memory";
  let description = [{
    Sets `ttg.global_scratch_memory_offset`, in bytes, on every
    `ttg.global_scratch_alloc`, and the bytes of a block and their alignment on the
    module. Memory with `third_party_allocation` is apart, in the profiler's scratch
    (`ttg.profile_scratch_memory_size`). An op in a partition moves to the kernel, which passes the address to
    it; one in a function moves to its callers, and each call gets separate memory.

    Fails in a recursive function, and for memory that the CTAs of a cluster share.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect"];
}

def AllocateTensorMemory : Pass<"allocate-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "Assign columns to each buffer in tensor memory";
  let description = [{
    Sets `tensor_memory_col_offset`, the first of its 32-bit columns, on every
    `ttng.tmem_alloc`. Buffers that are live at the same time never overlap, and
    a buffer with fewer rows than there are lanes does not share its columns. A
    buffer that the tensor core reads or writes is live until a wait on the barrier
    at which the tensor core arrives; without one, until the end of the function. A
    synchronous product gets such a barrier and a wait after it. The total is set on
    the module as `ttg.tensor_memory_size`. A buffer that a partition allocates
    moves to the kernel, which passes it to the partition.

    If the total exceeds the 512 columns of an SM, the pass fails with an error on
    the op that needs the most.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect", "::kernelscope::ttng::TTNGDialect", "::mlir::arith::ArithDialect", "::mlir::ub::UBDialect"];
}

def ClaimTensorMemory : Pass<"claim-tensor-memory", "::mlir::ModuleOp"> {
  let summary = "Allocate a kernel's tensor memory when it starts, and free it when it ends";
  let description = [{
    At the start of a kernel its first warp allocates the columns that
    `allocate-tensor-memory` assigned to its buffers, and at the end it frees them
    (`tcgen05.alloc`, `tcgen05.dealloc`). A `ttng.tmem_alloc` becomes an address.
    Sets `ttng.two-ctas` on the module: whether pairs of CTAs work together.

    Fails if products of CTA pairs and of single CTAs are mixed, or if there are
    pairs but no cluster.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect"];
  let options = [ArchOrModulesTarget];
}

def InsertBarriers : Pass<"insert-barriers", "::mlir::ModuleOp"> {
  let summary = "Insert barriers between conflicting accesses to shared and tensor memory";
  let description = [{
    Inserts a `ttg.barrier` before each op that writes memory that other threads
    may still be reading, or accesses memory that they may still be writing, and
    after waits for asynchronous copies. Ops that synchronise by themselves need
    none: the wait on an mbarrier orders what completes on it.

    One thread performs an atomic on behalf of its CTA or cluster. An atomic that
    releases gets a barrier in front if accesses to memory precede it, so that it
    publishes those of all threads, and one that acquires gets a barrier after it,
    unless its result goes to all threads through shared memory. In a cluster of
    CTAs it is a barrier of the cluster. Triton 3.9 does so, too; older releases do
    not.

    It uses the offsets that `allocate-shared-memory` and
    `allocate-tensor-memory` assigned, so buffers that share bytes are ordered
    too, and those without an offset are not.

    If CTAs of a cluster signal each other's mbarriers, or work in pairs, a
    `ttng.cluster_barrier` is inserted after the barriers are initialised, and
    another one at the end of the kernel, unless the kernel has them already.
  }];
  let dependentDialects = ["::kernelscope::amdg::AMDGDialect", "::kernelscope::ttg::TTGDialect",
    "::kernelscope::ttng::TTNGDialect"];
}

def RelaxStoreWaits : Pass<"relax-store-waits", "::mlir::ModuleOp"> {
  let summary = "Wait only for the reads of TMA stores at the end of a kernel";
  let description = [{
    Makes a `ttng.async_tma_store_wait` `read_only` if the kernel does not access
    global memory after it: the CTA's shared memory must outlive the reads of its
    stores, and what they write is complete when the kernel ends. Triton 3.6 waits
    like this everywhere; in 3.9 the op states it.
  }];
}

def InsertProxyFences : Pass<"insert-proxy-fences", "::mlir::ModuleOp"> {
  let summary = "Insert proxy fences between accesses by threads and by TMA or tensor cores";
  let description = [{
    Inserts a `ttng.fence_async_shared` before each op that, by TMA or a tensor
    core, writes shared memory that threads have loaded from or stored to, or
    reads what they have stored, unless there is already such a fence in between.
    A fence that follows another, with no access by threads to order since, is
    removed, except in the partitions of `ttg.warp_specialize`. Barriers order
    threads, but not the generic and the async proxy. AMD's chips have only one
    proxy and need no fence.

    It uses the offsets that `allocate-shared-memory` assigned, as
    `insert-barriers` does. Run it before that pass: the barrier must follow the
    fence.
  }];
  let options = [ArchOrModulesTarget];
  let dependentDialects = ["::kernelscope::ttng::TTNGDialect"];
}

def LowerWarpPipelines : Pass<"lower-warp-pipelines", "::mlir::ModuleOp"> {
  let summary = "Lower warp pipelines to code that two halves of the warps run out of phase";
  let description = [{
    Inlines the `scf.execute_region` ops with the attribute
    `triton.warp_pipeline.stage`. Between two stages, and where a loop continues
    from the last stage to the first, it emits a border: `s_setprio` with the next
    stage's priority, the waits that the text has there, and a barrier between two
    `sched_barrier`. Accesses to memory within a stage keep their order.

    If a block has more than four warps, an `amdg.cond_barrier` before the
    pipeline delays the warps from the fifth on by one border, and another one
    after it lets the first four wait for them. So an access to shared memory and
    a later one that conflicts with it need two barriers between them. The pass
    makes barriers wait for shared memory (`ttg.barrier local`) if that is enough,
    and adds a second one between neighbouring stages that conflict. The counters
    of the loop show which slots of a ring differ.

    Warps stay in phase if the block has at most four of them, in a partition of
    `ttg.warp_specialize`, and if all warps must synchronise within a stage, as
    for a reduction across warps. `insert-barriers` then orders the accesses.

    Shared memory must be allocated. Fails if an op between stages accesses
    memory, or if a loop has a single stage.
  }];
  let options = [ArchOrModulesTarget];
  let dependentDialects = [
    "::kernelscope::amdg::AMDGDialect", "::kernelscope::ttg::TTGDialect",
    "::mlir::arith::ArithDialect", "::mlir::ROCDL::ROCDLDialect"
  ];
}

def LowerWarpSpecialization
    : Pass<"lower-warp-specialization", "::mlir::ModuleOp"> {
  let summary = "Lower ttg.warp_specialize to a switch and functions";
  let description = [{
    Each partition becomes a private function that states which warps execute it
    (`execution.scope`). The warps beyond the kernel's own wait in a loop until the
    kernel announces, in shared memory, the next op and the values that its
    partitions are passed; those with a partition in that op call its function.
    The default region stays in place. At its end the kernel releases all warps.

    If a partition requests a number of registers and the chip can move registers
    between warps, each group of four warps sets its own number on entry and exit,
    and the kernel is launched with as many as fit in the register file
    (`ttg.maxnreg`).

    Control flow must be branches by now, and shared memory allocated. Does
    nothing for chips without barriers for a subset of a block's warps (AMD except
    gfx1250), nor to a kernel that passes values to partitions that cannot be
    lowered.
  }];
  let options = [ArchOrModulesTarget];
  let dependentDialects = [
    "::kernelscope::ttng::TTNGDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::cf::ControlFlowDialect"
  ];
}

def ConvertTtgirToLlvm : Pass<"convert-ttgir-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower TTGIR to the LLVM dialect";
  let description = [{
    Converts each op to what one thread does: a tensor becomes a struct of the
    elements that the thread holds, a memory descriptor a pointer and offsets.
    The vendor's instructions are calls to LLVM intrinsics or inline assembly.

    Structured control flow must already be lowered to branches, and shared
    memory allocated; the pipeline `ttgir-to-llvm` does both. Each op without a
    lowering causes an error. In a kernel with partitions,
    `ttng.cluster_barrier` remains for `lower-cluster-barriers`.
  }];
  let options = [ArchOrModulesTarget];
  let dependentDialects = [
    "::kernelscope::ttng::TTNGDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::cf::ControlFlowDialect"
  ];
}

def LowerClusterBarriers : Pass<"lower-cluster-barriers", "::mlir::ModuleOp"> {
  let summary = "Lower barriers of the cluster in kernels with partitions";
  let description = [{
    `barrier.cluster` waits for all threads of the cluster, so that it cannot be used
    while some warps of a block run a partition and others do not. Warps in a
    partition or in the default region of a `ttg.warp_specialize` meet the same warps
    of the other CTAs at two mbarriers of that region instead, which alternate: after a barrier of
    the warps, one thread arrives at each other CTA, and all wait for the arrivals at
    their own. The mbarriers and a word that counts the meetings are placed after
    the rest of shared memory (`ttg.shared`), and initialised, and published to the
    cluster, before the warps separate.

    Outside of `ttg.warp_specialize` the kernel's warps announce the barrier to the
    others, and all threads reach it. In a function that is called and not inlined,
    neither is possible, which is an error.
  }];
  let options = [ArchOrModulesTarget];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def NvwsHoistTmemStore : Pass<"nvws-hoist-tmem-store", "::mlir::ModuleOp"> {
  let summary = "Fill an accumulator once, before the loop of partitions";
  let description = [{
    An accumulator that is allocated and filled for each tile, and that the first
    product of the tile overwrites, is allocated and filled before the loop of
    partitions instead, and its token is carried through the loops. Otherwise a
    partition would fill it for each tile and hand it over to the partition of the
    products.

    It stays in the loop if a tile without products could read what another tile has
    left in it: the loop of products must run at least once, according to its bounds
    or an `llvm.intr.assume`, or equally often for each tile, with the contents read
    only after it. In the latter case the fill moves to the partition of the products.
  }];
}

def NvwsInsertAref : Pass<"nvws-insert-aref", "::mlir::ModuleOp"> {
  let summary = "Insert references between the partitions of a loop";
  let description = [{
    A value that one partition of a marked loop computes and others use is passed
    through a reference of one stage, or of two for a response of launch control: its
    partition puts it after computing it, and each other partition gets it before its
    first use. TMA loads write directly to the buffer. A tensor is stored and loaded, a number or pointer is passed as a
    tensor of one element, a bit as a byte. A buffer of shared memory that is filled
    once is handed over itself, until its last reader has finished (`tc5mma` for a
    product). An op of several partitions uses the value of each (`nvws.aref.phi`).
    Results of partitions that the first one does not compute are passed to the code
    after the loop.

    Tensor memory is left to `nvws-insert-tmem-aref`. Other types, such as indices,
    are an error.
  }];
  let dependentDialects = ["::kernelscope::nvws::NVWSDialect", "::mlir::arith::ArithDialect"];
}

def NvwsInsertTmemAref : Pass<"nvws-insert-tmem-aref", "::mlir::ModuleOp"> {
  let summary = "Insert references for tensor memory that partitions share";
  let description = [{
    A buffer of tensor memory that partitions of a marked loop access in turn becomes
    a reference. The partition that has it first puts, the other one gets, and the
    tokens of the accesses determine when it changes hands: the one exits after its
    last access (`tc5mma` after a product), the other enters before its next access.
    A loop receives the buffer from the partition of its first access, and leaves it
    with that partition. If a branch hands the buffer over, both sides do so under
    the branch's condition.

    The reference gets two stages if the partition that puts always overwrites the
    whole buffer and both fit in tensor memory. Otherwise it has one stage, whose
    contents are passed back and forth. Memory that is filled where it is allocated
    is handed over as in `nvws-insert-aref`. A buffer that three partitions access
    in turn is an error.
  }];
  let dependentDialects =
      ["::kernelscope::nvws::NVWSDialect", "::mlir::ub::UBDialect"];
}

def NvwsBufferAref : Pass<"nvws-buffer-aref", "::mlir::ModuleOp"> {
  let summary = "Combine references that are loaded together, and give them stages";
  let description = [{
    References that TMA fills one after the other in one partition, and that one
    other partition enters and exits together, become one reference with several
    buffers, so that they share their barriers. Each reference in shared memory that
    TMA fills then gets `num-stages` stages, or as many as fit in the chip's shared
    memory beside the other buffers and the scratch memory of ops. Regions that
    already have a stage are left as they are.
  }];
  let options = [
    Option<"numStages", "num-stages", "int64_t", /*default=*/"3",
           "Stages of a reference that TMA fills, if they fit">
  ];
  let dependentDialects = ["::kernelscope::nvws::NVWSDialect"];
}

def NvwsAssignStagePhase
    : Pass<"nvws-assign-stage-phase", "::mlir::ModuleOp"> {
  let summary = "Give each region of a reference its stage and phase";
  let description = [{
    Each partition that enters a reference uses its stages in turn, and the phase
    flips when the ring wraps around: the first put is at stage 0 with phase 1, the
    first get with phase 0. Both are carried through scf loops and branches as
    values, and the stage of an exit or an `nvws.aref.buffer` is that of its token.
    Code outside partitions, around a loop of partitions, continues the count of its
    side.

    Regions whose stage or phase is computed keep both. A reference that is used in
    warp groups inside a loop must be created in that loop.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def NvwsLowerAref : Pass<"nvws-lower-aref", "::mlir::ModuleOp"> {
  let summary = "Lower references to rings of mbarriers";
  let description = [{
    A reference becomes two rings of mbarriers: puts arrive on "full" and wait for
    "empty", gets the other way round. Each barrier is initialised with the number
    of arrivals: one for each partition and each kind of work that its exits end.

    The kind decides how an exit arrives: by `ttng.arrive_barrier`, with a
    `ttng.fence_async_shared` before it if the other side accesses shared memory by
    TMA or a tensor core; by `ttng.tc_gen5_commit`; or by the bytes of a TMA copy,
    which the enter announces. Products whose accumulator is handed over become
    asynchronous, because the exits commit them. Tokens become `ub.poison`.

    Each region must have a stage: run `nvws-assign-stage-phase` first.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::ub::UBDialect",
    "::kernelscope::ttng::TTNGDialect"
  ];
}

def NvwsLowerToken : Pass<"nvws-lower-token", "::mlir::ModuleOp"> {
  let summary = "Lower the tokens of rings of buffers to mbarriers";
  let description = [{
    `nvws.create_token` becomes two rings of mbarriers, "full" and "empty". Acquiring
    and waiting become waits for a phase, committing and releasing become arrivals
    after a fence. The count of a barrier is the number of partitions that signal it.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::kernelscope::ttng::TTNGDialect"
  ];
}

def PartitionLoops : Pass<"partition-loops", "::mlir::ModuleOp"> {
  let summary = "Split a loop marked with partitions into a loop for each";
  let description = [{
    A `tt.warp_specialize` loop whose ops are marked (`ttg.partition`) becomes an
    `nvws.warp_group` with a region for each partition. A region has the ops, the
    carried values (`ttg.partition.outputs`) and the results of its partition, and
    the ops after the loop with the same `ttg.warp_specialize.tag`. Ops without a
    mark are copied to each region that uses them. Results that the code around the
    loop uses come from the first partition.

    A value that another partition computes is an error: it must be passed through a
    reference.
  }];
  let dependentDialects = [
    "::mlir::ub::UBDialect", "::kernelscope::nvws::NVWSDialect"
  ];
}

def NvwsLowerWarpGroup : Pass<"nvws-lower-warp-group", "::mlir::ModuleOp"> {
  let summary = "Lower nvws.warp_group to ttg.warp_specialize";
  let description = [{
    The first group becomes the default region. The others become partitions, which
    are passed the values that they use from outside; they compute constants and
    values that depend only on scalars, such as splats, themselves. A tensor that
    cannot be recomputed is passed through shared memory.
  }];
  let dependentDialects = ["::kernelscope::ttg::TTGDialect", "::mlir::arith::ArithDialect"];
}

def TestPrintAxisInfo : Pass<"test-print-axis-info", "::mlir::ModuleOp"> {
  let summary = "Emit a remark with what is known about each integer or pointer result";
  let description = [{
    Exposes the axis analysis to tests: for each result of integer, index or
    pointer type, a remark with its contiguity, divisibility and constancy along
    every dimension, and its value if it is constant.
  }];
}

#endif // KERNELSCOPE_PASSES_PASSES
