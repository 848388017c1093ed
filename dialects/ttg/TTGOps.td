//===- TTGOps.td - The operations of ttg -------------------*- tablegen -*-===//
#ifndef KERNELSCOPE_TTG_OPS_TD
#define KERNELSCOPE_TTG_OPS_TD

include "dialects/ttg/TTGOpBase.td"

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout", [
    SameOperandsAndResultShape, SameOperandsAndResultElementType, Pure]> {
  let summary = "move a tensor to another layout";
  let description = [{
    The same elements, held by other threads or registers. Between layouts that
    differ only in registers it is free, within a warp it is lane shuffles, and
    between warps it goes through shared memory with a barrier. `force_warp_shuffle`
    requires lane shuffles.
  }];
  let arguments = (ins TT_Tensor:$src, UnitAttr:$force_warp_shuffle);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [
    AttrSizedOperandSegments, TT_AccessesGlobal, TT_HasCachePolicy, AccessesMemory,
    OptionalTypesMatchWith<"the mask has the shape and layout of the pointers", "src", "mask",
                           "::kernelscope::tt::getI1SameShape($_self)">,
    OptionalTypesMatchWith<"the other value has the type that the pointers point to", "src", "other",
                           "::kernelscope::tt::getPointeeType($_self)">]> {
  let summary = "start copying global memory to shared memory";
  let description = [{
    Each thread copies the elements that its pointers name directly to shared
    memory, without going through registers (`cp.async` on NVIDIA, loads to LDS on
    AMD). Where `mask` is false, `other` (or zero) is stored instead. The data is
    valid only after `ttg.async_commit_group` and a `ttg.async_wait` that covers it,
    and for other threads only after a barrier as well. `contiguity` is the number
    of elements that one access may cover even if the IR does not prove it.
  }];
  let arguments = (ins
    Arg<TT_PtrTensor, "", [MemRead<TT_GlobalMemory>]>:$src,
    Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$result,
    Optional<TT_BoolTensor>:$mask,
    Optional<TT_Value>:$other,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    DefaultValuedAttr<I32Attr, "1">:$contiguity,
    OptionalAttr<AnyAttr>:$cachePolicy
  );
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group"> {
  let summary = "close a group of asynchronous copies";
  let description = [{
    All copies that this thread has started since the last commit become one group,
    which `ttg.async_wait` can count.
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

def TTG_AsyncWaitOp : TTG_Op<"async_wait", [WaitsForAccesses<>]> {
  let summary = "wait until at most N groups of asynchronous copies are in flight";
  let description = [{
    Returns when at most `num` groups that this thread committed are still in
    flight; `num = 0` waits for all. The tokens name the copies to wait for. The op
    does not synchronise threads: data copied by another thread is visible only
    after a barrier. On AMD's gfx9 the hardware counts individual vector loads, in
    order, so loads to registers count too.
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, AllocatesMemory]> {
  let summary = "a buffer in shared memory";
  let description = [{
    Returns a descriptor of a new buffer. With `src` the buffer holds that tensor;
    without `src` it is uninitialised and must be `mutable`. It lives until its
    `ttg.local_dealloc`, or until its last use if there is none. `alignment` is in
    bytes and defaults to what the layout needs.
  }];
  let arguments = (ins Optional<TT_Tensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, CArg<"::mlir::Value", "{}">:$src),
              [{ build($_builder, $_state, result, src, ::mlir::IntegerAttr()); }]>
  ];
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let summary = "the end of a buffer's life";
  let description = [{
    The memory may be reused from here on; using the descriptor afterwards is
    undefined. It is optional: without it a buffer lives until its last possible
    use.
  }];
  let arguments = (ins Arg<TTG_MemDescType, "", [MemFree<TTG_SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}

def TTG_LocalLoadOp : TTG_Op<"local_load", [TTG_LocalLoadTrait]> {
  let summary = "read a buffer into registers";
  let description = [{
    Each thread reads the elements that the layout of the result assigns to it.
    `token` orders the read after the `ttg.async_wait` that makes the data valid.
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>]>:$src,
    Optional<TTG_AsyncToken>:$token
  );
  let results = (outs TT_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$src),
              [{ build($_builder, $_state, result, src, ::mlir::Value()); }]>
  ];
  let assemblyFormat = [{
    $src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalStoreOp : TTG_Op<"local_store"> {
  let summary = "write registers into a buffer";
  let description = [{
    Each thread writes the elements it holds. If several threads hold copies of an
    element, it is written once. Threads that read elements written by others need a
    barrier first.
  }];
  let arguments = (ins
    TT_Tensor:$src,
    Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$dst
  );
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
  let hasVerifier = 1;
}

def TTG_LocalGatherOp : TTG_Op<"local_gather", [TTG_LocalLoadTrait]> {
  let summary = "read shared memory at computed positions along one axis";
  let description = [{
    `result[i0, ..., in] = src[i0, ..., indices[i0, ..., in], ..., in]`, with the
    index at position `axis`. The result has the shape and layout of `indices`. An
    index outside the axis is undefined behaviour.
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>]>:$src,
    TT_IntTensor:$indices,
    I32Attr:$axis,
    Optional<TTG_AsyncToken>:$token
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict
    `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let summary = "write shared memory at computed positions along one axis";
  let description = [{
    `dst[i0, ..., indices[i0, ..., in], ..., in] = values[i0, ..., in]`, with the
    index at position `axis`. If two indices are equal, it is unspecified which
    value remains.
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "", [MemWrite<TTG_SharedMemory>]>:$dst,
    TT_Tensor:$values,
    TT_IntTensor:$indices,
    I32Attr:$axis,
    Optional<TTG_AsyncToken>:$token
  );
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict
    `:` qualified(type($dst)) `,` type($indices) `,` type($values)
  }];
  let hasVerifier = 1;
}

def TTG_LocalAtomicScatterRMWOp : TTG_Op<"local_atomic_scatter_rmw", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>,
    TypesMatchWith<"the result has the type of the values", "values", "result", "$_self">,
    OptionalTypesMatchWith<"the mask has the shape and layout of the values", "values", "mask",
                           "::kernelscope::tt::getI1SameShape($_self)">]> {
  let summary = "update shared memory atomically at computed positions along one axis";
  let description = [{
    Like `ttg.local_scatter`, but `atomic_rmw_op` combines the old value and the new
    one atomically. Returns the old values. Where `mask` is false nothing is written
    and the result is undefined.
  }];
  let arguments = (ins
    TT_RMWOpAttr:$atomic_rmw_op,
    Arg<TTG_MemDescType, "", [MemRead<TTG_SharedMemory>, MemWrite<TTG_SharedMemory>]>:$dst,
    TT_Tensor:$values,
    TT_IntTensor:$indices,
    Optional<TT_BoolTensor>:$mask,
    I32Attr:$axis
  );
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Views of memory
//===----------------------------------------------------------------------===//

def TTG_MemDescIndexOp : TTG_Op<"memdesc_index", [Pure, TTG_MemDescView]> {
  let summary = "one buffer of a ring";
  let description = [{
    The buffer at `index` of the first dimension, with that dimension dropped. No
    data moves. Pipelined loops use it to select a stage.
  }];
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TTG_MemDescSubsliceOp : TTG_Op<"memdesc_subslice", [Pure, TTG_MemDescView]> {
  let summary = "a window of a buffer";
  let description = [{
    The box of the result's shape that starts at `offsets`. The offsets must be
    multiples of the box, and the window must not divide the layout's swizzle.
    No data moves.
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = [{
    $src `[` custom<Offsets>($offsets) `]` attr-dict
    `:` qualified(type($src)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TTG_MemDescTransOp : TTG_Op<"memdesc_trans", [
    Pure, TTG_MemDescView, SameOperandsAndResultElementType]> {
  let summary = "a buffer with its dimensions permuted";
  let description = [{
    Result dimension `i` is source dimension `order[i]`. No data moves: the layout is
    permuted with the shape.
  }];
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TTG_MemDescReshapeOp : TTG_Op<"memdesc_reshape", [
    Pure, TTG_MemDescView, SameOperandsAndResultElementType]> {
  let summary = "a buffer with another shape";
  let description = [{
    The same elements in row-major order, divided into other dimensions. No data
    moves: the result's layout is the source's, reshaped.
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def TTG_MemDescReinterpretOp : TTG_Op<"memdesc_reinterpret", [Pure, TTG_MemDescView]> {
  let summary = "the same bytes under another type, shape and layout";
  let description = [{
    Reads the memory behind `src` as if it had been allocated with the result's
    type. The result must fit in the memory of the source and be a whole buffer, not
    a window of one.
  }];
  let arguments = (ins TTG_MemDescType:$src);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// A rule about each type of an operand or result.
class TTG_AllTypes<string rule, string holds> : PredOpTrait<rule, CPred<
    "::llvm::all_of($_op.getOperandTypes(), [&](::mlir::Type type) { return " # holds # "; }) && "
    "::llvm::all_of($_op.getResultTypes(), [&](::mlir::Type type) { return " # holds # "; })">>;

def TTG_InlineAsmOp : TTG_Op<"inline_asm", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    TTG_AllTypes<"assembly on memory is not pure: with memory descriptors, pure must be false",
                 "!::llvm::isa<MemDescType>(type) || !getPure()">,
    TTG_AllTypes<"tensors have a layout, which says what registers a thread holds",
                 "!::llvm::isa<::mlir::RankedTensorType>(type) || "
                 "::llvm::cast<::mlir::RankedTensorType>(type).getEncoding()">]> {
  let summary = "assembly on all registers of a thread";
  let description = [{
    Runs `asm_string` once per thread, with one register for each element of the
    operands and results that the thread holds. `constraints` are LLVM's: outputs
    first. `pure` means that it has no side effects. New in Triton 3.9.
  }];
  let arguments = (ins
    StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure,
    Variadic<AnyTypeOf<[TT_Value, TTG_MemDescType]>>:$args
  );
  let results = (outs Variadic<TT_Value>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^)? `:` functional-type($args, $result)";
}

//===----------------------------------------------------------------------===//
// Pipelining
//===----------------------------------------------------------------------===//

def TTG_PredicateStageOp : TTG_Op<"predicate_stage", [Pure, AllTypesMatch<["iv", "ub", "step"]>]> {
  let summary = "whether a pipeline stage has an iteration to work on";
  let description = [{
    True if the iteration that `stage` of `maxStage` works on, counted from `iv` in
    steps of `step`, is below `ub`. The pipeliner guards prologue and epilogue with
    it.
  }];
  let arguments = (ins
    AnySignlessIntegerOrIndex:$iv, AnySignlessIntegerOrIndex:$ub, AnySignlessIntegerOrIndex:$step,
    I32Attr:$maxStage, I32Attr:$stage
  );
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict `:` type($iv) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_MaskOp : TTG_Op<"mask", [SingleBlock]> {
  let summary = "ops that take effect only under a predicate";
  let description = [{
    Created by the pipeliner: the body runs only where `pred` is true, and
    `ttg.mask.return` yields the results. Predication replaces the op before
    lowering.
  }];
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$region);
  let hasVerifier = 1;
}

def TTG_MaskReturnOp : TTG_Op<"mask.return", [HasParent<"MaskOp">, Pure, Terminator, ReturnLike]> {
  let summary = "ends the body of ttg.mask";
  let description = "Yields the results of the enclosing `ttg.mask`.";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Elements, scratch memory, ids
//===----------------------------------------------------------------------===//

def TTG_Fp4ToFpOp : TTG_Op<"fp4_to_fp", [Pure, TT_LayoutTransfer<["getResultLayout"]>]> {
  let summary = "unpack pairs of fp4 (e2m1) values";
  let description = [{
    Every byte of `src` holds two 4-bit floats, the lower half first. Dimension
    `axis` of the result is twice as long, with the two values adjacent.
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$src, I32Attr:$axis);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let summary = "scratch memory in global memory, one piece per program";
  let description = [{
    A pointer to `nbytes` bytes aligned to `alignment`, private to this program. The
    launcher allocates it for the whole grid. `third_party_allocation` marks memory
    that a plug-in requests and allocates itself; `shared_cluster_state` marks
    memory that the CTAs of a cluster share.
  }];
  let arguments = (ins
    I32Attr:$nbytes,
    I32Attr:$alignment,
    UnitAttr:$third_party_allocation,
    UnitAttr:$shared_cluster_state
  );
  let results = (outs Arg<TT_Ptr, "", [MemAlloc<TT_GlobalMemory>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "the id of this warp";
  let description = [{
    From zero, counted in the CTA or, inside `ttg.warp_specialize`, in the partition. `omitUniformHint`
    keeps the NVIDIA lowering from broadcasting it over the warp's lanes (which tells
    ptxas that the value is uniform).
  }];
  let arguments = (ins UnitAttr:$omitUniformHint);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def TTG_BarrierOp : TTG_Op<"barrier", [OrdersThreads]> {
  let summary = "wait for all threads of the CTA, and order memory";
  let description = [{
    No thread continues until all have arrived, and earlier accesses to the named
    address spaces are visible to all threads afterwards. `none` only synchronises;
    `local` is shared memory; `global_read`, `global_write`, `tensor_read` and
    `tensor_write` are reads or writes of global or tensor memory; `all` is all of
    these. In a partition of `ttg.warp_specialize` only the warps of that partition
    take part.

    ```mlir
    ttg.barrier local
    ttg.barrier local|global_write
    ```
  }];
  let arguments = (ins TTG_AddrSpace:$addrSpace);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    bool hasAddrSpace(AddrSpace space) { return bitEnumContainsAll(getAddrSpace(), space); }
    bool hasLocal() { return hasAddrSpace(AddrSpace::Local); }
    bool hasGlobalRead() { return hasAddrSpace(AddrSpace::GlobalRead); }
    bool hasGlobalWrite() { return hasAddrSpace(AddrSpace::GlobalWrite); }
    bool hasTensorRead() { return hasAddrSpace(AddrSpace::TensorRead); }
    bool hasTensorWrite() { return hasAddrSpace(AddrSpace::TensorWrite); }
  }];
}

//===----------------------------------------------------------------------===//
// Warp specialization
//===----------------------------------------------------------------------===//

def TTG_WarpSpecializeOp : TTG_Op<"warp_specialize", [
    RecursiveMemoryEffects, RecursivelySpeculatable, DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "different code on different warps at the same time";
  let description = [{
    The warps that reach the op run the `default` region; other warps run the
    partitions, each with its own number of warps and therefore its own layouts. A
    partition sees only the values passed in parentheses, as its arguments. All
    start together, and the op ends when all have finished. The `ttg.warp_yield` of
    the default region yields the results.

    `warpGroupStartIds` are the first warps of the partitions; `requestedRegisters`
    and `actualRegisters` are the registers per thread, requested and granted.

    ```mlir
    %r = ttg.warp_specialize(%buf)
    default {
      ttg.warp_yield %x : i32
    }
    partition0(%arg0: !ttg.memdesc<1xi64, #shared, #smem, mutable>) num_warps(4) {
      ttg.warp_return
    } : (!ttg.memdesc<1xi64, #shared, #smem, mutable>) -> i32
    ```
  }];
  let arguments = (ins
    DenseI32ArrayAttr:$partitionNumWarps,
    OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds,
    OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters,
    OptionalAttr<DenseI32ArrayAttr>:$actualRegisters
  );
  let results = (outs Variadic<AnyType>:$defaultPassthrough);
  let regions = (region MinSizedRegion<1>:$defaultRegion, SizedRegion<1>:$partitionOpHolder);
  let extraClassDeclaration = [{
    /// The op that holds the partitions; null when the holder is malformed.
    WarpSpecializePartitionsOp getPartitionOp();
    ::mlir::RegionRange getPartitionRegions();
    /// What the partitions are passed.
    ::mlir::OperandRange getExplicitCaptures();
    /// Warps of all partitions together.
    unsigned getTotalPartitionWarps();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TTG_WarpSpecializePartitionsOp : TTG_Op<"warp_specialize.partitions", [
    IsolatedFromAbove, RecursiveMemoryEffects, RecursivelySpeculatable, Terminator,
    HasParent<"WarpSpecializeOp">,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "holds the partitions of ttg.warp_specialize";
  let description = [{
    Not written by hand: `ttg.warp_specialize` prints it as its `partitionN`
    regions. It exists because the partitions cannot use values from outside, while
    the default region can.
  }];
  let arguments = (ins Variadic<AnyType>:$explicitCaptures);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
  let hasVerifier = 1;
}

def TTG_WarpYieldOp : TTG_Op<"warp_yield", [
    Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp">]> {
  let summary = "ends the default region of ttg.warp_specialize";
  let description = "Yields the results of the enclosing `ttg.warp_specialize`.";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
  let hasVerifier = 1;
}

def TTG_WarpReturnOp : TTG_Op<"warp_return", [
    Pure, Terminator, ReturnLike, HasParent<"WarpSpecializePartitionsOp">]> {
  let summary = "ends a partition of ttg.warp_specialize";
  let description = [{
    The warps of the partition wait here for the other warps. It returns nothing.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // KERNELSCOPE_TTG_OPS_TD
