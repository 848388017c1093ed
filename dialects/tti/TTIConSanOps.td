//===- TTIConSanOps.td - the concurrency sanitizer ---------*- tablegen -*-===//

include "dialects/tti/TTIOpBase.td"

def TTI_ExperimentalAssertUniformOp
    : TTI_Op<"experimental_assert_uniform", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "stop if a uniform condition is false";
  let description = [{
    Like `tt.assert` of a scalar that is uniform in the warp group: one thread checks it, prints `message` and stops
    the kernel.
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict-with-keyword";
}

def TTI_ExperimentalBufferDescriptorsOp : TTI_Op<"experimental_buffer_descriptors", [Pure]> {
  let summary = "table of the watched buffers";
  let description = [{
    A tensor with an element for each buffer: its offset in the memory in the low 32 bits, its length in the high ones.
  }];
  let arguments = (ins DenseI32ArrayAttr:$offsets, DenseI32ArrayAttr:$lengths, TTI_MemTypeAttr:$memType);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$offsets `,` $lengths `,` $memType attr-dict `:` type($result)";
}

def TTI_ExperimentalMemDescToI32Op : TTI_Op<"experimental_memdesc_to_i32", [Pure]> {
  let summary = "address of a memory descriptor";
  let description = "The base address of `memdesc` as a number, to find it in the sanitizer's tables.";
  let arguments = (ins TTG_MemDescType:$memdesc);
  let results = (outs I32:$result);
  let assemblyFormat = "$memdesc attr-dict `:` type($memdesc)";
}

def TTI_ExperimentalMemoryOffsetToI32Op : TTI_Op<"experimental_memory_offset_to_i32", [Pure]> {
  let summary = "address of an offset in shared or tensor memory";
  let description = "The base of the function's memory plus `offset`, as a number like `tti.experimental_memdesc_to_i32`.";
  let arguments = (ins I32Attr:$offset, TTI_MemTypeAttr:$memType);
  let results = (outs I32:$result);
  let assemblyFormat = "$offset `,` $memType attr-dict";
}

def TTI_ExperimentalClusterCTAIdOp : TTI_Op<"experimental_cluster_cta_id", [Pure]> {
  let summary = "rank of this CTA in its cluster";
  let description = "Selects the CTA's part of the sanitizer's tables; 0 without clusters.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def TTI_ExperimentalLocalGatherOp : TTI_Op<"experimental_local_gather"> {
  let summary = "elements of shared memory by index, with offsets";
  let description = [{
    Like `ttg.local_gather` along `axis`, with `offsets`, one per dimension, added to the coordinates.
  }];
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<TTI_SharedMemory>]>:$src, TT_IntTensor:$indices,
    Variadic<I32>:$offsets, I32Attr:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` `offsets` `=` `[` $offsets `]` attr-dict
    `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

class TTI_LockOp<string mnemonic> : TTI_Op<mnemonic, [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let arguments = (ins TT_PtrLike:$lock, Optional<I1>:$pred);
  let assemblyFormat = "$lock (`,` $pred^)? attr-dict `:` type($lock)";
}

def TTI_ExperimentalLockAcquireOp : TTI_LockOp<"experimental_lock_acquire"> {
  let summary = "enter a critical section";
  let description = "One thread spins on `lock` until it acquires it (if `pred` is true); the others wait.";
}

def TTI_ExperimentalLockReleaseOp : TTI_LockOp<"experimental_lock_release"> {
  let summary = "leave a critical section";
  let description = "When all threads have arrived, one releases `lock` (if `pred` is true).";
}
