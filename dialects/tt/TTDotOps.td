//===- TTDotOps.td - matrix products of tt -----------------*- tablegen -*-===//

include "dialects/tt/TTOpBase.td"

// The working layout of a product is that of its accumulator.
def TT_ProductLayout
    : TT_LayoutTransfer<["getOperandLayout", "getWorkingLayoutForOperand", "worksInResultLayout", "choosesLayout"]>;

def TT_DotOp : TT_Op<"dot", [
    Pure, TT_InferTensorType, DeclareOpInterfaceMethods<TT_DotOpInterface>, TT_ProductLayout,
    TypesMatchWith<"d matches c", "d", "c", "$_self">]> {
  let summary = "matrix product with accumulator, d = a * b + c";
  let description = [{
    Multiplies MxK by KxN (or a batch of them) and adds `c`. In `ttg` the `#ttg.dot_op` encodings of the operands
    match the result's encoding. It becomes `mma.sync` on NVIDIA, `mfma` or `wmma` on AMD, and plain fused
    multiply-adds with a blocked layout. `inputPrecision` says how much precision f32 inputs may lose: `ieee` none,
    `tf32` one rounding; `tf32x3`, `bf16x3` and `bf16x6` are sums of several products. `maxNumImpreciseAcc` limits the
    number of fp8 products summed in low precision.
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
    Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<TT_DotOpInterface, ["getPacking"]>, TT_ProductLayout,
    TypesMatchWith<"d matches c", "d", "c", "$_self">]> {
  let summary = "matrix product of microscaled operands";
  let description = [{
    `d = (a * 2^a_scale) * (b * 2^b_scale) + c`, where one scale applies to 32 (or 16) consecutive elements along K,
    as in the OCP microscaling formats. An `e2m1` operand packs two elements in an i8, along K unless `lhs_k_pack` or
    `rhs_k_pack` is false. `fastMath` skips the handling of NaN scales. Native on sm_100, sm_120, gfx950 and gfx1250;
    elsewhere the operands are converted first.
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
  let extraClassDeclaration = [{
    /// The elements along K, not bytes.
    int64_t getDepth();
    /// Elements along K that share a scale: 16 or 32, which is the same for both operands, and 32 without scales. Nothing if an
    /// operand has a scale for the whole tensor.
    std::optional<int64_t> getElementsPerScale();
  }];
  let hasVerifier = 1;
}
