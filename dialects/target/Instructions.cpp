//===- Instructions.cpp - what ops become on a target ---------------------===//
//
// From the PTX ISA (chapter "Instruction Set") and the ISA documents of CDNA 3,
// CDNA 4, RDNA 3, RDNA 4 and gfx1250. Sections by name: their numbers change.
//
//===----------------------------------------------------------------------===//

#include "dialects/target/Instructions.h"
#include "dialects/target/InstructionRows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <array>

using namespace kernelscope;
using namespace kernelscope::chips;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr Instructions table[] = {
    {"tt.load", nvidia, "ld.global{x}{p}",
     "Data Movement and Conversion Instructions: ld", ""},
    {"tt.load", cdna, "global_load_ubyte to global_load_dwordx4",
     "Flat, Scratch and Global Instructions", ""},
    {"tt.load", wave32, "global_load_u8 to global_load_b128",
     "Flat, Scratch and Global Instructions", ""},
    {"tt.store", nvidia, "st.global{x}{p}",
     "Data Movement and Conversion Instructions: st", ""},
    {"tt.store", cdna, "global_store_byte to global_store_dwordx4",
     "Flat, Scratch and Global Instructions", ""},
    {"tt.store", wave32, "global_store_b8 to global_store_b128",
     "Flat, Scratch and Global Instructions", ""},
    {"tt.atomic_rmw", nvidia, "atom.global or red.global",
     "Parallel Synchronization and Communication Instructions: atom", ""},
    {"tt.atomic_rmw", amd, "global_atomic_add_u32, _add_f32, _max_i32, ...",
     "Flat, Scratch and Global Instructions", ""},
    {"tt.atomic_cas", nvidia, "atom.global.cas",
     "Parallel Synchronization and Communication Instructions: atom", ""},
    {"tt.atomic_cas", amd, "global_atomic_cmpswap",
     "Flat, Scratch and Global Instructions", ""},
    {"tt.atomic_poll", nvidia, "ld.global.acquire in a loop",
     "Data Movement and Conversion Instructions: ld", ""},
    {"tt.get_program_id", nvidia,
     "mov.u32 from %ctaid.x, .y or .z (%clusterid of a cluster)",
     "Special Registers: %ctaid", ""},
    {"tt.get_program_id", amd, "a scalar register that the launch initialises",
     "Initial Wave State", ""},
    {"tt.get_num_programs", nvidia, "mov.u32 from %nctaid.x, .y or .z",
     "Special Registers: %nctaid", ""},
    {"tt.dot", nvidia,
     "fma.rn for each product, if the layout is not a matrix layout",
     "Floating Point Instructions: fma", ""},
    {"tt.dot", nvidia,
     "mma.sync.aligned.m16n8k8 to .m16n8k32, with an nvidia_mma result of "
     "version 2",
     "Warp Level Matrix Multiply-Accumulate Instructions: mma", ""},
    {"tt.dot", cdna, "v_mfma_f32_32x32x8_f16, v_mfma_f32_16x16x16_f16, ...",
     "Matrix Arithmetic Instructions",
     "Executed by the whole wave of 64 lanes; the result takes several passes "
     "to become available."},
    {"tt.dot", rdna3, "v_wmma_f32_16x16x16_f16",
     "Wave Matrix Multiply Accumulate (WMMA)",
     "Both halves of the wave hold all of A and B."},
    {"tt.dot", rdna4, "v_wmma_f32_16x16x16_f16",
     "Wave Matrix Multiply Accumulate (WMMA)", ""},
    {"tt.dot", gfx1250, "v_wmma_f32_16x16x32_f16",
     "Wave Matrix Multiply Accumulate (WMMA)", ""},
    {"tt.dot_scaled", scaledMma, "mma.sync.aligned.kind::mxf8f6f4.block_scale",
     "Warp Level Matrix Multiply-Accumulate Instructions: mma", ""},
    {"tt.dot_scaled", cdna4,
     "v_mfma_scale_f32_32x32x64_f8f6f4, v_mfma_scale_f32_16x16x128_f8f6f4",
     "Matrix Arithmetic Instructions", ""},
    {"tt.dot_scaled", gfx1250, "v_wmma_scale_f32_16x16x128_f8f6f4",
     "Wave Matrix Multiply Accumulate (WMMA)", ""},
    {"tt.reduce", nvidia,
     "shfl.sync.bfly within a warp (redux.sync for 32-bit integers), st.shared "
     "and ld.shared between warps",
     "Data Movement and Conversion Instructions: shfl.sync", ""},
    {"tt.reduce", cdna,
     "v_mov_b32_dpp, ds_swizzle_b32 or ds_bpermute_b32 within a wave, LDS "
     "between waves",
     "Data Parallel Primitives (DPP)", ""},
    {"tt.reduce", rdna,
     "v_mov_b32_dpp, v_permlanex16_b32 within a wave, LDS between waves",
     "Data Parallel Primitives (DPP)", ""},
    {"tt.reduce", gfx1250,
     "v_mov_b32_dpp, v_permlanex16_b32 within a wave, LDS between waves",
     "Data Parallel Primitives (DPP)", ""},
    {"tt.scan", nvidia,
     "shfl.sync.up within a warp, st.shared and ld.shared between warps",
     "Data Movement and Conversion Instructions: shfl.sync", ""},
    {"tt.gather", nvidia,
     "shfl.sync.idx within a warp, else through shared memory",
     "Data Movement and Conversion Instructions: shfl.sync", ""},
    {"tt.gather", amd, "ds_bpermute_b32 within a wave, else through LDS",
     "Data Share Operations", ""},
    {"tt.histogram", nvidia, "atom.shared.add",
     "Parallel Synchronization and Communication Instructions: atom", ""},
    {"tt.histogram", amd, "ds_add_u32", "Data Share Operations", ""},
    {"tt.mulhiui", nvidia, "mul.hi.u32 or mul.hi.u64",
     "Integer Arithmetic Instructions: mul", ""},
    {"tt.mulhiui", amd, "v_mul_hi_u32", "Vector ALU Operations", ""},
    {"tt.precise_sqrt", nvidia, "sqrt.rn.f32",
     "Floating Point Instructions: sqrt", ""},
    {"tt.precise_divf", nvidia, "div.rn.f32",
     "Floating Point Instructions: div", ""},
    {"tt.approx_divf", nvidia, "div.approx.f32",
     "Floating Point Instructions: div", ""},
    {"tt.clampf", nvidia,
     "max, then min; min.xorsign.abs if the bounds are opposite",
     "Floating Point Instructions: min", ""},
    {"tt.clampf", amd, "v_med3_f32", "Vector ALU Operations", ""},
    {"tt.fp_to_fp", nvidia,
     "cvt.rn.f16x2.f32, cvt.rn.satfinite.e4m3x2.f32, ...",
     "Data Movement and Conversion Instructions: cvt", ""},
    {"tt.fp_to_fp", amd, "v_cvt_f16_f32, v_cvt_pk_fp8_f32, ...",
     "Vector ALU Operations", ""},
    {"tt.assert", nvidia, "call to __assertfail",
     "Abstracting the ABI: vprintf and friends", ""},
    {"tt.print", nvidia, "call to vprintf",
     "Abstracting the ABI: vprintf and friends", ""},
    {"tt.elementwise_inline_asm", nvidia, "the text itself",
     "Instruction Statements", ""},
    {"tt.descriptor_load", tma,
     "cp.async.bulk.tensor.Nd.shared::cluster.global.mbarrier::complete_tx::"
     "bytes",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"tt.descriptor_store", tma,
     "cp.async.bulk.tensor.Nd.global.shared::cta.bulk_group",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"tt.descriptor_reduce", tma,
     "cp.reduce.async.bulk.tensor.Nd.global.shared::cta",
     "Data Movement and Conversion Instructions: cp.reduce.async.bulk.tensor",
     ""},
    {"tt.descriptor_gather", tmaGather,
     "cp.async.bulk.tensor.2d with .tile::gather4",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"tt.descriptor_scatter", tmaScatter,
     "cp.async.bulk.tensor.2d with .tile::scatter4",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"tt.descriptor_load", tensorDataMover, "tensor_load_to_lds",
     "Tensor Data Mover", ""},
    {"tt.descriptor_store", tensorDataMover, "tensor_store_from_lds",
     "Tensor Data Mover", ""},
    {"tt.grid_dependency_wait", gridDependencies, "griddepcontrol.wait",
     "Parallel Synchronization and Communication Instructions: griddepcontrol",
     ""},
    {"tt.grid_dependency_launch_dependents", gridDependencies,
     "griddepcontrol.launch_dependents",
     "Parallel Synchronization and Communication Instructions: griddepcontrol",
     ""},
    {"ttg.local_load", nvidia, "ld.shared{x}{?, or ldmatrix for a dot operand}",
     "Data Movement and Conversion Instructions: ld, ldmatrix", ""},
    {"ttg.local_load", cdna3, "ds_read_u8 to ds_read_b128",
     "Data Share Operations", ""},
    {"ttg.local_load", cdna4,
     "ds_read_u8 to ds_read_b128, ds_read_b64_tr_b16 for a transposed dot "
     "operand",
     "Data Share Operations", ""},
    {"ttg.local_load", rdna, "ds_load_u8 to ds_load_b128",
     "Data Share Operations", ""},
    {"ttg.local_load", gfx1250,
     "ds_load_u8 to ds_load_b128, ds_load_tr16_b128 for a transposed dot "
     "operand",
     "Data Share Operations", ""},
    {"ttg.local_store", nvidia, "st.shared{x}{?, or stmatrix from sm_90 on}",
     "Data Movement and Conversion Instructions: st, stmatrix", ""},
    {"ttg.local_store", cdna, "ds_write_b8 to ds_write_b128",
     "Data Share Operations", ""},
    {"ttg.local_store", rdna, "ds_store_b8 to ds_store_b128",
     "Data Share Operations", ""},
    {"ttg.local_store", gfx1250, "ds_store_b8 to ds_store_b128",
     "Data Share Operations", ""},
    {"ttg.local_alloc", nvidia,
     "{?no instruction; with a source, }st.shared{x}",
     "Data Movement and Conversion Instructions: st", ""},
    {"ttg.local_alloc", amd,
     "no instruction; with a source, ds_write (ds_store) of up to 128 bits",
     "Data Share Operations", ""},
    {"ttg.local_gather", nvidia, "ld.shared of single elements",
     "Data Movement and Conversion Instructions: ld", ""},
    {"ttg.local_scatter", nvidia, "st.shared of single elements",
     "Data Movement and Conversion Instructions: st", ""},
    {"ttg.local_atomic_scatter_rmw", nvidia, "atom.shared",
     "Parallel Synchronization and Communication Instructions: atom", ""},
    {"ttg.local_atomic_scatter_rmw", amd, "ds_add_u32, ds_add_f32, ...",
     "Data Share Operations", ""},
    {"ttg.convert_layout", nvidia,
     "nothing or mov within a thread, shfl.sync within a warp, st.shared and "
     "ld.shared between warps",
     "Data Movement and Conversion Instructions: shfl.sync", ""},
    {"ttg.convert_layout", amd,
     "nothing or v_mov within a lane, ds_bpermute_b32 or v_permlane within a "
     "wave, LDS between waves",
     "Data Share Operations", ""},
    {"ttg.async_copy_global_to_local", asyncCopies,
     "cp.async.ca.shared.global (4, 8 bytes) or .cg (16 bytes)",
     "Data Movement and Conversion Instructions: cp.async",
     "A lane copies 4, 8 or 16 bytes; narrower copies do not exist."},
    {"ttg.async_copy_global_to_local", cdna3, "global_load_lds_dword",
     "Flat, Scratch and Global Instructions",
     "32 bits per lane; the lanes of a wave write consecutive LDS."},
    {"ttg.async_copy_global_to_local", cdna4,
     "global_load_lds_dword or global_load_lds_dwordx4",
     "Flat, Scratch and Global Instructions",
     "32 or 128 bits per lane; the lanes of a wave write consecutive LDS."},
    {"ttg.async_copy_global_to_local", gfx1250,
     "global_load_async_to_lds_b32, _b64 or _b128",
     "Flat, Scratch and Global Instructions",
     "Lanes may write scattered addresses in LDS."},
    {"ttg.async_commit_group", asyncCopies, "cp.async.commit_group",
     "Data Movement and Conversion Instructions: cp.async.commit_group", ""},
    {"ttg.async_commit_group", copiesToLds,
     "nothing: the hardware has no groups", "Data Dependency Resolution", ""},
    {"ttg.async_wait", asyncCopies, "cp.async.wait_group",
     "Data Movement and Conversion Instructions: cp.async.wait_group",
     "`num` counts commit groups: all but the newest `num` groups that this "
     "thread committed have landed. Loads to registers do not count."},
    {"ttg.async_wait", cdna, "s_waitcnt vmcnt", "Data Dependency Resolution",
     "On gfx9 the counter counts individual vector loads in order, including "
     "loads to registers, not commit groups: `num` groups become the number of "
     "loads issued by them and after them, so any load in between makes the "
     "wait stricter."},
    {"ttg.async_wait", gfx1250, "s_wait_asynccnt", "Data Dependency Resolution",
     "A separate counter counts asynchronous copies between memory and LDS: "
     "`num` groups become the number of copies that they issue; loads to "
     "registers do not count."},
    {"ttg.barrier", nvidia, "bar.sync (membar for global memory)",
     "Parallel Synchronization and Communication Instructions: bar, barrier",
     ""},
    {"ttg.barrier", cdna, "s_waitcnt lgkmcnt(0), s_barrier",
     "Program Flow Control", ""},
    {"ttg.barrier", rdna3, "s_waitcnt lgkmcnt(0), s_barrier",
     "Program Flow Control", ""},
    {"ttg.barrier", rdna4,
     "s_wait_dscnt 0, s_barrier_signal -1, s_barrier_wait -1", "Barriers", ""},
    {"ttg.barrier", gfx1250,
     "s_wait_dscnt 0, s_barrier_signal -1, s_barrier_wait -1", "Barriers", ""},
    {"ttg.fp4_to_fp", fp4Conversions, "cvt.rn.f16x2.e2m1x2",
     "Data Movement and Conversion Instructions: cvt", ""},
    {"ttg.fp4_to_fp", cdna4, "v_cvt_scalef32_pk_f16_fp4",
     "Vector ALU Operations", ""},
    {"ttg.warp_id", nvidia,
     "mov.u32 from %tid.x, shifted; uniform by shfl.sync",
     "Special Registers: %tid", ""},
    {"ttg.warp_id", amd, "v_readfirstlane_b32 of the thread id, shifted",
     "Vector ALU Operations", ""},
    {"ttg.warp_specialize", nvidia,
     "a switch on the warp id; setmaxnreg.sync.aligned moves registers between "
     "warp groups",
     "Miscellaneous Instructions: setmaxnreg", ""},
    {"ttg.warp_specialize", gfx1250,
     "a switch on the wave id; named barriers (s_barrier_join) for each "
     "partition",
     "Barriers", ""},
    {"ttng.init_barrier", plainMbarriers, "mbarrier.init.shared::cta.b64",
     "Parallel Synchronization and Communication Instructions: mbarrier.init",
     ""},
    {"ttng.inval_barrier", plainMbarriers, "mbarrier.inval.shared::cta.b64",
     "Parallel Synchronization and Communication Instructions: mbarrier.inval",
     ""},
    {"ttng.barrier_expect", mbarriers,
     "mbarrier.arrive.expect_tx.shared::cta.b64",
     "Parallel Synchronization and Communication Instructions: mbarrier.arrive",
     "One arrival that also announces the bytes to expect."},
    {"ttng.wait_barrier", plainMbarriers,
     "mbarrier.try_wait.parity.shared::cta.b64 in a loop; before sm_90 "
     "mbarrier.test_wait",
     "Parallel Synchronization and Communication Instructions: "
     "mbarrier.test_wait, mbarrier.try_wait",
     ""},
    {"ttng.arrive_barrier", plainMbarriers, "mbarrier.arrive.shared::cta.b64",
     "Parallel Synchronization and Communication Instructions: mbarrier.arrive",
     ""},
    {"ttng.async_copy_mbarrier_arrive", asyncCopies,
     "cp.async.mbarrier.arrive.shared::cta.b64",
     "Parallel Synchronization and Communication Instructions: "
     "cp.async.mbarrier.arrive",
     ""},
    {"ttng.async_shared_store", clusters,
     "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes{.v2,.v4}, "
     "mapa",
     "Data Movement and Conversion Instructions: st.async", ""},
    {"ttng.async_tma_copy_global_to_local", tma,
     "cp.async.bulk.tensor.Nd.shared::cluster.global.mbarrier::complete_tx::"
     "bytes{.multicast::cluster}",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"ttng.async_tma_copy_local_to_global", tma,
     "cp.async.bulk.tensor.Nd.global.shared::cta.bulk_group",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"ttng.async_tma_reduce", tma,
     "cp.reduce.async.bulk.tensor.Nd.global.shared::cta.bulk_group",
     "Data Movement and Conversion Instructions: cp.reduce.async.bulk.tensor",
     ""},
    {"ttng.async_tma_gather", tmaGather,
     "cp.async.bulk.tensor.2d.tile::gather4",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"ttng.async_tma_scatter", tmaScatter,
     "cp.async.bulk.tensor.2d.tile::scatter4",
     "Data Movement and Conversion Instructions: cp.async.bulk.tensor", ""},
    {"ttng.async_tma_store_wait", tma, "cp.async.bulk.wait_group.read",
     "Data Movement and Conversion Instructions: cp.async.bulk.wait_group",
     "Waits until all but the newest `pendings` groups have read their shared "
     "memory, not until they have written global memory."},
    {"ttng.fence_async_shared", tma, "fence.proxy.async.shared::cta",
     "Parallel Synchronization and Communication Instructions: membar, fence",
     ""},
    {"ttng.fence_mbarrier_init_release_cluster", clusters,
     "fence.mbarrier_init.release.cluster",
     "Parallel Synchronization and Communication Instructions: membar, fence",
     ""},
    {"ttng.cluster_barrier", clusters,
     "barrier.cluster.arrive, barrier.cluster.wait",
     "Parallel Synchronization and Communication Instructions: barrier.cluster",
     ""},
    {"ttng.warp_group_dot", wgmma,
     "wgmma.mma_async.sync.aligned.m64nNk16 (k8 for tf32, k32 for 8 bits)",
     "Asynchronous Warpgroup Level Matrix Instructions: wgmma.mma_async",
     "Four warps execute it together. It is asynchronous: its registers must "
     "not be accessed until the wait."},
    {"ttng.warp_group_dot_wait", wgmma, "wgmma.wait_group.sync.aligned",
     "Asynchronous Warpgroup Level Matrix Instructions: wgmma.wait_group", ""},
    {"ttng.tc_gen5_mma", tensorMemory,
     "tcgen05.mma.cta_group::1 or ::2, .kind::f16, ::tf32, ::f8f6f4 or ::i8",
     "TensorCore 5th Generation Family Instructions: tcgen05.mma",
     "One thread issues it for the CTA or the CTA pair."},
    {"ttng.tc_gen5_mma_scaled", tensorMemory,
     "tcgen05.mma.cta_group::1 or ::2, .kind::mxf8f6f4, ::mxf4 or ::mxf4nvf4, "
     ".block_scale",
     "TensorCore 5th Generation Family Instructions: tcgen05.mma", ""},
    {"ttng.tc_gen5_commit", tensorMemory,
     "tcgen05.commit.cta_group.mbarrier::arrive::one",
     "TensorCore 5th Generation Family Instructions: tcgen05.commit", ""},
    {"ttng.tmem_alloc", tensorMemory,
     "one tcgen05.alloc for the whole kernel, at its start; with a source, "
     "tcgen05.st",
     "TensorCore 5th Generation Family Instructions: tcgen05.alloc", ""},
    {"ttng.tmem_load", tensorMemory,
     "tcgen05.ld.sync.aligned.32x32b or .16x256b, tcgen05.wait::ld",
     "TensorCore 5th Generation Family Instructions: tcgen05.ld", ""},
    {"ttng.tmem_store", tensorMemory,
     "tcgen05.st.sync.aligned.32x32b or .16x256b, tcgen05.wait::st",
     "TensorCore 5th Generation Family Instructions: tcgen05.st", ""},
    {"ttng.tmem_copy", tensorMemory, "tcgen05.cp.cta_group",
     "TensorCore 5th Generation Family Instructions: tcgen05.cp", ""},
    {"ttng.tmem_subslice", tensorMemory, "no instruction; only an address",
     "Tensor Memory Addressing", ""},
    {"tt.make_tensor_descriptor", tma,
     "tensormap.replace.tile, tensormap.cp_fenceproxy",
     "Data Movement and Conversion Instructions: tensormap.replace", ""},
    {"tt.make_tensor_descriptor", tensorDataMover,
     "scalar instructions that pack the words of a descriptor",
     "Tensor Data Mover", ""},
    {"ttng.tensormap_create", tma,
     "tensormap.replace.tile, tensormap.cp_fenceproxy",
     "Data Movement and Conversion Instructions: tensormap.replace", ""},
    {"ttng.tensormap_fenceproxy_acquire", tma,
     "fence.proxy.tensormap::generic.acquire.gpu",
     "Parallel Synchronization and Communication Instructions: membar, fence",
     ""},
    {"ttng.clc_try_cancel", clusterLaunchControl,
     "clusterlaunchcontrol.try_cancel.async",
     "Parallel Synchronization and Communication Instructions: "
     "clusterlaunchcontrol.try_cancel",
     ""},
    {"ttng.clc_try_cancel_sync", clusterLaunchControl,
     "clusterlaunchcontrol.try_cancel.async and a wait on its barrier",
     "Parallel Synchronization and Communication Instructions: "
     "clusterlaunchcontrol.try_cancel",
     ""},
    {"ttng.clc_load_result", clusterLaunchControl,
     "ld.shared.b128 of the response",
     "Data Movement and Conversion Instructions: ld", ""},
    {"ttng.clc_is_canceled", clusterLaunchControl,
     "clusterlaunchcontrol.query_cancel.is_canceled",
     "Parallel Synchronization and Communication Instructions: "
     "clusterlaunchcontrol.query_cancel",
     ""},
    {"ttng.clc_get_program_id", clusterLaunchControl,
     "clusterlaunchcontrol.query_cancel.get_first_ctaid",
     "Parallel Synchronization and Communication Instructions: "
     "clusterlaunchcontrol.query_cancel",
     ""},
    {"ttng.packed_arith", packedF32, "add.rn.f32x2, mul.rn.f32x2, fma.rn.f32x2",
     "Floating Point Instructions: fma", ""},
    {"nvg.ld_acquire", nvidia, "ld.global.acquire",
     "Data Movement and Conversion Instructions: ld", ""},
    {"nvg.cluster_id", clusters, "mov.u32 from %cluster_ctarank",
     "Special Registers: %cluster_ctarank", ""},
    {"nvg.wgmma", wgmma, "wgmma.mma_async.sync.aligned",
     "Asynchronous Warpgroup Level Matrix Instructions: wgmma.mma_async", ""},
    {"nvg.wgmma_wait_group", wgmma, "wgmma.wait_group.sync.aligned",
     "Asynchronous Warpgroup Level Matrix Instructions: wgmma.wait_group", ""},
    {"amdg.buffer_load", cdna, "buffer_load_ubyte to buffer_load_dwordx4",
     "Vector Memory Buffer Instructions",
     "Out-of-bounds addresses read zero, so the mask costs no branch."},
    {"amdg.buffer_load", rdna, "buffer_load_u8 to buffer_load_b128",
     "Vector Memory Buffer Instructions",
     "Out-of-bounds addresses read zero, so the mask costs no branch."},
    {"amdg.buffer_load", gfx1250, "buffer_load_u8 to buffer_load_b128",
     "Vector Memory Buffer Instructions",
     "Out-of-bounds addresses read zero, so the mask costs no branch."},
    {"amdg.buffer_store", cdna, "buffer_store_byte to buffer_store_dwordx4",
     "Vector Memory Buffer Instructions", "Out-of-bounds stores are dropped."},
    {"amdg.buffer_store", rdna, "buffer_store_b8 to buffer_store_b128",
     "Vector Memory Buffer Instructions", "Out-of-bounds stores are dropped."},
    {"amdg.buffer_store", gfx1250, "buffer_store_b8 to buffer_store_b128",
     "Vector Memory Buffer Instructions", "Out-of-bounds stores are dropped."},
    {"amdg.buffer_atomic_rmw", amd,
     "buffer_atomic_add_f32, buffer_atomic_pk_add_f16, ...",
     "Vector Memory Buffer Instructions", ""},
    {"amdg.buffer_atomic_cas", amd, "buffer_atomic_cmpswap",
     "Vector Memory Buffer Instructions", ""},
    {"amdg.buffer_load_to_local", cdna3, "buffer_load_dword ... lds",
     "Vector Memory Buffer Instructions",
     "32 bits per lane; the lanes of a wave write consecutive LDS."},
    {"amdg.buffer_load_to_local", cdna4,
     "buffer_load_dword ... lds, buffer_load_dwordx4 ... lds",
     "Vector Memory Buffer Instructions",
     "32 or 128 bits per lane; the lanes of a wave write consecutive LDS."},
    {"amdg.async_wait", cdna, "s_waitcnt vmcnt", "Data Dependency Resolution",
     "Counts instructions in order, including loads to registers."},
    {"amdg.async_wait", gfx1250, "s_wait_asynccnt",
     "Data Dependency Resolution", "Counts asynchronous copies only."},
    {"amdg.memory_counter_wait", cdna, "s_waitcnt vmcnt, lgkmcnt",
     "Data Dependency Resolution", ""},
    {"amdg.memory_counter_wait", rdna4,
     "s_wait_loadcnt, s_wait_storecnt, s_wait_dscnt",
     "Data Dependency Resolution", ""},
    {"amdg.memory_counter_wait", gfx1250,
     "s_wait_loadcnt, s_wait_storecnt, s_wait_dscnt, s_wait_tensorcnt",
     "Data Dependency Resolution", ""},
    {"amdg.cond_barrier", amd, "s_barrier in the waves whose predicate is true",
     "Program Flow Control", ""},
    {"amdg.local_load_packed_transposed", cdna4,
     "ds_read_b64_tr_b4, ds_read_b64_tr_b8", "Data Share Operations", ""},
    {"amdg.local_load_packed_transposed", gfx1250,
     "ds_load_tr4_b64, ds_load_tr8_b64", "Data Share Operations", ""},
    {"amdg.scaled_upcast_fp4", cdna4, "v_cvt_scalef32_pk_f16_fp4, ..._bf16_fp4",
     "Vector ALU Operations", ""},
    {"amdg.scaled_upcast_fp8", cdna4, "v_cvt_scalef32_pk_f16_fp8, ..._bf16_fp8",
     "Vector ALU Operations", ""},
    {"amdg.scaled_downcast_fp4", cdna4,
     "v_cvt_scalef32_pk_fp4_f32, ..._f16, ..._bf16", "Vector ALU Operations",
     ""},
    {"amdg.scaled_downcast_fp4", gfx1250,
     "v_cvt_scalef32_pk8_fp4_f32, ..._f16, ..._bf16", "Vector ALU Operations",
     ""},
    {"amdg.scaled_downcast_fp8", cdna4,
     "v_cvt_scalef32_pk_fp8_f32, ..._bf8_f32, ..._f16, ..._bf16",
     "Vector ALU Operations", ""},
    {"amdg.scaled_downcast_fp8", gfx1250,
     "v_cvt_scalef32_pk8_fp8_f32, ..._bf8_f32, ..._f16, ..._bf16",
     "Vector ALU Operations", ""},
    {"amdg.async_tdm_copy_global_to_local", tensorDataMover,
     "tensor_load_to_lds", "Tensor Data Mover", ""},
    {"amdg.async_tdm_fused_copy_global_to_local", tensorDataMover,
     "tensor_load_to_lds, each warp for its member", "Tensor Data Mover", ""},
    {"amdg.tdm_prefetch", tensorDataMover, "global_prefetch_b8",
     "Flat, Scratch and Global Instructions", ""},
    {"amdg.update_tensor_descriptor", tensorDataMover,
     "scalar instructions on the words of a descriptor", "Tensor Data Mover",
     ""},
    {"amdg.async_tdm_copy_local_to_global", tensorDataMover,
     "tensor_store_from_lds", "Tensor Data Mover", ""},
    {"amdg.async_tdm_gather", tensorDataMover,
     "tensor_load_to_lds in gather mode", "Tensor Data Mover", ""},
    {"amdg.async_tdm_scatter", tensorDataMover,
     "tensor_store_from_lds in gather mode", "Tensor Data Mover", ""},
    {"amdg.async_tdm_wait", tensorDataMover, "s_wait_tensorcnt",
     "Data Dependency Resolution", ""},
    {"amdg.async_tdm_intrinsic_wait", tensorDataMover, "s_wait_tensorcnt",
     "Data Dependency Resolution", ""},
    {"amdg.async_copy_local_to_global", gfx1250,
     "global_store_async_from_lds_b32, _b64 or _b128",
     "Flat, Scratch and Global Instructions", ""},
    {"amdg.async_copy_mbarrier_arrive", gfx1250,
     "ds_atomic_async_barrier_arrive_b64", "Data Share Operations", ""},
    {"amdg.init_barrier", gfx1250,
     "ds_store_b64 of the barrier's initial state", "Data Share Operations",
     ""},
    {"amdg.arrive_barrier", gfx1250, "ds_atomic_barrier_arrive_rtn_b64",
     "Data Share Operations", ""},
    {"amdg.wait_barrier", gfx1250, "ds_load_b64 and s_sleep in a loop",
     "Data Share Operations", ""},
    {"amdg.cluster_barrier_arrive", gfx1250, "s_barrier_signal -3", "Barriers",
     ""},
    {"amdg.cluster_barrier_wait", gfx1250, "s_barrier_wait -3", "Barriers", ""},
    {"amdg.masked_load", amd, "a branch around global_load",
     "Flat, Scratch and Global Instructions", ""},
    {"amdg.masked_store", amd, "a branch around global_store",
     "Flat, Scratch and Global Instructions", ""},
};

/// The rows of each op. A verifier asks for each name in a text.
static const llvm::StringMap<llvm::SmallVector<const Instructions *>> &
rowsByOp() {
  static const auto rows = [] {
    llvm::StringMap<llvm::SmallVector<const Instructions *>> result;
    for (llvm::ArrayRef<Instructions> one : allInstructions())
      for (const Instructions &row : one)
        result[row.op].push_back(&row);
    return result;
  }();
  return rows;
}

llvm::SmallVector<const Instructions *>
kernelscope::findInstructions(StringRef op, const Target *target) {
  llvm::SmallVector<const Instructions *> found = rowsByOp().lookup(op);
  if (target)
    llvm::erase_if(found, [&](const Instructions *row) {
      return !row->chips.include(*target);
    });
  return found;
}

bool Instructions::areFor(StringRef from, StringRef to) const {
  if (types.empty())
    return true;
  std::string conversion = (from + ">" + to).str();
  return llvm::any_of(llvm::split(types, ' '), [&](StringRef type) {
    return type == (type.contains('>') ? StringRef(conversion) : from);
  });
}

std::string Instructions::textFor(StringRef from, StringRef to,
                                  StringRef access, bool isMasked) const {
  auto bits = [](StringRef type) {
    return type.drop_until([](char c) { return llvm::isDigit(c); });
  };
  bool isHalf = from == "f16" || from == "bf16";
  const std::pair<StringRef, StringRef> words[] = {
      {"{t}", from},
      {"{d}", to},
      {"{n}", bits(from)},
      {"{m}", bits(to)},
      {"{w}", isHalf ? "f32" : from},
      {"{a}", from == "bf16" ? "f32" : from},
      {"{x}", access.empty() ? ".b8 to .v4.b32" : access},
      {"{p}", isMasked ? ", predicated by the mask" : ""}};
  std::string result = text.str();
  constexpr StringRef unknown = "{?";
  if (size_t at = result.find(unknown); at != std::string::npos) {
    size_t end = result.find('}', at);
    if (access.empty())
      result.erase(end, 1).erase(at, unknown.size());
    else
      result.erase(at, end + 1 - at);
  }
  for (auto [word, replacement] : words)
    for (size_t at; (at = result.find(word)) != std::string::npos;)
      result.replace(at, word.size(), replacement);
  return result;
}

std::array<llvm::ArrayRef<Instructions>, 3> kernelscope::allInstructions() {
  return {table, arithInstructions(), mathInstructions()};
}

std::string kernelscope::describeMissingInstruction(StringRef op,
                                                    const Target &target) {
  auto rows = findInstructions(op, nullptr);
  auto isOn = [&](const Target &chip) {
    return llvm::any_of(rows, [&](const Instructions *row) {
      return row->chips.include(chip);
    });
  };
  if (isOn(target))
    return "";
  llvm::SmallVector<StringRef> archs;
  for (const Target &chip : knownArchs())
    if (chip.canCompile && isOn(chip))
      archs.push_back(chip.arch);
  if (archs.empty())
    return "";
  return ("'" + op + "' has no instruction on " + target.arch +
          "; it has one on " + llvm::join(archs, ", "))
      .str();
}
