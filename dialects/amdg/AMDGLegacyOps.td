//===- AMDGLegacyOps.td - ops of older Tritons -------------*- tablegen -*-===//
// Today's Triton has none of these; dumps of 3.4 to 3.7 do.

include "dialects/amdg/AMDGOpBase.td"

def AMDG_UpcastMXFPOp : AMDG_Op<"upcast_mxfp", [Pure]> {
  let summary = "microscaled operand of a product to half precision (Triton up to 3.7)";
  let description = [{
    Converts `src`, of the format `fp_type` or already of half precision, and multiplies by the scales: one i8 exponent
    for each 32 elements along K. An i8 of `src` holds two `e2m1` values that follow each other along K. Today's Triton
    has `amdg.scaled_upcast_fp4` and `amdg.scaled_upcast_fp8` instead. `fastMath` leaves NaN scales out.
  }];
  let arguments = (ins TT_Tensor:$src, RankedTensorOf<[I8]>:$scale, TT_ScaleDotElemTypeAttr:$fp_type,
    BoolAttr:$fastMath);
  let results = (outs RankedTensorOf<[F16, BF16]>:$result);
  let assemblyFormat = [{
    $src `,` $scale `fp_type` `=` $fp_type attr-dict `:` type($src) `,` type($scale) `->` type($result)
  }];
  let hasVerifier = 1;
}
