//===- TTNGMMAOps.td - Matrix products ---------------------*- tablegen -*-===//

include "dialects/ttng/TTNGOpBase.td"

//===----------------------------------------------------------------------===//
// Hopper
//===----------------------------------------------------------------------===//

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, AccessesMemory,
    DeclareOpInterfaceMethods<TT_DotOpInterface>,
    TypesMatchWith<"the result has the type of the accumulator", "d", "c", "$_self">]> {
  let summary = "matrix product of warp groups, d = a * b + c";
  let description = [{
    Four warps work on 64 rows of the result together. `b`, and `a` unless it is in
    registers, are read from shared memory. If `useC` is false the accumulator
    starts from zero. With `isAsync` the result is valid only after
    `ttng.warp_group_dot_wait`, and the buffers must not be written until then. PTX
    (sm_90): `wgmma.mma_async`.
  }];
  let arguments = (ins
    TTNG_TensorOrMemDesc:$a,
    TTG_MemDescType:$b,
    TT_FloatIntTensor:$c,
    Optional<I1>:$useC,
    DefaultValuedAttr<TT_InputPrecisionAttr, "::kernelscope::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc,
    DefaultValuedAttr<BoolAttr, "false">:$isAsync
  );
  let results = (outs TT_FloatIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` type($a) `*` qualified(type($b)) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [AllTypesMatch<["inputs", "outputs"]>, WaitsForAccesses<>]> {
  let summary = "wait until at most N warp group products are in flight";
  let description = [{
    Returns when at most `pendings` asynchronous products are in flight. The inputs,
    which are results and buffers of the finished products, are forwarded, so that
    their uses come afterwards. `warpGroupLocal` waits only for this warp group: its
    results are valid, but other groups may still be reading the buffers. PTX:
    `wgmma.wait_group`.
  }];
  let arguments = (ins
    Variadic<TTNG_TensorOrMemDesc>:$inputs, I32Attr:$pendings, UnitAttr:$warpGroupLocal
  );
  let results = (outs Variadic<TTNG_TensorOrMemDesc>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Blackwell
//===----------------------------------------------------------------------===//

def TTNG_TCGen5MMAOp : TTNG_Op<"tc_gen5_mma", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TT_DotOpInterface>,
    UsesMBarriers, AccessesMemory]> {
  let summary = "matrix product into tensor memory, d += a * b";
  let description = [{
    One thread issues it for the CTA, or for a CTA pair with `two_ctas`. `b` is in
    shared memory, `a` in shared or tensor memory, `d` in tensor memory. If `useD`
    is false the accumulator starts from zero; if `pred` is false nothing happens.
    An asynchronous product (`is_async`) arrives on each of `barriers` whose
    predicate is true once it is done. `multicast` sends these arrivals to the CTAs
    that share an operand. Tokens, in brackets after `d`, order the accesses to the
    accumulator. PTX (sm_100): `tcgen05.mma`.
  }];
  let arguments = (ins
    TTG_MemDescType:$a,
    TTG_MemDescType:$b,
    TTG_MemDescType:$d,
    Optional<TTG_AsyncToken>:$acc_dep,
    I1:$useD,
    I1:$pred,
    Variadic<TTG_MemDescType>:$barriers,
    Variadic<I1>:$barrier_preds,
    UnitAttr:$is_async,
    UnitAttr:$two_ctas,
    UnitAttr:$multicast,
    UnitAttr:$is_unsigned
  );
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $useD `,`
    $pred `` custom<BarriersAndPreds>($barriers, $barrier_preds)
    attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,`
    qualified(type($d)) (`,` qualified(type($barriers))^)?
  }];
  let hasVerifier = 1;
}

def TTNG_TCGen5MMAScaledOp : TTNG_Op<"tc_gen5_mma_scaled", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TT_DotOpInterface, ["getPacking"]>,
    UsesMBarriers, AccessesMemory]> {
  let summary = "microscaled matrix product into tensor memory";
  let description = [{
    Like `ttng.tc_gen5_mma`, with operands in the formats `a_type` and `b_type` and
    one scale per 32 (or 16) consecutive elements along K. The scales are in tensor
    memory, in `#ttng.tensor_memory_scales_encoding`. PTX: `tcgen05.mma` with
    `.block_scale`.
  }];
  let arguments = (ins
    TTG_MemDescType:$a,
    TTG_MemDescType:$b,
    TTG_MemDescType:$d,
    Optional<TTG_AsyncToken>:$acc_dep,
    TTG_MemDescType:$a_scale,
    TTG_MemDescType:$b_scale,
    TT_ScaleDotElemTypeAttr:$a_type,
    TT_ScaleDotElemTypeAttr:$b_type,
    I1:$useD,
    I1:$pred,
    Variadic<TTG_MemDescType>:$barriers,
    Variadic<I1>:$barrier_preds,
    UnitAttr:$two_ctas,
    UnitAttr:$multicast,
    UnitAttr:$is_async
  );
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $a_scale `,`
    $b_scale `,` $useD `,` $pred `lhs` `=` $a_type `rhs` `=` $b_type
    `` custom<BarriersAndPreds>($barriers, $barrier_preds)
    attr-dict `:` qualified(type($a)) `,` qualified(type($b)) `,`
    qualified(type($d)) `,` qualified(type($a_scale)) `,`
    qualified(type($b_scale)) (`,` qualified(type($barriers))^)?
  }];
  let hasVerifier = 1;
}

def TTNG_TCGen5CommitOp : TTNG_Op<"tc_gen5_commit", [AttrSizedOperandSegments, UsesMBarriers]> {
  let summary = "arrive on a barrier once earlier tcgen05 work is done";
  let description = [{
    Counts one arrival when all asynchronous tcgen05 operations that this thread
    issued before have completed; commits complete in order. With `descs`, operands
    of those operations, the arrival goes to every CTA that shares one of them. PTX:
    `tcgen05.commit`.
  }];
  let arguments = (ins
    TTNG_WritesShared:$barrier, Optional<I1>:$pred, Variadic<TTG_MemDescType>:$descs
  );
  let assemblyFormat = [{
    $barrier (`,` $pred^)? (`descs` $descs^)? attr-dict `:`
    qualified(type($barrier)) (`,` qualified(type($descs))^)?
  }];
  let hasVerifier = 1;
}

def TTNG_PackedArithOp : TTNG_Op<"packed_arith", [Pure]> {
  let summary = "arithmetic on packed elements";
  let description = [{
    Applies `op_kind` to two tensors (three for `fma`), element by element, with PTX
    instructions that take two or four packed elements. Operand types may be
    narrower than the result type if the instruction converts them; fp4 operands are
    i8 with two values per byte, along the dimension that is half as long as the
    result's.
  }];
  let arguments = (ins
    TTNG_PackedArithOpKindAttr:$op_kind,
    Variadic<RankedTensorOf<[I8, F8E8M0FNU, F8E4M3FN, F8E5M2, F16, BF16, F32]>>:$operands
  );
  let results = (outs RankedTensorOf<[F8E4M3FN, F8E5M2, F16, BF16, F32]>:$result);
  let assemblyFormat = "$op_kind $operands attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
}
