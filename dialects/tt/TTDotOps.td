//===- TTDotOps.td - matrix products of tt -----------------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

def TT_DotOp : TT_Op<"dot", [
    Pure, TT_InferTensorType, DeclareOpInterfaceMethods<TT_DotOpInterface>,
    TypesMatchWith<"d matches c", "d", "c", "$_self">]> {
  let summary = "matrix product and sum, d = a * b + c";
  let description = [{
    Multiplies MxK by KxN (or a batch of them) and adds `c`. In `ttg` the operands' `#ttg.dot_op` encodings fit the
    result's: it becomes `mma.sync` on NVIDIA, `mfma` or `wmma` on AMD, plain fused multiply-adds under a blocked
    layout. `inputPrecision` says what f32 inputs may lose: `ieee` nothing, `tf32` one rounding, `tf32x3`, `bf16x3`,
    `bf16x6` sums of several products. `maxNumImpreciseAcc` bounds fp8 sums kept in low precision.
  }];
  let arguments = (ins TT_FloatIntTensor:$a, TT_FloatIntTensor:$b, TT_FloatIntTensor:$c,
    DefaultValuedAttr<TT_InputPrecisionAttr, "::kernelscope::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_FloatIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
    type($a) `*` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [
    Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<TT_DotOpInterface, ["getPacking"]>,
    TypesMatchWith<"d matches c", "d", "c", "$_self">]> {
  let summary = "matrix product of microscaled operands";
  let description = [{
    `d = (a * 2^a_scale) * (b * 2^b_scale) + c`, where one scale serves 32 (or 16) neighbours along K, as the OCP
    microscaling formats say. An `e2m1` operand packs two elements in an i8, along K unless `lhs_k_pack` or
    `rhs_k_pack` is false. `fastMath` skips the care for NaN scales. Native on sm_100, sm_120 and gfx950; elsewhere the
    operands are converted first.
  }];
  let arguments = (ins
    RankedTensorOf<[TT_Float, I8]>:$a, RankedTensorOf<[TT_Float, I8]>:$b, TT_FloatTensor:$c,
    Optional<RankedTensorOf<[TT_Float, I8]>>:$a_scale, Optional<RankedTensorOf<[TT_Float, I8]>>:$b_scale,
    TT_ScaleDotElemTypeAttr:$a_elem_type, TT_ScaleDotElemTypeAttr:$b_elem_type, BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack, DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
  let hasVerifier = 1;
}
