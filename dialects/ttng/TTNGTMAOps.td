//===- TTNGTMAOps.td - Bulk copies by descriptor -----------*- tablegen -*-===//

include "dialects/ttng/TTNGOpBase.td"

// A descriptor of global memory that the op reads, or writes too.
class TTNG_ReadsDesc<Type type> : Arg<type, "", [MemRead<TT_GlobalMemory>]>;
class TTNG_WritesDesc<Type type>
    : Arg<type, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TTNG_AsyncTMACopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local", [
    TT_HasCachePolicy, AttrSizedOperandSegments, UsesMBarriers, AccessesMemory]> {
  let summary = "start a TMA copy of a block to shared memory";
  let description = [{
    Copies the block of `desc` at `coord` (one index per dimension, in elements) to
    `result`. Its bytes complete on `barrier`, which must expect them. Elements
    outside the tensor become zero. If `pred` is false nothing is copied. With
    `multicast`, CTAs to which the layout assigns the same data receive it from one copy.
    An im2col descriptor takes `offsets` in the window, two fewer than coordinates.
    PTX: `cp.async.bulk.tensor.shared::cluster.global`.
  }];
  let arguments = (ins
    TTNG_ReadsDesc<TT_AnyTensorDesc>:$desc,
    Variadic<I32>:$coord,
    Variadic<I16>:$offsets,
    TTNG_WritesShared:$barrier,
    TTNG_WritesShared:$result,
    I1:$pred,
    UnitAttr:$multicast,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let assemblyFormat = [{
    $desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier `,` $pred
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMACopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global", [TT_HasCachePolicy, AccessesMemory]> {
  let summary = "start a TMA copy of a block to global memory";
  let description = [{
    Copies `src` to the block of `desc` at `coord`; elements outside the tensor are
    dropped. `ttng.async_tma_store_wait` waits for the copy. A
    `ttng.fence_async_shared` before it makes ordinary stores to `src` visible. PTX:
    `cp.async.bulk.tensor.global.shared::cta`.
  }];
  let arguments = (ins
    TTNG_WritesDesc<TT_TensorDescType>:$desc, Variadic<I32>:$coord, TTNG_ReadsShared:$src,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let assemblyFormat = [{
    $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMAReduceOp : TTNG_Op<"async_tma_reduce", [AccessesMemory]> {
  let summary = "start a TMA copy that combines with global memory";
  let description = [{
    Like `ttng.async_tma_copy_local_to_global`, but combines each element with the
    one in memory by `kind`, atomically and with relaxed order. PTX:
    `cp.reduce.async.bulk.tensor`.
  }];
  let arguments = (ins
    TT_DescriptorReduceKindAttr:$kind,
    TTNG_WritesDesc<TT_TensorDescType>:$desc, Variadic<I32>:$coord, TTNG_ReadsShared:$src
  );
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src
    attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMAGatherOp : TTNG_Op<"async_tma_gather", [TT_HasCachePolicy, UsesMBarriers, AccessesMemory]> {
  let summary = "start a TMA copy of selected rows to shared memory";
  let description = [{
    Row `i` of `result` is row `x_offsets[i]` of the tensor, from column `y_offset`
    on. The descriptor's block is one row. One instruction copies four rows, so each
    thread must hold four consecutive offsets, and all lanes of a warp the same
    ones. PTX (sm_100): `cp.async.bulk.tensor` with `tile::gather4`.
  }];
  let arguments = (ins
    TTNG_ReadsDesc<TT_TensorDescType>:$desc,
    RankedTensorOf<[I32]>:$x_offsets,
    I32:$y_offset,
    TTNG_WritesShared:$barrier,
    TTNG_WritesShared:$result,
    I1:$pred,
    UnitAttr:$multicast,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred
    attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def TTNG_AsyncTMAScatterOp : TTNG_Op<"async_tma_scatter", [TT_HasCachePolicy, AccessesMemory]> {
  let summary = "start a TMA copy of rows to selected rows of global memory";
  let description = [{
    Copies row `i` of `src` to row `x_offsets[i]` of the tensor, from column
    `y_offset` on. PTX (sm_100): `cp.async.bulk.tensor` with `tile::scatter4`.
  }];
  let arguments = (ins
    TTNG_WritesDesc<TT_TensorDescType>:$desc,
    RankedTensorOf<[I32]>:$x_offsets,
    I32:$y_offset,
    TTNG_ReadsShared:$src,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def TTNG_TMAStoreWaitOp : TTNG_Op<"async_tma_store_wait", [WaitsForAccesses<>]> {
  let summary = "wait until at most N TMA stores are in flight";
  let description = [{
    Returns when at most `pendings` of this thread's TMA stores are in flight. With
    `read_only` it waits only until their source in shared memory has been read and
    may be overwritten. PTX: `cp.async.bulk.wait_group`.
  }];
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read_only);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

def TTNG_ReinterpretTensorDescOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "a pointer to a TMA descriptor as a typed descriptor";
  let description = [{
    Interprets the 128 bytes at the pointer as a descriptor with a block shape and a layout.
  }];
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))
  }];
}

def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>]> {
  let summary = "write a TMA descriptor on the device";
  let description = [{
    Fills the 128 bytes at `desc_ptr` for the tensor at `global_address`: the size
    of the block, the size of the tensor, the strides in bytes of all dimensions
    except the fastest, and the element strides within the block, all with the
    fastest dimension first. The attributes are the numeric codes of PTX's
    `tensormap.replace`.
  }];
  let arguments = (ins
    TT_PointerType:$desc_ptr,
    TT_PointerType:$global_address,
    Variadic<I32>:$box_dim,
    Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride,
    Variadic<I32>:$element_stride,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<15>]>:$elem_type,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<2>]>:$interleave_layout,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<3>]>:$swizzle_mode,
    ConfinedAttr<I32Attr, [IntNonNegative, IntMaxValue<1>]>:$fill_mode
  );
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,`
    `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,` `[` $element_stride `]`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TTNG_TensormapFenceproxyAcquireOp : TTNG_Op<"tensormap_fenceproxy_acquire", [
    MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "make a descriptor written on the device visible to TMA";
  let description = "PTX: `fence.proxy.tensormap::generic.acquire.gpu`.";
  let arguments = (ins TT_PointerType:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}
