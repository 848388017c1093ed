//===- Table.cpp - every spelling that is not ours ------------------------===//
//
// docs/spellings.md shows what each row is about. Rows of one word are tried in
// this order.
//
//===----------------------------------------------------------------------===//

#include "server/analysis/spellings/Rewrites.h"
#include "server/analysis/spellings/Spelling.h"

using namespace kernelscope;
using namespace kernelscope::spelling;

using enum Place;

static constexpr Rewrite dropOp(Rewrite::DropOp), leaveOut(Rewrite::LeaveOut),
    cannotSay(Rewrite::CannotSay);

static constexpr Spelling rows[] = {
    // Dialects
    {Dialect, "amdgpu.", "the dialect", until("3.5"), "it is 'amdg'", Unread,
     renamed("gpu.", "g.")},
    {Dialect, "nvgpu.", "the dialect", until("3.5"), "it is 'nvg'", Unread,
     renamed("gpu.", "g.")},
    {Key, "ttg.amdgpu.syncedViaAsyncWait", "", until("3.5"),
     "it is 'ttg.amdg.syncedViaAsyncWait'", Unread, renamed("gpu.", "g.")},

    // Memory descriptors
    {Op, "ttg.memdesc_subview", "", until("3.4"),
     "it is 'ttg.memdesc_index' or 'ttg.memdesc_subslice'", Unread, subview},
    {Op, "ttg.memdesc_index", "the comma", until("3.4"),
     "the index is in brackets", Unread, bracketedIndex},
    {Op, "ttng.tmem_subslice", "N", until("3.8"), "it is 'offset'", Read,
     renamedEntry("N", "offset")},
    {Type, "!tt.tensordesc", "the tensor type", until("3.7"),
     "it gives the shape and element type directly", Read, descriptor},
    {Type, "!ttng.tensordesc_im2col", "the tensor type", until("3.7"),
     "it gives the shape and element type directly", Unread, descriptor},
    {Type, "!ttg.memdesc", "a row of barriers", until("3.4"),
     "it has two dimensions", Unread, barrierRing},
    {Type, "!ttg.memdesc", "a ring's allocation", until("3.5"),
     "an element no longer names it", Unread, ringAllocation},
    {Type, "!nvws.aref", "the number of leading dimensions", until("3.4"),
     "it is always one", Unread, arefBatch},
    {Op, "nvws.aref.destroy", "", until("3.5"), "it no longer exists", Unread,
     dropOp},
    {Op, "tt.make_tensor_ptr", "", until("3.7"),
     "block pointers no longer exist; use 'tt.make_tensor_descriptor'", Read,
     cannotSay},
    {Op, "tt.advance", "", until("3.7"),
     "block pointers no longer exist; use 'tt.descriptor_load'", Read,
     cannotSay},

    // Barriers, commits and what waits for them
    {Op,
     "ttg.local_barrier",
     "",
     {"3.6", "3.6"},
     "it is 'ttg.barrier local'",
     Unread,
     renamed("local_barrier", "barrier local")},
    {Op, "ttg.async_commit_group", "the bare tokens", until("3.4"),
     "'tokens' comes before them", Unread, insertedKeyword("tokens")},
    {Op, "ttng.cluster_arrive", "", until("3.8"),
     "it is 'ttng.cluster_barrier', which includes the wait", Unread,
     clusterArrive},
    {Op, "ttng.cluster_wait", "", until("3.8"),
     "it is 'ttng.cluster_barrier', which includes the arrival", Unread,
     clusterWait},
    {Op, "ttng.tc_gen5_mma", "a barrier without 'is_async'", until("3.4"),
     "'is_async' must be written", Unread, insertedEntry("is_async", 5)},
    {Op, "ttng.tc_gen5_mma_scaled", "a barrier without 'is_async'",
     until("3.4"), "'is_async' must be written", Unread,
     insertedEntry("is_async", 7)},
    {Op, "ttng.tc_gen5_commit", "two_ctas", until("3.6"),
     "the module's 'ttng.two-ctas' states it", Unread, commitOfPairs},
    {Op, "ttng.tmem_copy", "the barrier", until("3.7"),
     "a 'ttng.tc_gen5_commit' follows the copy", Unread, copyBarrier},
    {Op, "ttng.tmem_copy", "the type of a function", until("3.4"),
     "it is the operands' types", Unread, copyTypes},
    {Op, "ttng.async_tma_copy_global_to_local", "tensorMode", until("3.7"),
     "the descriptor's type states it", Unread, droppedClause("tensorMode")},

    // AMD
    {Op, "amdg.local_load_packed_tranposed", "", until("3.8"),
     "it is 'amdg.local_load_packed_transposed'", Unread,
     renamed("tranposed", "transposed")},
    {Ops, "amdg.async_tdm_copy_", "the block's offset", until("3.7"),
     "'amdg.update_tensor_descriptor' sets it", Unread, tensorMover},
    {Op, "amdg.async_tdm_gather", "the column", until("3.7"),
     "'amdg.update_tensor_descriptor' sets it", Unread, rowMover},
    {Op, "amdg.async_tdm_scatter", "the column", until("3.7"),
     "'amdg.update_tensor_descriptor' sets it", Unread, rowMover},
    {Op, "amdg.instruction_sched_hint", "", until("3.7"), "it no longer exists",
     Unread, dropOp},
    {Op, "amdg.upcast_mxfp", "", until("3.7"),
     "it is 'amdg.scaled_upcast_fp4' and 'amdg.scaled_upcast_fp8'", Read,
     cannotSay},
    {Attribute, "#amdgpu.OpIdx", "", until("3.4"), "it no longer exists",
     Unread, operandIndex},
    {Op, "amdg.buffer_load_to_local", since("3.9"), localPointer},
    {Ops, "amdg.buffer_", since("3.9"), bufferPointer, Read},
    {Key, "cachePolicy", since("3.9"), cachePolicy},

    // Layouts
    {Attributes, "#ttg.", "CTAsPerCGA", until("3.5"), "it is 'CGALayout'", Read,
     reprintedIf("CTAsPerCGA", "CTASplitNum", "CTAOrder")},
    {Attribute, "#ttg.padded_shared", "no 'shape'", until("3.5"),
     "it has the tensor's shape", Unread, paddedShape},
    {Attribute, "#ttg.amd_mfma", "versionMajor", until("3.4"),
     "it is 'version'", Read, reprintedIf("versionMajor", "versionMinor")},
    {Attribute, "#ttg.amd_mfma", "'instrShape' without K", until("3.5"),
     "it is [M, N, K]", Unread, mfmaWithoutK},
    {Attribute, "#ttg.amd_mfma", "elementType", until("3.5"),
     "it is 'elementBitWidth'", Read, reprintedIf("elementType")},
    {Attribute, "#ttg.amd_wmma", "warpsPerCTA", until("3.6"),
     "it is 'ctaLayout'", Read, reprintedIf("warpsPerCTA", "tilesPerWarp")},
    {Attribute, "#ttng.tensor_memory_encoding", "unpacked", until("3.5"),
     "it is 'colStride'", Unread, tensorMemoryStride},
    {Attributes, "#ttng.tensor_memory_", "CTASplitM and CTASplitN",
     until("3.7"), "they are 'CGALayout'", Read, tensorMemoryCluster},

    // Profiler
    {Op, "proton.record", "a region's number", until("3.4"),
     "a region has a name", Unread, recordByNumber},
    {Op, "proton_gpu.global_scratch_alloc", "", until("3.6"),
     "it is 'ttg.global_scratch_alloc'", Unread, renamed("proton_gpu", "ttg")},

    // What MLIR's own ops replaced
    {Op, "nvg.warp_id", "", until("3.6"), "it is 'ttg.warp_id'", Unread,
     renamedTo("ttg.warp_id")},
    {Op, "nvgpu.wgmma_fence", "", until("3.4"),
     "it is 'nvvm.wgmma.fence.aligned'", Unread,
     renamedTo("nvvm.wgmma.fence.aligned")},
    {Op, "nvgpu.wgmma_commit_group", "", until("3.4"),
     "it is 'nvvm.wgmma.commit.group.sync.aligned'", Unread,
     renamedTo("nvvm.wgmma.commit.group.sync.aligned")},
    {Op, "nvgpu.cluster_arrive", "", until("3.4"),
     "it is 'nvvm.cluster.arrive'", Unread, clusterArriveByEntry},
    {Op, "nvgpu.cluster_wait", "", until("3.4"), "it is 'nvvm.cluster.wait'",
     Unread, renamedTo("nvvm.cluster.wait")},
    {Op, "nvgpu.fence_async_shared", "", until("3.4"),
     "it is 'nvvm.fence.proxy'", Unread, proxyFence},
    {Op, "nvgpu.stmatrix", "", until("3.4"), "it is 'nvvm.stmatrix'", Unread,
     storeMatrix},
    {Op, "nvgpu.ldmatrix", "", until("3.5"), "it is 'nvvm.ldmatrix'", Unread,
     loadMatrix},

    // MLIR's dialects, since MLIR 23 and in every release
    {Op, "ttng.tmem_wait", since("3.9"), tensorMemoryWait},
    {Ops, "rocdl.mfma.", since("3.9"), mfmaOperands},
    {Op, "rocdl.raw.ptr.buffer.load", since("3.9"), bufferFlags},
    {Op, "rocdl.raw.ptr.buffer.store", since("3.9"), bufferFlags},
    {Op, "rocdl.raw.ptr.buffer.load.async.lds", since("3.9"), asyncBufferLoad},
    {Op, "rocdl.asyncmark", since("3.9"), asyncMark},
    {Op, "rocdl.wait.asyncmark", since("3.9"), asyncMark},
    {Ops, "rocdl.raw.ptr.buffer.atomic.", since("3.9"), bufferFlags},
    {Op, "rocdl.sched.barrier", since("3.9"), schedulingMask},
    {Op, "rocdl.sched.group.barrier", since("3.9"), schedulingMask},
    {Op, "rocdl.wave.id", since("3.9"), waveId},
    {Op, "nvvm.barrier", every, namedBarrier},
    {Op, "llvm.call_intrinsic", every, intrinsicOfVoid},

    // What the sanitizers wrote between two passes
    {Op, "tti.experimental_assert_in_thread", until("3.7"), leaveOut},
    {Op, "tti.experimental_buffer_pointers", until("3.6"), leaveOut},
    {Op, "tti.experimental_memdesc_to_i64", until("3.6"), leaveOut},
    {Op, "tti.experimental_check_barrier_writes_cleared", until("3.5"),
     leaveOut},
    {Op, "tti.experimental_check_outstanding_commits", until("3.5"), leaveOut},
    {Op, "tti.experimental_check_read_barriers", until("3.5"), leaveOut},
    {Op, "tti.experimental_check_write_state", until("3.5"), leaveOut},
    {Op, "tti.experimental_clear_outstanding_commits", until("3.5"), leaveOut},
    {Op, "tti.experimental_clear_read_barrier", until("3.5"), leaveOut},
    {Op, "tti.experimental_clear_write_barrier", until("3.5"), leaveOut},
    {Op, "tti.experimental_commit_accesses", until("3.5"), leaveOut},
    {Op, "tti.experimental_commit_write_with_barrier", until("3.5"), leaveOut},
    {Op, "tti.experimental_set_read_barrier", until("3.5"), leaveOut},
    {Op, "tti.experimental_set_write_state", until("3.5"), leaveOut},
    {Op, "tti.experimental_stage_access_for_commit", until("3.5"), leaveOut},
};

llvm::ArrayRef<Spelling> spelling::allSpellings() { return rows; }
