//===- TTNGTensorMemoryOps.td - Tensor memory --------------*- tablegen -*-===//

include "dialects/ttng/TTNGOpBase.td"

def TTNG_TMEMAllocOp : TTNG_Op<"tmem_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, AllocatesMemory]> {
  let summary = "a buffer in tensor memory";
  let description = [{
    Like `ttg.local_alloc`, in tensor memory: with `src` the buffer holds that
    tensor; without `src` it must be `mutable`. The token, if there is one,
    represents the state of the buffer.
  }];
  let arguments = (ins Optional<TT_Tensor>:$src);
  let results = (outs TTG_MemDescType:$result, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    ::kernelscope::ttg::MemDescType getType() { return getResult().getType(); }
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMLoadOp : TTNG_Op<"tmem_load", [AttrSizedResultSegments]> {
  let summary = "read tensor memory into registers";
  let description = [{
    The layout of the result must be one that `tcgen05.ld` supports: each warp of a
    group of four reads its own 32 rows. With `redOp`, `red` is the minimum or
    maximum of each row (`abs`: of absolute values; `NaN`: a NaN propagates). Tokens
    order the access.
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "", [MemRead<TTNG_TensorMemory>]>:$src,
    Optional<TTG_AsyncToken>:$dep,
    OptionalAttr<TTNG_TMEMLoadReduceModifierAttr>:$redOp,
    OptionalAttr<BoolAttr>:$abs,
    OptionalAttr<BoolAttr>:$NaN
  );
  let results = (outs TT_Tensor:$result, Optional<TTG_AsyncToken>:$token, Optional<TT_Tensor>:$red);
  let assemblyFormat = [{
    $src `` custom<Token>($dep, type($token))
    attr-dict `:` qualified(type($src)) `->` type($result) (`,` type($red)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getType() { return getResult().getType(); }
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMStoreOp : TTNG_Op<"tmem_store", [AccessesMemory]> {
  let summary = "write registers to tensor memory";
  let description = [{
    The layout of the source must be one that `tcgen05.st` supports. If `pred` is
    false nothing is written. Tokens order the access.
  }];
  let arguments = (ins
    Arg<TTG_MemDescType, "", [MemWrite<TTNG_TensorMemory>]>:$dst,
    Optional<TTG_AsyncToken>:$dep,
    TT_Tensor:$src,
    I1:$pred
  );
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $src `,` $dst `` custom<Token>($dep, type($token)) `,` $pred
    attr-dict `:` type($src) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TTNG_TMEMSubSliceOp : TTNG_Op<"tmem_subslice", [Pure, TTG_MemDescView]> {
  let summary = "a window of tensor memory";
  let description = [{
    The window of the result's size that starts at `offset` along dimension `dim`
    (columns by default). No data moves. Triton 3.6 and older wrote `N` for the
    offset, and divided the result's layout into blocks of a different width.
  }];
  let arguments = (ins
    TTG_MemDescType:$src, I32Attr:$offset, DefaultValuedAttr<I32Attr, "1">:$dim
  );
  let results = (outs TTG_MemDescType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTNG_TMEMCopyOp : TTNG_Op<"tmem_copy", [AccessesMemory]> {
  let summary = "start copying shared memory to tensor memory";
  let description = [{
    Copies rows of a matrix or, for a layout of scales, blocks of 32 rows by 16
    bytes that are replicated in all four groups of lanes. `ttng.tc_gen5_commit`
    signals when it is done. PTX: `tcgen05.cp`.
  }];
  let arguments = (ins
    TTNG_ReadsShared:$src, Arg<TTG_MemDescType, "", [MemWrite<TTNG_TensorMemory>]>:$dst
  );
  let assemblyFormat = "$src `,` $dst attr-dict `:` qualified(type(operands))";
  let hasVerifier = 1;
}
