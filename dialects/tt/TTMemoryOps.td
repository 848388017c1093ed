//===- TTMemoryOps.td - loads, stores, atomics of tt -------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

def TT_LoadOp : TT_Op<"load", [
    TT_AccessesGlobal, TT_HasCachePolicy, TT_SameAccessShape, TT_SameOperandsAndResultEncoding, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    TypesMatchWith<"result matches ptr", "ptr", "result", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 1>,
    TT_OptionalTypeMatches<"ptr", "other", "getPointeeType($_self)", 2>]> {
  let summary = "load from global memory";
  let description = [{
    Loads through each pointer whose `mask` is true. Elsewhere it does not access memory and returns `other`, or an
    undefined value if there is no `other`. Adjacent addresses that one thread owns become one `ld.global.v4` (NVIDIA)
    or `global_load_dwordx4` (AMD). `isVolatile` prevents the load from being merged or removed.
  }];
  let arguments = (ins TT_AccessPtr:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Value>:$other,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, OptionalAttr<AnyAttr>:$cachePolicy);
  let results = (outs TT_Value:$result);
  // Clauses of an oilist begin with a keyword each, so there is no comma before them.
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
}

def TT_StoreOp : TT_Op<"store", [
    TT_AccessesGlobal, TT_HasCachePolicy, TT_SameAccessShape, TT_SameOperandsEncoding,
    TypesMatchWith<"value matches ptr", "ptr", "value", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 2>]> {
  let summary = "store to global memory";
  let description = [{
    Stores each `value` through its pointer where `mask` is true. If several threads hold a copy of an element, only
    one of them stores it; with `ignore_cta`, one in each CTA of a cluster does. Adjacent addresses become one wide
    store.
  }];
  let arguments = (ins Arg<TT_AccessPtr, "", [MemWrite<TT_GlobalMemory>]>:$ptr, TT_Value:$value,
    Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<TT_CacheModifierAttr, "::kernelscope::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::kernelscope::tt::EvictionPolicy::NORMAL">:$evict,
    UnitAttr:$ignore_cta, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
}

class TT_AtomicOp<string mnemonic, list<Trait> traits>
    : TT_Op<mnemonic, !listconcat([TT_AccessesGlobal, SameOperandsAndResultShape, TT_SameOperandsAndResultEncoding], traits)>;

// The pointer of an atomic: read and written.
def TT_AtomicPtr : Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TT_AtomicRMWOp : TT_AtomicOp<"atomic_rmw", [
    TypesMatchWith<"ptr matches val", "val", "ptr", "getPointerTypeSameShape($_self)">,
    TT_OptionalTypeMatches<"val", "mask", "getI1SameShape($_self)", 2>]> {
  let summary = "atomic read-modify-write of global memory";
  let description = [{
    Combines the value at each pointer whose `mask` is true with `val`, and returns the old value. Each element takes
    effect once, even if several threads hold copies of it. `sem` is the memory order, and `scope` the set of threads
    that it applies to. NVIDIA has vector forms (`red`/`atom` with `.v2`, `.noftz`) for packed floats.
  }];
  let arguments = (ins TT_RMWOpAttr:$atomic_rmw_op, TT_AtomicPtr:$ptr, TT_Value:$val, Optional<TT_BoolLike>:$mask,
    TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

def TT_AtomicCASOp : TT_AtomicOp<"atomic_cas", [
    TypesMatchWith<"ptr matches cmp", "cmp", "ptr", "getPointerTypeSameShape($_self)">,
    TypesMatchWith<"ptr matches val", "val", "ptr", "getPointerTypeSameShape($_self)">]> {
  let summary = "atomic compare and swap in global memory";
  let description = [{
    Where the value at a pointer is bitwise equal to `cmp`, replaces it with `val`. Returns the value found. Locks are
    built with it: with `sem` acquire or acq_rel, later accesses stay after it.
  }];
  let arguments = (ins TT_AtomicPtr:$ptr, TT_Value:$cmp, TT_Value:$val, TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicPollOp : TT_Op<"atomic_poll", [
    TT_AccessesGlobal,
    TypesMatchWith<"ptr matches expected", "expected", "ptr", "getPointerTypeSameShape($_self)">,
    TypesMatchWith<"result matches expected", "expected", "result", "getI1SameShape($_self)">]> {
  let summary = "wait until memory holds a value";
  let description = [{
    A thread loads from each pointer repeatedly until it finds `expected` or `timeout` nanoseconds have passed; the other
    threads wait for it. Returns whether the value was found. With `acquire`, a fence follows if it was. Tensors are new
    in Triton 3.9.
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$ptr,
    TT_IntLike:$expected, Optional<I64>:$timeout, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` qualified(type($ptr)) `,` type($expected) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicLoadOp : TT_Op<"atomic_load", [
    TT_AccessesGlobal,
    TypesMatchWith<"result matches ptr", "ptr", "result", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 1>]> {
  let summary = "atomic load from global memory";
  let description = [{
    Loads each element whose `mask` is true in one access, with the memory order `sem` (acquire or relaxed) for the
    threads in `scope` (`ld.acquire`, `ld.relaxed`). New in Triton 3.9.
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>:$ptr,
    Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let results = (outs TT_Value:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasVerifier = 1;
}

def TT_AtomicStoreOp : TT_Op<"atomic_store", [
    TT_AccessesGlobal,
    TypesMatchWith<"value matches ptr", "ptr", "value", "getPointeeType($_self)">,
    TT_OptionalTypeMatches<"ptr", "mask", "getI1SameShape(getPointeeType($_self))", 2>]> {
  let summary = "atomic store to global memory";
  let description = [{
    Stores each element whose `mask` is true in one access, with the memory order `sem` (release or relaxed) for the
    threads in `scope` (`st.release`, `st.relaxed`). New in Triton 3.9.
  }];
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite<TT_GlobalMemory>]>:$ptr, TT_Value:$value,
    Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem, TT_MemSyncScopeAttr:$scope);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)
  }];
  let hasVerifier = 1;
}
