//===- AMDGTensorOps.td - tensors in registers -------------*- tablegen -*-===//

include "dialects/amdg/AMDGOpBase.td"

// An op on the registers of each thread; it does not matter how many threads execute it.
class AMDG_RegisterOp<string mnemonic>
    : Op<AMDG_Dialect, mnemonic, [TT_SizedTensors, Pure]>;

def AMDG_ExtractSliceOp : AMDG_RegisterOp<"extract_slice"> {
  let summary = "a slice of a tensor that stays on the same threads";
  let description = [{
    The part of `source` that starts at `static_offsets` and has the result's shape. Each lane and warp holds the same
    positions of both, so the op only selects registers. Scheduling passes use it to cut up large tensors.
  }];
  let arguments = (ins AnyRankedTensor:$source, DenseI64ArrayAttr:$static_offsets);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$source $static_offsets attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def AMDG_ConcatOp : AMDG_RegisterOp<"concat"> {
  let summary = "a tensor assembled from equal parts without moving data";
  let description = [{
    Arranges tensors of the same type in row-major order as a grid that fills the result. Each lane and warp holds the
    same positions of the parts and the whole, so the op only collects registers. It is the inverse of several
    `amdg.extract_slice` ops.
  }];
  let arguments = (ins Variadic<TT_Tensor>:$sources);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "$sources attr-dict `:` type($sources) `->` type($result)";
  let hasVerifier = 1;
}

def AMDG_InThreadTransposeOp : AMDG_Op<"in_thread_transpose", [Pure]> {
  let summary = "transpose of each thread's registers";
  let description = [{
    Keeps every element on its thread, but orders the thread's registers (the `sizePerThread` of the blocked layout)
    along the other dimension, so that a following store to LDS is wide along that dimension.
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

def AMDG_ScaledUpcastFp4Op : AMDG_Op<"scaled_upcast_fp4", [Pure]> {
  let summary = "fp4 to half precision, times a scale";
  let description = [{
    Unpacks two `e2m1` values from each i8 along `axis` and multiplies by the scale. There is one scale per element of
    the result, or one per run of elements along `axis`. `v_cvt_scalef32_pk_*_fp4` on gfx950, `v_cvt_scale_pk8_*_fp4`
    on gfx1250.
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$input, RankedTensorOf<[BF16, I8]>:$scale, I32Attr:$axis);
  let results = (outs RankedTensorOf<[F16, BF16]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
  let hasVerifier = 1;
}

def AMDG_ScaledUpcastFp8Op : AMDG_Op<"scaled_upcast_fp8", [
    Pure, Elementwise, SameOperandsAndResultShape, TT_SameOperandsAndResultEncoding]> {
  let summary = "fp8 to half precision, times a scale";
  let description = [{
    Converts each 8-bit float and multiplies by its scale (a power of two: its biased exponent in i8, or a bf16).
    `v_cvt_scalef32_pk_*` on gfx950, `v_cvt_scale_pk8_*` on gfx1250.
  }];
  let arguments = (ins RankedTensorOf<[F8E4M3FN, F8E5M2]>:$input, RankedTensorOf<[BF16, I8]>:$scale);
  let results = (outs RankedTensorOf<[F16, BF16]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
}

class AMDG_ScaledDowncastOp<string mnemonic, Type element> : AMDG_Op<mnemonic, [Pure]> {
  let arguments = (ins RankedTensorOf<[F16, BF16, F32]>:$input, RankedTensorOf<[I8]>:$scale, I32Attr:$axis);
  let results = (outs RankedTensorOf<[element]>:$output);
  let assemblyFormat = "$input `scale` $scale attr-dict `:` type($input) `,` type($scale) `->` type($output)";
  let hasVerifier = 1;
}

def AMDG_ScaledDowncastFp8Op : AMDG_ScaledDowncastOp<"scaled_downcast_fp8", AnyTypeOf<[F8E4M3FN, F8E5M2]>> {
  let summary = "fp8 of a tensor divided by its scales";
  let description = [{
    Divides each run of elements along `axis` by its scale (a power of two, given as its biased exponent in i8) and
    rounds to an 8-bit float; values that are too large become the largest finite value. `v_cvt_scalef32_pk_fp8_*` on gfx950,
    `v_cvt_scalef32_pk8_fp8_*` on gfx1250. New in Triton 3.9.
  }];
}

def AMDG_ScaledDowncastFp4Op : AMDG_ScaledDowncastOp<"scaled_downcast_fp4", I8> {
  let summary = "fp4 of a tensor divided by its scales";
  let description = [{
    Divides each run of elements along `axis` by its scale (a power of two, given as its biased exponent in i8), rounds
    to `e2m1`, and packs two neighbours along `axis` into an i8, the first in the low half. `v_cvt_scalef32_pk_fp4_*`
    on gfx950, `v_cvt_scalef32_pk8_fp4_*` on gfx1250. New in Triton 3.9.
  }];
}

def AMDG_UpcastMXFPOp : AMDG_Op<"upcast_mxfp", [Pure]> {
  let summary = "microscaled dot operand to half precision (Triton up to 3.7)";
  let description = [{
    Converts `src`, which has the format `fp_type` or is already in half precision, and multiplies by the scales: one
    i8 exponent per 32 elements along K. Each i8 of `src` holds two consecutive `e2m1` values along K. Newer releases
    of Triton use `amdg.scaled_upcast_fp4` and `amdg.scaled_upcast_fp8` instead. `fastMath` skips the handling of NaN
    scales.
  }];
  let arguments = (ins TT_Tensor:$src, RankedTensorOf<[I8]>:$scale, TT_ScaleDotElemTypeAttr:$fp_type,
    BoolAttr:$fastMath);
  let results = (outs RankedTensorOf<[F16, BF16]>:$result);
  let assemblyFormat = [{
    $src `,` $scale `fp_type` `=` $fp_type attr-dict `:` type($src) `,` type($scale) `->` type($result)
  }];
  let hasVerifier = 1;
}
