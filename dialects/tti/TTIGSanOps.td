//===- TTIGSanOps.td - the global memory sanitizer ---------*- tablegen -*-===//
// Each op calls the sanitizer's runtime, which keeps vector clocks and shadow memory.

include "dialects/tti/TTIOpBase.td"

defvar gsanReads = MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;
defvar gsanWrites = MemoryEffects<[MemWrite<TT_GlobalMemory>]>;
def TTI_AccessedPtr : Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TTI_ExperimentalGSanInitOp : TTI_Op<"experimental_gsan_init"> {
  let summary = "start this block's clock";
  let description = [{
    Initialises the block's vector clock at the start of the kernel. With `acquireStreamClock`, which Triton 3.9 does
    not write any more, it is ordered after earlier work on the stream.
  }];
  let arguments = (ins OptionalAttr<BoolAttr>:$acquireStreamClock);
  let assemblyFormat = "($acquireStreamClock^)? attr-dict";
}

def TTI_ExperimentalGSanKernelExitOp : TTI_Op<"experimental_gsan_kernel_exit", [gsanWrites]> {
  let summary = "publish this block's clock to the stream";
  let description = "Used at the end of the kernel: later work on the stream is ordered after this block.";
  let arguments = (ins);
  let assemblyFormat = "attr-dict";
}

def TTI_ExperimentalGSanGridDependencyWaitOp : TTI_Op<"experimental_gsan_grid_dependency_wait", [gsanReads]> {
  let summary = "acquire the clocks of the prerequisite grids";
  let description = [{
    Follows `tt.grid_dependency_wait`: orders the writes of the prerequisite grids before this point.
  }];
  let arguments = (ins);
  let assemblyFormat = "attr-dict";
}

class TTI_ScratchOp<string mnemonic, Trait effects> : TTI_Op<mnemonic, [effects]> {
  let arguments = (ins TT_Ptr:$scratch);
  let assemblyFormat = "$scratch attr-dict `:` type($scratch)";
}

def TTI_ExperimentalGSanClusterBarrierInitOp
    : TTI_ScratchOp<"experimental_gsan_cluster_barrier_init", gsanWrites> {
  let summary = "prepare to join the clocks of a cluster";
  let description = "Clears the memory in which the CTAs of a cluster exchange clocks at barriers.";
}

def TTI_ExperimentalGSanClusterBarrierSyncOp
    : TTI_ScratchOp<"experimental_gsan_cluster_barrier_sync", gsanReads> {
  let summary = "join the clocks of a cluster";
  let description = "Accompanies a cluster barrier that orders memory: each CTA acquires the clocks of all CTAs.";
}

def TTI_ExperimentalGSanMBarrierTableInitOp : TTI_Op<"experimental_gsan_mbarrier_table_init", [gsanWrites]> {
  let summary = "prepare the table of mbarriers";
  let description = "Clears space in `scratch` for the clocks of up to `capacity` mbarriers.";
  let arguments = (ins TT_Ptr:$scratch, I32Attr:$capacity);
  let assemblyFormat = "$scratch `,` $capacity attr-dict `:` type($scratch)";
}

def TTI_ExperimentalGSanMBarrierInitOp : TTI_Op<"experimental_gsan_mbarrier_init", [gsanReads]> {
  let summary = "record an mbarrier's initialisation";
  let description = "Enters `barrier` in the table, with the number of arrivals that a phase needs.";
  let arguments = (ins TT_Ptr:$scratch, TTG_MemDescType:$barrier, I32Attr:$expectedCount);
  let assemblyFormat = [{
    $scratch `,` $barrier `,` $expectedCount attr-dict `:` type($scratch) `,` qualified(type($barrier))
  }];
}

def TTI_ExperimentalGSanMBarrierArriveOp : TTI_Op<"experimental_gsan_mbarrier_arrive", [gsanReads]> {
  let summary = "record an arrival at an mbarrier";
  let description = [{
    Counts `count` arrivals at each barrier that the hardware op signals: the leader's, or with `multicast` those of
    the CTAs in the union of `multicastMasks`. With `publishClock` the waiters are ordered after this CTA; without it
    (an asynchronous completion) only the phase advances.
  }];
  let arguments = (ins TT_Ptr:$scratch, TTG_MemDescType:$barrier, I1:$pred, I32Attr:$count,
    DenseI32ArrayAttr:$multicastMasks, BoolAttr:$multicast, I32Attr:$sourceBroadcastMask,
    DefaultValuedAttr<BoolAttr, "true">:$publishClock);
  let assemblyFormat = [{
    $scratch `,` $barrier `,` $pred `,` $count attr-dict `:` type($scratch) `,` qualified(type($barrier))
  }];
}

def TTI_ExperimentalGSanMBarrierWaitOp : TTI_Op<"experimental_gsan_mbarrier_wait", [gsanReads]> {
  let summary = "acquire the clocks of an mbarrier's phase";
  let description = "Follows a wait: orders the arrivals of the completed phase before this point.";
  let arguments = (ins TT_Ptr:$scratch, TTG_MemDescType:$barrier, I32:$phase, I1:$pred);
  let assemblyFormat = [{
    $scratch `,` $barrier `,` $phase `,` $pred attr-dict `:` type($scratch) `,` qualified(type($barrier))
  }];
}

def TTI_ExperimentalGSanTensorDescAccessOp
    : TTI_Op<"experimental_gsan_tensordesc_access", [AttrSizedOperandSegments]> {
  let summary = "check an access by descriptor";
  let description = "Checks the block of `desc` at `coords` that a bulk copy reads, or writes with `isStore`.";
  let arguments = (ins TT_AnyTensorDesc:$desc, Variadic<I32>:$coords, Optional<I1>:$pred, BoolAttr:$isStore);
  let assemblyFormat = "$desc `[` $coords `]` `,` $isStore (`,` $pred^)? attr-dict `:` qualified(type($desc))";
}

def TTI_ExperimentalGSanIndexedTensorDescAccessOp : TTI_Op<"experimental_gsan_indexed_tensordesc_access"> {
  let summary = "check a gather or scatter by descriptor";
  let description = "Checks the rows `indices` of `desc`, from column `offset`, that are read, or written with `isStore`.";
  let arguments = (ins TT_AnyTensorDesc:$desc, RankedTensorOf<[I32]>:$indices, I32:$offset, Optional<I1>:$pred,
    BoolAttr:$isStore);
  let assemblyFormat = [{
    $desc `[` $indices `,` $offset `]` `,` $isStore (`,` $pred^)? attr-dict
    `:` qualified(type($desc)) `,` type($indices)
  }];
}

def TTI_ExperimentalGSanAtomicTensorDescAccessOp : TTI_Op<"experimental_gsan_atomic_tensordesc_access"> {
  let summary = "check an atomic access by descriptor";
  let description = [{
    Checks the block of `desc` at `coords` that a reducing copy combines into, with its memory order and scope.
  }];
  let arguments = (ins TT_AnyTensorDesc:$desc, Variadic<I32>:$coords, TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = "$desc `[` $coords `]` `,` $sem `,` $scope attr-dict `:` qualified(type($desc))";
}

def TTI_ExperimentalGSanTensorAccessOp : TTI_Op<"experimental_gsan_tensor_access", [
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 1>]> {
  let summary = "check a load or store";
  let description = "Checks each address whose `mask` is true for a race with another block, as a read or (`isStore`) a write.";
  let arguments = (ins TTI_AccessedPtr:$ptr, Optional<TT_BoolLike>:$mask, BoolAttr:$isStore);
  let assemblyFormat = "$ptr `,` $isStore (`,` $mask^)? attr-dict `:` type($ptr)";
}

def TTI_ExperimentalGSanAtomicPollOp : TTI_Op<"experimental_gsan_atomic_poll", [
    TypesMatchWith<"matched matches ptr", "ptr", "matched", "getI1SameShape(getPointeeType($_self))">]> {
  let summary = "record a finished poll";
  let description = "Follows `tt.atomic_poll`: where `matched`, acquires the clock that the value was released with.";
  let arguments = (ins TTI_AccessedPtr:$ptr, TT_BoolLike:$matched, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $matched attr-dict `:` qualified(type($ptr))";
}

class TTI_AtomicOp<string mnemonic, list<Trait> traits>
    : TTI_Op<mnemonic, !listconcat([SameOperandsAndResultShape, TT_SameOperandsAndResultEncoding], traits)> {
  let results = (outs TT_Value:$result);
}

def TTI_ExperimentalGSanAtomicRMWOp : TTI_AtomicOp<"experimental_gsan_atomic_rmw", [
    TypesMatchWith<"ptr matches val", "val", "ptr", "getPointerTypeSameShape($_self)">,
    TT_OptionalTypeMatches<"val", "mask", "getI1SameShape($_self)", 2>]> {
  let summary = "instrumented `tt.atomic_rmw`";
  let description = "Like `tt.atomic_rmw`, but also updates the clocks according to its memory order and scope.";
  let arguments = (ins TT_RMWOpAttr:$atomic_rmw_op, TTI_AccessedPtr:$ptr, TT_Value:$val, Optional<TT_BoolLike>:$mask,
    TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict
    `:` functional-type(operands, $result)
  }];
}

def TTI_ExperimentalGSanAtomicCASOp : TTI_AtomicOp<"experimental_gsan_atomic_cas", [
    TypesMatchWith<"ptr matches cmp", "cmp", "ptr", "getPointerTypeSameShape($_self)">,
    TypesMatchWith<"ptr matches val", "val", "ptr", "getPointerTypeSameShape($_self)">]> {
  let summary = "instrumented `tt.atomic_cas`";
  let description = "Like `tt.atomic_cas`, but also updates the clocks according to its memory order and scope.";
  let arguments = (ins TTI_AccessedPtr:$ptr, TT_Value:$cmp, TT_Value:$val, TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)";
}

def TTI_ExperimentalGSanAtomicLoadOp : TTI_Op<"experimental_gsan_atomic_load", [
    TypesMatchWith<"result matches ptr", "ptr", "result", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 1>]> {
  let summary = "instrumented `tt.atomic_load`";
  let description = [{
    Like `tt.atomic_load`, but also updates the clocks according to its memory order and scope. New in Triton 3.9.
  }];
  let arguments = (ins TTI_AccessedPtr:$ptr, Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def TTI_ExperimentalGSanAtomicStoreOp : TTI_Op<"experimental_gsan_atomic_store", [
    TypesMatchWith<"value matches ptr", "ptr", "value", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 2>]> {
  let summary = "instrumented `tt.atomic_store`";
  let description = [{
    Like `tt.atomic_store`, but also updates the clocks according to its memory order and scope. New in Triton 3.9.
  }];
  let arguments = (ins TTI_AccessedPtr:$ptr, TT_Value:$value, Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)";
}
