//===- AMDGMemoryOps.td - LDS, asynchronous copies, TDM ----*- tablegen -*-===//

include "dialects/amdg/AMDGBufferOps.td"
include "dialects/ttg/TTGTypes.td"
include "dialects/ttg/TTGInterfaces.td"

def AMDG_SharedMemory : Resource<"::kernelscope::ttg::SharedMemory">;
def AMDG_ValidMemDescs : NativeOpTrait<"ValidMemDescs"> { let cppNamespace = "::kernelscope::ttg"; }
def AMDG_LocalLoad : NativeOpTrait<"LocalLoadTrait"> { let cppNamespace = "::kernelscope::ttg"; }

class AMDG_MemoryOp<string mnemonic, list<Trait> traits = []>
    : AMDG_Op<mnemonic, !listconcat([AMDG_ValidMemDescs], traits)>;

def AMDG_ReadMemDesc : Arg<TTG_MemDescType, "", [MemRead<AMDG_SharedMemory>]>;
def AMDG_WrittenMemDesc : Arg<TTG_MemDescType, "", [MemWrite<AMDG_SharedMemory>]>;
def AMDG_Barrier : Arg<TTG_MemDescType, "", [MemRead<AMDG_SharedMemory>, MemWrite<AMDG_SharedMemory>]>;
def AMDG_OptionalBarrier : Arg<Optional<TTG_MemDescType>, "", [MemWrite<AMDG_SharedMemory>]>;
def AMDG_ReadDesc : Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>]>;
def AMDG_WrittenDesc : Arg<TT_TensorDescType, "", [MemWrite<TT_GlobalMemory>]>;

//===----------------------------------------------------------------------===//
// Copies by lanes
//===----------------------------------------------------------------------===//

def AMDG_BufferLoadToLocalOp : AMDG_MemoryOp<"buffer_load_to_local", [
    AttrSizedOperandSegments, TT_AccessesGlobal, AccessesMemory,
    TypesMatchWith<"ptr points to elements of dest", "dest", "ptr", "getPointerTypeToElement($_self)">,
    AMDG_MaskLike<"offsets", "BufferLoadToLocalOp">]> {
  let summary = "start copying through a buffer resource directly to LDS";
  let description = [{
    Like `amdg.buffer_load`, but writes to `dest` without going through registers. Where `mask` is false it stores
    `other` (or zero). Only widths that the hardware can place are possible: 32 bits per lane on gfx942, 32 or 128 on
    gfx950, where each warp writes consecutive LDS. Wait with `ttg.async_wait` or `amdg.async_wait`.
  }];
  let arguments = (ins AMDG_WrittenMemDesc:$dest, Arg<TT_Ptr, "", [MemRead<TT_GlobalMemory>]>:$ptr,
    AMDG_Offsets:$offsets, Optional<TT_BoolTensor>:$mask, Optional<TT_Tensor>:$other, Optional<I32>:$stride,
    DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache, DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $ptr `[` $offsets `]` (`mask` `=` $mask^)? (`other` `=` $other^)? (`stride` `=` $stride^)?
    oilist(`cacheModifier` `=` $cache) `into` $dest
    attr-dict `:` type($ptr) `[` type($offsets) `]` type($other) `->` type($dest)
  }];
  let hasVerifier = 1;
}

def AMDG_AsyncCopyLocalToGlobalOp : AMDG_MemoryOp<"async_copy_local_to_global", [
    TT_AccessesGlobal, AccessesMemory,
    OptionalTypesMatchWith<"mask has the shape of dst", "dst", "mask", "getI1SameShape($_self)">]> {
  let summary = "start copying LDS to global memory";
  let description = [{
    Each lane stores elements of `src` through its pointers where `mask` is true, without going through registers
    (`global_store_async_from_lds`, gfx1250). `contiguity` limits the width of one access.
  }];
  let arguments = (ins AMDG_ReadMemDesc:$src, Arg<TT_PtrTensor, "", [MemWrite<TT_GlobalMemory>]>:$dst,
    Optional<TT_BoolTensor>:$mask, DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $dst (`mask` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($src)) `->` type($dst)
  }];
  let hasVerifier = 1;
}

def AMDG_LocalLoadPackedTransposedOp : AMDG_MemoryOp<"local_load_packed_transposed", [AMDG_LocalLoad]> {
  let summary = "transposing load of packed 4-bit values from LDS";
  let description = [{
    Loads a dot operand whose values are packed in pairs along M or N, and packs them along K instead, as the matrix
    instruction needs them (`ds_read_b64_tr_b4`, gfx950). One dimension of the result is therefore halved and the
    other doubled.
  }];
  let arguments = (ins AMDG_ReadMemDesc:$src, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
  let hasVerifier = 1;
}

class AMDG_WaitOp<string mnemonic, list<string> waitMethods = []> : AMDG_Op<mnemonic, [WaitsForAccesses<waitMethods>]> {
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

def AMDG_AsyncWaitOp : AMDG_WaitOp<"async_wait", ["countsInstructions"]> {
  let summary = "wait until at most N copy instructions are in flight";
  let description = [{
    Like `ttg.async_wait`, but `num_inst` counts instructions instead of groups, as the hardware does. On gfx9 that
    counter is `vmcnt`, which also counts loads to registers, in order.
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num_inst);
}

//===----------------------------------------------------------------------===//
// Copies by the tensor data mover
//===----------------------------------------------------------------------===//

// Triton up to 3.6 writes the block's offsets and a predicate on the copy; today they are in the descriptor.
class AMDG_TDMOp<string mnemonic, list<Trait> traits = []>
    : AMDG_MemoryOp<mnemonic, !listconcat([UsesMBarriers, AccessesMemory], traits)> {
  let results = (outs TTG_AsyncToken:$token);
  let hasVerifier = 1;
}

def AMDG_AsyncTDMCopyGlobalToLocalOp : AMDG_TDMOp<"async_tdm_copy_global_to_local", [AttrSizedOperandSegments]> {
  let summary = "start copying a described block to LDS";
  let description = [{
    gfx1250's tensor data mover copies the block that `desc` points to into `result` (`tensor_load_to_lds`), then
    arrives at `barrier` if there is one; otherwise wait with `amdg.async_tdm_wait`. `warp_used_hint` has a bit set
    for each warp that takes part. Older releases of Triton write the block's `indices` and a predicate here.
  }];
  let arguments = (ins AMDG_ReadDesc:$desc, Variadic<I32>:$indices, AMDG_WrittenMemDesc:$result, Optional<I1>:$pred,
    AMDG_OptionalBarrier:$barrier, DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache,
    OptionalAttr<I32Attr>:$warp_used_hint);
  let assemblyFormat = [{
    $desc (`[` $indices^ `]`)? `into` $result `` custom<PredAndBarrier>($pred, $barrier) attr-dict
    `:` qualified(type($desc)) (`,` qualified(type($barrier))^)? `->` qualified(type($result))
  }];
}

def AMDG_AsyncTDMFusedCopyGlobalToLocalOp
    : AMDG_MemoryOp<"async_tdm_fused_copy_global_to_local", [SameVariadicOperandSize, AccessesMemory]> {
  let summary = "start copying several described blocks to LDS at once";
  let description = [{
    Two to four copies like `amdg.async_tdm_copy_global_to_local` in one instruction: the warps in
    `warp_used_hints[i]` copy member `i`. No warp is in two hints.
  }];
  let arguments = (ins Arg<Variadic<TT_TensorDescType>, "", [MemRead<TT_GlobalMemory>]>:$descs,
    Arg<Variadic<TTG_MemDescType>, "", [MemWrite<AMDG_SharedMemory>]>:$dests, DenseI32ArrayAttr:$warp_used_hints,
    DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $descs `into` $dests attr-dict `:` qualified(type($descs)) `->` qualified(type($dests))
  }];
  let hasVerifier = 1;
}

def AMDG_AsyncTDMCopyLocalToGlobalOp : AMDG_TDMOp<"async_tdm_copy_local_to_global", [AttrSizedOperandSegments]> {
  let summary = "start copying LDS to a described block";
  let description = [{
    The tensor data mover copies `src` to the block that `desc` points to (`tensor_store_from_lds`); elements outside
    the tensor are dropped. Older releases of Triton write the block's `indices` here.
  }];
  let arguments = (ins AMDG_WrittenDesc:$desc, Variadic<I32>:$indices, AMDG_ReadMemDesc:$src,
    AMDG_OptionalBarrier:$barrier, DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache);
  let assemblyFormat = [{
    $desc (`[` $indices^ `]`)? `from` $src (`,` `barrier` `=` $barrier^)? attr-dict
    `:` qualified(type($src)) (`,` qualified(type($barrier))^)? `->` qualified(type($desc))
  }];
}

def AMDG_AsyncTDMGatherOp : AMDG_TDMOp<"async_tdm_gather"> {
  let summary = "start copying rows of a described matrix to LDS";
  let description = [{
    The tensor data mover copies the row of the matrix that each index names into the next row of `dst` (gather mode:
    16 rows per instruction with 16-bit indices, 8 with 32-bit ones). The indices are the same on all lanes of a warp.
  }];
  let arguments = (ins AMDG_ReadDesc:$desc, RankedTensorOf<[I16, I32]>:$src_row_indices, AMDG_WrittenMemDesc:$dst,
    AMDG_OptionalBarrier:$barrier);
  let assemblyFormat = [{
    $desc `[` $src_row_indices `]` `to` $dst (`,` `barrier` `=` $barrier^)? attr-dict
    `:` qualified(type($src_row_indices)) `,` qualified(type($dst)) (`,` qualified(type($barrier))^)?
    `->` qualified(type($desc))
  }];
}

def AMDG_AsyncTDMScatterOp : AMDG_TDMOp<"async_tdm_scatter"> {
  let summary = "start copying LDS to rows of a described matrix";
  let description = [{
    The tensor data mover copies each row of `src` to the row of the matrix that its index names (scatter mode). The
    indices are the same on all lanes of a warp.
  }];
  let arguments = (ins AMDG_WrittenDesc:$desc, RankedTensorOf<[I16, I32]>:$dst_row_indices, AMDG_ReadMemDesc:$src,
    AMDG_OptionalBarrier:$barrier);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = [{
    $desc `[` $dst_row_indices `]` `from` $src (`,` `barrier` `=` $barrier^)? attr-dict
    `:` qualified(type($dst_row_indices)) `,` qualified(type($src)) (`,` qualified(type($barrier))^)?
    `->` qualified(type($desc))
  }];
}

def AMDG_AsyncTDMWaitOp : AMDG_WaitOp<"async_tdm_wait"> {
  let summary = "wait until at most N tensor copies are in flight";
  let description = [{
    Returns when at most `num` of the tensor data mover's ops that this warp started are still in flight. It counts
    ops of this dialect, including gathers and scatters; `amdg.async_tdm_intrinsic_wait` counts the instructions they
    become.
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let assemblyFormat = "$asyncToken attr-dict";
}

def AMDG_AsyncTDMIntrinsicWaitOp : AMDG_WaitOp<"async_tdm_intrinsic_wait", ["countsInstructions"]> {
  let summary = "wait until at most N tensor copy instructions are in flight";
  let description = [{
    Like `amdg.async_tdm_wait`, but `count` counts instructions, and one op may need several. It becomes
    `s_wait_tensorcnt`.
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$count);
}

def AMDG_L2Cache : Resource<"::kernelscope::amdg::L2Cache">;

def AMDG_TDMPrefetchOp : AMDG_Op<"tdm_prefetch", [MemoryEffects<[MemWrite<AMDG_L2Cache>]>]> {
  let summary = "prefetch a described block into L2";
  let description = [{
    Prefetches the block at `indices` if `pred` is true. A speculative prefetch needs no bounds check, but is dropped
    if the address has no translation yet. `returnOffsets`, for tests, returns the prefetched offsets, in elements from
    the start of the tensor, as i64: one for each 256 bytes of the last dimension, and 0 for what is not prefetched.
  }];
  let arguments = (ins AMDG_ReadDesc:$desc, Variadic<I32>:$indices, I1:$pred, BoolAttr:$speculative,
    UnitAttr:$returnOffsets);
  let results = (outs Optional<TT_Tensor>:$maybeOffsets);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $pred `,` `speculative` `=` $speculative (`returnOffsets` $returnOffsets^)? attr-dict
    `:` qualified(type($desc)) (`->` type($maybeOffsets)^)?
  }];
  let extraClassDeclaration = [{
    /// Bytes that one prefetch brings.
    static constexpr int64_t lineBytes = 256;
    /// Elements of a line.
    int64_t getElementsPerLine();
    /// The lines of the block along each dimension.
    llvm::SmallVector<int64_t> getLines();
  }];
  let hasVerifier = 1;
}

def AMDG_UpdateTensorDescriptorOp : AMDG_Op<"update_tensor_descriptor", [
    Pure, AttrSizedOperandSegments, TypesMatchWith<"result has the type of desc", "desc", "result", "$_self">]> {
  let summary = "tensor descriptor with some fields changed";
  let description = [{
    Returns `desc` advanced by `add_offsets` elements along each dimension, with its sizes set to `set_bounds` and its
    predicate to `pred`; fields that are absent keep their values. `clamp_bounds` subtracts the offsets from the
    sizes, so that the bounds of the tensor stay correct.
  }];
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$add_offsets, Variadic<I32>:$set_bounds,
    Optional<I32>:$pred, UnitAttr:$clamp_bounds);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $desc oilist(`add_offsets` `=` `[` $add_offsets `]` | `set_bounds` `=` `[` $set_bounds `]` | `pred` `=` $pred)
    attr-dict `:` qualified(type($desc))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Barriers in LDS
//===----------------------------------------------------------------------===//

class AMDG_BarrierOp<string mnemonic> : AMDG_MemoryOp<mnemonic, [UsesMBarriers]> {
  let hasVerifier = 1;
}

def AMDG_InitBarrierOp : AMDG_BarrierOp<"init_barrier"> {
  let summary = "set up a barrier in LDS";
  let description = [{
    Turns the memory in `alloc` into a barrier whose phase completes after `count` arrivals. gfx1250.
  }];
  let arguments = (ins AMDG_WrittenMemDesc:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
}

def AMDG_WaitBarrierOp : AMDG_BarrierOp<"wait_barrier"> {
  let summary = "wait until a barrier's phase completes";
  let description = "Waits until the barrier's phase with parity `phase` has completed. gfx1250.";
  let arguments = (ins AMDG_Barrier:$alloc, I32:$phase);
  let assemblyFormat = "$alloc `,` $phase attr-dict `:` qualified(type($alloc))";
}

def AMDG_ArriveBarrierOp : AMDG_BarrierOp<"arrive_barrier"> {
  let summary = "arrive at a barrier in LDS";
  let description = [{
    Counts `count` arrivals; the last arrival of a phase starts the next phase. Returns the parity of the phase before
    the arrival (`ds_atomic_barrier_arrive_rtn_b64`, gfx1250).
  }];
  let arguments = (ins AMDG_Barrier:$alloc, I32Attr:$count);
  let results = (outs I32:$result);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc)) `->` type($result)";
}

def AMDG_AsyncCopyMbarrierArriveOp : AMDG_MemoryOp<"async_copy_mbarrier_arrive", [UsesMBarriers]> {
  let summary = "arrive at a barrier when earlier copies are done";
  let description = [{
    Arrives once at `barrier` when all loads to LDS that this thread started earlier are complete; the op itself does
    not wait (`ds_atomic_async_barrier_arrive_b64`, gfx1250). Copies of the tensor data mover do not count.
  }];
  let arguments = (ins AMDG_Barrier:$barrier);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
  let hasVerifier = 1;
}
