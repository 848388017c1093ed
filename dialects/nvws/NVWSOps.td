//===- NVWSOps.td - The operations of nvws -----------------*- tablegen -*-===//

include "dialects/ttg/TTGOpBase.td"
include "dialects/nvws/NVWSAttrs.td"
include "dialects/nvws/NVWSTypes.td"

class NVWS_Op<string mnemonic, list<Trait> traits = []> : Op<NVWS_Dialect, mnemonic, traits>;

def NVWS_WritesShared : Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>;
def NVWS_ReadsDesc : Arg<TT_TensorDescType, "", [MemRead<TT_GlobalMemory>]>;
def NVWS_Tokens : TensorOf<[NVWS_TokenType]>;

//===----------------------------------------------------------------------===//
// Asynchronous references
//===----------------------------------------------------------------------===//

def NVWS_ArefCreateOp : NVWS_Op<"aref.create", [
    RangedTypesMatchWith<"the reference holds the buffers", "result", "buffers",
                         "::llvm::cast<ArefType>($_self).getBaseType()">, Pure]> {
  let summary = "create an asynchronous reference to buffers";
  let description = [{
    The buffers are in shared or tensor memory, all have the same depth, and have no
    other uses.
    Becomes two rings of mbarriers, "full" and "empty", one of each per stage.
  }];
  let arguments = (ins Variadic<TTG_MemDescType>:$buffers);
  let results = (outs NVWS_ArefType:$result);
  let assemblyFormat = "$buffers attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def NVWS_ArefPhiOp : NVWS_Op<"aref.phi", [Pure, SameOperandsAndResultType]> {
  let summary = "one of two values, depending on the partition";
  let description = [{
    Each partition of warps takes the operand whose definition it owns. No partition
    owns both, and together they are the partitions that own the op
    (`ttg.partition`).
    Goes away when the partitions are split.
  }];
  let arguments = (ins AnyType:$local, AnyType:$remote);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$local `,` $remote attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class NVWS_ArefEnter<string mnemonic> : NVWS_Op<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = (ins NVWS_ArefType:$aref, Optional<I32>:$stage, Optional<I32>:$phase);
  let results = (outs Variadic<TTG_MemDescType>:$buffers, TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $aref (`[` $stage^ `,` $phase `]`)? attr-dict `:` type($aref) `->` type(results)
  }];
  let hasVerifier = 1;
}

class NVWS_ArefExit<string mnemonic> : NVWS_Op<mnemonic> {
  let arguments = (ins
    NVWS_ArefType:$aref, TTG_AsyncToken:$token, Optional<I32>:$stage,
    NVWS_AsyncOpArrayAttr:$async_ops
  );
  let assemblyFormat = [{
    $aref (`[` $stage^ `]`)? `,` $token $async_ops attr-dict `:` type($aref) `,` type($token)
  }];
  let hasVerifier = 1;
}

def NVWS_ArefPutEnterOp : NVWS_ArefEnter<"aref.put.enter"> {
  let summary = "wait until buffers may be written";
  let description = [{
    Returns the buffers of one stage once their reader has released them, and a token
    for the exit. The region between enter and exit may span iterations of a loop.
    Becomes a `ttng.wait_barrier` on "empty" of the stage, first with phase 1.
  }];
}

def NVWS_ArefPutExitOp : NVWS_ArefExit<"aref.put.exit"> {
  let summary = "hand written buffers to the reader";
  let description = [{
    Ends the region of the put that returned `token`. `async_ops` may still be writing;
    the reader is signalled when they are done.
    Becomes an arrival on "full": `ttng.arrive_barrier`, `ttng.tc_gen5_commit` after
    a product, or the bytes of a TMA load (`ttng.barrier_expect`).
  }];
}

def NVWS_ArefGetEnterOp : NVWS_ArefEnter<"aref.get.enter"> {
  let summary = "wait until buffers may be read";
  let description = [{
    Returns the buffers of one stage once their writer has released them, and a token
    for the exit.
    Becomes a `ttng.wait_barrier` on "full" of the stage, first with phase 0.
  }];
}

def NVWS_ArefGetExitOp : NVWS_ArefExit<"aref.get.exit"> {
  let summary = "hand read buffers back to the writer";
  let description = [{
    Ends the region of the get that returned `token`. `async_ops` may still be reading.
    Becomes an arrival on "empty": `ttng.arrive_barrier`, or `ttng.tc_gen5_commit`
    after a product.
  }];
}

def NVWS_ArefBufferOp : NVWS_Op<"aref.buffer"> {
  let summary = "the buffers of a region that was entered elsewhere";
  let description = [{
    The buffers of the enter that returned `token`. Becomes a `ttg.memdesc_index` of the
    ring.
  }];
  let arguments = (ins NVWS_ArefType:$aref, TTG_AsyncToken:$token, Optional<I32>:$stage);
  let results = (outs Variadic<TTG_MemDescType>:$buffers);
  let assemblyFormat = [{
    $aref (`[` $stage^ `]`)? `,` $token attr-dict `:` type($aref) `,` type($token) `->` type(results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Groups of warps
//===----------------------------------------------------------------------===//

def NVWS_WarpGroupOp : NVWS_Op<"warp_group", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "different code on different groups of warps";
  let description = [{
    One region and one number of warps per group. The `nvws.warp_group.yield` of the
    first region yields the results. The op becomes `ttg.warp_specialize`.

    ```mlir
    nvws.warp_group
    partition0 num_warps(4) {
      nvws.warp_group.return
    }
    ```
  }];
  let arguments = (ins DenseI32ArrayAttr:$numWarps);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def NVWS_WarpGroupYieldOp : NVWS_Op<"warp_group.yield", [
    Pure, Terminator, ReturnLike, HasParent<"WarpGroupOp">]> {
  let summary = "ends the first region of nvws.warp_group";
  let description = [{
    Yields the results of the enclosing `nvws.warp_group`. Becomes `ttg.warp_yield`.
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}

def NVWS_WarpGroupReturnOp : NVWS_Op<"warp_group.return", [
    Pure, Terminator, HasParent<"WarpGroupOp">]> {
  let summary = "ends a region of nvws.warp_group";
  let description = [{
    Returns nothing: a group of warps passes its results on through memory.
    Becomes `ttg.warp_return`.
  }];
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def NVWS_CreateTokenOp : NVWS_Op<"create_token"> {
  let summary = "tokens for a ring of buffers";
  let description = [{
    One for each of `numBuffers` buffers. The producer holds a token while it fills
    the buffer, the consumer while it reads. `loadType` is what fills it.
    Becomes two rings of mbarriers, "full" and "empty".
  }];
  let arguments = (ins I32Attr:$numBuffers, NVWS_TokenLoadTypeAttr:$loadType);
  let results = (outs NVWS_Tokens:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def NVWS_ProducerAcquireOp : NVWS_Op<"producer_acquire"> {
  let summary = "wait until a buffer may be filled";
  let description = [{
    Waits for the consumer to release token `idx` of the given phase. Becomes a
    `ttng.wait_barrier` on "empty".
  }];
  let arguments = (ins NVWS_Tokens:$token, I32:$idx, I1:$phase);
  let assemblyFormat = "$token `,` $idx `,` $phase attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def NVWS_ProducerCommitOp : NVWS_Op<"producer_commit"> {
  let summary = "signal that a buffer is full";
  let description = [{
    Releases token `idx` to the consumer. Becomes an arrival on "full".
  }];
  let arguments = (ins NVWS_Tokens:$token, I32:$idx);
  let assemblyFormat = "$token `,` $idx attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def NVWS_ConsumerWaitOp : NVWS_Op<"consumer_wait"> {
  let summary = "wait until a buffer is full";
  let description = [{
    Waits for the producer to commit token `idx` of the given phase. Becomes a
    `ttng.wait_barrier` on "full".
  }];
  let arguments = (ins NVWS_Tokens:$token, I32:$idx, I1:$phase);
  let assemblyFormat = "$token `,` $idx `,` $phase attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def NVWS_ConsumerReleaseOp : NVWS_Op<"consumer_release"> {
  let summary = "signal that a buffer may be filled again";
  let description = [{
    Releases token `idx` to the producer. Becomes an arrival on "empty".
  }];
  let arguments = (ins NVWS_Tokens:$token, I32:$idx);
  let assemblyFormat = "$token `,` $idx attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Loads whose barrier is not chosen yet
//===----------------------------------------------------------------------===//

def NVWS_DescriptorLoadOp : NVWS_Op<"descriptor_load", [AccessesMemory]> {
  let summary = "load a block of a descriptor into shared memory";
  let description = [{
    Like `tt.descriptor_load`, with the result in `result`. `txCount` is the number
    of bytes that will complete on the barrier.
    Becomes `ttng.async_tma_copy_global_to_local` on the barrier of the put around
    it.
  }];
  let arguments = (ins
    NVWS_ReadsDesc:$desc, Variadic<I32>:$indices, I32Attr:$txCount, NVWS_WritesShared:$result,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict
  );
  let assemblyFormat = [{
    $desc `[` $indices `]` $txCount $result
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def NVWS_DescriptorGatherOp : NVWS_Op<"descriptor_gather", [AccessesMemory]> {
  let summary = "load selected rows of a descriptor into shared memory";
  let description = [{
    Like `tt.descriptor_gather`, with the result in `result`. `txCount` is the
    number of bytes that will complete on the barrier.
    Becomes `ttng.async_tma_gather` on the barrier of the put around it.
  }];
  let arguments = (ins
    NVWS_ReadsDesc:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset, I32Attr:$txCount,
    NVWS_WritesShared:$result
  );
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $txCount $result attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def NVWS_CLCTryCancelOp : NVWS_Op<"clc_try_cancel", [AccessesMemory]> {
  let summary = "take over the work of a cluster that has not started";
  let description = [{
    Like `ttng.clc_try_cancel`, before its barrier is chosen. Becomes
    `ttng.clc_try_cancel`.
  }];
  let arguments = (ins NVWS_WritesShared:$result);
  let assemblyFormat = "$result attr-dict `:` qualified(type($result))";
}
