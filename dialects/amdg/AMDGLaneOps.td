//===- AMDGLaneOps.td - accesses of one lane, waits, barriers --*- tablegen -*-===//
// They appear late, when tensors are already registers.

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "dialects/amdg/AMDGOpBase.td"

def AMDG_MaskedLoadOp : AMDG_Op<"masked_load"> {
  let summary = "load of one lane under a condition";
  let description = [{
    Loads through an LLVM pointer if `mask` is true, else gives `falseVal`. `multicastMask` loads once for several
    workgroups of a cluster (gfx1250). `forceNoAlias` keeps LLVM from waiting for copies to LDS before it.
  }];
  let arguments = (ins LLVM_AnyPointer:$ptr, I1:$mask, LLVM_Type:$falseVal, Optional<AnyTypeOf<[I16, I32]>>:$multicastMask,
    DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache, DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    DefaultValuedAttr<BoolAttr, "false">:$forceNoAlias);
  let results = (outs LLVM_Type:$result);
  let assemblyFormat = [{
    $ptr `,` $mask `,` $falseVal (`,` $multicastMask^)? oilist(`cacheModifier` `=` $cache) (`volatile` $isVolatile^)?
    (`forceNoAlias` $forceNoAlias^)? attr-dict `:` functional-type(operands, results)
  }];
}

def AMDG_MaskedStoreOp : AMDG_Op<"masked_store"> {
  let summary = "store of one lane under a condition";
  let description = [{
    Stores `value` through an LLVM pointer if `mask` is true. `forceNoAlias` keeps LLVM from waiting for copies to LDS
    before it.
  }];
  let arguments = (ins LLVM_AnyPointer:$ptr, LLVM_Type:$value, I1:$mask,
    DefaultValuedAttr<TT_CacheModifierAttr, noCacheModifier>:$cache,
    DefaultValuedAttr<BoolAttr, "false">:$forceNoAlias);
  let assemblyFormat = [{
    $ptr `,` $value `,` $mask oilist(`cacheModifier` `=` $cache) (`forceNoAlias` $forceNoAlias^)?
    attr-dict `:` type(operands)
  }];
}

def AMDG_CondBarrierOp : AMDG_Op<"cond_barrier"> {
  let summary = "barrier for the warps whose condition is true";
  let description = [{
    Executes `s_barrier` if `pred` is true, so that warps of a block drift apart on purpose; the others must meet them
    with a second one. It is no memory fence.
  }];
  let arguments = (ins I1:$pred);
  let assemblyFormat = "$pred attr-dict";
}

def AMDG_MemoryCounterWaitOp : AMDG_Op<"memory_counter_wait"> {
  let summary = "wait on the memory counters";
  let description = [{
    Waits until at most `load` loads, `store` stores and `ds` LDS accesses of this wave are outstanding; a counter that is
    not named is not waited for. It becomes `s_waitcnt` or the `s_wait_*cnt` of gfx12, which clamp to what they can count.
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$load, OptionalAttr<I32Attr>:$store, OptionalAttr<I32Attr>:$ds);
  let assemblyFormat = [{
    oilist(`load` `(` $load `)` | `store` `(` $store `)` | `ds` `(` $ds `)`) attr-dict
  }];
}

class AMDG_ClusterBarrierOp<string mnemonic> : AMDG_Op<mnemonic> {
  let arguments = (ins);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def AMDG_ClusterBarrierArriveOp : AMDG_ClusterBarrierOp<"cluster_barrier_arrive"> {
  let summary = "arrive at the cluster's barrier";
  let description = [{
    Says that this workgroup reached the barrier of its cluster, and goes on. Each arrive needs its
    `amdg.cluster_barrier_wait` before the next. gfx1250, with more than one CTA in the cluster.
  }];
}

def AMDG_ClusterBarrierWaitOp : AMDG_ClusterBarrierOp<"cluster_barrier_wait"> {
  let summary = "wait at the cluster's barrier";
  let description = [{
    Waits until all workgroups of the cluster arrived (`amdg.cluster_barrier_arrive`, this one's before it). gfx1250,
    with more than one CTA in the cluster.
  }];
}
