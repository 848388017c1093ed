//===- TTNGBarrierOps.td - Barriers, fences, clusters ------*- tablegen -*-===//

include "dialects/ttng/TTNGOpBase.td"

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

def TTNG_InitBarrierOp : TTNG_Op<"init_barrier", [UsesMBarriers]> {
  let summary = "initialise a barrier";
  let description = [{
    Every phase of the barrier completes after `count` arrivals, once all announced
    bytes have arrived. Other threads can use it only after a `ttg.barrier` (in a
    cluster: after a fence and a cluster barrier). PTX: `mbarrier.init`.
  }];
  let arguments = (ins TTNG_WritesShared:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_InvalBarrierOp : TTNG_Op<"inval_barrier", [UsesMBarriers]> {
  let summary = "invalidate a barrier";
  let description = [{
    Needed before its memory is used for anything else. PTX: `mbarrier.inval`.
  }];
  let arguments = (ins TTNG_WritesShared:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_BarrierExpectOp : TTNG_Op<"barrier_expect", [UsesMBarriers]> {
  let summary = "announce bytes to expect, and arrive";
  let description = [{
    The phase does not complete before `size` bytes, copied by TMA or
    `ttng.async_shared_store`, have completed on the barrier. A size that does not
    match what is copied hangs the kernel. `fromCTA` masks the bits of the CTA id
    that select whose arrival each barrier takes. PTX: `mbarrier.arrive.expect_tx`.
  }];
  let arguments = (ins
    TTNG_WritesShared:$alloc, I32Attr:$size, I1:$pred, OptionalAttr<I32Attr>:$fromCTA
  );
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
  let hasVerifier = 1;
}

def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments, UsesMBarriers]> {
  let summary = "wait until a barrier's phase completes";
  let description = [{
    Waits for the phase with parity `phase` (0 for the first, 1 for the second, and
    so on alternately). It returns at once if the current phase has the other
    parity, or if `pred` is false. `deps` are buffers that may be in use until then.
    PTX: `mbarrier.try_wait.parity` in a loop.
  }];
  let arguments = (ins
    TTNG_ReadsAndWritesShared:$alloc, I32:$phase, Optional<I1>:$pred,
    Variadic<TTG_MemDescType>:$deps
  );
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)?
    attr-dict `:` qualified(type($alloc)) (`,` type($deps)^)?
  }];
  let hasVerifier = 1;
}

def TTNG_ArriveBarrierOp : TTNG_Op<"arrive_barrier", [UsesMBarriers]> {
  let summary = "count arrivals at a barrier";
  let description = [{
    Subtracts `count` from the arrivals that the phase still needs. The bits set in
    `multicastCTA` are the bits of the CTA id along which the arrival goes to all
    CTAs; `fromCTA` masks the bits that select whose arrival each barrier takes.
    PTX: `mbarrier.arrive`.
  }];
  let arguments = (ins
    TTNG_ReadsAndWritesShared:$alloc, I32Attr:$count, Optional<I1>:$pred,
    OptionalAttr<I32Attr>:$fromCTA, DefaultValuedOptionalAttr<I32Attr, "0">:$multicastCTA
  );
  let assemblyFormat = "$alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))";
  let extraClassDeclaration = "bool isMulticast() { return getMulticastCTA() != 0; }";
  let hasVerifier = 1;
}

def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive", [UsesMBarriers]> {
  let summary = "arrive once this thread's cp.async copies are complete";
  let description = [{
    With `noIncrement` the barrier's count already includes this arrival; without
    it, the count is first incremented by one. PTX: `cp.async.mbarrier.arrive`.
  }];
  let arguments = (ins TTNG_WritesShared:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}

//===----------------------------------------------------------------------===//
// Fences and clusters
//===----------------------------------------------------------------------===//

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared"> {
  let summary = "make ordinary stores to shared memory visible to TMA and tensor cores";
  let description = [{
    TMA and tensor cores access shared memory through the async proxy, loads and
    stores through the generic proxy. `bCluster` extends the fence to the cluster.
    PTX: `fence.proxy.async`.
  }];
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}

def TTNG_FenceMBarrierInitReleaseClusterOp : TTNG_Op<"fence_mbarrier_init_release_cluster"> {
  let summary = "make initialised barriers visible to the cluster";
  let description = [{
    PTX: `fence.mbarrier_init.release.cluster`. A cluster barrier must follow it.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TTNG_ClusterBarrierOp : TTNG_Op<"cluster_barrier", [OrdersThreads]> {
  let summary = "wait for all threads of the cluster";
  let description = [{
    PTX: `barrier.cluster.arrive` and `.wait`; `relaxed` orders no memory.
  }];
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TTNG_AsyncSharedStoreOp : TTNG_Op<"async_shared_store", [UsesMBarriers, AccessesMemory]> {
  let summary = "store to shared memory of the cluster, completing on a barrier";
  let description = [{
    The source registers can be reused at once; the bytes count towards the phase of
    `mbarrier` in the CTA whose memory is written. Needs a cluster of two or more
    CTAs, sm_90, and a layout that allows at least 32 bits per store. PTX:
    `st.async`.
  }];
  let arguments = (ins TT_Tensor:$src, TTNG_WritesShared:$dst, TTNG_WritesShared:$mbarrier);
  let assemblyFormat = [{
    $src `,` $dst `,` $mbarrier attr-dict `:` type($src) `->`
    qualified(type($dst)) `,` qualified(type($mbarrier))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Cluster launch control
//===----------------------------------------------------------------------===//

def TTNG_CLCTryCancelOp : TTNG_Op<"clc_try_cancel", [UsesMBarriers, AccessesMemory]> {
  let summary = "take over the work of a cluster that has not started";
  let description = [{
    Requests that one cluster of the grid that has not started be cancelled. The
    16-byte response is written to `result` and completes on `mbarrier`. A
    persistent kernel then does that cluster's work itself. PTX (sm_100):
    `clusterlaunchcontrol.try_cancel`.
  }];
  let arguments = (ins TTNG_WritesShared:$result, TTNG_WritesShared:$mbarrier);
  let assemblyFormat = [{
    $result `,` $mbarrier attr-dict `:` qualified(type($result)) `,` qualified(type($mbarrier))
  }];
  let hasVerifier = 1;
}

def TTNG_CLCTryCancelSyncOp : TTNG_Op<"clc_try_cancel_sync"> {
  let summary = "take over the work of a cluster, and wait for the response";
  let description = [{
    Like `ttng.clc_try_cancel`, but returns the response as two 64-bit integers.
  }];
  let results = (outs TT_Tensor:$response);
  let assemblyFormat = "attr-dict `:` type($response)";
  let hasVerifier = 1;
}

def TTNG_CLCLoadResultOp : TTNG_Op<"clc_load_result"> {
  let summary = "read the response of ttng.clc_try_cancel";
  let description = "Returns the 128 bits in registers, where they can be decoded.";
  let arguments = (ins TTNG_ReadsShared:$src);
  let results = (outs I<128>:$clcResult);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` type($clcResult)";
  let hasVerifier = 1;
}

def TTNG_CLCIsCanceledOp : TTNG_Op<"clc_is_canceled", [Pure]> {
  let summary = "whether a cluster's work was taken over";
  let description = "PTX: `clusterlaunchcontrol.query_cancel.is_canceled`.";
  let arguments = (ins I<128>:$clcResult);
  let results = (outs I1:$is_canceled);
  let assemblyFormat = "$clcResult attr-dict `:` type($clcResult) `->` type($is_canceled)";
}

def TTNG_CLCGetProgramIdOp : TTNG_Op<"clc_get_program_id", [Pure]> {
  let summary = "the program whose work was taken over";
  let description = [{
    The program's id along `dim`; undefined if nothing was cancelled. PTX:
    `clusterlaunchcontrol.query_cancel.get_first_ctaid`.
  }];
  let arguments = (ins I<128>:$clcResult, TT_ProgramIDDimAttr:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "$clcResult `,` $dim attr-dict `:` type($clcResult) `->` type($result)";
}
