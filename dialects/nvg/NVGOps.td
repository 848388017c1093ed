//===- NVGOps.td - ops of nvg ------------------------------*- tablegen -*-===//

#ifndef KERNELSCOPE_NVG_OPS_TD
#define KERNELSCOPE_NVG_OPS_TD

include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/nvg/NVGDialect.td"
include "dialects/nvg/NVGEnums.td"
include "dialects/tt/TTEnums.td"

class NVG_Op<string mnemonic, list<Trait> traits = []> : Op<NVG_Dialect, mnemonic, traits>;

def NVG_WGMMAOperand : AnyTypeOf<[LLVM_AnyStruct, I64], "a struct of registers, or a matrix descriptor">;

def NVG_WGMMAOp : NVG_Op<"wgmma"> {
  let summary = "matrix product of a warp group, one instruction in size";
  let description = [{
    `wgmma.mma_async` of shape m x n x k: `opA` is registers or a shared memory descriptor (i64), `opB` a descriptor,
    `opC` the registers of the accumulator. If `useC` is false the accumulator starts from zero. The op is
    asynchronous; `nvg.wgmma_wait_group` waits for it. sm_90a only.
  }];
  let arguments = (ins NVG_WGMMAOperand:$opA, NVG_WGMMAOperand:$opB, I1:$useC, Optional<LLVM_AnyStruct>:$opC,
    I32Attr:$m, I32Attr:$n, I32Attr:$k, NVG_WGMMAEltTypeAttr:$eltTypeC, NVG_WGMMAEltTypeAttr:$eltTypeA,
    NVG_WGMMAEltTypeAttr:$eltTypeB, NVG_WGMMALayoutAttr:$layoutA, NVG_WGMMALayoutAttr:$layoutB);
  let results = (outs LLVM_AnyStruct:$res);
  let assemblyFormat = "$opA `,` $opB `,` $useC (`,` $opC^)? attr-dict `:` functional-type(operands, $res)";
}

def NVG_WGMMAWaitGroupOp : NVG_Op<"wgmma_wait_group", [AllTypesMatch<["input", "output"]>]> {
  let summary = "wait for wgmma groups";
  let description = [{
    Waits until at most `pendings` committed wgmma groups are unfinished (`wgmma.wait_group.sync.aligned`), and
    forwards the accumulator so that nothing reads it earlier.
  }];
  let arguments = (ins LLVM_AnyStruct:$input, I32Attr:$pendings);
  let results = (outs LLVM_AnyStruct:$output);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

def NVG_ClusterCTAIdOp : NVG_Op<"cluster_id", [Pure]> {
  let summary = "rank of this CTA in its cluster";
  let description = "The CTA's linear index in the cluster (`%cluster_ctarank`); 0 without clusters.";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def NVG_WarpIdOp : NVG_Op<"warp_id", [Pure]> {
  let summary = "index of this warp (Triton up to 3.6)";
  let description = [{
    The warp's index in the CTA, made uniform by a shuffle so that the compiler knows it is the same for all lanes.
    Newer releases of Triton use `ttg.warp_id`.
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def NVG_WarpGroupBarrierIdOp : NVG_Op<"warp_group_barrier_id"> {
  let summary = "named barrier of this warp group";
  let description = [{
    The id of the hardware barrier that synchronises the warps of this partition of a `ttg.warp_specialize`.
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def NVG_LoadAcquireOp : NVG_Op<"ld_acquire", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "ordered load from global memory";
  let description = [{
    `ld.acquire` or `ld.relaxed`, depending on `sem`, of one scalar at the given scope. It loads nothing if `mask` is
    false.
  }];
  let arguments = (ins LLVM_PointerInAddressSpace<1>:$addr, Optional<I1>:$mask, TT_MemSemanticAttr:$sem,
    TT_MemSyncScopeAttr:$scope);
  let results = (outs AnyTypeOf<[AnyFloat, AnySignlessInteger]>:$result);
  let assemblyFormat = "$sem `,` $scope `,` $addr (`,` $mask^)? attr-dict `:` functional-type($addr, $result)";
}

def NVG_TensorMemoryBaseAddressOp : NVG_Op<"tensor_memory_base", [Pure]> {
  let summary = "base address of this CTA's tensor memory";
  let description = [{
    The address that `tcgen05.alloc` returned for the kernel's tensor memory; each `ttng.tmem_alloc` is an offset from
    it. sm_100 and later.
  }];
  let results = (outs LLVM_PointerInAddressSpace<6>:$result);
  let assemblyFormat = "attr-dict";
}

#endif
