//===- AMDGLaneOps.td - accesses of one lane, waits, barriers --*- tablegen -*-===//
// They appear late, when tensors are already in registers.

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "dialects/amdg/AMDGOpBase.td"

def AMDG_MaskedLoadOp : AMDG_Op<"masked_load"> {
  let summary = "predicated load of one lane";
  let description = [{
    Loads through an LLVM pointer if `mask` is true, and returns `falseVal` otherwise. With `multicastMask`, one load
    serves several workgroups of a cluster (gfx1250). `forceNoAlias` keeps LLVM from waiting for earlier copies to
    LDS.
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
  let summary = "predicated store of one lane";
  let description = [{
    Stores `value` through an LLVM pointer if `mask` is true. `forceNoAlias` keeps LLVM from waiting for earlier
    copies to LDS.
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
  let summary = "barrier for the warps whose predicate is true";
  let description = [{
    Executes `s_barrier` if `pred` is true, which makes the warps of a block drift apart on purpose; a second such op
    must let the other warps catch up. It is not a memory fence.
  }];
  let arguments = (ins I1:$pred);
  let assemblyFormat = "$pred attr-dict";
}

def AMDG_MemoryCounterWaitOp : AMDG_Op<"memory_counter_wait"> {
  let summary = "wait on the memory counters";
  let description = [{
    Waits until at most `load` loads, `store` stores and `ds` LDS accesses of this wave are outstanding; it does not
    wait for a counter that is absent. It becomes `s_waitcnt`, or gfx12's `s_wait_*cnt`, with counts clamped to what
    the instruction can encode.
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
    Signals that this workgroup has reached its cluster's barrier, and continues. An `amdg.cluster_barrier_wait` must
    follow before the next arrival. Needs gfx1250 and a cluster of more than one CTA.
  }];
}

def AMDG_ClusterBarrierWaitOp : AMDG_ClusterBarrierOp<"cluster_barrier_wait"> {
  let summary = "wait at the cluster's barrier";
  let description = [{
    Waits until all workgroups of the cluster have arrived (`amdg.cluster_barrier_arrive`), including this one. Needs
    gfx1250 and a cluster of more than one CTA.
  }];
}
