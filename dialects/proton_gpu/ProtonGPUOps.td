//===- ProtonGPUOps.td - ops of proton_gpu -----------------*- tablegen -*-===//

#ifndef KERNELSCOPE_PROTON_GPU_OPS_TD
#define KERNELSCOPE_PROTON_GPU_OPS_TD

include "dialects/proton/ProtonEnums.td"
include "dialects/proton_gpu/ProtonGPUAttrs.td"
include "dialects/proton_gpu/ProtonGPUTypes.td"
include "dialects/tt/TTOpBase.td"
include "dialects/ttg/TTGTypes.td"

class ProtonGPU_Op<string mnemonic, list<Trait> traits> : Op<ProtonGPU_Dialect, mnemonic, traits>;

def ProtonGPU_Counter : AnyTypeOf<[I32, I64]>;
// Reads of counters stay in order with other effects.
defvar keepsPlace = MemoryEffects<[MemRead<DefaultResource>, MemWrite<DefaultResource>]>;
defvar readsGlobal = MemoryEffects<[MemRead<TT_GlobalMemory>]>;
defvar writesGlobal = MemoryEffects<[MemWrite<TT_GlobalMemory>]>;
defvar usesGlobal = MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def ProtonGPU_ReadCounterOp : ProtonGPU_Op<"read_counter", [keepsPlace]> {
  let summary = "read a counter of the GPU";
  let description = "Reads the cycle counter (`%clock`, `%clock64`, `s_memtime`). The read is never moved.";
  let arguments = (ins DefaultValuedAttr<Proton_MetricTypeAttr, "::kernelscope::proton::MetricType::CYCLE">:$metric);
  let results = (outs ProtonGPU_Counter:$counter);
  let assemblyFormat = "attr-dict `:` type($counter)";
}

def ProtonGPU_CircularStoreOp : ProtonGPU_Op<"circular_store", [keepsPlace]> {
  let summary = "store a counter in a segment";
  let description = [{
    Appends `counter` to `segment`, with the id of its scope and whether the scope starts or ends here. A full segment
    overwrites its oldest entries. The scope is the constant `scopeId` or the value `dynamicScopeId`.
  }];
  let arguments = (ins ProtonGPU_SegmentType:$segment, ProtonGPU_Counter:$counter, Optional<I32>:$dynamicScopeId,
    UnitAttr:$isStart, OptionalAttr<I32Attr>:$scopeId);
  let assemblyFormat = [{
    (`start` $isStart^) : (`end`)? $segment `,` $counter (`,` $dynamicScopeId^)? attr-dict
    `:` qualified(type($segment)) `,` type($counter)
  }];
  let hasVerifier = 1;
}

class ProtonGPU_ScratchOp<string mnemonic, list<Trait> traits> : ProtonGPU_Op<mnemonic, traits> {
  let arguments = (ins TT_Ptr:$scratchPtr);
  let assemblyFormat = "$scratchPtr attr-dict `:` qualified(type($scratchPtr))";
}

def ProtonGPU_InitializeOp : ProtonGPU_ScratchOp<"initialize", [writesGlobal]> {
  let summary = "write the profile's header";
  let description = [{
    Writes what a reader needs to know about this block (its index, its SM, the time) to the scratch memory.
  }];
}

def ProtonGPU_InitCtxOp : ProtonGPU_ScratchOp<"init_ctx", [writesGlobal]> {
  let summary = "set each warp's write index to zero";
  let description = [{
    Prepares the per-warp state of `proton_gpu.save_ctx` and `restore_ctx`, before the warps diverge.
  }];
  let hasVerifier = 1;
}

class ProtonGPU_SegmentOp<string mnemonic, list<Trait> traits> : ProtonGPU_Op<mnemonic, traits> {
  let arguments = (ins ProtonGPU_SegmentType:$segment, TT_Ptr:$scratchPtr);
  let assemblyFormat = [{
    $segment `,` $scratchPtr attr-dict `:` qualified(type($segment)) `,` qualified(type($scratchPtr))
  }];
}

def ProtonGPU_FinalizeOp : ProtonGPU_SegmentOp<"finalize", [usesGlobal]> {
  let summary = "write the profile out";
  let description = "Copies the segments and their state to the scratch memory, from which the host reads them.";
}

def ProtonGPU_SaveCtxOp : ProtonGPU_SegmentOp<"save_ctx", [writesGlobal]> {
  let summary = "save a warp's write index to memory";
  let description = "Stores how far this warp has filled `segment`, at the end of a warp-specialised region.";
}

def ProtonGPU_RestoreCtxOp : ProtonGPU_SegmentOp<"restore_ctx", [usesGlobal]> {
  let summary = "restore a warp's write index from memory";
  let description = "Loads how far this warp has filled `segment`, at the start of a warp-specialised region.";
}

def ProtonGPU_SegmentAllocOp : ProtonGPU_Op<"segment_alloc", [Pure]> {
  let summary = "this thread's segment of the buffer";
  let description = [{
    Returns the part of the buffer that belongs to this thread's warp, or to the unit that the type's granularity names.
  }];
  let arguments = (ins AnyTypeOf<[TTG_MemDescType, TT_Ptr]>:$buffer);
  let results = (outs ProtonGPU_SegmentType:$segment);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer)) `->` type($segment)";
  let hasVerifier = 1;
}

#endif
